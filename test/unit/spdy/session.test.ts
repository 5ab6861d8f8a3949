import assert from 'node:assert/strict'
import { type Duplex, duplexPair } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { createFakeClock } from '../../../lib/base/index.ts'
import { controlFrame, controlTypes, dataHead, numbers } from '../../../lib/spdy/frames.ts'
import { HeaderEncoder } from '../../../lib/spdy/headerblock.ts'
import { SpdySession, type SpdySessionOptions, type SpdyStream } from '../../../lib/spdy/index.ts'

interface Pair {
  readonly clock: ReturnType<typeof createFakeClock>
  readonly client: SpdySession
  readonly server: SpdySession
  readonly sockets: readonly [Duplex, Duplex]
  /** Streams as the server gets them. */
  readonly taken: SpdyStream[]
}

function connect(options: Partial<SpdySessionOptions> = {}, onStream?: (stream: SpdyStream) => void): Pair {
  const clock = createFakeClock()
  const sockets = duplexPair()
  const taken: SpdyStream[] = []
  const common = { clock, streamsMax: 10, pingEveryMs: 0, ...options }
  const take = (stream: SpdyStream): void => {
    taken.push(stream)
    if (onStream) onStream(stream)
    else stream.accept()
  }
  const server = new SpdySession(sockets[1], { ...common, role: 'server', onStream: take })
  const client = new SpdySession(sockets[0], { ...common, role: 'client' })
  return { clock, client, server, sockets, taken }
}

function textOf(stream: Duplex): Promise<string> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((done) => stream.on('end', () => done(Buffer.concat(chunks).toString())))
}

/** A client by hand: what it writes is what the server gets. */
function raw(options: Partial<SpdySessionOptions> = {}): {
  far: Duplex
  server: SpdySession
  taken: SpdyStream[]
  closed: Promise<Error | undefined>
} {
  const [far, near] = duplexPair()
  far.on('error', () => {})
  const taken: SpdyStream[] = []
  const server = new SpdySession(near, {
    clock: createFakeClock(),
    role: 'server',
    streamsMax: 3,
    pingEveryMs: 0,
    onStream: (stream) => {
      taken.push(stream)
      stream.accept()
    },
    ...options,
  })
  const closed = new Promise<Error | undefined>((done) => server.onClose(done))
  return { far, server, taken, closed }
}

const syn = (encoder: HeaderEncoder, id: number, flags = 0): Buffer =>
  controlFrame(
    controlTypes.synStream,
    flags,
    Buffer.concat([numbers(id, 0), Buffer.of(0, 0), encoder.encode({ streamtype: 'x' })]),
  )

