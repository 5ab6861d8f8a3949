import assert from 'node:assert/strict'
import fc from 'fast-check'
import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type CodecSource, createCustomCodec } from '../../../lib/crd/codec.ts'
import { createRuleEnvironment } from '../../../lib/crd/schema/rules.ts'
import { createVersionSchema, type VersionSchema } from '../../../lib/crd/schema/versionschema.ts'
import type { ApiObject, GroupVersion } from '../../../lib/object/index.ts'
import type { ObjectCodec } from '../../../lib/scheme/index.ts'
import { codecOf } from '../codec/kit.ts'

const resourceVersion = '4711'
// `STORED_TEXT_RUNS=1000000 mocha test/unit/crd/storedreader.test.ts` looks longer.
const runs = Number(process.env['STORED_TEXT_RUNS'] ?? 6000)
const metadata = codecOf('meta/v1.ObjectMeta')
const environment = createRuleEnvironment()
const gvk = (version: string) => ({ group: 'example.com', version, kind: 'Thing' })

type Props = v1.JSONSchemaProps

const leaf: Props = { type: 'string' }
const whole: Props = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: leaf,
        b: { type: 'integer', default: 3 },
        c: { type: 'string', nullable: true },
        d: { type: 'object', default: { e: {} }, properties: { e: { type: 'object', properties: { f: { ...leaf, default: 'x' } } } } },
        e: { type: 'array', items: { type: 'object', properties: { a: leaf, b: { type: 'integer', default: 1 } } } },
        f: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: leaf, d: { type: 'object', properties: { a: leaf } } } },
        g: { type: 'object', additionalProperties: { type: 'object', nullable: true, properties: { a: leaf, b: { ...leaf, default: 'y' } } } },
        h: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
        i: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { metadata: { type: 'object' }, spec: { type: 'object', properties: { a: leaf } } } },
        j: { type: 'array', items: { type: 'array', items: { ...leaf, nullable: true } } },
        k: { type: 'array', 'x-kubernetes-preserve-unknown-fields': true, items: { type: 'object', properties: { a: leaf } } },
        l: { type: 'object', additionalProperties: true as unknown as Props },
        m: { 'x-kubernetes-int-or-string': true },
        'n.o-p': leaf,
      },
    },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
} // biome-ignore format: a table
const bare: Props = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const defaulted: Props = { type: 'object', properties: { spec: { type: 'object', default: {}, properties: { b: { type: 'integer', default: 3 }, zz: { ...leaf, default: 'end' } } } } } // biome-ignore format: a table
const oddName: Props = { type: 'object', properties: { spec: { type: 'object', properties: { 'x"y': { ...leaf, default: 'q' } } } } } // biome-ignore format: a table
const renamed: Props = { type: 'object', properties: { spec: { type: 'object', properties: { a: leaf, z: { ...leaf, default: 'new' } } } } } // biome-ignore format: a table

interface Definition {
  readonly title: string
  readonly codec: ObjectCodec
  readonly versions: readonly string[]
}

function define(
  title: string,
  schemas: Readonly<Record<string, Props | undefined>>,
  convert?: (object: ApiObject, to: GroupVersion) => ApiObject,
): Definition {
  const compiled = new Map<string, VersionSchema>()
  for (const [version, schema] of Object.entries(schemas))
    compiled.set(version, createVersionSchema(schema, version, { environment, metadata: metadata.struct }))
  const source: CodecSource = {
    group: 'example.com',
    kind: 'Thing',
    storageVersion: 'v1',
    storesCbor: false,
    sharedSchema: new Set(Object.values(schemas)).size === 1,
    largeDefaults: [],
    servedVersions: Object.keys(schemas),
    schema: (version) => compiled.get(version),
    namespaced: true,
    ...(convert
      ? {
          conversion: {
            convert,
            prepare: () => ({ release() {} }),
            item: () => undefined,
            close() {},
          },
        }
      : {}),
  }
  return { title, codec: createCustomCodec(() => source, metadata), versions: Object.keys(schemas) }
}

const definitions: readonly Definition[] = [
  define('of one version', { v1: whole }),
  define('of two versions with one schema', { v1: whole, v2: whole }),
  define('of two versions with two schemas', { v1: whole, v2: renamed }),
  define('without a schema', { v1: undefined }),
  define('that keeps all', { v1: bare }),
  define('with defaults at every level', { v1: defaulted }),
  define('with an odd name', { v1: oddName }),
  define('with a webhook', { v1: bare, v2: bare }, (object, to) => ({
    ...object,
    apiVersion: `${to.group}/${to.version}`,
    spec: { converted: true },
  })),
]

