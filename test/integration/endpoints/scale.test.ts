import assert from 'node:assert/strict'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const base = '/apis/apps/v1/namespaces/default/deployments'
const merge = { 'content-type': 'application/merge-patch+json' }

describe('endpoints: scale', () => {
  let kit: EndpointKit
  before(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const body = {
      metadata: { name: 'd', labels: { l: 'x' } },
      spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template },
    }
    const created = await kit.request('POST', base, { body })
    assert.equal(created.status, 201, created.text)
  })
  after(() => kit.close())

  it('shows the replicas of an object', async () => {
    const { json } = await kit.request('GET', `${base}/d/scale`)
    assert.equal(json.kind, 'Scale')
    assert.equal(json.apiVersion, 'autoscaling/v1')
    assert.equal(json.metadata.name, 'd')
    assert.deepEqual(json.spec, { replicas: 2 })
    assert.deepEqual(json.status, { replicas: 0, selector: 'app=a' })
  })

  it('is a table with its own columns', async () => {
    const accept = (as: string): Record<string, string> => ({ accept: `application/json;as=${as};g=meta.k8s.io;v=v1` })
    const { json } = await kit.request('GET', `${base}/d/scale`, { headers: accept('Table') })
    const { columnDefinitions, rows } = json as unknown as {
      columnDefinitions: { name: string }[]
      rows: { cells: unknown[]; object: ApiObject }[]
    }
    assert.deepEqual(
      columnDefinitions.map(({ name }) => name),
      ['Name', 'Desired', 'Available', 'Age'],
    )
    const [row] = rows
    assert.deepEqual(row?.cells.slice(0, 3), ['d', 2, 0])
    const shown = ['creationTimestamp', 'name', 'namespace', 'resourceVersion', 'uid']
    assert.deepEqual(Object.keys(row?.object.metadata ?? {}).sort(), shown)
    const partial = await kit.request('GET', `${base}/d/scale`, { headers: accept('PartialObjectMetadata') })
    assert.deepEqual(Object.keys(partial.json.metadata).sort(), shown)
    const whole = await kit.request('GET', `${base}/d/scale?includeObject=Object`, { headers: accept('Table') })
    assert.deepEqual((whole.json as unknown as { rows: { object: object }[] }).rows[0]?.object, {
      ...(await kit.request('GET', `${base}/d/scale`)).json,
    })
  })

  it('changes the replicas, and nothing else', async () => {
    const before = (await kit.request('GET', `${base}/d`)).json
    const scale = (await kit.request('GET', `${base}/d/scale`)).json
    const put = await kit.request('PUT', `${base}/d/scale`, { body: { ...scale, spec: { replicas: 5 } } })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(put.json.spec, { replicas: 5 })
    const patched = await kit.request('PATCH', `${base}/d/scale`, { body: { spec: { replicas: 0 } }, headers: merge })
    assert.equal(patched.json.kind, 'Scale')
    assert.deepEqual(patched.json.spec, {})
    const after = (await kit.request('GET', `${base}/d`)).json
    assert.deepEqual(after.spec, { ...(before.spec as object), replicas: 0 })
    assert.equal(after.metadata.generation, (before.metadata.generation ?? 0) + 2)
  })

  it('refuses an old version and a negative number', async () => {
    const scale = (await kit.request('GET', `${base}/d/scale`)).json
    const old = { ...scale, metadata: { ...scale.metadata, resourceVersion: '1' } }
    assert.equal((await kit.request('PUT', `${base}/d/scale`, { body: old })).status, 409)
    const another = { body: { metadata: { uid: 'x' }, spec: { replicas: 9 } }, headers: merge }
    const refused = await kit.request('PATCH', `${base}/d/scale`, another)
    assert.equal(refused.status, 409)
    assert.equal(
      refused.json.message,
      `Operation cannot be fulfilled on deployments/scale.apps "d": Precondition failed: UID in precondition: x, UID in object meta: ${scale.metadata.uid ?? ''}`,
    )
    const negative = await kit.request('PATCH', `${base}/d/scale`, { body: { spec: { replicas: -1 } }, headers: merge })
    assert.equal(
      negative.json.message,
      'Scale.autoscaling "d" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    )
    assert.equal((await kit.request('GET', `${base}/nope/scale`)).json.message, 'deployments.apps "nope" not found')
    assert.equal((await kit.request('DELETE', `${base}/d/scale`)).status, 405)
  })
})
