import assert from 'node:assert/strict'
import {
  bindingsLibrary,
  compile,
  createEnvironment,
  fromValue,
  kubernetesLibraries,
  types,
} from '../../../lib/cel/index.ts'

const environment = createEnvironment({
  variables: { d: types.map(types.string, types.dyn), s: types.string, l: types.list(types.dyn) },
  libraries: [...kubernetesLibraries(), bindingsLibrary()],
})

/** `cel.bind(v1, …v0…, cel.bind(v2, …v1…, …))`: each name stands for twice the one before. */
function doubled(count: number, first: string, step: (name: string) => string, last: (name: string) => string): string {
  let text = last(`v${count}`)
  for (let at = count; at > 0; at--) text = `cel.bind(v${at}, ${step(`v${at - 1}`)}, ${text})`
  return `cel.bind(v0, ${first}, ${text})`
}

const twice = (name: string): string => `${name} + ${name}`
const pair = (name: string): string => `[${name}, ${name}]`

/** Texts that would crash or hang a careless engine. None may throw, and none may take long. */
const texts: readonly (readonly [string, string])[] = [
  ['an endless nest of brackets', '['.repeat(50_000)],
  ['an endless nest of parentheses', '('.repeat(50_000) + '1' + ')'.repeat(50_000)],
  ['a long chain of fields', `d${'.a'.repeat(45_000)}`],
  ['a long chain of fields under a macro', `d${'.a'.repeat(30_000)}.bind(x, 1, 2)`],
  ['a long chain of calls', `d${'.size()'.repeat(10_000)}`],
  ['a long chain of sums', `1${' + 1'.repeat(30_000)}`],
  ['a long chain of negations', `${'!'.repeat(90_000)}true`],
  ['a long chain of alternatives', `${'s == "" || '.repeat(9_000)}true`],
  ['a long chain of choices', `${'true ? 1 : '.repeat(9_000)}1`],
  ['a text above the limit', 'a'.repeat(100_001)],
  ['only bad characters', '@'.repeat(100_000)],
  ['an unended string', `"${'\\x41'.repeat(20_000)}`],
  ['quotes of all kinds', `'''"""'"'"''""""`.repeat(2000)],
  [
    'types that double',
    doubled(
      28,
      '1',
      (name) => `{1: ${pair(name)}}`,
      (name) => `${name} == ${name}`,
    ),
  ],
  [
    'map types that double',
    doubled(
      28,
      '1',
      (name) => `{${name}: ${name}}`,
      (name) => `size(${name})`,
    ),
  ],
  ['strings that double', doubled(28, 's', twice, (name) => `${name}.size()`)],
  ['lists that double', doubled(28, 'l', twice, (name) => `${name}.size()`)],
  ['lists that double, walked', doubled(28, 'l', twice, (name) => `${name}.all(x, x == 1)`)],
  ['lists that double, searched', doubled(28, 'l', twice, (name) => `${name}.indexOf(7)`)],
  ['lists that double, summed', doubled(28, '[1, 2]', twice, (name) => `${name}.sum()`)],
  ['lists that double, joined', doubled(28, "['', '']", twice, (name) => `${name}.join('').size()`)],
  ['lists that double, formatted', doubled(28, '[dyn(1)]', twice, (name) => `'%s'.format([dyn(${name})])`)],
  ['lists that double, compared as sets', doubled(28, '[1, 2]', twice, (name) => `sets.contains(${name}, ${name})`)],
  [
    'trees that double',
    doubled(
      26,
      'dyn([])',
      (name) => `dyn(${pair(name)})`,
      (name) => `${name} == dyn(${pair(name)})`,
    ),
  ],
  [
    'trees that double, compared',
    doubled(
      26,
      'dyn([1])',
      (name) => `dyn(${pair(name)})`,
      (top) =>
        doubled(
          26,
          'dyn([2])',
          (name) => `dyn(${pair(name)})`,
          (name) => `${top} == ${name}`,
        )
          .replaceAll(/\bv(\d)/g, 'w$1')
          .replace(`w26 == `, 'v26 == '),
    ),
  ],
  [
    'trees that double, returned',
    doubled(
      26,
      'dyn([1])',
      (name) => `dyn(${pair(name)})`,
      (name) => name,
    ),
  ],
  ['loops in loops', 'l.map(a, l.map(b, l.map(c, l.map(d, l.map(e, l.map(f, l.map(g, 1)))))))'],
  ['an error in each round', 'l.map(a, l.map(b, l.all(c, l.all(d, l.exists(e, d.x == 1)))))'],
  ['a greedy pattern', `'${'a'.repeat(5000)}'.matches('(a*)*(a*)*(a|a?){0,500}b')`],
  ['a large pattern', "s.matches('((x{100}){100}){100}')"],
  ['patterns made in a loop', "l.map(a, l.map(b, l.map(c, s.matches('x{100}' + string(a) + string(b) + string(c)))))"],
  [
    'replacements that grow',
    "'aaaaaaaaaa'.replace('a', 'aaaaaaaaaa').replace('a', 'aaaaaaaaaa').replace('a', 'aaaaaaaaaa').replace('a', 'aaaaaaaaaa').replace('a', 'aaaaaaaaaa').replace('', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa').size()",
  ],
  ['precision without end', "'%.999999999f'.format([1.0])"],
  ['time zones in a loop', "l.map(a, l.map(b, timestamp('2020-01-01T00:00:00Z').getHours('America/New_York')))"],
  ['a chain of optMap', `d.?a${'.optMap(x, x)'.repeat(80)}`],
  ['a quantity with an endless exponent', "quantity('1e999999999').asApproximateFloat() > 1.0"],
  ['a version with endless digits', `semver('${'9'.repeat(5000)}.0.0')`],
]