/** Compares what is made of the text with what is made of the object; false: it is not canonical. */
function check({ title, codec, versions }: Definition, stored: Uint8Array): boolean {
  const { stored: reader } = codec
  assert.ok(reader && codec.fieldReader)
  if (!reader.isCanonical(stored)) return false
  const object = codec.decodeFromStorage(stored, resourceVersion)
  const text = Buffer.from(stored).toString()
  for (const version of versions) {
    const encoder = reader.item(gvk(version), 'application/json')
    assert.ok(encoder)
    if (encoder.fits?.(stored) === false) continue
    const served = codec.convert(object, gvk(version))
    const expected = Buffer.from(codec.encodeItem(served, 'application/json')).toString()
    assert.equal(Buffer.from(encoder.encode(stored, resourceVersion)).toString(), expected, `${title}: ${text}`)
    const read = codec.fieldReader(['metadata', 'spec.a', 'spec.d', 'status', 'nothing.of.it'])(stored)
    const { resourceVersion: _, ...meta } = served.metadata
    assert.deepEqual(read.metadata, meta, text)
    const [partial, spec] = [read['spec'], served['spec']] as (Record<string, unknown> | undefined)[]
    for (const name of ['a', 'd']) assert.deepEqual(partial?.[name], spec?.[name], text)
    assert.deepEqual(read['status'], served['status'], text)
  }
  return true
}

