import assert from 'node:assert/strict'
import {
  constants,
  createServer,
  type Http2Server,
  type ServerHttp2Session,
  type ServerHttp2Stream,
  type ServerOptions,
} from 'node:http2'
import { createSeededRandom } from '../../../lib/base/index.ts'
import type { Channel } from '../../../lib/storage/etcd/channel.ts'
import { connectChannel } from '../../../lib/storage/etcd/connection.ts'
import type { GrpcFailure } from '../../../lib/storage/etcd/failure.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { dependencies } from './kit.ts'

const { clock } = dependencies
const timing = { connectTimeoutMs: 10_000, keepAliveMs: 200, keepAliveTimeoutMs: 10_000 }

interface Outcome {
  messages: Buffer[]
  failure: GrpcFailure | undefined
}

function frame(message: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

function call(channel: Channel, message: Buffer, path = '/test/Echo'): Promise<Outcome> {
  return new Promise((resolve) => {
    const messages: Buffer[] = []
    channel.open(path, frame(message), false, {
      onMessage: (view) => void messages.push(Buffer.from(view)),
      onPart() {},
      onEnd: (failure) => resolve({ messages, failure }),
    })
  })
}

/** Answers with what it was sent, and status 0. */
function echo(stream: ServerHttp2Stream, trailers: Record<string, string> = {}): void {
  const parts: Buffer[] = []
  stream.on('error', () => {})
  stream.on('data', (chunk: Buffer) => void parts.push(chunk))
  stream.on('end', () => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0', ...trailers }))
    stream.end(Buffer.concat(parts))
  })
}

describe("the connection to etcd, with node's HTTP/2 at the other end", function () {
  this.timeout(120_000)
  let server: Http2Server
  let sessions: ServerHttp2Session[]
  let channel: Channel
  let gone: number

  async function start(
    options: ServerOptions,
    onStream: (stream: ServerHttp2Stream, path: string) => void,
  ): Promise<void> {
    sessions = []
    gone = 0
    server = createServer(options)
    server.on('session', (session) => void sessions.push(session.on('error', () => {})))
    server.on('stream', (stream, headers) => onStream(stream as ServerHttp2Stream, String(headers[':path'])))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    channel = await connectChannel(clock, `http://127.0.0.1:${port}`, timing, () => void gone++)
  }

  afterEach(async () => {
    channel.destroy('the test is over')
    for (const session of sessions) session.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  const shapes: [string, ServerOptions][] = [
    ['the defaults', {}],
    ['small windows', { settings: { initialWindowSize: 1000 } }],
    ['padding', { paddingStrategy: constants.PADDING_STRATEGY_MAX }],
    ['large frames taken', { settings: { maxFrameSize: 1 << 20, initialWindowSize: 1 << 20 } }],
    ['two streams at a time', { settings: { maxConcurrentStreams: 2 } }],
  ]
  for (const [name, options] of shapes)
    it(`carries many calls of any size at a time, under ${name}`, async () => {
      await start(options, (stream) => echo(stream))
      const random = createSeededRandom(7)
      const sizes = [0, 1, 4, 5, 16_379, 16_384, 65_535, 65_536, 300_000, 2_000_000]
      for (let i = 0; i < 60; i++) sizes.push(random.below(50_000))
      await Promise.all(
        sizes.map(async (size) => {
          const message = Buffer.from(random.bytes(size))
          const { messages, failure } = await call(channel, message)
          assert.equal(failure, undefined)
          assert.equal(messages.length, 1)
          assert.equal(Buffer.compare(messages[0] ?? Buffer.alloc(0), message), 0, `${size} bytes`)
        }),
      )
      assert.equal(channel.inFlight, 0)
    })

  it('reads headers that come in several frames', async () => {
    const text = 'x'.repeat(30_000)
    await start({ settings: { maxHeaderListSize: 1 << 20 } }, (stream) => {
      stream.on('error', () => {}).resume()
      stream.respond({ ':status': 200, 'grpc-status': '8', 'grpc-message': `too%20much ${text}` }, { endStream: true })
    })
    const { failure } = await call(channel, Buffer.from('a'))
    assert.deepEqual([failure?.code, failure?.message], [8, `too much ${text}`])
  })

  it('distinguishes what was surely not carried out from what may have been', async () => {
    const cases: [string, (stream: ServerHttp2Stream) => void, GrpcFailure['effect']][] = [
      ['/refuse', (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM), 'refused'],
      ['/reset', (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR), 'unknown'],
      ['/http', (stream) => stream.respond({ ':status': 502 }, { endStream: true }), 'unknown'],
      ['/bare', (stream) => stream.respond({ ':status': 200 }, { endStream: true }), 'unknown'],
      ['/gone', (stream) => stream.session?.destroy(), 'unknown'],
    ]
    const byPath = new Map(cases.map(([path, act]) => [path, act]))
    await start({}, (stream, path) => {
      stream.on('error', () => {}).resume()
      byPath.get(path)?.(stream)
    })
    for (const [path, , effect] of cases) {
      const { failure } = await call(channel, Buffer.from('a'), path)
      assert.equal(failure?.effect, effect, path)
    }
    assert.equal(channel.usable, false)
    assert.equal(gone, 1)
  })

  it('finishes calls in progress when the server goes away, and accepts no new ones', async () => {
    const streams: ServerHttp2Stream[] = []
    await start({}, (stream) => void streams.push(stream))
    const first = call(channel, Buffer.from('one'))
    await eventuallyEquals(() => streams.length, 1, 'the call')
    sessions[0]?.goaway(constants.NGHTTP2_NO_ERROR, 1)
    await eventually(() => !channel.usable, 'the goodbye')
    for (const stream of streams) echo(stream)
    const { messages, failure } = await first
    assert.equal(failure, undefined)
    assert.equal(messages[0]?.toString(), 'one')
    assert.equal(gone, 1)
  })

  it('ends a cancelled call at the server, and reports no outcome', async () => {
    let opened = 0
    let closed = 0
    await start({}, (stream) => {
      opened++
      stream.on('error', () => {}).resume()
      stream.on('close', () => void closed++)
    })
    let ended = false
    const sink = { onMessage() {}, onPart() {}, onEnd: () => (ended = true) }
    const exchange = channel.open('/test/Hang', frame(Buffer.from('a')), true, sink)
    await eventuallyEquals(() => opened, 1, 'the call at the server')
    exchange.cancel()
    exchange.cancel()
    await eventuallyEquals(() => closed, 1, 'the end at the server')
    assert.equal(ended, false)
    assert.equal(channel.inFlight, 0)
  })

  it('pings a silent server while calls are under way, and stays as long as it answers', async () => {
    await start({}, (stream) => void stream.on('error', () => {}).resume())
    let pings = 0
    for (const session of sessions) session.on('ping', () => void pings++)
    const pending = call(channel, Buffer.from('a'))
    await eventually(() => {
      channel.check()
      return pings >= 2 || pings
    }, 'a ping after the answer to another')
    assert.ok(channel.usable)
    channel.destroy('enough')
    assert.equal((await pending).failure?.message, 'enough')
  })
})
