import assert from 'node:assert/strict'
import {
  bindingsLibrary,
  compile,
  createEnvironment,
  escapeName,
  extendEnvironment,
  fromValue,
  kubernetesLibraries,
  ObjectType,
  SchemaTypes,
  types,
  unescapeName,
} from '../../../lib/cel/index.ts'
import { compileTables } from '../../../lib/schema/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const thing = compileTables([
  {
    group: 'test',
    version: 'v1',
    protoPackage: 'test.v1',
    types: {
      Thing: {
        fields: {
          replicas: { type: 'int64' },
          ratio: { type: 'double' },
          data: { type: 'bytes' },
          at: { type: 'Time' },
          namespace: { type: 'string' },
          'x-prop': { type: 'string', maxLength: 10 },
          size: { type: 'Quantity' },
          target: { type: 'IntOrString' },
          ports: { type: '[]Port', maxItems: 5 },
          labels: { type: 'map[string]string' },
          raw: { type: 'JSON' },
          wait: { type: 'string', format: 'duration' },
          mode: { type: 'string', enum: ['on', 'standby'] },
          inner: { type: '*Thing' },
        },
      },
      Port: { fields: { number: { type: 'int64', required: true }, name: { type: 'string' } } },
    },
  },
]).struct('test/v1.Thing')

const self = new SchemaTypes().ofStruct(thing)
const environment = createEnvironment({
  variables: { self, claims: types.map(types.string, types.dyn) },
  libraries: kubernetesLibraries(),
})

const object = {
  replicas: 3,
  ratio: 2,
  data: 'aGk=',
  at: '2024-02-29T12:00:00Z',
  namespace: 'default',
  'x-prop': 'p',
  size: '1Gi',
  target: '50%',
  ports: [{ number: 80 }, { number: 443, name: 'https' }],
  labels: { app: 'web', constructor: 'c' },
  raw: { a: [1, 2.5, null, 'x'] },
  wait: '1m30s',
  mode: 'on',
}

const truths: readonly string[] = [
  'self.replicas == 3 && type(self.replicas) == int',
  'self.ratio == 2.0 && type(self.ratio) == double',
  "self.data == b'hi' && string(self.data) == 'hi'",
  "self.at.getFullYear() == 2024 && self.at < timestamp('2025-01-01T00:00:00Z')",
  "self.__namespace__ == 'default' && self.x__dash__prop == 'p'",
  "quantity(self.size).isGreaterThan(quantity('1Mi'))",
  "type(self.target) == string && self.target.endsWith('%')",
  "self.ports.exists(p, p.number == 443 && p.name == 'https') && !has(self.ports[0].name)",
  "self.labels['app'] == 'web' && self.labels.constructor == 'c' && !('toString' in self.labels)",
  'self.raw.a[0] == 1 && self.raw.a[1] == 2.5 && self.raw.a[2] == null && type(self.raw.a[0]) == int',
  "self.wait == duration('90s')",
  'self == self && self.ports[0] != self.ports[1] && self.ports == self.ports',
  "claims.exp == 1700000000 && claims.groups.all(g, g.startsWith('g')) && claims[?'none'].orValue('x') == 'x'",
]

