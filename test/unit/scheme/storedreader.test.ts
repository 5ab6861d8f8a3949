import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { tables } from '../../../api/index.ts'
import { createSeededRandom } from '../../../lib/base/index.ts'
import {
  createStructCodecs,
  isCanonicalMessage,
  parseOwnJson,
  storedEnvelope,
  writeJson,
} from '../../../lib/codec/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import { type ApiObject, countValues, jsonOf, parseGroupVersion } from '../../../lib/object/index.ts'
import { compileTables } from '../../../lib/schema/index.ts'
import { createScheme, type MediaType, type ResourceDefinition, type Scheme } from '../../../lib/scheme/index.ts'
import { readOwnGoldens, readSharedGoldens } from '../../support/goldens.ts'
import { asOldRelease } from '../../support/otherform.ts'
import { objectsOf } from '../codec/generate.ts'

const mediaTypes: readonly MediaType[] = ['application/json', 'application/vnd.kubernetes.protobuf']
const resourceVersion = '123456'
const runsEach = 12

const builtInKindSet = createKindSet(builtInKinds)

function newScheme(): Scheme {
  return createScheme({ tables, kinds: (group, kind) => builtInKindSet.get(group, kind) })
}

/** A scheme that reports each run of a kind's defaults. */
function schemeTelling(name: string, onDefaults: () => void): Scheme {
  return createScheme({
    tables,
    kinds: (group, kind) => {
      const hooks = builtInKindSet.get(group, kind)
      const v1 = hooks?.defaults?.['v1']
      if (kind !== name || !v1) return hooks
      const counted: typeof v1 = (object, context) => {
        onDefaults()
        v1(object, context)
      }
      return { ...hooks, defaults: { v1: counted } }
    },
  })
}

/** Compares what is made of the stored bytes with what is made of the object, in every version and format; false: not canonical. */
function check(scheme: Scheme, { gvr }: ResourceDefinition, stored: Uint8Array): boolean {
  const reader = scheme.codec(gvr).stored
  if (!reader?.isCanonical(stored)) return false
  const object = scheme.codec(gvr).decodeFromStorage(stored, resourceVersion)
  for (const { gvk } of scheme.versionsOf(gvr))
    for (const mediaType of mediaTypes) {
      const about = `${gvk.group}/${gvk.version} ${gvk.kind} ${mediaType}`
      const expected = scheme.objects.encodeItem(scheme.objects.convert(object, gvk), mediaType)
      const item: Uint8Array | undefined = reader.item(gvk, mediaType)?.encode(stored, resourceVersion)
      if (item) assert.equal(Buffer.from(item).toString('latin1'), Buffer.from(expected).toString('latin1'), about)
      const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata: object.metadata }
      const metadata: Uint8Array | undefined = reader.metadata(mediaType)?.encode(stored, resourceVersion)
      assert.deepEqual(
        metadata && Buffer.from(metadata),
        Buffer.from(scheme.objects.encodeItem(partial, mediaType)),
        about,
      )
    }
  return true
}

/** An apply that changes nothing copies the stored object instead of decoding its JSON with defaults once more. */
function checkReadsTheSame(scheme: Scheme, { gvr, gvk }: ResourceDefinition, stored: Uint8Array): void {
  const object = scheme.codec(gvr).decodeFromStorage(stored, resourceVersion)
  // Events are of another group in the store.
  const expected = { ...gvk, ...parseGroupVersion(object.apiVersion) }
  const options = { mediaType: 'application/json', expected, keepsNulls: true, fieldValidation: 'Warn' } as const
  const again = scheme.codec(gvr).decodeObject({ tree: jsonOf(object) }, options)
  assert.deepEqual(again.strictErrors, [], gvk.kind)
  // By their texts: 2^53 in a free-form field may be a number or a bigint.
  const textOf = (of: ApiObject): string => Buffer.from(scheme.codec(gvr).encodeItem(of, 'application/json')).toString()
  assert.equal(textOf(again.object), textOf(object), gvk.kind)
  assert.deepEqual(scheme.codec(gvr).encodeForStorage(again.object), scheme.codec(gvr).encodeForStorage(object))
}

/** A patch applies to the value of the JSON item, without its text. */
function checkItemValue(scheme: Scheme, { gvr, gvk }: ResourceDefinition, stored: Uint8Array): boolean {
  const codec = scheme.codec(gvr)
  const object = codec.decodeFromStorage(stored, resourceVersion)
  const value = codec.itemValue?.(object)
  if (value === undefined) return false
  const item = codec.encodeItem(object, 'application/json')
  assert.equal(writeJson(value), Buffer.from(item).toString(), gvk.kind)
  assert.equal(countValues(value), countValues(parseOwnJson(item)), 'no absent fields')
  return true
}

