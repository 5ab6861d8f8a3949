import assert from 'node:assert/strict'
import { type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { as, binding, group, role } from './support.ts'

describe('a control plane of one process', function () {
  this.timeout(120_000)
  let folder: ReturnType<typeof scratchFolder>
  let server: ServerProcess
  before(async () => {
    folder = scratchFolder('aggregate')
    server = await startServer('cmd/pilothouse/main.ts', ['--storage-backend=memory'], folder.path)
  })
  after(async () => {
    assert.equal(await server.stop(), 0, server.output())
    folder.remove()
  })

  const bind = (name: string, to: string) =>
    as(server, '', `${group}/namespaces/default/rolebindings`, {
      method: 'POST',
      body: binding(name, 'ClusterRole', to, name),
    })
  /** Asks until the answer has this status; the roles are filled a moment after the start. */
  async function until(status: number, ask: () => ReturnType<typeof as>): Promise<void> {
    await eventuallyEquals(async () => (await ask()).status, status, `an answer ${status}`)
  }
  const maps = '/api/v1/namespaces/default/configmaps'
  const map = (name: string) => ({ method: 'POST', body: { metadata: { name } } })

  it('authorizes by RBAC from the start', async () => {
    assert.equal((await as(server, 'nobody', maps)).status, 403)
  })

  it('lets users bound to view, edit and admin do what these roles are for', async () => {
    for (const [user, to] of [
      ['vera', 'view'],
      ['eddy', 'edit'],
      ['adam', 'admin'],
    ] as const)
      await bind(user, to)
    await until(200, () => as(server, 'vera', maps))
    assert.equal((await as(server, 'vera', maps, map('v'))).status, 403)
    assert.equal((await as(server, 'vera', '/api/v1/namespaces/default/secrets')).status, 403)
    await until(201, () => as(server, 'eddy', maps, map('e')))
    const roles = `${group}/namespaces/default/roles`
    assert.equal((await as(server, 'eddy', roles)).status, 403)
    await until(200, () => as(server, 'adam', roles))
    await until(201, () => as(server, 'adam', maps, map('a')))
    assert.equal((await as(server, 'adam', '/api/v1/nodes')).status, 403)
  })

  it('aggregates the rules of roles that are added later, and drops them again', async () => {
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
    assert.equal((await as(server, 'vera', leases)).status, 403)
    const rules = { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs: ['list'] }
    const own = role('own-view', rules) as { metadata: object }
    const labels = { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }
    const body = { ...own, metadata: { ...own.metadata, labels } }
    assert.equal((await as(server, '', `${group}/clusterroles`, { method: 'POST', body })).status, 201)
    await until(200, () => as(server, 'vera', leases))
    await until(200, () => as(server, 'eddy', leases))
    await as(server, '', `${group}/clusterroles/own-view`, { method: 'DELETE' })
    await until(403, () => as(server, 'vera', leases))
  })

  it('restricts node agents to their nodes', async () => {
    const groups = ['system:nodes']
    const node = (name: string) => ({ method: 'POST', groups, body: { metadata: { name } } })
    assert.equal((await as(server, 'system:node:one', '/api/v1/nodes', node('one'))).status, 201)
    const refused = await as(server, 'system:node:one', '/api/v1/nodes', node('two'))
    assert.equal(refused.status, 403)
    assert.match(refused.json.message ?? '', /node "one" is not allowed to modify node "two"/)
  })

  it('starts from its stored roles, whatever the time it may wait', async () => {
    const kept = scratchFolder('aggregate-kept')
    try {
      for (let time = 0; time < 4; time++) {
        const again = await startServer('cmd/pilothouse/main.ts', [`--data-dir=${kept.path}/data`], kept.path)
        assert.equal(await again.stop(), 0, again.output())
      }
    } finally {
      kept.remove()
    }
  })
})
