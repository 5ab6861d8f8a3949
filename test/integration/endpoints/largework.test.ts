import assert from 'node:assert/strict'
import type { AdmissionPlugin } from '../../../lib/admission/index.ts'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { statusErrors } from '../../../lib/object/index.ts'
import type { ResourceHooks } from '../../../lib/registry/index.ts'
import type { Store } from '../../../lib/storage/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { scheme } from '../../support/kindrun.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const json = { 'content-type': 'application/json' }

function large(name: string, more: object = {}): string {
  const data = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`key-${index}`, `value ${index}`]))
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...more }, data })
}

describe('requests about large objects', () => {
  let kit: EndpointKit
  const seen: string[] = []
  const calls: string[] = []
  let refusesUpdates = 0
  let held: PromiseWithResolvers<void> | undefined

  const plugin: AdmissionPlugin = {
    name: 'Labels',
    handles: () => true,
    mutate({ object, operation, resource }) {
      if (resource.resource !== 'configmaps' || !object) return
      object.metadata.labels = { ...object.metadata.labels, admitted: operation.toLowerCase() }
    },
    async validate(attributes) {
      const { object, oldObject, operation, resource } = attributes
      if (resource.resource !== 'configmaps') return
      if (object?.metadata.name === 'left') await held?.promise
      await Promise.resolve()
      seen.push(`${operation} ${object?.metadata.labels?.['admitted']} ${oldObject?.metadata.labels?.['admitted']}`)
      attributes.warn(`validated ${operation}`)
      if (object?.metadata.name === 'refused') throw statusErrors.forbidden(resource, 'refused', 'it is refused')
    },
  }

  /** Refuses updates as if another write had come first. */
  const over = (store: Store): Store => ({
    ...store,
    get: (key, options) => store.get(key, options),
    range: (options) => store.range(options),
    create: (key, value, options) => store.create(key, value, options),
    delete: (key, expected, options) => store.delete(key, expected, options),
    currentRevision: (options) => store.currentRevision(options),
    watch: (options, sink) => store.watch(options, sink),
    async update(key, value, expected, options) {
      if (refusesUpdates-- > 0) {
        const { value: current, revision } = await store.get(key)
        return { ok: false, current, revision }
      }
      return store.update(key, value, expected, options)
    },
  })

  const hooks: ResourceHooks = {
    async allocate(object, old, { dryRun }) {
      calls.push(`allocate ${object.metadata.name} ${old ? 'old' : 'new'} ${dryRun}`)
      object.metadata.annotations = { ...object.metadata.annotations, allocated: 'yes' }
      return (isStored) => void calls.push(`settle ${isStored}`)
    },
    authorize: (object) =>
      Promise.resolve(
        object.metadata.name === 'unauthorized'
          ? [{ type: 'FieldValueForbidden', field: 'data', message: 'no', badValue: '' } as never]
          : [],
      ),
  }

  before(async () => {
    kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects), plugins: [plugin], over })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    kit.registry.resource({ group: '', resource: 'configmaps' })?.hook(hooks)
  })
  after(() => kit.close())

  it('are changed and validated by the admission plugins of the server', async () => {
    const created = await kit.request('POST', maps, { body: large('a'), headers: json })
    assert.equal(created.status, 201, created.text.slice(0, 300))
    assert.equal(created.json.metadata.labels?.['admitted'], 'create')
    assert.deepEqual(created.warnings, ['validated CREATE'])
    const patched = await kit.request('PATCH', `${maps}/a`, {
      body: '{"data":{"added":"x"}}',
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    assert.equal(patched.status, 200, patched.text.slice(0, 300))
    assert.equal(patched.json.metadata.labels?.['admitted'], 'update')
    assert.deepEqual(seen.slice(-2), ['CREATE create undefined', 'UPDATE update create'])
    const refused = await kit.request('POST', maps, { body: large('refused'), headers: json })
    assert.equal(refused.status, 403)
    assert.equal((await kit.request('GET', `${maps}/refused`)).status, 404)
  })

  it('have cluster IPs allocated, and are authorized, by the hooks of the server', async () => {
    calls.length = 0
    const { json: object } = await kit.request('POST', maps, { body: large('hooked'), headers: json })
    assert.equal(object.metadata.annotations?.['allocated'], 'yes')
    assert.deepEqual(calls, ['allocate hooked new false', 'settle true'])
    const refused = await kit.request('POST', maps, { body: large('unauthorized'), headers: json })
    assert.equal(refused.status, 422)
    assert.equal(calls.at(-1), 'settle false')
  })

  it('are retried after a concurrent write, and lose nothing', async () => {
    await kit.request('POST', maps, { body: large('contended'), headers: json })
    refusesUpdates = 2
    const { status, json: object } = await kit.request('PATCH', `${maps}/contended?fieldManager=me&force=true`, {
      body: large('contended', { annotations: { applied: 'yes' } }),
      headers: { 'content-type': 'application/apply-patch+yaml' },
    })
    assert.equal(status, 200)
    assert.equal(object.metadata.annotations?.['applied'], 'yes')
    const read = await kit.request('GET', `${maps}/contended`)
    assert.equal(read.json.metadata.resourceVersion, object.metadata.resourceVersion)
    const stale = await kit.request('PUT', `${maps}/contended`, {
      body: large('contended', { resourceVersion: '1' }),
      headers: json,
    })
    assert.equal(stale.status, 409)
  })

  it('are aborted when the client leaves: nothing is stored, and others continue', async () => {
    held = Promise.withResolvers()
    const client = new AbortController()
    const left = kit.request('POST', maps, { body: large('left'), headers: json, signal: client.signal })
    const rejected = assert.rejects(left, { message: 'the client left' })
    const other = kit.request('POST', maps, { body: large('other'), headers: json })
    assert.equal((await other).status, 201)
    client.abort(new Error('the client left'))
    held.resolve()
    await rejected
    assert.equal((await kit.request('GET', `${maps}/left`)).status, 404)
    const again = await kit.request('POST', maps, { body: large('left'), headers: json })
    assert.equal(again.status, 201)
  })

  it('are deleted, and deleted objects are gone', async () => {
    await kit.request('POST', maps, { body: large('gone'), headers: json })
    assert.equal((await kit.request('DELETE', `${maps}/gone`)).status, 200)
    assert.equal((await kit.request('GET', `${maps}/gone`)).status, 404)
    assert.equal((await kit.request('DELETE', `${maps}/gone`)).status, 404)
  })
})
