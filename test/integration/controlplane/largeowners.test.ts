import assert from 'node:assert/strict'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { type Answer, ask } from '../../support/plane.ts'

const maps = '/api/v1/namespaces/default/configmaps'

describe('an object that its managed fields make too large for the store', () => {
  const folder = scratchFolder('largeowners')
  let server: Apiserver
  const name = (index: number): string => `${index}`.padStart(32, 'k')
  const data = Object.fromEntries(Array.from({ length: 23_000 }, (_, index) => [name(index), 'v']))
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data }
  const request = (method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> =>
    ask(server.url, path, { method, token: adminToken, body, headers: { 'content-type': type } })

  before(async () => {
    server = await startComposed(folder.path, [])
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  it('is refused as an apply, and changes nothing', async () => {
    const applied = await request('PATCH', `${maps}/c?fieldManager=m`, map, 'application/apply-patch+yaml')
    assert.deepEqual([applied.status, applied.body.message], [500, 'etcdserver: request is too large'])
    assert.equal((await request('GET', `${maps}/c`)).status, 404)
  })

  it('is stored without them by a create, an update and other patches', async () => {
    const written = [
      await request('POST', maps, map),
      await request('PUT', `${maps}/c`, { ...map, data: { ...data, more: 'a' } }),
      await request('PATCH', `${maps}/c`, { data: { more: 'b' } }, 'application/merge-patch+json'),
    ]
    assert.deepEqual(
      written.map(({ status, body }) => [status, body.metadata.managedFields]),
      [
        [201, undefined],
        [200, undefined],
        [200, undefined],
      ],
    )
  })
})
