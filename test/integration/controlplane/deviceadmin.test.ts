import assert from 'node:assert/strict'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { ask } from '../../support/plane.ts'

const group = '/apis/resource.k8s.io/v1/namespaces'
const devices = (adminAccess: boolean): object => ({
  requests: [
    { name: 'a', exactly: { deviceClassName: 'gpus' } },
    { name: 'b', exactly: { deviceClassName: 'gpus', allocationMode: 'All', adminAccess } },
  ],
})

describe('access to devices for administration, in release 1.34', function () {
  this.timeout(60_000)
  const folder = scratchFolder('deviceadmin')
  let server: Apiserver
  const call = (path: string, body: object, method = 'POST') =>
    ask(server.url, path, {
      method,
      token: adminToken,
      body,
      ...(method === 'PATCH' && { headers: { 'content-type': 'application/merge-patch+json' } }),
    })
  before(async () => {
    server = await startComposed(folder.path, ['--emulated-version=1.34'])
    for (const [name, value] of [
      ['plain', undefined],
      ['marked', 'true'],
      ['other', 'yes'],
      ['denied', 'false'],
    ] as const) {
      const labels = value === undefined ? {} : { 'resource.kubernetes.io/admin-access': value }
      assert.equal((await call('/api/v1/namespaces', { metadata: { name, labels } })).status, 201)
    }
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  const fault =
    'admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace'
  for (const [resource, specOf] of [
    ['resourceclaims', (admin: boolean) => ({ devices: devices(admin) })],
    ['resourceclaimtemplates', (admin: boolean) => ({ spec: { devices: devices(admin) } })],
  ] as const)
    it(`${resource} request it only in a namespace that is labelled for it`, async () => {
      for (const [namespace, admin, expected] of [
        ['plain', false, 201],
        ['plain', true, 422],
        ['other', true, 422],
        ['denied', true, 422],
        ['marked', true, 201],
      ] as const) {
        const { status, text } = await call(`${group}/${namespace}/${resource}`, {
          metadata: { generateName: 'x' },
          spec: specOf(admin),
        })
        assert.equal(status, expected, text)
        if (expected === 422)
          assert.ok(text.includes(`spec.devices.requests[1].adminAccess: Forbidden: ${fault}`), text)
      }
    })

  it('an allocation grants it only in a namespace that is labelled for it', async () => {
    for (const [namespace, expected] of [
      ['plain', 422],
      ['marked', 200],
    ] as const) {
      const path = `${group}/${namespace}/resourceclaims`
      const name = `allocated-${namespace}`
      assert.equal((await call(path, { metadata: { name }, spec: { devices: devices(false) } })).status, 201)
      const result = { request: 'b', driver: 'd.example', pool: 'p', device: 'x', adminAccess: true }
      const allocation = {
        devices: { results: [{ ...result, request: 'a', device: 'y', adminAccess: false }, result] },
      }
      const { status, text } = await call(`${path}/${name}/status`, { status: { allocation } }, 'PATCH')
      assert.equal(status, expected, text)
      if (expected === 422)
        assert.ok(text.includes(`status.allocation.devices.results[1].adminAccess: Forbidden: ${fault}`), text)
    }
  })
})
