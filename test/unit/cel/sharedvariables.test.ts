import assert from 'node:assert/strict'
import {
  compile,
  createEnvironment,
  DeclaredVariables,
  kubernetesLibraries,
  LazyVariables,
  SharedOutcomes,
  types,
  type Value,
  type VariablesMeter,
} from '../../../lib/cel/index.ts'

const environment = createEnvironment({
  variables: { object: types.dyn, params: types.dyn },
  libraries: kubernetesLibraries(),
})

/** Variables of one policy, and how often they asked for the object. */
function variablesOf(
  expressions: Readonly<Record<string, string>>,
  data: Readonly<Record<string, unknown>>,
  shared: SharedOutcomes,
  left = 1_000_000,
): { read(name: string): Value | undefined; spent(): number; asked(): number } {
  const declared = new DeclaredVariables(
    Object.entries(expressions).map(([name, text]) => {
      const compiled = compile(environment, text)
      assert(compiled.ok, text)
      return [name, { program: compiled.program }] as const
    }),
  )
  let [spent, asked] = [0, 0]
  const meter: VariablesMeter = {
    get left() {
      return left - spent
    },
    running: [],
    spend: (cost) => void (spent += cost),
    isDue: () => false,
    pause: () => Promise.resolve(),
  }
  const bindings = { ...data, object: () => (asked++, data['object']) }
  const variables = new LazyVariables(declared, bindings, meter, shared)
  return { read: (name) => variables.get(name), spent: () => spent, asked: () => asked }
}

const object = { data: { a: 'xx', b: 'yyy' } }
const size = 'object.data.map(k, object.data[k].size()).sum()'

describe('variables that policies have in common', () => {
  it('are evaluated once, and cost each policy the same', () => {
    const shared = new SharedOutcomes(new Set(['object']))
    const first = variablesOf({ size }, { object }, shared)
    const second = variablesOf({ other: size }, { object }, shared)
    assert.deepEqual([first.read('size'), second.read('other')], [5, 5])
    assert.deepEqual([first.asked(), second.asked()], [1, 0])
    assert(first.spent() > 0)
    assert.equal(second.spent(), first.spent())
  })

  it('fail each policy with its own message', () => {
    const shared = new SharedOutcomes(new Set(['object']))
    for (const name of ['one', 'two']) {
      const variables = variablesOf({ [name]: 'object.missing' }, { object }, shared)
      assert.throws(() => variables.read(name), { message: `composited variable "${name}" fails to evaluate: no such key: missing` }) // biome-ignore format: one line
    }
  })

  it('are not shared where they read anything else', () => {
    const shared = new SharedOutcomes(new Set(['object']))
    const expressions = { size: 'object.data.size() + params.more' }
    assert.equal(variablesOf(expressions, { object, params: { more: 1 } }, shared).read('size'), 3)
    assert.equal(variablesOf(expressions, { object, params: { more: 10 } }, shared).read('size'), 12)
  })

  it('are evaluated again where the budget is too small for them', () => {
    const shared = new SharedOutcomes(new Set(['object']))
    variablesOf({ size }, { object }, shared).read('size')
    const poor = variablesOf({ size }, { object }, shared, 3)
    assert.throws(() => poor.read('size'), /cost limit exceeded/)
    assert.equal(poor.asked(), 1)
  })

  it('are evaluated once, whatever their value', () => {
    const shared = new SharedOutcomes(new Set())
    const variables = variablesOf({ empty: 'object.nothing' }, { object: { nothing: null } }, shared)
    assert.equal(variables.read('empty'), null)
    const spent = variables.spent()
    assert.deepEqual([variables.read('empty'), variables.asked(), variables.spent()], [null, 1, spent])
  })

  it('of one name are the last one', () => {
    const declared = new DeclaredVariables()
    for (const [name, why] of [['a', '1'], ['a', '2'], ['b', '3']] as const) declared.set(name, { why }) // biome-ignore format: one line
    assert.deepEqual(declared.names(), ['a', 'b'])
    assert.deepEqual([declared.get('a'), declared.get('b')], [{ variable: { why: '2' }, place: 0 }, { variable: { why: '3' }, place: 1 }]) // biome-ignore format: one line
  })
})
