import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import type { AdmissionPlugin } from '../../../lib/admission/index.ts'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { createMemoryStore } from '../../../lib/storage/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const path = '/api/v1/namespaces/default/configmaps'
const objects = 8000
/** 16 MB together. */
const data = { text: 'x'.repeat(2000) }
const mb = 1024 * 1024

describe('a large collection that is deleted', () => {
  let kit: EndpointKit
  /** When the first object was to be deleted. */
  let bytesThen = 0
  const bytes = (): number => process.memoryUsage().arrayBuffers

  before(async () => {
    const scheme = createScheme({ tables })
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    for (let index = 0; index < objects; index++) {
      const name = `c${String(index).padStart(5, '0')}`
      const metadata = { name, namespace: 'default', uid: name, creationTimestamp: '2026-01-01T00:00:00Z' }
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as ApiObject
      await store.create(`/registry/configmaps/default/${name}`, scheme.objects.encodeForStorage(object))
    }
    const watcher: AdmissionPlugin = {
      name: 'Watcher',
      handles: (operation) => operation === 'DELETE',
      validate: () => void (bytesThen ||= bytes()),
    }
    kit = await createEndpointKit({ store, plugins: [watcher] })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  after(() => kit.close())

  it('is answered with a list written while it is sent: no memory holds it whole', async () => {
    assert.equal((await kit.request('GET', `${path}?limit=1`)).json.items.length, 1)
    const before = bytes()
    const tried = await kit.request('DELETE', `${path}?dryRun=All`)
    assert.equal(tried.status, 200, tried.text.slice(0, 300))
    assert(bytesThen > 0 && bytesThen - before < 8 * mb, `${(bytesThen - before) / mb} MB`)
    const deleted = await kit.request('DELETE', path)
    assert.equal(deleted.status, 200)
    assert.equal(deleted.json.items.length, objects)
    assert.equal(Buffer.compare(deleted.bytes, tried.bytes), 0)
    assert.deepEqual((deleted.json.items[0] as ApiObject & { data: object }).data, data)
    assert.deepEqual((await kit.request('GET', path)).json.items, [])
  })

  it('is refused before anything is deleted where its list has no such format', async () => {
    await kit.request('POST', path, { body: { metadata: { name: 'a' } } })
    const headers = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }
    assert.equal((await kit.request('DELETE', path, { headers })).status, 406)
    assert.equal((await kit.request('GET', path)).json.items.length, 1)
  })
})
