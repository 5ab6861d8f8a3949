import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  constants,
  createSecureServer,
  type SecureServerOptions,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import https, { createServer, type Server as HttpsServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { serviceBackend } from '../../lib/aggregation/servicebackend.ts'
import { systemClock } from '../../lib/base/index.ts'
import type { WatchEvent } from '../../lib/client/index.ts'
import type { Apiserver } from '../../lib/controlplane/index.ts'
import type { ApiObject } from '../../lib/object/index.ts'
import { adminToken, scratchFolder } from '../support/apiserver.ts'
import { keyPem, makeAnyCertificate, usageExtension } from '../support/certificates.ts'
import { startComposed } from '../support/composed.ts'
import { eventually, eventuallyEquals } from '../support/eventually.ts'
import { flunderDefinition } from '../support/flunders.ts'
import { makeFrontProxy } from '../support/frontproxy.ts'
import { type Answer, ask } from '../support/plane.ts'
import { turns } from '../support/turns.ts'

const token = adminToken
const flunders = '/apis/wardle.example.com/v1/namespaces/default/flunders'
const flunder = (name: string): object => ({
  apiVersion: 'wardle.example.com/v1',
  kind: 'Flunder',
  metadata: { name },
  spec: { size: 1 },
})

function apiService(group: string, port: number, more: object = { insecureSkipTLSVerify: true }): object {
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 2000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'backend', port },
      ...more,
    },
  }
}

const services = '/apis/apiregistration.k8s.io/v1/apiservices'
const backendService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'backend' },
  spec: { type: 'ExternalName', externalName: 'localhost' },
}

async function created(server: Apiserver, path: string, body: object): Promise<Answer> {
  const answer = await ask(server.url, path, { token, body })
  assert.equal(answer.status, 201, answer.text)
  return answer
}

interface Condition {
  readonly status: string
  readonly reason: string
  readonly message: string
}

async function conditionOf(server: Apiserver, name: string): Promise<Condition | undefined> {
  const { body } = await ask(server.url, `${services}/${name}`, { token })
  return body.status?.conditions?.[0]
}

async function untilAvailable(server: Apiserver, name: string): Promise<void> {
  await eventuallyEquals(async () => (await conditionOf(server, name))?.status, 'True', `${name} is available`)
}

