// The cost of each kind of write for an API server on etcd: ConfigMaps of 1 KB, Deployments of 3 KB, 64 requests at once. With
// the server of another clone beside, both take each operation in turns, so that the machine's hours and neighbours change
// the figures of both alike; the least of the rounds counts, as other work only adds.
import { once } from 'node:events'
import http2 from 'node:http2'
import { connect, type TLSSocket } from 'node:tls'
import { tables } from '../../api/index.ts'
import type { ApiObject } from '../../lib/object/index.ts'
import { createScheme } from '../../lib/scheme/index.ts'
import type { Target } from './client.ts'
import { cpuOfSpan } from './process.ts'

const requestsPerTurn = 512
const connections = 64
/** Over HTTP/2, with as many requests under way on each that it makes the same 64. */
const sessions = 8
/** Objects that changes are about, of each kind. */
const objects = 512
const rounds = 14
/** Rounds in which V8 still compiles. */
const warmUpRounds = 4

const namespace = '/api/v1/namespaces/bench-writes'
const configMaps = `${namespace}/configmaps`
const deployments = '/apis/apps/v1/namespaces/bench-writes/deployments'

interface WriteRequest {
  readonly method: string
  readonly path: string
  readonly type?: string
  readonly body?: Uint8Array
}

interface Operation {
  readonly name: string
  readonly http2?: true
  /** `count` is how many requests of the operation the server got before. */
  request(count: number): WriteRequest
}

const json = 'application/json'
const protobuf = 'application/vnd.kubernetes.protobuf'
const applyPatch = 'application/apply-patch+yaml'
const payload = 'x'.repeat(900)
const { objects: codec } = createScheme({ tables })

const text = (object: object): Uint8Array => Buffer.from(JSON.stringify(object))

function configMap(name: string, data: Readonly<Record<string, string>> = { payload }): ApiObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'bench' } }, data } as ApiObject
}

const container = {
  name: 'main',
  image: 'registry.example/app:1.2.3',
  args: ['--listen=:8080', '--verbose'],
  ports: [{ name: 'http', containerPort: 8080 }],
  env: Array.from({ length: 12 }, (_, index) => ({ name: `VARIABLE_${index}`, value: `value number ${index}` })),
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
  readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
  volumeMounts: [{ name: 'config', mountPath: '/etc/app' }],
}

function deployment(name: string, version: number): object {
  const labels = { app: 'bench' }
  const volumes = [{ name: 'config', configMap: { name: 'app' } }]
  const template = { metadata: { labels }, spec: { containers: [container], volumes } }
  const metadata = { name, annotations: { version: String(version) } }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: { selector: { matchLabels: labels }, template } }
}

const numbered = (prefix: string, count: number): string => `${prefix}-${count % objects}`

function patch(type: string, path: string, prefix: string, query: string, body: (name: string) => object) {
  return (count: number): WriteRequest => {
    const name = numbered(prefix, count)
    return { method: 'PATCH', path: `${path}/${name}${query}`, type, body: text(body(name)) }
  }
}

const asManager = '?fieldManager=bench&force=true'

const operations: readonly Operation[] = [
  {
    name: 'create, JSON',
    request: (count) => ({ method: 'POST', path: configMaps, type: json, body: text(configMap(`made-${count}`)) }),
  },
  {
    name: 'create, JSON over HTTP/2',
    http2: true,
    request: (count) => ({ method: 'POST', path: configMaps, type: json, body: text(configMap(`two-${count}`)) }),
  },
  {
    name: 'create, protobuf over HTTP/2',
    http2: true,
    request(count) {
      const body = codec.encodeObject(configMap(`proto-${count}`), { mediaType: protobuf })
      return { method: 'POST', path: configMaps, type: protobuf, body }
    },
  },
  {
    name: 'update',
    request(count) {
      const name = numbered('kept', count)
      const body = text(configMap(name, { payload, count: String(count) }))
      return { method: 'PUT', path: `${configMaps}/${name}`, type: json, body }
    },
  },
  {
    name: 'merge patch',
    request: (count) =>
      patch('application/merge-patch+json', configMaps, 'kept', '', () => ({ data: { patched: String(count) } }))(
        count,
      ),
  },
  {
    name: 'strategic merge patch',
    request: (count) =>
      patch('application/strategic-merge-patch+json', configMaps, 'kept', '', () => ({
        data: { strategic: String(count) },
      }))(count),
  },
  {
    name: 'apply, new',
    request(count) {
      const body = text(configMap(`applied-${count}`))
      return { method: 'PATCH', path: `${configMaps}/applied-${count}${asManager}`, type: applyPatch, body }
    },
  },
  {
    name: 'apply, changed',
    request: (count) =>
      patch(applyPatch, configMaps, 'kept', asManager, (name) => configMap(name, { applied: String(count) }))(count),
  },
  { name: 'apply, unchanged', request: patch(applyPatch, configMaps, 'same', asManager, (name) => configMap(name)) },
  {
    name: 'apply a Deployment, changed',
    request: (count) => patch(applyPatch, deployments, 'web', asManager, (name) => deployment(name, count))(count),
  },
  {
    name: 'apply a Deployment, unchanged',
    request: patch(applyPatch, deployments, 'idle', asManager, (name) => deployment(name, 0)),
  },
  { name: 'delete', request: (count) => ({ method: 'DELETE', path: `${configMaps}/made-${count}` }) },
]

/** One server, and how many requests of each operation it got. */
interface Side {
  readonly target: Target
  readonly made: Map<string, number>
}

