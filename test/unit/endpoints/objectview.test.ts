import assert from 'node:assert/strict'
import type { Entry } from '../../../lib/cache/index.ts'
import { createMetadataViews, createObjectViews } from '../../../lib/endpoints/answer/objectview.ts'
import { type ApiObject, copyObject, deepEqual } from '../../../lib/object/index.ts'
import type { ResourceRegistry } from '../../../lib/registry/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { eventually } from '../../support/eventually.ts'
import { valid } from '../../support/valid/Pod.ts'

describe('views of objects, for clients in this process', () => {
  let kit: EndpointKit
  let registry: ResourceRegistry
  let entry: Entry
  let decodings = 0

  before(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    const metadata = { ...valid.metadata, labels: { app: 'a' }, finalizers: ['example.com/hold'] }
    const created = await kit.request('POST', '/api/v1/namespaces/default/pods', { body: { ...valid, metadata } })
    assert.equal(created.status, 201, created.text)
    const pods = kit.registry.resource({ group: '', resource: 'pods' })
    assert.ok(pods)
    registry = pods
    let stored: Entry | undefined
    await eventually(() => {
      stored = pods.cache.peek(`/registry/pods/default/${valid.metadata.name}`)
      return stored !== undefined
    }, 'the pod is in the cache')
    assert.ok(stored?.canonical)
    const found = stored
    const decoded = kit.scheme.codec(pods.definition.gvr).decodeFromStorage(found.stored, String(found.revision))
    entry = like(found, () => (decodings++, decoded), true)
  })
  beforeEach(() => (decodings = 0))
  after(() => kit.close())

  const viewed = (): ApiObject => createObjectViews(registry, registry.kind.heldFields ?? [])(entry)
  const specOf = (object: ApiObject): Record<string, unknown> => object['spec'] as Record<string, unknown>

  it('answer for fields that controllers read without decoding the object', () => {
    const view = viewed()
    const { name, namespace, uid, resourceVersion, labels, finalizers, ownerReferences } = view.metadata
    assert.deepEqual(
      [name, namespace, resourceVersion, labels, finalizers, ownerReferences],
      [valid.metadata.name, 'default', String(entry.revision), { app: 'a' }, ['example.com/hold'], undefined],
    )
    assert.ok(uid)
    assert.deepEqual([view.apiVersion, view.kind], ['v1', 'Pod'])
    // Listeners of two controllers read a pod's claims at each of its changes.
    const { nodeName, hostname, readinessGates, resourceClaims } = specOf(view)
    const whole = specOf(entry.object())
    assert.deepEqual([nodeName, hostname], ['n', 'h'])
    assert.deepEqual([readinessGates, resourceClaims], [whole['readinessGates'], whole['resourceClaims']])
    assert.equal((view['status'] as { phase?: string }).phase, 'Pending')
    // A promise asks its result whether it is one, too.
    assert.deepEqual([specOf(view)['then'], (view as { then?: unknown }).then], [undefined, undefined])
    assert.equal(decodings, 1)
  })

  it('answer for everything else like the object', () => {
    const view = viewed()
    const object = entry.object()
    assert.deepEqual(specOf(view)['containers'], specOf(object)['containers'])
    assert.equal('containers' in specOf(view), true)
    assert.equal(Object.hasOwn(specOf(view), 'dnsPolicy'), true)
    assert.equal('nothing' in specOf(view), false)
    assert.deepEqual(Object.keys(view), Object.keys(object))
    assert.deepEqual(Object.keys(view.metadata), Object.keys(object.metadata))
    assert.equal(JSON.stringify(view), JSON.stringify(object))
    assert.deepEqual(view, object)
    assert.ok(deepEqual(view, object))
    assert.deepEqual(copyObject(view), object)
    assert.deepEqual({ ...view, metadata: { ...view.metadata }, spec: { ...specOf(view) } }, object)
  })

  it('can not be changed', () => {
    const view = viewed()
    assert.throws(() => (view.kind = 'Other'), TypeError)
    assert.throws(() => (specOf(view)['containers'] = []), TypeError)
    assert.throws(() => delete specOf(view)['nodeName'], TypeError)
    assert.throws(() => Object.defineProperty(view.metadata, 'name', { value: 'other' }), TypeError)
    assert.equal(JSON.stringify(view), JSON.stringify(entry.object()))
  })

  it('are the object itself where defaults may change the stored object', () => {
    const object = entry.object()
    assert.equal(createObjectViews(registry, [])(like(entry, () => object, false)), object)
  })

  it('views of metadata alone read like the metadata', () => {
    const view = createMetadataViews(registry)(entry)
    assert.deepEqual([view.name, view.finalizers], [valid.metadata.name, ['example.com/hold']])
    assert.equal(decodings, 0)
    assert.deepEqual(view.labels, { app: 'a' })
    assert.deepEqual(view, entry.object().metadata)
  })
})

function like(
  { key, stored, revision, storedRevision, createRevision }: Entry,
  object: () => ApiObject,
  canonical: boolean,
): Entry {
  const none = (): never => assert.fail('not asked for')
  return {
    key,
    stored,
    revision,
    storedRevision,
    createRevision,
    canonical,
    isStoredOtherwise: false,
    isDecoded: true,
    object,
    labels: none,
    fields: none,
    bytes: none,
    keptBytes: none,
    bytesAgain: none,
  }
}
