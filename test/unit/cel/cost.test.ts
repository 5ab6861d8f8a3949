import assert from 'node:assert/strict'
import {
  bindingsLibrary,
  type CelType,
  compile,
  createEnvironment,
  kubernetesLibraries,
  types,
  unbounded,
} from '../../../lib/cel/index.ts'

const text = (sizeMax: number): CelType => ({ kind: 'string', sizeMax })
const variables = {
  list100: types.list(types.int, 100),
  list50x10: types.list(types.list(types.int, 10), 50),
  words: types.list(text(20), 10),
  text500: text(500),
  other500: text(500),
  flag: types.bool,
  flag2: types.bool,
  number: types.int,
  unboundedText: types.string,
  anything: types.dyn,
  map10: types.map({ kind: 'string', sizeMax: 0 }, types.int, 10),
}
const environment = createEnvironment({ variables, libraries: [...kubernetesLibraries(), bindingsLibrary()] })

/** Best and worst case; the figures follow from the stock server's rules (a unit a read or call, a tenth a character). */
const estimates: readonly (readonly [string, number, number])[] = [
  ['1', 0, 0],
  ['number', 1, 1],
  ['[1, 2, 3]', 10, 10],
  ["{'a': 1}", 30, 30],
  ['number + 1', 2, 2],
  ['flag || flag2', 1, 2],
  ['flag && flag2', 1, 2],
  ['flag || flag2 || flag || flag2', 1, 4],
  ['flag ? number : 1', 1, 2],
  ['list100.all(x, true)', 2, 302],
  ['list50x10.all(x, x.all(y, true))', 2, 1752],
  ['list100.exists(x, x == 5)', 2, 502],
  ['list100.map(x, x)', 12, 1312],
  ['text500.contains(other500)', 2, 2502],
  ['text500.startsWith(other500)', 2, 52],
  ["text500.matches('[0-9]')", 3, 103],
  ['text500 == other500', 3, 52],
  ['text500 + other500 == text500', 4, 153],
  ['unboundedText == text500', 3, 52],
  ['number in list100', 2, 102],
  ['size(text500)', 2, 2],
  ["text500.find('[0-9]')", 3, 103],
  ['list100.sum()', 1, 101],
  ['words.isSorted()', 1, 31],
  ["words.join('-')", 1, 22],
  ["text500.replace('a', 'bb')", 1, 101],
  ['text500.split(",")', 1, 101],
  ['cel.bind(x, text500, x.size())', 13, 13],
  ['has({"a": 1}.a)', 30, 30],
  ['quantity(unboundedText) == quantity(text500)', 5, 5],
  ['url(text500) == url(text500)', 3, 152],
  ["type(anything) == string && anything.endsWith('%')", 3, 5],
  ["quantity('1Gi').isGreaterThan(quantity('1Mi'))", 3, 3],
]

const runs: readonly (readonly [string, number])[] = [
  ['1 + 2', 1],
  ['number', 1],
  ['list100.all(x, x > 0)', 2 + 3 * (3 + 2)],
  // The condition of a loop is computed once more before the element that it leaves out.
  ['list100.exists(x, x == 2)', 2 + 2 * (4 + 2) + 3],
  ['list100.map(x, x + 1)', 2 + 3 * (12 + 2)],
  ['text500 == other500', 2 + 1],
  ["text500.contains('b')", 1 + 1],
  ["'a' + text500", 1 + 1],
  ['false && list100.all(x, true)', 0],
  ["text500.matches('a.*')", 1 + 1],
  ['[number, number]', 12],
  ["{'a': number}", 31],
]

describe('cel cost', () => {
  for (const [expression, min, max] of estimates) {
    it(`estimates ${expression} at ${min} to ${max}`, () => {
      const compiled = compile(environment, expression)
      assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
      assert.deepEqual(compiled.costEstimate, { min, max })
    })
  }

  const data = { number: 2, list100: [1, 2, 3], text500: 'abc', other500: 'abcd', flag: true }
  for (const [expression, cost] of runs) {
    it(`charges ${cost} for ${expression}`, () => {
      const compiled = compile(environment, expression)
      assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
      const outcome = compiled.program.evaluate(data)
      assert.ok(outcome.ok)
      assert.equal(outcome.cost, cost)
    })
  }

  it('never charges more than the worst case it estimated', () => {
    for (const [expression] of [...estimates, ...runs]) {
      const compiled = compile(environment, expression)
      assert.ok(compiled.ok)
      const outcome = compiled.program.evaluate({
        ...data,
        flag2: false,
        list50x10: [[1], [2]],
        words: ['a', 'b'],
        unboundedText: 'x',
      })
      assert.ok(outcome.cost <= Math.max(compiled.costEstimate.max, 1), `${expression}: ${outcome.cost}`)
    }
  })

  it('reports that the worst case has no bound', () => {
    const compiled = compile(environment, 'unboundedText.matches(unboundedText)')
    assert.ok(compiled.ok)
    assert.ok(compiled.costEstimate.max === unbounded)
  })

  it('refuses an expression whose worst case is above the limit', () => {
    const compiled = compile(environment, 'list100.all(x, true)', { costLimit: 301 })
    assert.ok(!compiled.ok)
    assert.equal(compiled.code, 'cost')
    assert.deepEqual(compiled.costEstimate, { min: 2, max: 302 })
    assert.ok(compile(environment, 'list100.all(x, true)', { costLimit: 302 }).ok)
  })

  it('stops an evaluation that costs more than its budget, and not one that costs just as much', () => {
    const compiled = compile(environment, 'list100.all(x, x > 0)')
    assert.ok(compiled.ok)
    assert.equal(compiled.program.evaluate(data, { budget: 17 }).ok, true)
    const outcome = compiled.program.evaluate(data, { budget: 16 })
    assert.ok(!outcome.ok)
    assert.equal(outcome.error.code, 'budget')
    assert.equal(outcome.error.message, 'operation cancelled: actual cost limit exceeded')
  })

  it('does not let || or a loop outweigh a spent budget', () => {
    const compiled = compile(environment, 'list100.exists(x, list100.all(y, y > 0)) || true')
    assert.ok(compiled.ok)
    const outcome = compiled.program.evaluate(data, { budget: 10 })
    assert.ok(!outcome.ok)
    assert.equal(outcome.error.code, 'budget')
  })
})
