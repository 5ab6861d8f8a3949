import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createEgress, type Dialer, type Egress } from '../../../lib/egress/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { type ConnectProxy, startConnectProxy } from '../../support/egress/connectproxy.ts'
import { type KonnectivityProxy, startKonnectivityProxy } from '../../support/egress/konnectivityproxy.ts'
import { eventually } from '../../support/eventually.ts'

type Connection = Egress['selections'][number]['connection']
type Proxy = ConnectProxy | KonnectivityProxy

const never = new AbortController().signal

/** A server that echoes, and counts what it could send to clients that ask for everything. */
async function startTarget(): Promise<{ server: Server; port: number; sockets: Set<Socket>; sent(): number }> {
  const sockets = new Set<Socket>()
  let sent = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const chunk = Buffer.alloc(64 * 1024, 'x')
    const flood = (): void => {
      for (let more = true; more && !socket.destroyed; ) {
        sent += chunk.length
        more = socket.write(chunk)
      }
      socket.once('drain', flood)
    }
    socket.on('data', (data) => {
      if (data.toString() === 'flood') flood()
      else socket.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port, sockets, sent: () => sent }
}

describe('connections through a proxy', function () {
  this.timeout(60_000)
  const folder = scratchFolder('egress-dialers')
  const at = (name: string): string => join(folder.path, name)
  const metrics = createMetrics()
  const services = { clock: systemClock, random: systemRandom, metrics }
  const authority = createAuthority(services, { commonName: 'proxies' })
  const proxies = new Map<string, Proxy>()
  let target: Awaited<ReturnType<typeof startTarget>>

  const find = (name: string): { host: string; port: number } => ({
    host: '127.0.0.1',
    port: Number(name.slice(name.lastIndexOf(':') + 1)),
  })
  const uds = (udsName: string): Pick<Connection, 'transport'> => ({ transport: { uds: { udsName } } })

  /** The dialer of one connection. */
  async function dialerOf(connection: Connection): Promise<Dialer> {
    const { cluster } = await createEgress([{ name: 'Cluster', connection }], services)
    assert.ok(cluster)
    return cluster
  }

  before(async () => {
    target = await startTarget()
    const server = authority.issue({ commonName: 'proxy', usage: 'server', names: ['127.0.0.1'] })
    const client = authority.issue({ commonName: 'kube-apiserver', usage: 'client' })
    writeFileSync(at('ca.crt'), authority.certificate)
    writeFileSync(at('client.crt'), client.certificate)
    writeFileSync(at('client.key'), client.key)
    const tls = { cert: server.certificate, key: server.key, ca: authority.certificate, requestCert: true }
    proxies.set('HTTPConnect over TLS', await startConnectProxy({ tls, find }))
    proxies.set('HTTPConnect over TCP', await startConnectProxy({ find }))
    proxies.set('HTTPConnect over a socket', await startConnectProxy({ socketPath: at('connect.sock'), find }))
    proxies.set('GRPC over a socket', await startKonnectivityProxy(at('grpc.sock'), { find }))
  })
  after(async () => {
    for (const proxy of proxies.values()) await proxy.close()
    target.server.close()
    for (const socket of target.sockets) socket.destroy()
    folder.remove()
  })

  const nameOf = (way: string): string => (proxies.get(way) as ConnectProxy).name
  const ways: readonly [string, { protocol: string; transport: string }, () => Connection][] = [
    [
      'HTTPConnect over TLS',
      { protocol: 'http_connect', transport: 'tcp' },
      () => ({
        proxyProtocol: 'HTTPConnect',
        transport: {
          tcp: {
            url: `https://${nameOf('HTTPConnect over TLS')}`,
            tlsConfig: { caBundle: at('ca.crt'), clientCert: at('client.crt'), clientKey: at('client.key') },
          },
        },
      }),
    ],
    [
      'HTTPConnect over TCP',
      { protocol: 'http_connect', transport: 'tcp' },
      () => ({
        proxyProtocol: 'HTTPConnect',
        transport: { tcp: { url: `http://${nameOf('HTTPConnect over TCP')}` } },
      }),
    ],
    [
      'HTTPConnect over a socket',
      { protocol: 'http_connect', transport: 'uds' },
      () => ({ proxyProtocol: 'HTTPConnect', ...uds(at('connect.sock')) }),
    ],
    [
      'GRPC over a socket',
      { protocol: 'grpc', transport: 'uds' },
      () => ({ proxyProtocol: 'GRPC', ...uds(at('grpc.sock')) }),
    ],
  ]
  for (const [way, { protocol, transport }, connection] of ways)
    describe(`by ${way}`, () => {
      let dial: Dialer
      let proxy: Proxy
      const open = (signal = never): Promise<Duplex> => dial({ host: 'node.cluster', port: target.port }, signal)
      const countOf = async (name: string, ...more: string[]): Promise<number> => {
        const { body } = await metrics.exposition()
        const labels = [`protocol="${protocol}"`, `transport="${transport}"`, ...more]
        const isWanted = (line: string): boolean =>
          line.startsWith(`apiserver_egress_dialer_${name}{`) && labels.every((label) => line.includes(label))
        return Number(body.toString().split('\n').find(isWanted)?.split(' ')[1] ?? 0)
      }
      before(async () => {
        dial = await dialerOf(connection())
        proxy = proxies.get(way) as Proxy
      })
      afterEach(async () => {
        await eventually(() => proxy.open.size === 0 || proxy.open.size, 'the proxy has no open connection')
        await eventually(() => target.sockets.size === 0, 'so has the target')
      })

      it('carries bytes both ways to a target whose name only the proxy knows', async () => {
        const starts = await countOf('dial_start_total')
        const socket = await open()
        const sent = Buffer.alloc(300_000, 'abc')
        let got = Buffer.alloc(0)
        socket.on('data', (chunk: Buffer) => (got = Buffer.concat([got, chunk])))
        socket.write(sent)
        await eventually(() => got.length === sent.length || got.length, 'all bytes have come back')
        assert.ok(got.equals(sent))
        assert.equal(proxy.dialled.at(-1), `node.cluster:${target.port}`)
        socket.destroy()
        assert.equal((await countOf('dial_start_total')) - starts, 1)
        assert.ok((await countOf('dial_duration_seconds_count')) > 0)
      })

      it("ends when the target's side ends", async () => {
        const socket = await open()
        const ended = once(socket.resume(), 'end')
        for (const one of target.sockets) one.end()
        await ended
        await eventually(() => socket.destroyed, 'it is closed')
      })

      it('fails with the words of a proxy that can’t reach the target', async () => {
        const failures = await countOf('dial_failure_count', 'stage="proxy"')
        await assert.rejects(
          dial({ host: 'fd00::1', port: 1 }, never),
          protocol === 'grpc'
            ? /^Error: dial tcp \[fd00::1\]:1: connect ECONNREFUSED/
            : new RegExp(
                `^Error: proxy error from \\S+ while dialing \\[fd00::1\\]:1, code 503: 503 Service Unavailable$`,
              ),
        )
        assert.equal((await countOf('dial_failure_count', 'stage="proxy"')) - failures, 1)
      })

      it('fails with the reason of a caller who gives up', async () => {
        const given = new AbortController()
        const dialled = open(given.signal)
        given.abort(new Error('no longer wanted'))
        await assert.rejects(dialled, /no longer wanted/)
      })

      it('breaks when the proxy dies', async () => {
        const socket = await open()
        const closed = new Promise((done) =>
          socket
            .on('error', () => {})
            .resume()
            .once('close', done),
        )
        for (const one of proxy.open) one.destroy()
        await closed
      })

      it('sends no more than a slow reader can take', async () => {
        const before = target.sent()
        const socket = await open()
        socket.write('flood')
        await once(socket, 'readable')
        let last = -1
        await eventually(() => {
          const sent = target.sent() - before
          const isStill = sent === last
          last = sent
          return isStill && sent > 0
        }, 'the target can send no more')
        assert.ok(target.sent() - before < 24 * 1024 * 1024, `${target.sent() - before} bytes`)
        assert.ok(socket.readableLength <= 1024 * 1024, `${socket.readableLength} bytes`)
        socket.destroy()
      })

      it('is opened hundreds of times, and leaves nothing', async () => {
        // The handshakes take their time.
        for (let round = 0; round < (way.endsWith('TLS') ? 2 : 3); round++) {
          const sockets = await Promise.all(Array.from({ length: 100 }, () => open()))
          // The end of one direction reaches a server only where the protocol knows it.
          for (const [index, socket] of sockets.entries())
            if (index % 2 === 0 || protocol === 'grpc') socket.destroy()
            else socket.end()
        }
      })
    })

  const missing: readonly [string, Connection, RegExp][] = [
    ['a socket for CONNECT', { proxyProtocol: 'HTTPConnect', ...uds(at('none.sock')) }, /ENOENT.*none\.sock/],
    ['a socket for gRPC', { proxyProtocol: 'GRPC', ...uds(at('none.sock')) }, /ENOENT.*none\.sock/],
    [
      'a port',
      { proxyProtocol: 'HTTPConnect', transport: { tcp: { url: 'http://127.0.0.1:1' } } },
      /ECONNREFUSED 127\.0\.0\.1:1/,
    ],
  ]
  for (const [what, connection, text] of missing)
    it(`fail at once where the proxy has not got ${what}`, async () => {
      const dial = await dialerOf(connection)
      await assert.rejects(dial({ host: 'node', port: 1 }, never), text)
      const { body } = await metrics.exposition()
      assert.match(body.toString(), /apiserver_egress_dialer_dial_failure_count\{.*stage="connect"/)
    })
})
