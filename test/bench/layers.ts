// The cost of each layer of a request: servers in this process that differ by one feature, beside a bare one with answers of
// the same length. A child asks them in turns, so that the machine's hours and neighbours change the figures of all alike;
// the median of the rounds counts. The features stay what flags leave of them: authentication can't be switched off.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { programVersion } from '../../cmd/apiserver/build.ts'
import { configure } from '../../cmd/apiserver/configure.ts'
import { apiserverFlags } from '../../cmd/apiserver/flags.ts'
import { processEnvironment } from '../../cmd/processenvironment.ts'
import { silentLogger, systemClock, systemRandom } from '../../lib/base/index.ts'
import { composeApiserver } from '../../lib/controlplane/index.ts'
import { parseFlags } from '../../lib/flags/index.ts'
import { createMetrics } from '../../lib/observe/index.ts'
import { testCertificate } from '../integration/server/support.ts'
import { adminToken, scratchFolder } from '../support/apiserver.ts'

const connections = 16
const requestsPerTurn = { GET: 2000, POST: 600 }
const rounds = 11
/** Rounds in which V8 still compiles. */
const warmUpRounds = 4
const configMaps = '/api/v1/namespaces/default/configmaps'
const payload = 'x'.repeat(900)

/** Plugins that are on by default and have an opinion about any object. */
const plugins = [
  'NamespaceLifecycle',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionWebhook',
]

const variants: readonly (readonly [name: string, flags: readonly string[], token?: string])[] = [
  ['all', []],
  ['all, once more', []],
  ['without fairness', ['--enable-priority-and-fairness=false']],
  ['without authorization', ['--authorization-mode=AlwaysAllow']],
  ['without those plugins', [`--disable-admission-plugins=ServiceAccount,${plugins.join()}`]],
  ['by RBAC', [], 'user'],
]

interface Turn {
  readonly port: number
  readonly token: string
  readonly method: 'GET' | 'POST'
}

async function main(): Promise<void> {
  const folder = scratchFolder('layers')
  const asker = fork(import.meta.filename, ['ask'])
  const servers = await Promise.all(variants.map(([, flags], index) => start(join(folder.path, String(index)), flags)))
  const bare = await startBare()
  try {
    for (const { port } of servers) await prepare(asker, port)
    for (const method of ['GET', 'POST'] as const) {
      const turns = variants.map(([name, , token = adminToken], index) => ({
        name,
        costs: [] as number[],
        turn: { port: servers[index]?.port ?? 0, token, method },
      }))
      turns.unshift({ name: 'bare', costs: [], turn: { port: bare, token: adminToken, method } })
      for (let round = 0; round < rounds; round++)
        for (const { costs, turn } of turns) {
          const us = await ask(asker, turn)
          if (round >= warmUpRounds) costs.push(us)
        }
      report(method, turns)
    }
  } finally {
    asker.kill()
    for (const { server } of servers) await server.stop()
    folder.remove()
  }
}

async function start(folder: string, more: readonly string[]) {
  const tokens = `${folder}-tokens.csv`
  writeFileSync(tokens, `${adminToken},admin,admin,"system:masters"\nuser,user,user,readers\n`)
  const flags = [
    '--secure-port=0',
    '--bind-address=127.0.0.1',
    `--token-auth-file=${tokens}`,
    `--cert-dir=${folder}-certs`,
  ]
  const disabled = more.some((flag) => flag.startsWith('--disable'))
    ? []
    : ['--disable-admission-plugins=ServiceAccount']
  const { values, given } = parseFlags(apiserverFlags, [...flags, '--storage-backend=memory', ...disabled, ...more])
  const services = { clock: systemClock, random: systemRandom }
  const config = await configure(values, services, programVersion, given)
  const server = await composeApiserver(config, {
    ...processEnvironment,
    ...services,
    log: silentLogger,
    metrics: createMetrics(),
    onDamage() {},
  })
  await server.started
  return { server, port: Number(new URL(server.url).port) }
}

