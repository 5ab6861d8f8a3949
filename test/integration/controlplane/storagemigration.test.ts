import assert from 'node:assert/strict'
import { silentLogger, systemClock, systemRandom } from '../../../lib/base/index.ts'
import { type Apiserver, startLocalControllers } from '../../../lib/controlplane/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { type Answer, ask } from '../../support/plane.ts'

const group = '/apis/storagemigration.k8s.io/v1alpha1'
const url = `${group}/storageversionmigrations`
const condition = (type: string, status = 'True'): object => ({ type, status, reason: 'Test', message: 'm' })

describe('storagemigration.k8s.io/v1alpha1, switched on by --runtime-config', () => {
  const folder = scratchFolder('migration')
  let server: Apiserver
  const request = (method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> =>
    ask(server.url, path, { method, token: adminToken, body, headers: { 'content-type': type } })

  before(async () => {
    server = await startComposed(folder.path, ['--runtime-config=storagemigration.k8s.io/v1alpha1=true'])
    const created = await request('POST', url, {
      apiVersion: 'storagemigration.k8s.io/v1alpha1',
      kind: 'StorageVersionMigration',
      metadata: { name: 'm' },
      spec: { resource: { group: 'apps', version: 'v1', resource: 'deployments' } },
      status: { conditions: [condition('Succeeded')] },
    })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(created.body.status, {}, 'a create sets no status')
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  it('is discovered with its status, and with the verbs of that', async () => {
    const { body } = await request('GET', group)
    const found = body.resources.find(({ name }: { name: string }) => name === 'storageversionmigrations/status')
    assert.deepEqual(
      [found.kind, found.namespaced, found.verbs],
      ['StorageVersionMigration', false, ['get', 'patch', 'update']],
    )
    const { body: document } = await request('GET', '/openapi/v3/apis/storagemigration.k8s.io/v1alpha1')
    assert.deepEqual(Object.keys(document.paths[`${url}/{name}/status`]).sort(), ['get', 'parameters', 'patch', 'put'])
  })

  it('status is read, replaced and patched in every way, and leaves the spec unchanged', async () => {
    const { body: stored } = await request('GET', `${url}/m/status`)
    const types = (answer: Answer): string[] => {
      assert.equal(answer.status, 200, answer.text)
      assert.deepEqual(answer.body.spec, stored.spec)
      return answer.body.status.conditions.map(
        (each: { type: string; status: string }) => `${each.type}=${each.status}`,
      )
    }
    const spec = { resource: { group: 'x', version: 'v1', resource: 'others' } }
    const put = await request('PUT', `${url}/m/status`, {
      ...stored,
      spec,
      status: { conditions: [condition('Running')] },
    })
    assert.deepEqual(types(put), ['Running=True'])
    const merge = await request(
      'PATCH',
      `${url}/m/status`,
      { spec, status: { resourceVersion: '5' } },
      'application/merge-patch+json',
    )
    assert.deepEqual([types(merge), merge.body.status.resourceVersion], [['Running=True'], '5'])
    const strategic = await request(
      'PATCH',
      `${url}/m/status`,
      { status: { conditions: [condition('Running', 'False'), condition('Succeeded')] } },
      'application/strategic-merge-patch+json',
    )
    assert.deepEqual(types(strategic).sort(), ['Running=False', 'Succeeded=True'])
    const json = await request(
      'PATCH',
      `${url}/m/status`,
      [{ op: 'replace', path: '/status/conditions/0/message', value: 'other' }],
      'application/json-patch+json',
    )
    assert.equal(types(json).length, 2)
    assert.equal(json.body.status.conditions[0].message, 'other')
  })

  it('status is applied, and its conditions are owned one by one', async () => {
    const applied = await request(
      'PATCH',
      `${url}/m/status?fieldManager=applier&force=true`,
      {
        apiVersion: 'storagemigration.k8s.io/v1alpha1',
        kind: 'StorageVersionMigration',
        metadata: { name: 'm' },
        status: { conditions: [condition('Succeeded')] },
      },
      'application/apply-patch+yaml',
    )
    assert.equal(applied.status, 200, applied.text)
    const mine = applied.body.metadata.managedFields.find(({ manager }: { manager: string }) => manager === 'applier')
    assert.deepEqual([mine.operation, mine.subresource], ['Apply', 'status'])
    assert.deepEqual(Object.keys(mine.fieldsV1['f:status']['f:conditions']), ['k:{"type":"Succeeded"}'])
  })

  it('refuses conditions that contradict each other, and ignores a status in a write of the object itself', async () => {
    const { body: stored } = await request('GET', `${url}/m`)
    const refused = await request('PUT', `${url}/m/status`, {
      ...stored,
      status: { ...stored.status, conditions: [condition('Succeeded'), condition('Failed')] },
    })
    assert.equal(refused.status, 422, refused.text)
    const put = await request('PUT', `${url}/m`, { ...stored, status: {} })
    assert.equal(put.status, 200, put.text)
    assert.deepEqual(put.body.status, stored.status)
  })
})

describe('a storage version migration', () => {
  const folder = scratchFolder('migrating')
  after(() => folder.remove())

  it('succeeds where its controller has no more permissions than its role grants', async () => {
    const server = await startComposed(folder.path, [
      '--authorization-mode=RBAC',
      '--runtime-config=storagemigration.k8s.io/v1alpha1=true',
      '--feature-gates=StorageVersionMigrator=true,InformerResourceVersion=true',
    ])
    const services = { clock: systemClock, random: systemRandom, log: silentLogger, metrics: createMetrics() }
    const controllers = await startLocalControllers(server.local, services, {
      wanted: ['garbage-collector-controller', 'storage-version-migrator-controller'],
      settings: {},
      gate: (name) => name === 'StorageVersionMigrator',
    })
    try {
      const body = {
        apiVersion: 'storagemigration.k8s.io/v1alpha1',
        kind: 'StorageVersionMigration',
        metadata: { name: 'm' },
        spec: { resource: { group: '', version: 'v1', resource: 'configmaps' } },
      }
      await ask(server.url, url, { method: 'POST', token: adminToken, body })
      await eventually(async () => {
        const found = await ask(server.url, `${url}/m`, { token: adminToken })
        const conditions = (found.body.status.conditions ?? []) as { type: string; status: string }[]
        return conditions.some(({ type, status }) => type === 'Succeeded' && status === 'True')
      }, 'the migration has succeeded')
    } finally {
      await controllers.close()
      await server.stop()
    }
  })
})