/** Checks the canonical form of bytes that are not canonical; false: there is none. */
function checkForm(scheme: Scheme, definition: ResourceDefinition, stored: Uint8Array): boolean {
  const form = scheme.codec(definition.gvr).stored?.toCanonical?.(stored)
  if (!form) return false
  const objectOf = (bytes: Uint8Array): ApiObject =>
    scheme.codec(definition.gvr).decodeFromStorage(bytes, resourceVersion)
  assert.deepEqual(objectOf(form), objectOf(stored), definition.gvk.kind)
  assert.equal(check(scheme, definition, form), true, definition.gvk.kind)
  return true
}

function pod(scheme: Scheme, name: string, change: (pod: ApiObject) => void = () => {}): Uint8Array {
  const { object } = scheme.objects.decodeObject(
    Buffer.from(
      JSON.stringify({
        metadata: { name, namespace: 'default', labels: { app: name } },
        spec: { containers: [{ name: 'c', image: 'a:1', ports: [{ containerPort: 80 }] }] },
      }),
    ),
    { mediaType: 'application/json', expected: { group: '', version: 'v1', kind: 'Pod' } },
  )
  change(object)
  return scheme.objects.encodeForStorage(object)
}

function statefulSet(scheme: Scheme, volumeClaimTemplates: object[]): Uint8Array {
  const labels = { app: 'a' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'a:1' }] } }
  const spec = { serviceName: 's', selector: { matchLabels: labels }, template, volumeClaimTemplates }
  const body = Buffer.from(JSON.stringify({ metadata: { name: 'a', namespace: 'default' }, spec }))
  const expected = { group: 'apps', version: 'v1', kind: 'StatefulSet' }
  return scheme.objects.encodeForStorage(
    scheme.objects.decodeObject(body, { mediaType: 'application/json', expected }).object,
  )
}