async function startBare(): Promise<number> {
  const body = Buffer.from(JSON.stringify({ data: { payload: 'x'.repeat(1000) } }))
  const server = createServer(testCertificate(), (request, response) => {
    request.resume()
    request.on('end', () => {
      response.writeHead(200, ['content-type', 'application/json', 'content-length', String(body.length)])
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return (server.address() as AddressInfo).port
}

/** The object of the gets, and a role for the user of RBAC. */
async function prepare(asker: ReturnType<typeof fork>, port: number): Promise<void> {
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'bench' } }
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create'] }]
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'bench' }
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'user' }]
  const paths = '/apis/rbac.authorization.k8s.io/v1'
  asker.send([
    [port, configMaps, configMap('settings')],
    [port, `${paths}/clusterroles`, { ...role, rules }],
    [port, `${paths}/clusterrolebindings`, { ...role, kind: 'ClusterRoleBinding', roleRef, subjects }],
  ])
  await once(asker, 'message')
}

/** The CPU of this process for one request, in microseconds. */
async function ask(asker: ReturnType<typeof fork>, turn: Turn): Promise<number> {
  asker.send(turn)
  await once(asker, 'message')
  const before = process.cpuUsage()
  asker.send('go')
  await once(asker, 'message')
  const { user, system } = process.cpuUsage(before)
  return (user + system) / requestsPerTurn[turn.method]
}

function report(method: string, turns: readonly { readonly name: string; readonly costs: number[] }[]): void {
  const median = (costs: readonly number[]): number => costs.toSorted((a, b) => a - b)[costs.length >> 1] ?? Number.NaN
  const [bare = Number.NaN, all = Number.NaN] = turns.map(({ costs }) => median(costs))
  for (const { name, costs } of turns) {
    const us = median(costs)
    const shares = `${(us / bare).toFixed(2)} × bare, ${(((us - all) / all) * 100).toFixed(0)} % of all`
    console.log(`${method.padEnd(4)} ${name.padEnd(24)} ${us.toFixed(1).padStart(7)} µs   ${shares}`)
  }
}

function configMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { payload } }
}

// The child that asks.

let made = 0

function requestOf({ method, token }: Turn): string {
  const head = `HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nUser-Agent: bench\r\n`
  if (method === 'GET') return `GET ${configMaps}/settings?resourceVersion=0 ${head}\r\n`
  const body = JSON.stringify(configMap(`made-${made++}`))
  return `POST ${configMaps} ${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

async function open(port: number): Promise<TLSSocket> {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  await once(socket, 'secureConnect')
  return socket
}

/** Sends one request and resolves with the status of its answer. */
function exchange(socket: TLSSocket, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let got: Buffer = Buffer.alloc(0)
    const onData = (chunk: Buffer): void => {
      got = got.length === 0 ? chunk : Buffer.concat([got, chunk])
      const head = got.indexOf('\r\n\r\n')
      const length = /content-length: (\d+)/i.exec(got.toString('latin1', 0, head))?.[1]
      if (head < 0 || length === undefined || got.length < head + 4 + Number(length)) return
      socket.off('data', onData)
      const status = got.toString('latin1', 9, 12)
      if (status.startsWith('2')) resolve(status)
      else reject(new Error(got.toString()))
    }
    socket.on('data', onData)
    socket.write(text)
  })
}

async function answer(turn: Turn): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(turn.port)))
  process.send?.('ready')
  await once(process, 'message')
  let left = requestsPerTurn[turn.method]
  await Promise.all(
    sockets.map(async (socket) => {
      while (left-- > 0) await exchange(socket, requestOf(turn))
    }),
  )
  process.send?.('done')
  for (const socket of sockets) socket.destroy()
}

async function create(requests: readonly (readonly [port: number, path: string, object: object])[]): Promise<void> {
  for (const [port, path, object] of requests) {
    const socket = await open(port)
    const body = JSON.stringify(object)
    const head = `Host: x\r\nAuthorization: Bearer ${adminToken}\r\nContent-Type: application/json\r\n`
    await exchange(socket, `POST ${path} HTTP/1.1\r\n${head}Content-Length: ${body.length}\r\n\r\n${body}`)
    socket.destroy()
  }
  process.send?.('done')
}

if (process.argv[2] === 'ask')
  process.on('message', (message: Turn | Parameters<typeof create>[0] | 'go') => {
    if (Array.isArray(message)) void create(message)
    else if (message !== 'go') void answer(message as Turn)
  })
else await main()
