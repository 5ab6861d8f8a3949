import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { type Authority, createAuthority, type KeyPair } from '../../../lib/pki/index.ts'
import { request, type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { eventually } from '../../support/eventually.ts'

const services = { clock: systemClock, random: systemRandom }
const path = '/apis/metrics.k8s.io/v1beta1/nodes'
const admin = { 'x-remote-user': 'root', 'x-remote-group': 'system:masters' }

describe('metrics API of hollow nodes, as an aggregated server', function () {
  this.timeout(60_000)
  const folder = scratchFolder('hollowmetrics')
  let server: ServerProcess
  let port = 0
  let proxies: Authority

  before(async () => {
    const flags = [`--data-dir=${folder.path}/data`, '--nodes=1', '--storage-backend=memory']
    server = await startServer('cmd/pilothouse/main.ts', flags, folder.path)
    await eventually(async () => {
      const { body } = await request(server, '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io')
      port = (JSON.parse(body) as { spec?: { service?: { port: number } } }).spec?.service?.port ?? 0
      return port !== 0
    }, 'the metrics API')
    const [certificate, key] = ['crt', 'key'].map((end) =>
      readFileSync(`${folder.path}/data/pki/front-proxy-ca.${end}`, 'utf8'),
    )
    proxies = createAuthority(services, { existing: { certificate: certificate ?? '', key: key ?? '' } })
  })
  after(async () => {
    await server?.stop()
    folder.remove()
  })

  const ask = async (headers: Record<string, string>, client?: KeyPair) =>
    await new Promise<{ status: number; message: string }>((answered, failed) => {
      const tls = client ? { cert: client.certificate, key: client.key } : {}
      const options = { host: '127.0.0.1', port, path, headers, ...tls, agent: false, rejectUnauthorized: false }
      const call = https.get(options, (response) => {
        let text = ''
        response.on('error', failed)
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => {
          const { message = '' } = JSON.parse(text) as { message?: string }
          answered({ status: response.statusCode ?? 0, message })
        })
      })
      call.on('error', failed)
    })

  it('users are answered through the API server', async () => {
    await eventually(async () => (await request(server, path)).status === 200, 'an answer through the API server')
    const { items } = JSON.parse((await request(server, path)).body) as { items: { metadata: { name: string } }[] }
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['hollow-0'],
    )
  })

  it('a client without a certificate is nobody, whatever its headers name', async () => {
    assert.deepEqual(await ask(admin), { status: 401, message: 'Unauthorized' })
  })

  it('a certificate of another authority, or for another name, is nobody', async () => {
    const stranger = createAuthority(services, { commonName: 'front-proxy-ca' })
    const refused = [
      stranger.issue({ commonName: 'front-proxy-client', usage: 'client' }),
      proxies.issue({ commonName: 'another', usage: 'client' }),
      proxies.issue({ commonName: 'front-proxy-client', usage: 'server', names: ['x'] }),
    ]
    for (const client of refused) assert.equal((await ask(admin, client)).status, 401)
  })

  it('a user whom a front proxy names has its own rights', async () => {
    const client = proxies.issue({ commonName: 'front-proxy-client', usage: 'client' })
    assert.equal((await ask(admin, client)).status, 200)
    assert.equal((await ask({}, client)).status, 401, 'no user is named')
    const { status, message } = await ask({ 'x-remote-user': 'jane' }, client)
    assert.equal(status, 403)
    assert.match(
      message,
      /^nodes\.metrics\.k8s\.io is forbidden: User "jane" cannot list resource "nodes" in API group "metrics\.k8s\.io" at the cluster scope/,
    )
  })
})