describe('cel against hostile expressions', () => {
  const data = { d: { a: 1 }, s: 'abc'.repeat(100), l: Array.from({ length: 100 }, (_, index) => index) }

  for (const [what, text] of texts) {
    it(`survives ${what}`, function () {
      this.timeout(120_000)
      const compiled = compile(environment, text)
      if (!compiled.ok) {
        assert.ok(compiled.message.length > 0)
        return
      }
      const outcome = compiled.program.evaluate(data)
      if (!outcome.ok) return
      try {
        fromValue(outcome.value)
      } catch (error) {
        assert.equal((error as { code?: string }).code, 'invalidArgument')
      }
    })
  }

  const costly: readonly (readonly [string, string])[] = [
    ['an empty pattern found everywhere, again and again', "l.map(x, text.findAll('')).size() == 1"],
    [
      'lists of one list, made flat',
      'dyn([l, l, l, l, l, l, l, l].map(a, [a, a, a, a, a, a, a, a]).map(b, [b, b, b, b, b, b, b, b]).map(c, [c, c, c, c, c, c, c, c])).flatten(5).size() == 1',
    ],
    ['long texts sorted', 'l.map(a, text + string(a)).sort().size() == 1'],
    ['long texts made distinct', "l.map(a, text + 'x').distinct().size() == 1"],
  ]
  for (const [what, text] of costly)
    it(`stops at the limit of cost: ${what}`, () => {
      const variables = { l: types.list(types.int), text: types.string }
      const compiled = compile(createEnvironment({ variables, libraries: kubernetesLibraries() }), text)
      assert.ok(compiled.ok)
      const l = Array.from({ length: 900 }, (_, index) => index)
      const outcome = compiled.program.evaluate({ l, text: 'a'.repeat(200_000) })
      assert.ok(!outcome.ok && outcome.error.code === 'budget', String(outcome.cost))
    })

  it('runs a long chain of alternatives, as its length is no nesting', () => {
    const compiled = compile(environment, `${'s == "" || '.repeat(5000)}true`)
    assert.ok(compiled.ok)
    assert.equal(compiled.program.evaluate(data).ok, true)
  })

  it('treats names of JavaScript objects as data, as absent as other names', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
      const has = compile(environment, `has(d.${name}) || '${name}' in d || d[?'${name}'].hasValue()`)
      assert.ok(has.ok)
      const outcome = has.program.evaluate(data)
      assert.ok(outcome.ok && outcome.value === false, name)
    }
  })

  it('reads and returns a key __proto__ as any other', () => {
    const raw = JSON.parse('{"d": {"__proto__": {"polluted": true}}}') as Record<string, unknown>
    const compiled = compile(environment, "{'__proto__': dyn(d['__proto__'].polluted), 'x': dyn(d)}")
    assert.ok(compiled.ok)
    const outcome = compiled.program.evaluate(raw)
    assert.ok(outcome.ok)
    const json = fromValue(outcome.value) as Record<string, unknown>
    assert.equal(JSON.stringify(json), '{"__proto__":true,"x":{"__proto__":{"polluted":true}}}')
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined)
  })

  it('cannot be made to run code', () => {
    for (const text of ["d.constructor('return 1')()", "d['constructor']", 's.constructor', '(1).constructor']) {
      const compiled = compile(environment, text)
      assert.ok(!compiled.ok || !compiled.program.evaluate(data).ok, text)
    }
  })

  it('keeps data nested without end from exhausting the stack', () => {
    let deep: unknown = 1
    for (let at = 0; at < 50_000; at++) deep = [deep]
    const compiled = compile(environment, 'l == [l] || l == l')
    assert.ok(compiled.ok)
    const outcome = compiled.program.evaluate({ l: [deep] })
    assert.ok(outcome.ok || outcome.error.code === 'invalidArgument')
  })
})