/** `before`: the server of another clone. `only`: names begin with it. Costs are the servers' own CPU. */
export async function benchWrites(
  target: Target,
  before: Target | undefined,
  only: string,
  record: (name: string, cost: string, more: string) => void,
): Promise<void> {
  const sides: readonly Side[] = [before, target].flatMap((of) => (of ? [{ target: of, made: new Map() }] : []))
  for (const side of sides) await prepare(side)
  // Deletions are of what creations made.
  const chosen = operations.filter(
    ({ name }) => name.startsWith(only) || (name === 'create, JSON' && only === 'delete'),
  )
  const costs = chosen.map(() => sides.map((): number[] => []))
  for (let round = 0; round < rounds; round++)
    for (const [index, operation] of chosen.entries())
      for (const [at, side] of sides.entries()) {
        const us = (await turn(side, operation)) / requestsPerTurn
        if (round >= warmUpRounds) costs[index]?.[at]?.push(us)
      }
  for (const [index, { name }] of chosen.entries()) {
    const [first = Number.NaN, second] = (costs[index] ?? []).map(least)
    if (second === undefined) record(name, `${first.toFixed(0)} µs`, '')
    else record(name, `${second.toFixed(0)} µs`, `${first.toFixed(0)} before: ${(second / first).toFixed(2)} of it`)
  }
}

const least = (values: readonly number[]): number => Math.min(...values)

async function prepare({ target }: Side): Promise<void> {
  const requests: WriteRequest[] = []
  const post = (path: string, object: object): number =>
    requests.push({ method: 'POST', path, type: json, body: text(object) })
  await overHttp1(target, 1, () => ({
    method: 'POST',
    path: '/api/v1/namespaces',
    type: json,
    body: text({ metadata: { name: 'bench-writes' } }),
  }))
  for (let index = 0; index < objects; index++) {
    post(configMaps, configMap(`kept-${index}`))
    const apply = (path: string, name: string, object: object): number =>
      requests.push({ method: 'PATCH', path: `${path}/${name}${asManager}`, type: applyPatch, body: text(object) })
    apply(configMaps, `same-${index}`, configMap(`same-${index}`))
    apply(deployments, `idle-${index}`, deployment(`idle-${index}`, 0))
  }
  let next = 0
  await overHttp1(target, requests.length, () => requests[next++] as WriteRequest)
}

/** CPU of one turn, in microseconds. */
async function turn({ target, made }: Side, operation: Operation): Promise<number> {
  let count = made.get(operation.name) ?? 0
  made.set(operation.name, count + requestsPerTurn)
  const run = operation.http2 ? overHttp2 : overHttp1
  let spent = Number.NaN
  await run(
    target,
    requestsPerTurn,
    () => operation.request(count++),
    async (work) => {
      spent = await cpuOfSpan(target.pid, work)
    },
  )
  return spent
}

/** Measures the requests without the connections' opening. */
type Measure = (work: () => Promise<unknown>) => Promise<void>

const unmeasured: Measure = async (work) => void (await work())

async function overHttp1(
  target: Target,
  requests: number,
  next: () => WriteRequest,
  measure = unmeasured,
): Promise<void> {
  const { port } = new URL(target.url)
  const sockets = await Promise.all(
    Array.from({ length: Math.min(connections, requests) }, async () => {
      const options = { port: Number(port), host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }
      const socket = connect(options)
      await once(socket, 'secureConnect')
      return socket
    }),
  )
  // The server's part of a handshake ends after the client's.
  await Promise.all(sockets.map((socket) => exchange(socket, head(target, { method: 'GET', path: '/livez' }))))
  let left = requests
  await measure(() =>
    Promise.all(
      sockets.map(async (socket) => {
        while (left-- > 0) await exchange(socket, head(target, next()))
      }),
    ),
  )
  for (const socket of sockets) socket.destroy()
}

function head(target: Target, { method, path, type, body }: WriteRequest): Uint8Array {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${target.token}`, 'User-Agent: bench']
  if (type !== undefined) lines.push(`Content-Type: ${type}`)
  if (body) lines.push(`Content-Length: ${body.length}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)])
}

function exchange(socket: TLSSocket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    let got: Buffer = Buffer.alloc(0)
    const onData = (chunk: Buffer): void => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk])
      const end = got.indexOf('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(got.toString('latin1', 0, end))?.[1]
      if (end < 0 || length === undefined || got.length < end + 4 + Number(length)) return
      socket.off('data', onData)
      if (got.toString('latin1', 9, 10) === '2') resolve()
      else reject(new Error(got.toString()))
    }
    socket.on('data', onData)
    socket.write(bytes)
  })
}

async function overHttp2(
  target: Target,
  requests: number,
  next: () => WriteRequest,
  measure = unmeasured,
): Promise<void> {
  const open = await Promise.all(
    Array.from({ length: sessions }, async () => {
      const session = http2.connect(target.url, { rejectUnauthorized: false })
      await once(session, 'remoteSettings')
      return session
    }),
  )
  let left = requests
  await measure(() =>
    Promise.all(
      open.flatMap((session) =>
        Array.from({ length: connections / sessions }, async () => {
          while (left-- > 0) await ask(session, target, next())
        }),
      ),
    ),
  )
  for (const session of open) session.destroy()
}

function ask(session: http2.ClientHttp2Session, target: Target, request: WriteRequest): Promise<void> {
  const { method, path, type = json, body } = request
  return new Promise((resolve, reject) => {
    const authorization = `Bearer ${target.token}`
    const stream = session.request({ ':method': method, ':path': path, 'content-type': type, authorization })
    let status = 0
    stream.on('response', (answer) => (status = answer[':status'] ?? 0))
    stream.on('data', () => {})
    stream.on('end', () => (status < 300 ? resolve() : reject(new Error(`${method} ${path}: ${status}`))))
    stream.on('error', reject)
    stream.end(body)
  })
}
