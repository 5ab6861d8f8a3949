import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Duplex } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { isAllowed } from '../../../lib/nodeproxy/guard.ts'
import { adminToken, request, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { createNode, createPod } from '../../support/fakekubelet/cluster.ts'
import { type FakeKubelet, startFakeKubelet } from '../../support/fakekubelet/fakekubelet.ts'
import { openWebSocket } from '../../support/websocket.ts'

const core = '/api/v1/namespaces/default'
/** An address of this machine that pods could have, too. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((one) => one?.family === 'IPv4' && isAllowed(one.address))?.address

describe('requests that are passed on to pods, services and nodes', function () {
  if (address === undefined) {
    it.skip('needs an address that is no loopback')
    return
  }
  const folder = scratchFolder('nodeproxy-proxies')
  let seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = []
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  let web: Server
  let kubelet: FakeKubelet
  let server: Apiserver
  let port: number

  before(async () => {
    web = createServer((incoming, response) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      incoming.on('end', () => {
        seen.push({ method: incoming.method ?? '', url: incoming.url ?? '', headers: incoming.headers, body })
        answer(incoming, response)
      })
    })
    web.on('upgrade', (_incoming: IncomingMessage, socket: Duplex) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n')
      socket.on('error', () => {}).pipe(socket)
    })
    await new Promise<void>((listening) => web.listen(0, address, listening))
    port = (web.address() as AddressInfo).port
    kubelet = await startFakeKubelet({
      address,
      names: [address],
      routes: [
        { prefix: '/pods', handle: (_request, response) => void response.end('{"kind":"PodList"}') },
        {
          prefix: '/redirect',
          handle: (_request, response) => void response.writeHead(302, { location: '/pods' }).end(),
        },
      ],
    })
    server = await startComposed(folder.path, [
      '--disable-admission-plugins=ServiceAccount',
      '--service-cluster-ip-range=10.9.0.0/24',
    ])
    await createNode(server, 'node-1', kubelet.port, address)
    await createNode(server, 'looping', kubelet.port)
    await createPod(server, 'web', { port, podIP: address })
    await createPod(server, 'looping', { port, podIP: '127.0.0.1' })
    await createPod(server, 'metadata', { port: 80, podIP: '169.254.169.254' })
    await post('services', {
      metadata: { name: 'web' },
      spec: { ports: [{ name: 'http', port: 80, targetPort: port }] },
    })
    await post('endpoints', {
      metadata: { name: 'web' },
      subsets: [{ addresses: [endpoint('web', address)], ports: [{ name: 'http', port }] }],
    })
    await post('services', { metadata: { name: 'lying' }, spec: { ports: [{ port: 80 }] } })
    await post('endpoints', {
      metadata: { name: 'lying' },
      subsets: [{ addresses: [endpoint('web', '192.0.2.99'), { ip: address }], ports: [{ port }] }],
    })
  })
  beforeEach(() => {
    seen = []
    answer = (_incoming, response) => void response.end('hello')
  })
  after(async () => {
    await server.stop()
    await kubelet.close()
    web.closeAllConnections()
    await new Promise((closed) => web.close(closed))
    folder.remove()
  })

  const endpoint = (name: string, ip: string): object => ({
    ip,
    targetRef: { kind: 'Pod', namespace: 'default', name },
  })
  async function post(resource: string, object: object): Promise<void> {
    const made = await request(server, `${core}/${resource}`, { method: 'POST', body: JSON.stringify(object) })
    assert.equal(made.status, 201, made.body)
  }
  const ask = (path: string, options: Parameters<typeof request>[2] = {}) => request(server, path, options)
  const problem = async (path: string): Promise<[number, string]> => {
    const { status, body } = await ask(path)
    return [status, (JSON.parse(body) as { message: string }).message]
  }

  it('arrive with their method, path, query and body, and without the client’s credentials', async () => {
    const path = `${core}/pods/web/proxy/a%20b/c;d/?x=1&x=2&y=%2F`
    const sent = await ask(path, {
      method: 'PATCH',
      body: '{"a":1}',
      headers: { cookie: 'a=b', 'x-remote-user': 'root' },
    })
    assert.deepEqual([sent.status, sent.body], [200, 'hello'])
    const [got] = seen
    assert.deepEqual([got?.method, got?.url, got?.body], ['PATCH', '/a%20b/c;d/?x=1&x=2&y=%2F', '{"a":1}'])
    assert.deepEqual(
      [got?.headers.authorization, got?.headers['x-remote-user'], got?.headers.cookie, got?.headers['x-forwarded-uri']],
      [undefined, undefined, 'a=b', `${core}/pods/web/proxy/a%20b/c;d/`],
    )
    assert.equal(got?.headers.host, new URL(server.url).host)
  })

  for (const id of ['web', 'web:80', 'web:http', 'http:web:http'])
    it(`reach the service ${id}`, async () => {
      const name = id === 'web' ? 'web:http' : id
      assert.equal((await ask(`${core}/services/${name}/proxy/x`)).body, 'hello')
    })

  for (const method of ['HEAD', 'OPTIONS', 'DELETE', 'PUT'])
    it(`may be ${method}`, async () => {
      answer = (_incoming, response) => void response.writeHead(200, { 'x-answer': 'yes' }).end()
      const { status, headers } = await ask(`${core}/pods/web/proxy/`, { method })
      assert.deepEqual([status, headers['x-answer'], seen[0]?.method], [200, 'yes', method])
    })

  it('requests for the proxy itself are redirected to its folder', async () => {
    const { status, headers } = await ask(`${core}/pods/web/proxy?a=b`)
    assert.deepEqual([status, headers['location']], [301, `${core}/pods/web/proxy/?a=b`])
    assert.equal((await ask(`${core}/pods/web/proxy`, { method: 'POST' })).status, 200)
    assert.equal(seen[0]?.url, '/')
  })

  it('can’t leave the folder of the server by their path', async () => {
    await ask(`${core}/pods/web/proxy/a/..%2f..%2f..%2fb`)
    assert.equal(seen[0]?.url, '/b')
  })

  it('have answers whose links, redirects and cookies work behind the proxy', async () => {
    const prefix = `${core}/services/web:80/proxy`
    answer = (incoming, response) => {
      if (incoming.url === '/old') return void response.writeHead(302, { location: '/new' }).end()
      if (incoming.url === '/away') return void response.writeHead(302, { location: 'https://example.com/' }).end()
      response.setHeader('set-cookie', ['a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT', 'b=2'])
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('content-type', 'text/html; charset=utf-8')
      if (incoming.url === '/zipped') response.setHeader('content-encoding', 'gzip').end(gzipSync('<a href="/x">ü</a>'))
      else response.end('<a href="/x">ü</a>')
    }
    assert.equal((await ask(`${prefix}/old`)).headers['location'], `${prefix}/new`)
    assert.equal((await ask(`${prefix}/away`)).headers['location'], 'https://example.com/')
    const page = await ask(`${prefix}/page`)
    assert.equal(page.body, `<a href="${prefix}/x">ü</a>`)
    assert.deepEqual(page.headers['set-cookie'], ['a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT', 'b=2'])
    assert.equal(page.headers['access-control-allow-origin'], undefined)
    const zipped = await fetchBytes(`${server.url}${prefix}/zipped`)
    assert.equal(gunzipSync(zipped).toString(), `<a href="${prefix}/x">ü</a>`)
  })

  it('may switch to another protocol', async () => {
    const socket = await openWebSocket(`${server.url}${core}/pods/web/proxy/socket`, [], {
      authorization: `Bearer ${adminToken}`,
    })
    const echoed = new Promise((done) => socket.raw.once('data', done))
    socket.send(Buffer.from('x'))
    assert.ok(await echoed)
    socket.destroy()
  })

  it('reach a node’s kubelet by its own port', async () => {
    assert.equal((await ask('/api/v1/nodes/node-1/proxy/pods')).body, '{"kind":"PodList"}')
    assert.equal((await ask(`/api/v1/nodes/https:node-1:${kubelet.port}/proxy/pods`)).status, 200)
    assert.equal(
      (await ask('/api/v1/nodes/node-1/proxy/redirect')).headers['location'],
      '/api/v1/nodes/node-1/proxy/pods',
    )
    assert.equal((await ask(`/api/v1/nodes/node-1:${port}/proxy/x`)).body, 'hello')
  })

  const refused: readonly (readonly [string, number, string])[] = [
    [`${core}/pods/looping/proxy/`, 400, 'address not allowed'],
    [`${core}/pods/metadata/proxy/latest/meta-data`, 400, 'address not allowed'],
    ['/api/v1/nodes/looping/proxy/pods', 400, 'address not allowed'],
    [`${core}/pods/ftp:web:80/proxy/`, 400, 'invalid pod request "ftp:web:80"'],
    [`${core}/pods/web:port/proxy/`, 400, 'invalid pod request "web:port"'],
    [`${core}/services/a:b:c:d/proxy/`, 400, 'invalid service request "a:b:c:d"'],
    [`${core}/services/web:81/proxy/`, 503, 'no service port 81 found for service "web"'],
    [`${core}/services/web:other/proxy/`, 503, 'no endpoints available for service "web:other"'],
    [`${core}/services/lying:80/proxy/`, 503, 'no endpoints available for service "lying:80"'],
    [`${core}/services/none/proxy/`, 404, 'endpoints "none" not found'],
    [`${core}/pods/none/proxy/`, 404, 'pods "none" not found'],
    ['/api/v1/nodes/none/proxy/', 404, 'nodes "none" not found'],
  ]
  for (const [path, status, message] of refused)
    it(`are refused: ${path}`, async () => {
      assert.deepEqual(await problem(path), [status, message])
      assert.equal(seen.length, 0)
    })

  it('report why their server can not be reached', async () => {
    const [status, message] = await problem(`${core}/pods/web:1/proxy/`)
    assert.equal(status, 503)
    assert.match(message, /^error trying to reach service: dial tcp \S+:1: connect: connection refused$/)
  })

  it('are authorized by their method, and admitted with their path', async () => {
    assert.equal((await ask(`${core}/pods/web/proxy/x?dryRun=All`)).status, 400)
    assert.equal((await ask(`/api/v1/watch/namespaces/default/pods/web/proxy/x`)).status, 405)
  })
})

async function fetchBytes(url: string): Promise<Buffer> {
  const { get } = await import('node:https')
  return await new Promise((done, failed) => {
    const headers = { authorization: `Bearer ${adminToken}`, 'accept-encoding': 'gzip' }
    get(url, { rejectUnauthorized: false, agent: false, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => done(Buffer.concat(chunks)))
    }).on('error', failed)
  })
}