describe('a SPDY session', () => {
  it('carries streams with their headers both ways, each with its own end', async () => {
    const { client, taken } = connect()
    const stream = client.open({ streamtype: 'stdin', port: '80' })
    stream.end('question')
    await pause(5)
    const [far] = taken
    assert.ok(far)
    assert.deepEqual({ ...far.headers }, { streamtype: 'stdin', port: '80' })
    assert.equal(await textOf(far), 'question')
    far.end('answer')
    assert.equal(await textOf(stream), 'answer')
  })

  it('sends nothing on a stream before the peer has accepted it', async () => {
    let late: SpdyStream | undefined
    const { client, sockets } = connect({}, (stream) => (late = stream))
    let bytes = 0
    sockets[1].on('data', (chunk: Buffer) => (bytes += chunk.length))
    const stream = client.open({ streamtype: 'stdin' })
    stream.end('x'.repeat(5000))
    await pause(5)
    assert.ok(bytes < 2000, `${bytes} bytes were sent`)
    late?.accept()
    assert.ok(late)
    assert.equal((await textOf(late)).length, 5000)
  })

  it('reads no more from the connection than the slowest of its streams takes', async () => {
    const { client, taken } = connect()
    const stream = client.open({})
    await pause(5)
    let written = 0
    while (written < 100 && stream.write(Buffer.alloc(65_536))) {
      written++
      await pause(1)
    }
    assert.ok(written < 20, `${written} chunks were taken`)
    taken[0]?.resume()
    await new Promise((done) => stream.once('drain', done))
  })

  it('keeps bytes from before a reset, and reports that the stream is incomplete', async () => {
    const { client, taken } = connect()
    const stream = client.open({})
    await pause(5)
    taken[0]?.write('begun')
    await pause(5)
    taken[0]?.destroy()
    assert.equal(await textOf(stream), 'begun')
    assert.ok(stream.isIncomplete)
  })

  it('ends its streams when the connection breaks', async () => {
    const { client, sockets } = connect()
    const stream = client.open({})
    await pause(5)
    sockets[1].destroy()
    sockets[0].destroy()
    assert.equal(await textOf(stream), '')
    assert.ok(stream.isIncomplete)
  })

  it('refuses more streams than it may have, and streams of a side that may open none', async () => {
    const { client, server } = connect({ streamsMax: 2 })
    client.open({})
    client.open({})
    assert.throws(() => client.open({}), /too many streams/)
    const unwanted = server.open.bind(server)
    await pause(5)
    assert.throws(() => unwanted({}), /too many streams/)
    const { client: alone, server: other } = connect()
    const refused = other.open({})
    assert.equal(await textOf(refused), '')
    assert.ok(refused.isIncomplete && alone)
  })

  it('answers pings, and gives up a peer that answers none', async () => {
    const answered = connect({ pingEveryMs: 1000 })
    let error: Error | undefined
    answered.client.onClose((why) => (error = why))
    for (let round = 0; round < 4; round++) {
      answered.clock.advance(1000)
      await pause(5)
    }
    assert.equal(error, undefined)
    const clock = createFakeClock()
    const [near] = duplexPair()
    const lonely = new SpdySession(near, { clock, role: 'client', streamsMax: 1, pingEveryMs: 1000 })
    const closed = new Promise<Error | undefined>((done) => lonely.onClose(done))
    clock.advance(2000)
    assert.match(String(await closed), /does not answer/)
  })

  it('takes frames in pieces of any size', async () => {
    const { far, taken } = raw()
    const encoder = new HeaderEncoder()
    const bytes = Buffer.concat([
      syn(encoder, 1),
      dataHead(1, 0, 3),
      Buffer.from('abc'),
      dataHead(1, 1, 2),
      Buffer.from('de'),
    ])
    for (const byte of bytes) far.write(Buffer.of(byte))
    await pause(10)
    assert.ok(taken[0])
    assert.equal(await textOf(taken[0]), 'abcde')
  })

  const broken: readonly (readonly [string, Buffer])[] = [
    ['of another version', Buffer.from('8002000100000000', 'hex')],
    ['longer than a control frame may be', Buffer.from('8003000100ffffff', 'hex')],
    [
      'with headers that are not compressed',
      controlFrame(1, 0, Buffer.concat([numbers(1, 0), Buffer.from('0000ffffffffffff', 'hex')])),
    ],
    ['too short for its type', controlFrame(1, 0, numbers(1))],
    ['of a ping without a number', controlFrame(6, 0, Buffer.alloc(0))],
    ['that is HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'.replace('H', '\xff'), 'latin1')],
  ]
  for (const [what, bytes] of broken)
    it(`ends at a frame ${what}`, async () => {
      const { far, closed } = raw()
      far.write(bytes)
      assert.match(String(await closed), /does not speak SPDY/)
    })

  it('refuses a stream whose number is not a new one of its peer', async () => {
    const { far, taken } = raw()
    const encoder = new HeaderEncoder()
    far.write(Buffer.concat([syn(encoder, 3), syn(encoder, 1), syn(encoder, 4), syn(encoder, 3), syn(encoder, 5)]))
    await pause(5)
    assert.deepEqual(
      taken.map(({ id }) => id),
      [3, 5],
    )
  })

  it('ignores data of streams that have ended', async () => {
    const { far, taken, server } = raw()
    far.write(Buffer.concat([syn(new HeaderEncoder(), 1, 1), dataHead(1, 0, 1), Buffer.from('x'), dataHead(9, 1, 0)]))
    await pause(5)
    assert.ok(taken[0] && server)
    assert.equal(await textOf(taken[0]), '')
  })

  it('closes although a stream that nobody reads holds the connection', async () => {
    const { client, server, taken } = connect()
    const over = new Promise((done) => server.onClose(done))
    const stream = client.open({ streamtype: 'stdin' })
    for (let written = 0; written < 20; written++) stream.write(Buffer.alloc(50_000))
    await pause(5)
    assert.equal(taken.length, 1)
    server.close()
    assert.equal(await over, undefined)
  })

  it('gives a closed connection up whose peer neither closes it nor reads', async () => {
    const clock = createFakeClock()
    const { far, server, closed } = raw({ clock })
    const stream = server.open({ streamtype: 'stdout' })
    far.write(controlFrame(controlTypes.synReply, 0, Buffer.concat([numbers(2), new HeaderEncoder().encode({})])))
    await pause(5)
    for (let written = 0; written < 20; written++) stream.write(Buffer.alloc(50_000))
    server.close()
    far.write(Buffer.alloc(100, 1))
    await pause(5)
    clock.advance(20_000)
    assert.equal(await closed, undefined)
  })
})