describe('an aggregated API server that is another Pilothouse', () => {
  const folder = scratchFolder('aggregation')
  let front: Apiserver
  let backend: Apiserver
  before(async () => {
    const { files } = makeFrontProxy(folder.path)
    const back = scratchFolder('aggregation-backend')
    backend = await startComposed(back.path, [
      '--authorization-mode=RBAC',
      `--requestheader-client-ca-file=${files.ca}`,
      '--requestheader-allowed-names=front-proxy',
      '--requestheader-username-headers=X-Remote-User',
      '--requestheader-group-headers=X-Remote-Group',
      '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    ])
    front = await startComposed(
      folder.path,
      ['--authorization-mode=RBAC', `--proxy-client-cert-file=${files.cert}`, `--proxy-client-key-file=${files.key}`],
      { tokens: ['jane-token,jane,jane,"wardens,ünits"'] },
    )
    await created(backend, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', flunderDefinition)
    await eventuallyEquals(
      async () => (await ask(backend.url, flunders, { token })).status,
      200,
      'the backend serves its resource',
    )
    await created(front, '/api/v1/namespaces/default/services', backendService)
    await created(front, services, apiService('wardle.example.com', backend.port))
    await untilAvailable(front, 'v1.wardle.example.com')
  })
  after(async () => {
    await front.stop()
    await backend.stop()
    folder.remove()
  })

  it('is available once it answers for its group version', async () => {
    const { body } = await ask(front.url, `${services}/v1.wardle.example.com`, { token })
    const [condition] = body.status.conditions
    assert.deepEqual(
      [condition.type, condition.status, condition.reason, condition.message],
      ['Available', 'True', 'Passed', 'all checks passed'],
    )
  })

  it('serves every verb at the address of the first server, as the user of the request', async () => {
    const made = await created(front, flunders, flunder('a'))
    assert.equal(made.body.spec.size, 1)
    assert.equal((await ask(backend.url, `${flunders}/a`, { token })).body.metadata.uid, made.body.metadata.uid)
    const patched = await ask(front.url, `${flunders}/a`, {
      token,
      method: 'PATCH',
      body: { spec: { size: 2 } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    assert.equal(patched.body.spec.size, 2)
    const list = await ask(front.url, flunders, { token })
    assert.deepEqual([list.body.kind, list.body.items.length], ['FlunderList', 1])
    const invalid = await ask(front.url, flunders, { token, body: { ...flunder('b'), spec: { size: 'x' } } })
    assert.equal(invalid.status, 422)
    assert.equal((await ask(front.url, `${flunders}/a`, { token, method: 'DELETE' })).status, 200)
    assert.equal((await ask(front.url, `${flunders}/a`, { token })).status, 404)
    const refused = await ask(front.url, flunders, { token: 'jane-token' })
    assert.equal(refused.status, 403)
    assert.match(refused.body.message, /User "jane" cannot list resource "flunders"/)
  })

  it('watches through the first server', async () => {
    const seen: string[] = []
    const watch = await new Promise<IncomingMessage>((resolve, reject) => {
      https
        .get(
          `${front.url}${flunders}?watch=true`,
          { rejectUnauthorized: false, headers: { authorization: `Bearer ${token}` } },
          resolve,
        )
        .on('error', reject)
    })
    watch.on('data', (chunk) => seen.push(String(chunk)))
    watch.on('error', () => {})
    await created(front, flunders, flunder('watched'))
    await eventually(() => seen.join('').includes('"watched"'), 'the event arrives')
    watch.destroy()
    await ask(front.url, `${flunders}/watched`, { token, method: 'DELETE' })
  })

  it('appears in discovery by its priority, and in OpenAPI', async () => {
    const groups = async (): Promise<string[]> =>
      (await ask(front.url, '/apis', { token })).body.groups.map(({ name }: { name: string }) => name)
    assert.equal((await groups()).at(-1), 'wardle.example.com')
    const headers = { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }
    const entry = async (): Promise<Record<string, unknown> | undefined> => {
      const { body } = await ask(front.url, '/apis', { token, headers })
      return body.items.find(({ metadata }: ApiObject) => metadata.name === 'wardle.example.com')?.versions[0]
    }
    await eventuallyEquals(async () => (await entry())?.['freshness'], 'Current', 'discovery has it')
    const resources = (await entry())?.['resources'] as { resource: string; subresources: { subresource: string }[] }[]
    const [resource] = resources
    assert.deepEqual([resource?.resource, resource?.subresources[0]?.subresource], ['flunders', 'status'])
    assert.equal((await ask(front.url, '/apis/wardle.example.com', { token })).body.preferredVersion.version, 'v1')
    assert.equal((await ask(front.url, '/apis/wardle.example.com/v1', { token })).body.resources[0].name, 'flunders')
    const path = 'apis/wardle.example.com/v1'
    const index = async (): Promise<string | undefined> =>
      (await ask(front.url, '/openapi/v3', { token })).body.paths[path]?.serverRelativeURL
    await eventually(async () => (await index()) !== undefined, 'OpenAPI 3 names it')
    const document = await ask(front.url, (await index()) ?? '', { token })
    assert.ok(document.body.paths['/apis/wardle.example.com/v1/namespaces/{namespace}/flunders'])
    const whole = await ask(front.url, '/openapi/v2', { token })
    assert.ok(whole.body.paths['/apis/wardle.example.com/v1/namespaces/{namespace}/flunders/{name}'])
    assert.ok(whole.body.definitions['com.example.wardle.v1.Flunder'])
    assert.equal(whole.body.info.title, 'Kubernetes')
  })

  it('answers clients of the same process with objects and events', async () => {
    const user = { name: 'system:admin', uid: '', groups: ['system:masters'], extra: {} }
    const headers = { accept: 'application/json' }
    const made = (await front.local.serve({
      method: 'POST',
      url: flunders,
      user,
      headers,
      object: flunder('local') as ApiObject,
    })) as ApiObject
    assert.equal(made.metadata.name, 'local')
    await assert.rejects(
      front.local.serve({ method: 'GET', url: `${flunders}/none`, user, headers }),
      /flunders.wardle.example.com "none" not found/,
    )
    const events: WatchEvent<ApiObject>[] = []
    const watch = front.local.watch(
      { method: 'GET', url: `${flunders}?watch=true`, user, headers },
      { onEvents: (some) => void events.push(...some), onEnd() {} },
    )
    await eventually(() => events.some(({ object }) => object.metadata.name === 'local'), 'the event arrives')
    void watch.close()
    await front.local.serve({ method: 'DELETE', url: `${flunders}/local`, user, headers })
  })

  it('gets no requests once its APIService is deleted', async () => {
    await created(front, services, apiService('other.example.com', backend.port))
    await eventuallyEquals(
      async () => (await conditionOf(front, 'v1.other.example.com'))?.reason,
      'FailedDiscoveryCheck',
      'the backend does not serve that group',
    )
    const answer = await ask(front.url, '/apis/other.example.com/v1/things', { token })
    assert.deepEqual([answer.status, answer.text], [503, 'service unavailable\n'])
    assert.equal((await ask(front.url, `${services}/v1.other.example.com`, { token, method: 'DELETE' })).status, 200)
    await eventuallyEquals(
      async () => (await ask(front.url, '/apis/other.example.com/v1/things', { token })).status,
      404,
      'nothing is there any more',
    )
  })
})

/** OpenAPI 2.0 with what version 3 says in another way. */
const described = {
  swagger: '2.0',
  info: { title: 'Any', version: 'v7' },
  parameters: { 'pretty-1': { name: 'pretty', in: 'query', type: 'string', uniqueItems: true } },
  paths: {
    '/apis/any.example.com/v1/things': {
      parameters: [{ $ref: '#/parameters/pretty-1' }],
      post: {
        operationId: 'createThing',
        consumes: ['application/json'],
        produces: ['application/json', 'application/yaml'],
        schemes: ['https'],
        parameters: [
          { name: 'body', in: 'body', required: true, schema: { $ref: '#/definitions/Thing' } },
          { name: 'dryRun', in: 'query', type: 'string', enum: ['All'], description: 'No effect.' },
        ],
        responses: { 201: { description: 'Created', schema: { $ref: '#/definitions/Thing' } } },
        'x-kubernetes-action': 'post',
      },
    },
    '/apis/other.example.com/v1/things': { get: { responses: { 200: { description: 'OK' } } } },
  },
  definitions: {
    Thing: {
      type: 'object',
      properties: { spec: { $ref: '#/definitions/ThingSpec' } },
      'x-kubernetes-group-version-kind': [{ group: 'any.example.com', kind: 'Thing', version: 'v1' }],
    },
    ThingSpec: { type: 'object', properties: { $ref: { type: 'string' } } },
    Unused: { type: 'object' },
  },
}

/** The answer is not whole. */
function breakOff(response: ServerResponse): void {
  const { stream } = response as { readonly stream?: ServerHttp2Stream }
  if (stream) stream.close(constants.NGHTTP2_CANCEL)
  else response.destroy()
}

const protocols = {
  'HTTP/1.1': createServer,
  'HTTP/2': (options: SecureServerOptions) =>
    createSecureServer({
      ...options,
      allowHTTP1: true,
      settings: { maxConcurrentStreams: 3 },
    }) as unknown as HttpsServer,
}

for (const [protocol, listenBy] of Object.entries(protocols))
  describe(`an aggregated API server of any make that speaks ${protocol}`, () => {
    const folder = scratchFolder('aggregation-any')
    let front: Apiserver
    let backend: HttpsServer
    const sockets = new Set<Socket>()
    const sessions = new Set<ServerHttp2Session>()
    let answer: (request: IncomingMessage, response: ServerResponse) => void
    const port = (): number => (backend.address() as AddressInfo).port
    before(async () => {
      const { authority, serving, files } = makeFrontProxy(folder.path)
      backend = listenBy({
        cert: serving.pem,
        key: keyPem(serving.key),
        ca: authority.pem,
        requestCert: true,
        rejectUnauthorized: false,
      })
      backend.on('connection', (socket) => sockets.add(socket))
      backend.on('session', (session: ServerHttp2Session) => sessions.add(session))
      backend.on('request', (request, response) => {
        if (request.url === '/apis/any.example.com/v1')
          return void response.end('{"kind":"APIResourceList","resources":[]}')
        if (request.url === '/openapi/v2') return void response.end(JSON.stringify(described))
        if (request.url?.startsWith('/apis/any.example.com/') !== true) return void response.writeHead(404).end()
        answer(request, response)
      })
      backend.on('upgrade', (request, socket) => {
        socket.on('error', () => {})
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n\r\n`,
        )
        socket.write(`hello ${String(request.headers['x-remote-user'])} ${String(request.headers.authorization)}`)
        socket.pipe(socket)
      })
      answer = (_request, response) => void response.end('{}')
      await new Promise<void>((listening) => backend.listen(0, '127.0.0.1', listening))
      front = await startComposed(
        folder.path,
        [
          '--authorization-mode=RBAC',
          `--requestheader-client-ca-file=${files.ca}`,
          '--requestheader-username-headers=X-Proxy-User',
          '--requestheader-group-headers=X-Proxy-Group',
          '--requestheader-extra-headers-prefix=X-Proxy-Extra-',
          `--proxy-client-cert-file=${files.cert}`,
          `--proxy-client-key-file=${files.key}`,
        ],
        { tokens: ['jane-token,jäne,jane-uid,"wardens,a b"'] },
      )
      await created(front, '/api/v1/namespaces/default/services', backendService)
      const caBundle = Buffer.from(authority.pem).toString('base64')
      await created(front, services, apiService('any.example.com', port(), { caBundle }))
      await untilAvailable(front, 'v1.any.example.com')
    })
    after(async () => {
      await front.stop()
      for (const socket of sockets) socket.destroy()
      backend.close()
      folder.remove()
    })
    const things = '/apis/any.example.com/v1/things'

    it('gets the user, and nothing that the client sends about users or credentials', async () => {
      let seen: IncomingMessage | undefined
      answer = (request, response) => {
        seen = request
        response.end('{}')
      }
      await ask(front.url, `${things}?x=%2F&y=a+b`, {
        token,
        headers: {
          'x-remote-user': 'system:admin',
          'x-proxy-user': 'system:admin',
          'x-proxy-group': 'system:masters',
          'x-proxy-extra-scopes': 'all',
          'x-remote-group': 'evil',
          'x-remote-extra-scopes': 'all',
          'impersonate-user': 'jane',
          'impersonate-group': 'system:masters',
          'x-custom': 'kept',
          connection: 'x-remote-user, x-hop',
          'x-hop': '1',
        },
      })
      const headers = seen?.headers ?? {}
      assert.equal(seen?.url, `${things}?x=%2F&y=a+b`)
      assert.deepEqual(
        [headers['x-remote-user'], headers['x-remote-group'], headers['x-remote-extra-scopes'], headers.authorization],
        ['jane', 'system:masters, system:authenticated', undefined, undefined],
      )
      assert.ok(
        Object.keys(headers).every((name) => !name.startsWith('x-proxy-')),
        'names users by configuration',
      )
      const at = headers.host ?? headers[':authority']
      assert.deepEqual([headers['x-custom'], headers['x-hop'], at], ['kept', undefined, `localhost:${port()}`])
      assert.equal(seen?.httpVersion, protocol === 'HTTP/2' ? '2.0' : '1.1')
      assert.match(String(headers['audit-id']), /^[0-9a-f-]{36}$/)
      assert.equal(headers['x-forwarded-for'], '127.0.0.1')
    })

    it('has OpenAPI v3 derived from v2 where it serves only v2', async () => {
      const path = 'apis/any.example.com/v1'
      const index = async (): Promise<string> =>
        (await ask(front.url, '/openapi/v3', { token })).body.paths[path]?.serverRelativeURL ?? ''
      await eventually(async () => (await index()) !== '', 'it is in the index')
      const url = await index()
      const { body, headers } = await ask(front.url, url, { token })
      assert.match(String(headers['cache-control']), /immutable/)
      const thing = { $ref: '#/components/schemas/Thing' }
      assert.deepEqual(body, {
        openapi: '3.0.0',
        info: described.info,
        paths: {
          [`/${path}/things`]: {
            parameters: [{ name: 'pretty', in: 'query', schema: { type: 'string', uniqueItems: true } }],
            post: {
              operationId: 'createThing',
              'x-kubernetes-action': 'post',
              parameters: [
                { name: 'dryRun', in: 'query', description: 'No effect.', schema: { type: 'string', enum: ['All'] } },
              ],
              requestBody: { content: { 'application/json': { schema: thing } }, required: true },
              responses: {
                201: {
                  description: 'Created',
                  content: { 'application/json': { schema: thing }, 'application/yaml': { schema: thing } },
                },
              },
            },
          },
        },
        components: {
          schemas: {
            Thing: {
              ...described.definitions.Thing,
              properties: { spec: { $ref: '#/components/schemas/ThingSpec' } },
            },
            ThingSpec: described.definitions.ThingSpec,
          },
        },
      })
      const accept = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'
      const message = await ask(front.url, url, { token, headers: { accept } })
      assert.deepEqual(
        [message.status, message.headers['content-type'], message.headers['etag']],
        [200, accept.replace('@', '.'), headers['etag']],
      )
      assert.match(message.text, /createThing/)
      const moved = await ask(front.url, `/openapi/v3/${path}?hash=OLD`, { token })
      assert.deepEqual([moved.status, moved.headers['location']], [301, url])
      const whole = await ask(front.url, '/openapi/v2', { token })
      const [pretty] = whole.body.paths[`/${path}/things`].parameters
      assert.deepEqual(pretty, described.parameters['pretty-1'], 'no reference that leads nowhere')
    })

    it('gets a body of any length while it arrives, and its answer is passed on while it arrives', async () => {
      answer = (request, response) => {
        response.writeHead(201, { 'content-type': 'application/octet-stream', 'x-answer': 'yes' })
        request.pipe(response)
      }
      const sent = Buffer.alloc(5 * 1024 * 1024, 'x')
      const got = await ask(front.url, things, { token, body: sent })
      assert.deepEqual([got.status, got.text.length, got.headers['x-answer']], [201, sent.length, 'yes'])
    })

    it('keeps its requests under way when the certificate of this server is renewed', async () => {
      answer = (request, response) => {
        response.write('begun ')
        if (request.url === '/apis/any.example.com/v1/first') first.resolve(response)
        else response.end()
      }
      const first = Promise.withResolvers<ServerResponse>()
      const pair = (name: string): { cert: string; key: string } => {
        const made = makeAnyCertificate({ subject: [`CN=${name}`], extensions: [usageExtension()] })
        return { cert: made.pem, key: keyPem(made.key) }
      }
      let credentials = pair('before')
      const service = apiService('any.example.com', port()) as Parameters<typeof serviceBackend>[0]
      const address = { host: '127.0.0.1', port: port() }
      const direct = serviceBackend(service, {
        clock: systemClock,
        resolve: () => address,
        credentials: () => credentials,
      })
      const limits = { bytesMax: 1000, signal: AbortSignal.timeout(20_000) }
      const watched = direct.get('/apis/any.example.com/v1/first', {}, limits)
      const response = await first.promise
      credentials = pair('after')
      assert.equal((await direct.get('/apis/any.example.com/v1/second', {}, limits)).body.toString(), 'begun ')
      response.end('and ended')
      assert.equal((await watched).body.toString(), 'begun and ended')
      direct.close()
    })

    it('may not redirect clients elsewhere', async () => {
      answer = (_request, response) =>
        void response.writeHead(302, { location: 'https://elsewhere.example.com/' }).end()
      const got = await ask(front.url, things, { token })
      assert.deepEqual(
        [got.status, got.text, got.headers['location']],
        [502, 'the backend attempted to redirect this request, which is not permitted\n', undefined],
      )
    })

    it('may break off an answer that the client does not read: the server keeps serving', async () => {
      const brokenOff = Promise.withResolvers<void>()
      answer = (_request, response) => {
        response.writeHead(302, { location: 'https://elsewhere.example.com/' })
        response.write('half', () => {
          breakOff(response)
          brokenOff.resolve()
        })
      }
      assert.equal((await ask(front.url, things, { token })).status, 502)
      await brokenOff.promise
      await turns()
      answer = (_request, response) => void response.end('{}')
      assert.equal((await ask(front.url, things, { token })).status, 200)
    })

    it('may break off an answer: the client sees that it is not whole, and the next one is served', async () => {
      answer = (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write('{"half":', () => breakOff(response))
      }
      await assert.rejects(ask(front.url, things, { token }))
      answer = (request) => void request.socket.destroy()
      const got = await ask(front.url, things, { token })
      assert.equal(got.status, 503)
      assert.match(got.text, /^error trying to reach service: /)
      answer = (_request, response) => void response.end('{}')
      assert.equal((await ask(front.url, things, { token })).status, 200)
    })

    it('may be slow: other requests are served meanwhile, and a client that disconnects ends the call', async () => {
      const begun = Promise.withResolvers<void>()
      const closed = Promise.withResolvers<void>()
      answer = (_request, response) => {
        response.on('close', () => closed.resolve())
        begun.resolve()
      }
      const slow = https.get(front.url + things, {
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${token}` },
      })
      slow.on('error', () => {})
      assert.equal((await ask(front.url, '/api/v1/namespaces/default', { token })).status, 200)
      await begun.promise
      slow.destroy()
      await closed.promise
    })

    it('switches to another protocol for a client that requests one', async () => {
      const text = await new Promise<string>((resolve, reject) => {
        const call = https.request(front.url + things, {
          rejectUnauthorized: false,
          headers: { authorization: `Bearer ${token}`, connection: 'Upgrade', upgrade: 'echo' },
        })
        call.on('upgrade', (response, socket, head) => {
          let all = `${response.statusCode} ${response.headers.upgrade} ${head.toString()}`
          socket.write(' ping')
          socket.on('data', (chunk) => {
            all += String(chunk)
            if (!all.includes('ping')) return
            socket.destroy()
            resolve(all)
          })
        })
        call.on('error', reject)
        call.on('response', (response) => reject(new Error(`answered ${response.statusCode}`)))
        call.end()
      })
      assert.equal(text, '101 echo hello admin undefined ping')
    })

    it('serves more watches than one connection may carry, and requests after it has ended its connections', async () => {
      for (const session of sessions) session.close()
      const begun: ServerResponse[] = []
      answer = (_request, response) => {
        response.write('{}')
        begun.push(response)
      }
      const headers = { authorization: `Bearer ${token}` }
      const watches = Array.from({ length: 8 }, () =>
        https.get(`${front.url}${things}?watch=true`, { rejectUnauthorized: false, headers, agent: false }),
      )
      for (const watch of watches) watch.on('error', () => {})
      await eventuallyEquals(() => begun.length, watches.length, 'all are served at once')
      for (const response of begun) response.end()
      answer = (_request, response) => void response.end('{}')
      for (const session of sessions) session.close()
      for (let asked = 0; asked < 20; asked++) assert.equal((await ask(front.url, things, { token })).status, 200)
      for (const watch of watches) watch.destroy()
    })

    it('is distinguished from an impostor by its certificate', async () => {
      await created(front, services, apiService('impostor.example.com', port(), {}))
      await eventuallyEquals(
        async () => (await conditionOf(front, 'v1.impostor.example.com'))?.status,
        'False',
        'its certificate is not trusted',
      )
      const condition = await conditionOf(front, 'v1.impostor.example.com')
      assert.equal(condition?.reason, 'FailedDiscoveryCheck')
      assert.match(
        condition?.message ?? '',
        /^failing or missing response from https:\/\/localhost:\d+\/apis\/impostor/,
      )
    })

    it('a server without a service is not available', async () => {
      const service = { service: { namespace: 'default', name: 'nowhere', port: 443 } }
      await created(front, services, apiService('nowhere.example.com', port(), service))
      await eventuallyEquals(
        async () => (await conditionOf(front, 'v1.nowhere.example.com'))?.reason,
        'ServiceNotFound',
        'the condition says why',
      )
      assert.equal(
        (await conditionOf(front, 'v1.nowhere.example.com'))?.message,
        'service/nowhere in "default" is not present',
      )
    })
  })

describe('a server’s registration of its own group versions', () => {
  const folder = scratchFolder('registration')
  let server: Apiserver
  before(async () => void (server = await startComposed(folder.path, [])))
  after(async () => {
    await server.stop()
    folder.remove()
  })

  it('has an APIService for each, and follows custom resources', async () => {
    const names = async (): Promise<string[]> =>
      (await ask(server.url, services, { token })).body.items.map(({ metadata }: ApiObject) => metadata.name)
    assert.ok((await names()).includes('v1.apps') && (await names()).includes('v1.'))
    assert.equal((await conditionOf(server, 'v1.apps'))?.reason, 'Local')
    await created(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', flunderDefinition)
    await eventually(async () => (await names()).includes('v1.wardle.example.com'), 'a definition is registered')
    const { body } = await ask(server.url, `${services}/v1.wardle.example.com`, { token })
    assert.deepEqual(
      [body.metadata.labels['kube-aggregator.kubernetes.io/automanaged'], body.spec.groupPriorityMinimum],
      ['true', 1000],
    )
    await ask(
      server.url,
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${flunderDefinition.metadata.name}`,
      {
        token,
        method: 'DELETE',
      },
    )
    await eventually(async () => !(await names()).includes('v1.wardle.example.com'), 'it goes with its definition')
  })

  it('leaves an APIService that a user deleted', async () => {
    assert.equal((await ask(server.url, `${services}/v1.batch`, { token, method: 'DELETE' })).status, 200)
    await created(server, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', flunderDefinition)
    await eventuallyEquals(
      async () => (await conditionOf(server, 'v1.wardle.example.com'))?.status,
      'True',
      'a run later',
    )
    assert.equal((await ask(server.url, `${services}/v1.batch`, { token })).status, 404)
    assert.equal((await ask(server.url, '/apis/batch/v1/jobs', { token })).status, 200)
  })
})
