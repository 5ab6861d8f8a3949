// The cost of the chain: a trivial handler behind it, against node's bare servers with the same bytes. Figures are CPU
// time of the serving process per request, the least of several rounds that take turns, since other work on the machine
// only ever adds to them. Usage: node test/bench/server.ts [seconds [rounds]]
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect as connect2, createSecureServer, type ServerHttp2Stream } from 'node:http2'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { silentLogger, systemClock, systemRandom } from '../../lib/base/index.ts'
import { createMetrics } from '../../lib/observe/index.ts'
import { parseRequestInfo } from '../../lib/request/index.ts'
import { createServer, fixedCertificates } from '../../lib/server/index.ts'
import { testCertificate } from '../integration/server/support.ts'

const path = '/api/v1/namespaces/default/configmaps/settings'
const body = Buffer.from(`{"kind":"ConfigMap","data":{"payload":"${'x'.repeat(1000)}"}}`)
const connections = 32
/** Compiling hot code takes CPU too, and goes on for a while. */
const warmUpMs = 3000
const modes = ['bare', 'chain', 'bare-h2', 'chain-h2'] as const
type Mode = (typeof modes)[number]

async function serve(mode: Mode): Promise<number> {
  const pair = testCertificate()
  if (mode === 'bare') {
    const server = createHttps(pair, (_request, response) => {
      response.writeHead(200, ['content-type', 'application/json', 'content-length', String(body.length)])
      response.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  if (mode === 'bare-h2') {
    const server = createSecureServer(pair)
    server.on('stream', (opened) => {
      const stream = opened as ServerHttp2Stream
      stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': body.length })
      stream.end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const user = { name: 'alice', uid: '', groups: ['system:authenticated'], extra: {} }
  const tokens = new Map([['Bearer abc', user]])
  const headers = { 'content-type': 'application/json' }
  const server = createServer(
    {
      log: silentLogger,
      metrics: createMetrics(),
      clock: systemClock,
      random: systemRandom,
      certificates: fixedCertificates({ serving: pair, named: [], clientAuthorities: '' }),
      authenticator: {
        name: 'bench',
        authenticate(call) {
          const found = tokens.get(call.headers['authorization'] ?? '')
          return found === undefined ? { outcome: 'none' } : { outcome: 'authenticated', user: found }
        },
      },
      authorizer: { name: 'bench', authorize: () => ({ decision: 'allow', reason: '' }) },
      resources: { handle: (call) => call.responder.send(200, headers, body) },
      routes: [],
      healthChecks: [],
      postStartHooks: [],
      parseRequestInfo,
    },
    { host: '127.0.0.1', port: 0 },
  )
  return (await server.start()).port
}

/** Keeps `connections` requests under way over HTTP/1.1; answers how many were answered so far. */
function load1(port: number): () => number {
  const request = Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer abc\r\nUser-Agent: bench\r\nAccept: application/json\r\n\r\n`,
  )
  let answered = 0
  for (let at = 0; at < connections; at++) {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
    let awaited = -1
    let got = 0
    socket.on('secureConnect', () => socket.write(request))
    socket.on('data', (chunk: Buffer) => {
      got += chunk.length
      if (awaited < 0) {
        const text = chunk.toString('latin1')
        if (!text.startsWith('HTTP/1.1 200')) throw new Error(text)
        awaited = text.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/.exec(text)?.[1])
      }
      if (got < awaited) return
      got = 0
      awaited = -1
      answered++
      socket.write(request)
    })
  }
  return () => answered
}

/** The same over HTTP/2: one connection, as client libraries do. */
function load2(port: number): () => number {
  let answered = 0
  const session = connect2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
  const ask = (): void => {
    const stream = session.request({ ':path': path, authorization: 'Bearer abc', 'user-agent': 'bench' })
    stream.resume()
    stream.on('end', () => {
      answered++
      ask()
    })
  }
  for (let at = 0; at < connections; at++) ask()
  return () => answered
}

interface Report {
  requests: number
}

/** In a child process: serves, and lets another child ask. */
async function measure(mode: Mode, seconds: number): Promise<void> {
  const port = await serve(mode)
  const client = fork(import.meta.filename, ['ask', mode, String(port), String(seconds)])
  let before = process.cpuUsage()
  client.on('message', (message: 'begin' | Report) => {
    if (message === 'begin') {
      before = process.cpuUsage()
      return
    }
    const { user, system } = process.cpuUsage(before)
    const perRequest = (user + system) / message.requests
    client.kill()
    process.send?.(perRequest, () => process.exit(0))
  })
}

function ask(mode: Mode, port: number, seconds: number): void {
  const count = mode.endsWith('h2') ? load2(port) : load1(port)
  setTimeout(() => {
    const from = count()
    process.send?.('begin')
    setTimeout(() => process.send?.({ requests: count() - from }), seconds * 1000)
  }, warmUpMs)
}

const [command, ...args] = process.argv.slice(2)
if (command === 'ask') ask(args[0] as Mode, Number(args[1]), Number(args[2]))
else if (command === 'serve') await measure(args[0] as Mode, Number(args[1]))
else {
  const [seconds = '6', rounds = '3'] = process.argv.slice(2)
  const least = new Map<Mode, number>()
  for (let round = 0; round < Number(rounds); round++) {
    for (const mode of modes) {
      const child = fork(import.meta.filename, ['serve', mode, seconds])
      const [micros] = (await once(child, 'message')) as [number]
      await once(child, 'exit')
      least.set(mode, Math.min(micros, least.get(mode) ?? Infinity))
    }
  }
  for (const [mode, micros] of least) console.log(`${mode.padEnd(10)} ${micros.toFixed(1).padStart(6)} µs/request`)
}
