import assert from 'node:assert/strict'
import { adminToken, request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'

describe('built-in admission plugins of a whole server', () => {
  const folder = scratchFolder('admission')
  let server: ServerProcess
  before(async () => {
    const flags = [`--data-dir=${folder.path}/data`, '--disable-admission-plugins=']
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
  })
  after(async () => {
    assert.equal(await server.stop(), 0)
    folder.remove()
  })
  const create = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' }
    const options = { method: 'POST', body: JSON.stringify(body), headers, token: adminToken }
    const { status, body: answer } = await request(server, `/api/v1/namespaces/default/${path}`, options)
    return { status, answer: JSON.parse(answer) }
  }

  it('refuses a pod until its account is there, then completes it', async () => {
    const spec = { containers: [{ name: 'c', image: 'i' }], serviceAccountName: 'a' }
    const pod = { metadata: { name: 'p' }, spec }
    const refused = await create('pods', pod)
    assert.equal(refused.status, 403)
    assert.match(refused.answer.message, /default\/a: serviceaccount "a" not found$/)
    assert.equal((await create('serviceaccounts', { metadata: { name: 'a' } })).status, 201)
    const { status, answer } = await create('pods', pod)
    assert.equal(status, 201)
    assert.match(answer.spec.volumes[0].name, /^kube-api-access-/)
    assert.deepEqual([answer.spec.priority, answer.spec.tolerations.length], [0, 2])
  })
})