describe('cel data', () => {
  for (const expression of truths) {
    it(expression, () => {
      const compiled = compile(environment, expression, { expectedType: types.bool })
      assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
      const outcome = compiled.program.evaluate({ self: object, claims: { exp: 1_700_000_000, groups: ['g1', 'g2'] } })
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.error.message)
      assert.equal(outcome.value, true)
    })
  }

  it('uses the bounds of schemas, and the size of a request where they have none', () => {
    const max = (expression: string): number => {
      const compiled = compile(environment, expression)
      assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
      return compiled.costEstimate.max
    }
    // 5 ports; 10 characters of up to 4 bytes; the longest of two values; a request of 3 MiB.
    assert.equal(max('self.ports.all(p, true)'), 3 + 5 * 3)
    assert.equal(max("self.x__dash__prop.contains('a')"), 2 + 4)
    assert.equal(max("self.mode.contains('a')"), 2 + 1)
    assert.equal(max("self.__namespace__.contains('a')"), 2 + Math.ceil((3 * 1024 * 1024 - 2) / 10))
    assert.equal(max('self.labels.all(k, true)'), 3 + 3 * Math.floor((3 * 1024 * 1024 - 2) / 8))
  })

  it('refuses unknown fields, and names that need no escape when they are written escaped', () => {
    for (const text of ['self.nothing', 'self.namespace', 'self.__replicas__', 'self.ports[0].nothing']) {
      const compiled = compile(environment, text)
      assert.ok(!compiled.ok)
      assert.match(compiled.message, /undefined field/)
    }
  })

  it('keeps types that hold themselves', () => {
    const compiled = compile(environment, 'has(self.inner.inner.inner)')
    assert.ok(compiled.ok)
    const outcome = compiled.program.evaluate({ self: { inner: { inner: {} } } })
    assert.ok(outcome.ok && outcome.value === false)
  })

  const escapes: readonly (readonly [string, string | undefined])[] = [
    ['namespace', '__namespace__'],
    ['x-prop', 'x__dash__prop'],
    ['redact__d', 'redact__underscores__d'],
    ['string', 'string'],
    ['a.b/c', 'a__dot__b__slash__c'],
    ['in', '__in__'],
    ['_a_', '_a_'],
    ['1a', undefined],
    ['', undefined],
    ['a b', undefined],
    ['ä', undefined],
  ]
  for (const [property, name] of escapes) {
    it(`names the property ${JSON.stringify(property)} ${name}`, () => {
      assert.equal(escapeName(property), name)
      if (name !== undefined) assert.equal(unescapeName(name), property)
    })
  }

  it('refuses names that are not results of escaping', () => {
    for (const name of ['__nothing__', 'a__in__b', '__dash']) {
      assert.equal(unescapeName(name), name === '__dash' ? '__dash' : undefined)
    }
  })

  it('converts results to JSON: bytes in base64, times as text, large ints exactly', () => {
    const made = new ObjectType('Made', () => new Map([['a__dash__b', { name: 'a-b', type: types.int }]]), {
      constructible: true,
    })
    const env = createEnvironment({ types: [made], libraries: kubernetesLibraries() })
    const text =
      "{'b': dyn(b'hi'), 't': dyn(timestamp('2024-01-01T00:00:00.5Z')), 'd': dyn(duration('90s')), 'i': dyn(9007199254740993), 'f': dyn(1.5), 'u': dyn(7u), 'o': dyn(optional.of(1)), 'm': dyn(Made{a__dash__b: 1}), 'l': dyn([dyn(null), dyn(true)])}"
    const compiled = compile(env, text)
    assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
    const outcome = compiled.program.evaluate({})
    assert.ok(outcome.ok)
    assert.deepEqual(fromValue(outcome.value), {
      b: 'aGk=',
      t: '2024-01-01T00:00:00.5Z',
      d: '90s',
      i: 9007199254740993n,
      f: 1.5,
      u: 7,
      o: 1,
      m: { 'a-b': 1 },
      l: [null, true],
    })
  })

  it('refuses results without a form in JSON', () => {
    for (const text of ['{1: 2}', 'int', "quantity('1')"]) {
      const compiled = compile(environment, text)
      assert.ok(compiled.ok)
      const outcome = compiled.program.evaluate({})
      assert.ok(outcome.ok)
      assert.throws(() => fromValue(outcome.value), { code: 'invalidArgument' })
    }
  })

  it('refuses results that share their parts until they are too large, before anyone waits for it', () => {
    const text = Array.from({ length: 30 }, (_, index) => index).reduceRight(
      (inner, index) => `cel.bind(v${index + 1}, [v${index}, v${index}], ${inner})`,
      'v30',
    )
    const env = createEnvironment({ libraries: [...kubernetesLibraries(), bindingsLibrary()] })
    const compiled = compile(env, `cel.bind(v0, [dyn(1)], ${text})`)
    assert.ok(compiled.ok, compiled.ok ? '' : compiled.message)
    const outcome = compiled.program.evaluate({})
    assert.ok(outcome.ok)
    const began = threadCpuMs()
    assert.throws(() => fromValue(outcome.value), /the value is too large/)
    assert(threadCpuMs() - began < 100)
  })

  it('reads large ints, and asks for a variable only when the expression reads it', () => {
    const env = createEnvironment({ variables: { a: types.int, b: types.int } })
    const compiled = compile(env, 'a > 9223372036854775806 || b == 1')
    assert.ok(compiled.ok)
    assert.deepEqual(compiled.program.variables, ['a', 'b'])
    let asked = 0
    const outcome = compiled.program.evaluate({ a: 9223372036854775807n, b: () => ++asked })
    assert.ok(outcome.ok && outcome.value === true)
    assert.equal(asked, 0)
    assert.ok(compiled.program.evaluate({ a: 1, b: () => ++asked }).ok)
    assert.equal(asked, 1)
  })

  it('extends an environment without changing it', () => {
    const base = createEnvironment({ variables: { a: types.int }, libraries: kubernetesLibraries() })
    const extended = extendEnvironment(base, { variables: { b: types.int } })
    assert.ok(compile(extended, "a + b > 0 && isIP('::1')").ok)
    assert.ok(!compile(base, 'a + b > 0').ok)
  })

  it('fails where a variable that is read was not bound, or the signal fired', () => {
    const compiled = compile(environment, 'self.replicas == 1')
    assert.ok(compiled.ok)
    const outcome = compiled.program.evaluate({})
    assert.ok(!outcome.ok && outcome.error.code === 'noSuchField')
    const aborted = compiled.program.evaluate({ self: object }, { signal: AbortSignal.abort() })
    assert.ok(!aborted.ok && aborted.error.code === 'aborted')
  })
})