const names = [
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
  'j',
  'k',
  'l',
  'm',
  'n.o-p',
  'metadata',
  'spec',
  'kind',
  'zz',
]
const oddNames = ['__proto__', 'constructor', '10', '9', '', 'x"y', '<', '\u2028', 'é', '\u{1f600}', '\ufffd', 'a"', 'a!', 'a\u0001', 'a\\', 'aa'] // biome-ignore format: a table
const key = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...names) },
  { weight: 1, arbitrary: fc.constantFrom(...oddNames) },
)
const scalar = fc.oneof(
  fc.constantFrom<unknown>('', 'x', 'a<b>&c', 'tab\t"quoted"\\', '\u2029', '\u{1f600}', 0, 1, -1, 80, 1.5, 1e21, 1e-7, 2 ** 53, true, false),
  { weight: 1, arbitrary: fc.constant(null) },
) // biome-ignore format: a table
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true, maxDepth: 5 },
    { weight: 3, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(tie('value'), { maxLength: 3 }) },
    { weight: 4, arbitrary: fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map(fromEntries) },
  ),
}))
const texts = fc.dictionary(fc.oneof(key, fc.constant('example.com/x')), fc.constantFrom('', 'v', 'é'), { maxKeys: 3 })
const times = fc.constantFrom('2026-01-31T23:59:59Z', '2026-02-29T00:00:00Z', '0001-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z', '2026-01-01T24:00:00Z') // biome-ignore format: a table
const ours = fc.record(
  {
    name: fc.constantFrom('a', 'b', ''),
    namespace: fc.constant('default'),
    uid: fc.constant('u'),
    generation: fc.constantFrom<unknown>(1, 7, 0, '1'),
    creationTimestamp: fc.oneof({ weight: 5, arbitrary: fc.constant('2026-01-31T23:59:59Z') }, times),
    deletionTimestamp: times,
    deletionGracePeriodSeconds: fc.constantFrom(0, 30),
    labels: texts,
    annotations: texts,
    finalizers: fc.array(fc.constantFrom('a/b', 'z', ''), { maxLength: 2 }),
    selfLink: fc.constant('/x'),
    generateName: fc.constant('g-'),
    ownerReferences: fc.constantFrom([], [{ apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', controller: true }], [{ name: 'n' }]), // biome-ignore format: a table
    managedFields: fc.array(
      fc.record({
        apiVersion: fc.constant('example.com/v1'),
        fieldsType: fc.constant('FieldsV1'),
        fieldsV1: fc.oneof(
          fc.constantFrom({ 'f:spec': { 'f:a': {} } }, { 'k:{"type":"B"}': {}, 'k:{"type":"A","b":1}': {}, 'k:{"type":"A"}': {} }),
          value,
        ),
        manager: fc.constant('m'),
        operation: fc.constantFrom('Update', 'Apply'),
        time: times,
      }),
      { maxLength: 2 },
    ), // biome-ignore format: a table
    resourceVersion: fc.constant('1'),
    unknown: value,
  },
  { requiredKeys: ['name', 'uid', 'generation', 'creationTimestamp'] },
)
/** What the server stores: no odd metadata. */
const plainMetadata = fc.record(
  {
    name: fc.constant('a'),
    uid: fc.constant('u'),
    generation: fc.constant(2),
    creationTimestamp: fc.constant('2026-01-31T23:59:59Z'),
    labels: fc.constant({ app: 'x', 'example.com/y': '' }),
    managedFields: fc.constant([{ apiVersion: 'example.com/v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'k:{"a":1}': {} } }, manager: 'm', operation: 'Update', time: '2026-01-01T00:00:00Z' }]), // biome-ignore format: a table
  },
  { requiredKeys: ['name', 'uid', 'generation', 'creationTimestamp'] },
)

function fromEntries(entries: [string, unknown][]): object {
  return Object.fromEntries(entries)
}

const objects = fc.record(
  {
    apiVersion: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('example.com/v1', 'example.com/v2') }, scalar),
    kind: fc.oneof({ weight: 20, arbitrary: fc.constant('Thing') }, scalar),
    metadata: fc.oneof({ weight: 3, arbitrary: plainMetadata }, { weight: 1, arbitrary: ours }),
    spec: value,
    status: value,
  },
  { requiredKeys: ['apiVersion', 'kind', 'metadata'] },
)

/** As other writers and hostile hands may have left a text. */
const changes: readonly ((text: string, at: number) => string)[] = [
  (text, at) => `${text.slice(0, at)} ${text.slice(at)}`,
  (text, at) => text.slice(0, at) + text.slice(at + 1),
  (text, at) => text.slice(0, at) + text.charAt(at) + text.slice(at),
  (text) => text.replace('"a":', '"\\u0061":'),
  (text) => text.replace(/"spec":/, '"spec":1,"spec":'),
  (text) => text.replace(/"name":/, '"name":"first","name":'),
  (text) => text.replace(/:1\b/, ':1e0'),
  (text) => text.replace(/:1\b/, ':1.0'),
  (text) => text.replace(/:80\b/, ':100000000000000000001'),
  (text) => text.replace(/:80\b/, ':-0'),
  (text) => text.replace(/"x"/, '"\\u003c\\/\\u00e9"'),
  (text) => text.replace(/\{"a":/, '{"__proto__":{"b":1},"a":'),
  (text) => text.replace(/^\{("apiVersion":"[^"]*"),("kind":"[^"]*"),/, '{$2,$1,'),
  (text) => text.replace('"metadata":{', '"metadata":{"resourceVersion":"1",'),
  (text) => text.replace(/"uid":"u"/, '"resourceVersion":"1","uid":"u"'),
  (text) => text.replace(/"generation":2,/, ''),
  (text) => text.replace(/"uid":"u"/, '"uid":null'),
  (text) => text.replace('"x"', '"\ud800"'),
]

describe('custom objects that are served without being decoded', () => {
  it('give the same bytes as their objects, whoever wrote them', () => {
    const canonical = new Map<string, number>()
    const change = fc.tuple(fc.nat(changes.length - 1), fc.nat(2000))
    const sorted = fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, fc.constant(false))
    const where = fc.nat(definitions.length - 1)
    const property = fc.property(where, objects, sorted, fc.array(change, { maxLength: 2 }), (index, object, isSorted, edits) => {
      const definition = definitions[index]
      assert.ok(definition)
      let text = JSON.stringify(isSorted ? sortedCopy(object) : object)
      text = text.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e').replaceAll('&', '\\u0026').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
      for (const [which, at] of edits) text = changes[which]?.(text, at % text.length) ?? text
      if (!check(definition, Buffer.from(`${text}\n`))) return
      canonical.set(definition.title, (canonical.get(definition.title) ?? 0) + 1)
    }) // biome-ignore format: a table
    fc.assert(property, { numRuns: runs, seed: 11 })
    for (const { title } of definitions)
      if (title !== 'with an odd name') assert.ok(canonical.has(title), `${title}: ${canonical.get(title)}`)
  }).timeout(0)

  const stored = (spec: unknown, { version = 'v1', meta = {} }: { version?: string; meta?: object } = {}): Uint8Array =>
    Buffer.from(
      `${JSON.stringify(
        sortedCopy({
          apiVersion: `example.com/${version}`,
          kind: 'Thing',
          metadata: { name: 'a', uid: 'u', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z', ...meta },
          spec,
        }),
      )}\n`,
    )
  const [one, two, different, , all, filled] = definitions as [Definition, Definition, Definition, Definition, Definition, Definition] // biome-ignore format: a table
  const cases: readonly (readonly [title: string, Definition, Uint8Array, boolean])[] = [
    ['all fields in order', one, stored({ a: 'x', b: 1, d: { e: { f: 'y' } } }), true],
    ['a default that is not there', one, stored({ a: 'x', d: { e: { f: 'y' } } }), false],
    ['a default deep in what is there', one, stored({ b: 1, d: { e: {} } }), false],
    ['a default after the last field', filled, stored({ b: 1 }), false],
    ['a default in an empty object', filled, stored({}), false],
    ['a default in an item of a list', one, stored({ b: 1, d: {}, e: [{ a: 'x' }] }), false],
    ['an unknown field', one, stored({ b: 1, d: {}, q: 1 }), false],
    ['a null that may be', one, stored({ b: 1, c: null, d: {} }), true],
    ['a null that may not be', one, stored({ a: null, b: 1, d: {} }), false],
    ['an embedded object', one, stored({ b: 1, d: {}, h: { apiVersion: 'v1', kind: 'K', metadata: { name: 'n' } } }), true],
    ['an embedded object without metadata', one, stored({ b: 1, d: {}, h: { apiVersion: 'v1', kind: 'K' } }), false],
    ['an embedded object with odd metadata', one, stored({ b: 1, d: {}, h: { metadata: { name: 3 } } }), false],
    ['stored in the other version', two, stored({ b: 1, d: {} }, { version: 'v2' }), true],
    ['a field that another version does not know', different, stored({ b: 1, d: {} }), false],
    ['a version that there is not', one, stored({ b: 1, d: {} }, { version: 'v9' }), false],
    ['metadata with an empty map', all, stored({}, { meta: { labels: {} } }), false],
    ['metadata with an unknown field', all, stored({}, { meta: { color: 'red' } }), false],
    ['metadata with a resourceVersion', all, stored({}, { meta: { resourceVersion: '3' } }), false],
    ['metadata without a generation', all, stored({}, { meta: { generation: undefined } }), false],
    ['keys of managed fields with quotes', all, stored({}, { meta: { managedFields: [{ manager: 'm', fieldsV1: { 'k:{"type":"A","b":1}': {}, 'k:{"type":"A"}': {}, 'k:{"type":"B"}': {} } }] } }), true],
    ['nesting of 60', all, stored(JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)), true],
    ['nesting of 5000', all, Buffer.from(Buffer.from(stored('?')).toString().replace('"?"', `${'['.repeat(5000)}${']'.repeat(5000)}`)), false],
    ['no end', all, stored({}).subarray(0, -3), false],
    ['something after the end', all, Buffer.concat([stored({}), Buffer.from('{}')]), false],
    ['characters that are none', all, Buffer.from(Buffer.from(stored('\u00e9')).toString('latin1').replace('\u00c3', '\u00ff'), 'latin1'), false],
  ] // biome-ignore format: a table
  for (const [title, definition, bytes, expected] of cases)
    it(`${title}: ${expected ? 'copied' : 'decoded'}`, () => assert.equal(check(definition, bytes), expected))

  it('are decoded for another version behind a webhook, and copied for their own', () => {
    const definition = definitions.at(-1)
    const bytes = stored({ a: 1 })
    assert.ok(definition)
    const fits = (version: string) => definition.codec.stored?.item(gvk(version), 'application/json')?.fits?.(bytes)
    assert.deepEqual([fits('v1'), fits('v2')], [true, false])
  })

  it('are read whole where fields can not be read alone', () => {
    const read = all.codec.fieldReader?.(['spec.a'])
    assert.ok(read)
    const odd = Buffer.from(
      '{"kind":"Thing", "apiVersion":"example.com/v1","metadata":{"name":"a"},"spec":{"a":1,"b":2}}',
    )
    assert.deepEqual(read(odd)['spec'], { a: 1, b: 2 })
    assert.deepEqual(read(stored({ a: 1, b: 2 }))['spec'], { a: 1 })
    assert.throws(() => read(Buffer.from('{"a"')))
  })
})

/** With the keys of all objects in the order of their bytes. */
function sortedCopy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedCopy)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  entries.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sortedCopy(inner)]))
}
