import assert from 'node:assert/strict'
import { request } from 'node:https'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { eventually } from '../../support/eventually.ts'
import { type HookServer, startHookServer } from '../../support/hookserver.ts'
import { type Answer, ask } from '../../support/plane.ts'

const core = '/api/v1/namespaces/default'
const paths = [
  ...['exec', 'attach', 'portforward', 'proxy', 'proxy/', 'proxy/a/b'].map((name) => `${core}/pods/p/${name}`),
  ...['proxy', 'proxy/a'].map((name) => `${core}/services/s/${name}`),
  ...['proxy', 'proxy/logs'].map((name) => `/api/v1/nodes/n/${name}`),
]
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const missing = 'the server could not find the requested resource'

// Nothing connects to pods, services and nodes yet.
describe('connections to pods, services and nodes', function () {
  this.timeout(60_000)
  const folder = scratchFolder('connections')
  let server: Apiserver
  let hooks: HookServer
  const call = (path: string, options: Parameters<typeof ask>[2] = {}): Promise<Answer> =>
    ask(server.url, path, { token: adminToken, ...options })

  before(async () => {
    hooks = await startHookServer()
    server = await startComposed(folder.path, ['--authorization-mode=RBAC'], { tokens: ['nobodys,nobody,nobody'] })
    hooks.on('/hook', () => ({ response: { allowed: true } }))
    const webhook = {
      name: 'all.example.com',
      clientConfig: { url: `${hooks.url}/hook`, caBundle: hooks.caBundle },
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['*'], resources: ['*/*'] }],
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    }
    for (const kind of ['mutating', 'validating']) {
      const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations`
      const { status, text } = await call(path, { body: { metadata: { name: 'all' }, webhooks: [webhook] } })
      assert.equal(status, 201, text)
    }
    const account = { metadata: { name: 'default' } }
    await call(`${core}/serviceaccounts`, { body: account })
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const service = { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }
    for (const [path, body] of [
      [`${core}/pods`, pod],
      [`${core}/services`, service],
      ['/api/v1/nodes', { metadata: { name: 'n' } }],
    ] as const)
      assert.equal((await call(path, { body })).status, 201, path)
    await eventually(
      async () => {
        await call(`${core}/secrets?dryRun=All`, { body: { metadata: { name: 's' } } })
        return hooks.seen.filter(({ review }) => review.request['resource']).length > 0
      },
      'the webhooks are asked',
      10_000,
    )
    hooks.seen.length = 0
  })
  after(async () => {
    await server.stop()
    await hooks.close()
    folder.remove()
  })

  /** The status of the answer to a request for another protocol, and what it says. */
  const upgrade = (path: string, method: string, protocol: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${adminToken}`, connection: 'Upgrade', upgrade: protocol }
      const websocket = { 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', 'sec-websocket-version': '13' }
      const asked = request(server.url + path, {
        method,
        headers: { ...headers, ...(protocol === 'websocket' ? websocket : {}) },
        rejectUnauthorized: false,
        agent: false,
        timeout: 10_000,
      })
      asked.on('timeout', () => asked.destroy(new Error('no answer')))
      asked.on('upgrade', (answer, socket) => {
        socket.destroy()
        reject(new Error(`answered ${answer.statusCode}`))
      })
      asked.on('response', (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += String(chunk)))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
      })
      asked.on('error', reject)
      asked.end()
    })

  for (const path of paths) {
    it(`${path} answers 404 to every method, and no webhook is asked`, async () => {
      for (const method of methods) {
        const { status, body } = await call(path, { method })
        assert.deepEqual([status, body.reason, body.message], [404, 'NotFound', missing], method)
      }
      assert.equal((await call(path, { method: 'HEAD' })).status, 404)
      assert.deepEqual(hooks.seen, [])
    })

    it(`${path} answers 404 to clients that ask for another protocol`, async () => {
      for (const method of ['GET', 'POST'])
        for (const protocol of ['SPDY/3.1', 'websocket']) {
          const { status, text } = await upgrade(path, method, protocol)
          assert.deepEqual([status, JSON.parse(text).message], [404, missing], `${method} ${protocol}`)
        }
      assert.deepEqual(hooks.seen, [])
    })

    it(`${path} answers 403 to those who may not connect, whether or not the object exists`, async () => {
      for (const at of [path, path.replace(/\/(p|s|n)\//, '/other/')])
        for (const method of methods) {
          const { status, body } = await call(at, { method, token: 'nobodys' })
          assert.deepEqual([status, body.reason], [403, 'Forbidden'], method)
        }
    })
  }
})