describe('stored objects that are served without being decoded', () => {
  const scheme = newScheme()
  const stored = scheme.resources.filter(({ gvr, hubVersion, storage }) => storage && gvr.version === hubVersion)

  it('give the same bytes as their objects, of every kind, in every version', () => {
    const canonical = new Map<string, number>()
    let values = 0
    for (const definition of stored) {
      const { gvr, gvk, struct } = definition
      let count = 0
      const property = fc.property(objectsOf(struct, 3), fc.boolean(), (generated, defaults) => {
        const body = { ...generated, apiVersion: undefined, kind: undefined, status: generated['status'] ?? {} }
        const options = { mediaType: 'application/json', expected: gvk, defaults } as const
        let bytes: Uint8Array
        try {
          bytes = scheme.objects.encodeForStorage(
            scheme.objects.decodeObject(Buffer.from(JSON.stringify(body)), options).object,
          )
        } catch {
          return // What validation would refuse can't all be defaulted or encoded.
        }
        if (check(scheme, definition, bytes)) count++
        checkReadsTheSame(scheme, definition, bytes)
        if (checkItemValue(scheme, definition, bytes)) values++
      })
      fc.assert(property, { numRuns: runsEach, seed: 7 })
      canonical.set(`${gvr.group}/${gvr.resource}`, count)
    }
    assert.ok(values > stored.length * 4, `${values} items without large integers and keys that look like indices`)
    const never = [...canonical].filter(([, count]) => count === 0).map(([name]) => name)
    // Their schemas have forms of their own in JSON.
    assert.deepEqual(never, ['apiextensions.k8s.io/customresourcedefinitions'])
  })

  /** An index of the cache finds an entry by what its field was when it was added. */
  function checkIndexed({ gvr, gvk }: ResourceDefinition, bytes: Uint8Array): void {
    for (const field of builtInKindSet.get(gvk.group, gvk.kind)?.indexedFields ?? []) {
      const codec = scheme.codec(gvr)
      const read = codec.fieldReader?.([field])
      const form = codec.stored?.toCanonical?.(bytes)
      if (!read || !form) continue
      const [outer = '', inner = ''] = field.split('.')
      const valueOf = (stored: Uint8Array): unknown =>
        (read(stored)[outer] as Record<string, unknown> | undefined)?.[inner]
      assert.equal(valueOf(form), valueOf(bytes), `${gvk.kind} ${field}`)
    }
  }

  it('get a canonical form where another release wrote them, with the same object', () => {
    const found = new Map<string, number>()
    for (const definition of stored) {
      const { gvr, gvk, struct } = definition
      let count = 0
      const property = fc.property(objectsOf(struct, 3), (generated) => {
        const body = { ...generated, apiVersion: undefined, kind: undefined, status: generated['status'] ?? {} }
        let bytes: Uint8Array
        try {
          const decoded = scheme.objects.decodeObject(Buffer.from(JSON.stringify(body)), {
            mediaType: 'application/json',
            expected: gvk,
          })
          bytes = asOldRelease(scheme.objects.encodeForStorage(decoded.object))
        } catch {
          return // As above.
        }
        assert.equal(check(scheme, definition, bytes), false)
        checkIndexed(definition, bytes)
        if (checkForm(scheme, definition, bytes)) count++
      })
      fc.assert(property, { numRuns: runsEach, seed: 8 })
      found.set(`${gvr.group}/${gvr.resource}`, count)
    }
    const never = [...found].filter(([, count]) => count === 0).map(([name]) => name)
    assert.deepEqual(never, ['apiextensions.k8s.io/customresourcedefinitions'])
  })

  it('have none where defaults show in JSON alone, they were stored as JSON, they are damaged or large', () => {
    const pods = stored.find(({ gvr }) => gvr.resource === 'pods')
    assert.ok(pods)
    const reader = scheme.codec(pods.gvr).stored
    const bytes = pod(scheme, 'a')
    assert.equal(
      reader?.toCanonical?.(Buffer.from('{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}')),
      undefined,
    )
    assert.equal(reader?.toCanonical?.(bytes.subarray(0, bytes.length - 20)), undefined)
    assert.equal(checkForm(scheme, pods, asOldRelease(bytes)), true)
    const large = pod(scheme, 'a', ({ metadata }) => (metadata.annotations = { a: 'x'.repeat(100_000) }))
    assert.equal(reader?.isCanonical(large), true)
    assert.equal(reader?.toCanonical?.(asOldRelease(large)), undefined, 'it is decoded in slices')
  })

  it('objects without a canonical form are not decoded for it for ever', () => {
    const definition = stored.find(({ gvr }) => gvr.resource === 'statefulsets')
    assert.ok(definition)
    let defaulted = 0
    const counting = schemeTelling('StatefulSet', () => defaulted++)
    const reader = counting.codec(definition.gvr).stored
    const bytes = statefulSet(scheme, [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }])
    for (let i = 0; i < 50; i++) assert.equal(reader?.toCanonical?.(bytes), undefined)
    assert.ok(defaulted > 0 && defaulted < 50, `${defaulted}`)
  })

  it('are those of the goldens, too', () => {
    const goldens = [...readOwnGoldens(), ...readSharedGoldens()]
    let canonical = 0
    for (const { apiVersion, kind, protobuf } of goldens) {
      const definition = stored.find(
        ({ gvk }) => gvk.kind === kind && apiVersion === [gvk.group, gvk.version].filter(Boolean).join('/'),
      )
      if (definition && check(scheme, definition, protobuf)) canonical++
    }
    assert.ok(canonical > 10, `${canonical} of ${goldens.length}`)
  })

  it('are those only that defaults don’t change, whatever was seen before', () => {
    const pods = { group: '', version: 'v1', resource: 'pods' }
    const reader = newScheme().codec(pods).stored
    assert.ok(reader)
    for (let i = 0; i < 5; i++) assert.equal(reader.isCanonical(pod(scheme, `p${i}`)), true)
    type Spec = {
      restartPolicy?: string
      containers: { image: string; imagePullPolicy?: string; ports: { protocol?: string }[] }[]
    }
    const changes: ((spec: Spec) => void)[] = [
      (spec) => delete spec.restartPolicy,
      (spec) => delete spec.containers[0]?.imagePullPolicy,
      (spec) => delete spec.containers[0]?.ports[0]?.protocol,
      (spec) => spec.containers.push({ image: 'b:1', ports: [] }),
    ]
    for (const change of changes)
      for (let i = 0; i < 3; i++) {
        const bytes = pod(scheme, `q${i}`, (object) => change(object['spec'] as Spec))
        assert.equal(reader.isCanonical(bytes), false, String(change))
      }
    assert.equal(reader.isCanonical(pod(scheme, 'after')), true)
  })

  it('are not those whose defaults show in JSON alone: claim templates of stateful sets', () => {
    const statefulsets = { group: 'apps', version: 'v1', resource: 'statefulsets' }
    const definition = stored.find(({ gvr }) => gvr.resource === 'statefulsets')
    assert.ok(definition)
    assert.equal(check(scheme, definition, statefulSet(scheme, [])), true)
    const bytes = statefulSet(scheme, [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }])
    assert.equal(check(scheme, definition, bytes), false)
    assert.equal(newScheme().codec(statefulsets).stored?.isCanonical(bytes), false)
    assert.equal(newScheme().codec(statefulsets).stored?.toCanonical?.(asOldRelease(bytes)), undefined)
  })

  it('are decoded once for many that differ in nothing that a default reads', () => {
    const pods = { group: '', version: 'v1', resource: 'pods' }
    let defaulted = 0
    const counting = schemeTelling('Pod', () => defaulted++)
    const reader = counting.codec(pods).stored
    for (let i = 0; i < 1000; i++) assert.equal(reader?.isCanonical(pod(scheme, `pod-${i}`)), true)
    assert.ok(defaulted <= 3, `${defaulted}`)
    // As the volumes of service account tokens, whose names are made up.
    const withVolume = (name: string, source: object): Uint8Array =>
      pod(scheme, 'a', (object) => Object.assign(object['spec'] as object, { volumes: [{ name, ...source }] }))
    const secret = { secret: { secretName: 's', defaultMode: 0o644 } }
    for (let i = 0; i < 1000; i++) assert.equal(reader?.isCanonical(withVolume(`token-${i}`, secret)), true)
    assert.ok(defaulted <= 6, `${defaulted}`)
    assert.equal(reader?.isCanonical(withVolume('nothing', {})), false)
    assert.equal(reader?.isCanonical(withVolume('', secret)), true)
  })

  it('are found among any number of pods with different addresses', () => {
    const pods = { group: '', version: 'v1', resource: 'pods' }
    let defaulted = 0
    const reader = schemeTelling('Pod', () => defaulted++).codec(pods).stored
    const withStatus = (status: object): Uint8Array => pod(scheme, 'a', (object) => Object.assign(object, { status }))
    for (let i = 0; i < 5000; i++) {
      const ip = `10.1.${i >> 8}.${i & 255}`
      assert.equal(reader?.isCanonical(withStatus({ podIP: ip, podIPs: [{ ip }] })), true)
      if (i % 100 > 0) continue
      assert.equal(reader?.isCanonical(withStatus({ podIP: ip })), false)
      assert.equal(reader?.isCanonical(withStatus({ podIPs: [{ ip }] })), false)
      assert.equal(reader?.isCanonical(withStatus({ podIP: ip, podIPs: [{ ip: '10.2.0.1' }] })), false)
    }
    assert.ok(defaulted <= 6, `${defaulted}`)
  })

  it('are checked in every byte, though most of their parts are remembered', () => {
    const definition = stored.find(({ gvr }) => gvr.resource === 'pods')
    assert.ok(definition)
    const { gvr, gvk } = definition
    const body = readFileSync(join(import.meta.dirname, '../../golden/pod.json'))
    const { object } = scheme.objects.decodeObject(body, { mediaType: 'application/json', expected: gvk })
    const bytes = scheme.objects.encodeForStorage(object)
    const plain = createStructCodecs()(compileTables(tables).struct('core/v1.Pod'))
    const { messageOf } = storedEnvelope('v1', 'Pod')
    // Compares what passes with the way through the object. Defaults throw for a quantity that is none.
    const passes = (changed: Uint8Array): boolean => {
      try {
        return check(scheme, definition, changed)
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error
        assert.throws(() => scheme.codec(gvr).decodeFromStorage(changed, resourceVersion))
        return false
      }
    }
    const random = createSeededRandom(20261125)
    const changes = 3000
    let canonical = 0
    let forms = 0
    for (let i = 0; i < changes; i++) {
      assert.equal(scheme.codec(gvr).stored?.isCanonical(bytes), true)
      const changed = Buffer.from(bytes)
      const at = random.below(changed.length)
      changed[at] = random.below(256)
      if (!passes(changed)) {
        if (checkForm(scheme, definition, changed)) forms++
        continue
      }
      canonical++
      assert.equal(isCanonicalMessage(messageOf(changed) ?? changed, plain), true, `byte ${at}`)
    }
    assert.ok(canonical > changes / 10 && canonical < changes * 0.9, `${canonical} were canonical`)
    assert.ok(forms > changes / 50, `${forms} had a canonical form`)
  })
})
