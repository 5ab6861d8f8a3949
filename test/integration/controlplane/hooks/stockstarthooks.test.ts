import assert from 'node:assert/strict'
import type { Apiserver } from '../../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../../support/apiserver.ts'
import { startComposed } from '../../../support/composed.ts'
import { ask } from '../../../support/plane.ts'

/** Those of a stock server that its conformance tests ask for, beside checks that tests of their own have. */
const asked = [
  'ping',
  'log',
  'etcd',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/bootstrap-controller',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
]

describe('checks of parts that begin before the server listens', () => {
  const folder = scratchFolder('begunparts')
  let server: Apiserver
  before(async () => {
    server = await startComposed(folder.path, [])
    await server.started
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  for (const page of ['healthz', 'livez', 'readyz'])
    it(`are found by the stock server's names: /${page}`, async () => {
      const { status, text } = await ask(server.url, `/${page}?verbose`, { token: adminToken })
      assert.equal(status, 200, text)
      const lines = new Set(text.split('\n'))
      assert.deepEqual(
        asked.filter((name) => !lines.has(`[+]${name} ok`)),
        [],
      )
    })

  it('include the storage, from the release that introduced this check', async () => {
    const path = '/readyz/poststarthook/storage-readiness'
    assert.equal((await ask(server.url, path, { token: adminToken })).status, 200)
    const older = await startComposed(folder.path, ['--emulated-version=1.35'])
    try {
      assert.equal((await ask(older.url, path, { token: adminToken })).status, 404)
    } finally {
      await older.stop()
    }
  })

  it('have a page each', async () => {
    const { status, text } = await ask(server.url, '/livez/poststarthook/crd-informer-synced', { token: adminToken })
    assert.deepEqual([status, text], [200, 'ok'])
  })
})
