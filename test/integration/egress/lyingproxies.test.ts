import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createFakeClock, type FakeClock, silentMetrics, systemRandom } from '../../../lib/base/index.ts'
import { createEgress, type Dialer } from '../../../lib/egress/index.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { startConnectProxy } from '../../support/egress/connectproxy.ts'
import {
  type KonnectivityProxy,
  type ProxyStream,
  startKonnectivityProxy,
  type WirePacket,
} from '../../support/egress/konnectivityproxy.ts'
import { eventually } from '../../support/eventually.ts'

const never = new AbortController().signal
const target = { host: 'node', port: 10250 }

describe('a proxy that lies', () => {
  const folder = scratchFolder('egress-lying')
  let clock: FakeClock
  let sockets = 0

  before(() => (clock = createFakeClock()))
  after(() => folder.remove())

  async function dialerOf(proxyProtocol: string, udsName: string): Promise<Dialer> {
    const connection = { proxyProtocol, transport: { uds: { udsName } } }
    const { cluster } = await createEgress([{ name: 'cluster', connection }], {
      clock,
      random: systemRandom,
      metrics: silentMetrics,
    })
    assert.ok(cluster)
    return cluster
  }

  /** Runs `work` with a dialer through a proxy that acts on packets as given. */
  async function withTunnel(
    instead: (packet: WirePacket, stream: ProxyStream) => boolean,
    work: (dial: Dialer, proxy: KonnectivityProxy) => Promise<void>,
  ): Promise<void> {
    const path = join(folder.path, `grpc-${sockets++}.sock`)
    const proxy = await startKonnectivityProxy(path, { instead })
    try {
      await work(await dialerOf('GRPC', path), proxy)
      await eventually(() => proxy.streams.size === 0 || proxy.streams.size, 'no stream is left')
    } finally {
      proxy.close()
    }
  }

  const opened = (random: string): WirePacket => ({ type: 'DIAL_RSP', dialResponse: { connectID: '7', random } })
  const data = (text: string | Uint8Array, connectID = '7'): WirePacket => ({
    type: 'DATA',
    data: { connectID, data: Buffer.from(text) },
  })
  const refusals: readonly [string, (random: string) => WirePacket[], RegExp][] = [
    [
      'with words of any length fails the dial with their beginning',
      (random) => [{ type: 'DIAL_RSP', dialResponse: { error: 'no '.repeat(10_000), random } }],
      /^Error: (no ){341}n$/,
    ],
    [
      'that withdraws the dial fails it',
      (random) => [{ type: 'DIAL_CLS', closeDial: { random } }],
      /^Error: dial closed$/,
    ],
    [
      'with an answer to another dial fails this one',
      () => [opened('1')],
      /opening a tunnel: the proxy sent an unexpected packet \(dialResponse\)/,
    ],
    [
      'with a connection without an id fails the dial',
      (random) => [{ type: 'DIAL_RSP', dialResponse: { random } }],
      /unexpected packet \(dialResponse\)/,
    ],
    ['with data before a connection fails the dial', () => [data('x')], /unexpected packet \(data\)/],
    [
      'with data without an id fails the dial',
      () => [{ type: 'DATA', data: { data: Buffer.from('x') } }],
      /unexpected packet \(data\)/,
    ],
  ]
  for (const [what, answers, text] of refusals)
    it(what, () =>
      withTunnel(
        ({ dialRequest }, stream) => {
          for (const answer of dialRequest ? answers(dialRequest.random) : []) stream.write(answer)
          return true
        },
        async (dial) => await assert.rejects(dial(target, never), text),
      ),
    )

  const ends: readonly [string, (random: string) => WirePacket[], RegExp][] = [
    ['that mixes in data of another connection', () => [data('secret', '8')], /unexpected packet \(data\)/],
    ['that opens the connection twice', (random) => [opened(random)], /unexpected packet \(dialResponse\)/],
    [
      'that closes another connection',
      () => [{ type: 'CLOSE_RSP', closeResponse: { connectID: '8' } }],
      /closeResponse/,
    ],
    ['with a packet that is too large', () => [data(Buffer.alloc(2 * 1024 * 1024))], /larger than max/],
  ]
  for (const [what, answers, text] of ends)
    it(`${what} ends the connection without a byte of it`, () =>
      withTunnel(
        ({ dialRequest, data: sent }, stream) => {
          if (dialRequest) stream.write(opened(dialRequest.random))
          if (sent) for (const answer of answers('1')) stream.write(answer)
          return true
        },
        async (dial) => {
          const socket = await dial(target, never)
          let got = ''
          socket.on('data', (chunk: Buffer) => (got += chunk.toString('latin1')))
          socket.write('go')
          await closed(socket)
          assert.match(String(socket.errored), text)
          assert.equal(got, '')
        },
      ))

  it('with packets of later releases is listened to further', () =>
    withTunnel(
      ({ dialRequest, data: sent }, stream) => {
        if (dialRequest) {
          stream.write({ type: 'DRAIN', drain: {} })
          stream.write(opened(dialRequest.random))
        }
        if (sent) {
          stream.write({ type: 'DRAIN', drain: {} })
          stream.write(data('here'))
          stream.write({ type: 'CLOSE_RSP', closeResponse: { connectID: '7' } })
        }
        return true
      },
      async (dial) => {
        const socket = await dial(target, never)
        socket.write('go')
        assert.equal(await textOf(socket), 'here')
      },
    ))

  it('that ends the stream in the middle of a connection breaks it', () =>
    withTunnel(
      ({ dialRequest, data: sent }, stream) => {
        if (dialRequest) stream.write(opened(dialRequest.random))
        if (sent) stream.end()
        return true
      },
      async (dial) => {
        const socket = await dial(target, never)
        socket.write('go')
        await assert.rejects(textOf(socket), /the tunnel broke: the proxy ended it/)
      },
    ))

  it('that never answers is given up after 30 s, and so is the dial', () =>
    withTunnel(
      () => true,
      async (dial, proxy) => {
        const dialled = dial(target, never)
        await eventually(() => proxy.received.length === 1, 'the proxy has the dial')
        clock.advance(30_000)
        await assert.rejects(dialled, /^Error: dial tcp node:10250: i\/o timeout$/)
        await eventually(() => proxy.received.length === 2, 'the proxy knows that it is given up')
        const [asked, withdrawn] = proxy.received
        assert.equal(withdrawn?.closeDial?.random, asked?.dialRequest?.random)
      },
    ))

  it('that keeps its side open after the end is left after 10 s', () =>
    withTunnel(
      ({ dialRequest }, stream) => {
        if (dialRequest) stream.write(opened(dialRequest.random))
        // Otherwise the test's proxy would end its side.
        stream.removeAllListeners('end')
        return true
      },
      async (dial, proxy) => {
        const socket = await dial(target, never)
        socket.destroy()
        await eventually(() => proxy.received.at(-1)?.closeRequest?.connectID === '7', 'the proxy is asked to close')
        assert.equal(proxy.streams.size, 1)
        clock.advance(10_000)
      },
    ))

  it('that sends more than a reader takes for 10 s loses the connection, as it holds up other ones', () =>
    withTunnel(
      ({ dialRequest, data: sent }, stream) => {
        if (dialRequest) stream.write(opened(dialRequest.random))
        if (sent) for (let packets = 0; packets < 100; packets++) stream.write(data(Buffer.alloc(4096)))
        return true
      },
      async (dial) => {
        const socket = await dial(target, never)
        const over = closed(socket)
        socket.write('go')
        const isFull = (): boolean => socket.readableLength >= socket.readableHighWaterMark
        for (let reads = 0; reads < 3; reads++) {
          await eventually(isFull, 'the buffer is full')
          // A reader in time is waited for.
          clock.advance(9_000)
          socket.read()
        }
        await eventually(isFull, 'the buffer is full again')
        let waitedMs = 0
        await eventually(() => {
          if (!socket.destroyed) clock.advance(1_000)
          waitedMs += 1_000
          return socket.destroyed
        }, 'the connection ends')
        assert.ok(waitedMs >= 10_000)
        await over
        assert.match(String(socket.errored), /data waited for its reader for more than 10 s/)
      },
    ))

  it('and holds a thousand dials gets no more', () =>
    withTunnel(
      () => true,
      async (dial) => {
        const given = new AbortController()
        const dials = Array.from({ length: 1000 }, () => dial(target, given.signal).catch(String))
        await assert.rejects(dial(target, never), /more than 1000 connections through the proxy are being opened/)
        given.abort(new Error('over'))
        for (const answer of await Promise.all(dials)) assert.equal(answer, 'Error: over')
      },
    ))

  const answers: readonly [string, string, RegExp][] = [
    ['a redirect', 'HTTP/1.1 302 Found\r\nlocation: http://a/\r\n\r\n', /code 302: 302 Found$/],
    [
      'its own bytes',
      'HTTP/1.1 200 OK\r\n\r\nHELLO',
      /^Error: unexpected 5 bytes of buffered data from CONNECT proxy "/,
    ],
    [
      'an answer that breaks off',
      'HTTP/1.1 200',
      /^Error: reading HTTP response from CONNECT to node:10250 via proxy \S+ failed: /,
    ],
    [
      'no HTTP',
      'SSH-2.0-OpenSSH\r\n',
      /^Error: reading HTTP response from CONNECT to node:10250 via proxy \S+ failed: /,
    ],
    [
      'a head of 2 MiB',
      `HTTP/1.1 200 OK\r\na: ${'x'.repeat(2 * 1024 * 1024)}\r\n\r\n`,
      /^Error: reading HTTP response from CONNECT .* failed: /,
    ],
  ]
  for (const [what, answer, text] of answers)
    it(`with ${what} for CONNECT fails the dial`, async () => {
      const socketPath = join(folder.path, `connect-${sockets++}.sock`)
      const instead = (_target: string, client: Duplex): boolean => {
        client.end(answer)
        return true
      }
      const proxy = await startConnectProxy({ socketPath, instead })
      try {
        await assert.rejects((await dialerOf('HTTPConnect', socketPath))(target, never), text)
        assert.deepEqual(
          proxy.heads.map(({ host }) => host),
          ['127.0.0.1'],
        )
        await eventually(() => proxy.open.size === 0, 'no connection is left')
      } finally {
        await proxy.close()
      }
    })

  it('that never answers CONNECT is given up after 30 s', async () => {
    const socketPath = join(folder.path, `connect-${sockets++}.sock`)
    const proxy = await startConnectProxy({ socketPath, instead: () => true })
    const dialled = (await dialerOf('HTTPConnect', socketPath))(target, never)
    await eventually(() => proxy.dialled.length === 1, 'the proxy has the request')
    clock.advance(30_000)
    await assert.rejects(dialled, /^Error: dial tcp node:10250: i\/o timeout$/)
    await eventually(() => proxy.open.size === 0, 'no connection is left')
    await proxy.close()
  })
})

/** Resolves when it is closed, by an error or without one. */
function closed(socket: Duplex): Promise<void> {
  return new Promise((done) => socket.on('error', () => {}).once('close', done))
}

async function textOf(socket: Duplex): Promise<string> {
  let text = ''
  for await (const chunk of socket as AsyncIterable<Buffer>) text += chunk.toString()
  return text
}
