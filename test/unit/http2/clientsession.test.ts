import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  ClientSession,
  type ClientStreamSink,
  defaultWindowBytes,
  encodeHeaders,
  errorCodes,
  flags,
  frameHeadBytes,
  frameOf,
  frames,
  goAway,
  ProtocolError,
  resetFrame,
  type StreamError,
  settings,
  settingsFrame,
  windowMax,
  windowUpdate,
} from '../../../lib/http2/index.ts'
import { withCode } from './headerlist.ts'

const none = Buffer.alloc(0)
const block = encodeHeaders([[':method', 'GET']])
const ok = encodeHeaders([[':status', '200']])
const ended = flags.endStream
const headers = (id: number, flag = 0, of = ok): Buffer => frameOf(frames.headers, flags.endHeaders | flag, id, of)
const data = (id: number, bytes: number | Buffer, flag = 0): Buffer =>
  frameOf(frames.data, flag, id, typeof bytes === 'number' ? Buffer.alloc(bytes) : bytes)
const settled = settingsFrame([[settings.maxConcurrentStreams, 2]])
const windowBytes = 4 << 20
const connectionWindowBytes = 64 << 20

/** A session, what it has sent since the last look (type, flag, stream, bytes), and what its requests got. */
class Subject {
  readonly session: ClientSession
  readonly got: string[] = []
  #sent: string[] = []
  left: string | undefined
  isReady = false

  constructor(first: Buffer = settled) {
    this.session = new ClientSession({
      send: (bytes) => this.#sent.push(Buffer.from(bytes).toString('hex')),
      onReady: () => (this.isReady = true),
      onLeave: (reason) => (this.left = reason),
    })
    this.session.begin()
    if (first.length > 0) this.session.receive(first)
    this.sent()
  }

  sent(): string[] {
    const bytes = Buffer.from(this.#sent.join(''), 'hex')
    this.#sent = []
    const lines: string[] = []
    for (let at = 0; at < bytes.length; ) {
      const length = bytes.readUIntBE(at, 3)
      lines.push(`${bytes[at + 3]} ${bytes[at + 4]} ${bytes.readUInt32BE(at + 5)} ${length}`)
      at += frameHeadBytes + length
    }
    return lines
  }

  open(name: string, body: Uint8Array = none): ReturnType<ClientSession['open']> {
    const sink: ClientStreamSink = {
      onHead: (status) => this.got.push(`${name} ${status}`),
      onData: (chunk) => this.got.push(`${name} ${chunk.length} bytes`),
      onEnd: (error) => this.got.push(`${name} ${error ? textOf(error) : 'complete'}`),
    }
    return this.session.open(block, body, sink)
  }

  receive(...chunks: readonly Buffer[]): void {
    for (const chunk of chunks) this.session.receive(chunk)
  }
}

const textOf = ({ isUnprocessed, message }: StreamError): string => `${isUnprocessed ? 'unprocessed: ' : ''}${message}`

describe("a client's HTTP/2 session", () => {
  it('opens with the preface, its settings and the window of the connection', () => {
    const sent: Uint8Array[] = []
    const session = new ClientSession({ send: (bytes) => sent.push(bytes), onReady() {}, onLeave() {} })
    session.begin()
    const bytes = Buffer.concat(sent)
    assert.equal(bytes.toString('latin1', 0, 24), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
    assert.ok(bytes.includes(windowUpdate(0, connectionWindowBytes - defaultWindowBytes)))
  })

  it('answers many requests in any order', () => {
    const subject = new Subject()
    subject.open('a')
    subject.open('b')
    assert.deepEqual(subject.sent(), ['1 5 1 1', '1 5 3 1'])
    subject.receive(headers(3), headers(1), data(3, 5), data(1, 2, ended), data(3, 1, ended))
    assert.deepEqual(subject.got, ['b 200', 'a 200', 'b 5 bytes', 'a 2 bytes', 'a complete', 'b 1 bytes', 'b complete'])
    assert.equal(subject.session.inFlight, 0)
  })

  it('lets requests wait beyond the number that the server allows, and opens them as others end', () => {
    const subject = new Subject()
    subject.open('a')
    assert.equal(subject.session.hasRoom, true)
    subject.open('b')
    assert.equal(subject.session.hasRoom, false)
    subject.open('c')
    assert.equal(subject.sent().length, 2)
    subject.receive(headers(1, ended))
    assert.deepEqual(subject.sent(), ['1 5 5 1'])
  })

  it('splits headers that are longer than a frame', () => {
    const subject = new Subject()
    subject.session.open(Buffer.alloc(40_000, 0x82), none, { onHead() {}, onData() {}, onEnd() {} })
    assert.deepEqual(subject.sent(), ['1 1 1 16384', '9 0 1 16384', '9 4 1 7232'])
  })

  it('sends a body as far as the windows of the stream and the connection go', () => {
    const subject = new Subject(settingsFrame([[settings.initialWindowSize, 10]]))
    subject.open('a', Buffer.alloc(25))
    assert.deepEqual(subject.sent(), ['1 4 1 1', '0 0 1 10'])
    subject.receive(windowUpdate(1, 10))
    assert.deepEqual(subject.sent(), ['0 0 1 10'])
    // A smaller window than what has been sent: nothing goes until it is positive again.
    subject.receive(settingsFrame([[settings.initialWindowSize, 3]]), windowUpdate(1, 7))
    assert.deepEqual(subject.sent(), ['4 1 0 0'])
    subject.receive(windowUpdate(1, 100))
    assert.deepEqual(subject.sent(), ['0 1 1 5'])
  })

  it('resets a request that is cancelled, which gets nothing more', () => {
    const subject = new Subject()
    const stream = subject.open('a')
    subject.receive(headers(1))
    subject.sent()
    subject.session.cancel(stream)
    subject.session.cancel(stream)
    assert.deepEqual(subject.sent(), ['3 0 1 4'])
    subject.receive(data(1, 5), headers(1, ended), resetFrame(1, errorCodes.cancel))
    assert.deepEqual(subject.got, ['a 200'])
  })

  it('reports whether a request that the server reset may be sent again', () => {
    const subject = new Subject()
    subject.open('a')
    subject.open('b')
    subject.receive(resetFrame(1, errorCodes.refusedStream), resetFrame(3, errorCodes.http11Required))
    assert.deepEqual(subject.got, [
      'a unprocessed: stream error: stream ID 1; REFUSED_STREAM; received from peer',
      'b stream error: stream ID 3; HTTP_1_1_REQUIRED; received from peer',
    ])
  })

  it('goes on with the requests that a GOAWAY includes, and returns the others', () => {
    const subject = new Subject()
    for (const name of ['a', 'b', 'c']) subject.open(name)
    subject.receive(goAway(1, errorCodes.noError))
    assert.deepEqual(subject.got, [
      'c unprocessed: the server is going away',
      'b unprocessed: the server is going away',
    ])
    assert.equal(subject.left, 'the server is going away')
    assert.throws(() => subject.open('d'), { name: 'StreamError', isUnprocessed: true })
    subject.receive(headers(1, ended))
    assert.equal(subject.got.at(-1), 'a complete')
  })

  it('fails its requests when the connection ends: those that were sent may have been processed', () => {
    const subject = new Subject()
    for (const name of ['a', 'b', 'c']) subject.open(name)
    subject.session.end('EOF')
    subject.session.end('again')
    assert.deepEqual(subject.got, ['a EOF', 'b EOF', 'c unprocessed: EOF'])
  })

  it('refuses answers that make no sense, one by one', () => {
    const interim = encodeHeaders([[':status', '103']])
    for (const [answer, why] of [
      [headers(1, 0, encodeHeaders([['a', 'b']])), 'the answer has no status'],
      [headers(1, ended, interim), 'an interim answer ends the stream'],
      [Buffer.concat([headers(1), headers(1)]), 'a second head'],
      [data(1, 1), 'a body without a head'],
      [windowUpdate(1, windowMax), 'a window overflows'],
    ] as const) {
      const subject = new Subject()
      subject.open('a')
      subject.open('b')
      subject.sent()
      subject.receive(headers(1, 0, interim), answer, headers(3, ended))
      assert.equal(
        subject.got.find((line) => line.startsWith('a') && line !== 'a 200'),
        `a ${why}`,
      )
      assert.equal(subject.got.at(-1), 'b complete')
      assert.deepEqual(subject.sent(), ['3 0 1 4'])
    }
  })

  it('gives the server a window again when half of it has been read', () => {
    const subject = new Subject()
    subject.open('a')
    subject.receive(headers(1))
    subject.sent()
    const frame = 16_384
    for (let bytes = 0; bytes < connectionWindowBytes / 2; bytes += frame) {
      subject.receive(data(1, frame))
      const isStreamHalf = (bytes + frame) % (windowBytes / 2) === 0
      const isHalf = bytes + frame === connectionWindowBytes / 2
      assert.deepEqual(subject.sent(), [...(isHalf ? ['8 0 0 4'] : []), ...(isStreamHalf ? ['8 0 1 4'] : [])])
    }
  })

  it('ends the connection at violations of the protocol', () => {
    for (const [frame, code] of [
      [data(7, 1), errorCodes.protocolError],
      [data(2, 1), errorCodes.protocolError],
      [resetFrame(9, 0), errorCodes.protocolError],
      [frameOf(frames.reset, 0, 1, Buffer.alloc(3)), errorCodes.frameSizeError],
      [frameOf(frames.ping, 0, 0, Buffer.alloc(7)), errorCodes.frameSizeError],
      [frameOf(frames.goAway, 0, 0, Buffer.alloc(7)), errorCodes.frameSizeError],
      [frameOf(frames.settings, 0, 0, Buffer.alloc(5)), errorCodes.frameSizeError],
      [frameOf(frames.settings, 0, 1, none), errorCodes.protocolError],
      [settingsFrame([[settings.initialWindowSize, 2 ** 31]]), errorCodes.flowControlError],
      [windowUpdate(0, windowMax), errorCodes.flowControlError],
      [frameOf(frames.pushPromise, 0, 1, Buffer.alloc(4)), errorCodes.protocolError],
      [headers(1, 0, Buffer.from([0xff])), errorCodes.compressionError],
    ] as const) {
      const subject = new Subject()
      subject.open('a')
      subject.sent()
      assert.throws(() => subject.receive(frame), withCode(code), frame.toString('hex'))
      assert.equal(subject.sent()[0], '7 0 0 8')
    }
  })

  it('refuses headers that never end', () => {
    const subject = new Subject()
    subject.open('a')
    subject.receive(frameOf(frames.headers, 0, 1, ok))
    const more = frameOf(frames.continuation, 0, 1, Buffer.alloc(16_384))
    assert.throws(() => {
      for (let frame = 0; frame < 1000; frame++) subject.receive(more)
    }, withCode(errorCodes.enhanceYourCalm))
  })

  it('survives any bytes: it reads them, or throws a ProtocolError', () => {
    const frame = fc
      .tuple(
        fc.integer({ min: 0, max: 12 }),
        fc.integer({ min: 0, max: 255 }),
        fc.constantFrom(0, 1, 3, 5),
        fc.uint8Array({ maxLength: 20 }),
      )
      .map(([type, flag, id, payload]) => frameOf(type, flag, id, payload))
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 20 }), (list) => {
        const subject = new Subject()
        subject.open('a')
        subject.open('b', Buffer.alloc(100_000))
        try {
          for (const each of list) subject.receive(each)
        } catch (error) {
          assert.ok(error instanceof ProtocolError)
        }
        subject.session.end('over')
        // Each request ended exactly once.
        for (const name of ['a', 'b'])
          assert.equal(subject.got.filter((line) => line.startsWith(name) && !/ (\d+|\d+ bytes)$/.test(line)).length, 1)
      }),
      { numRuns: 300 },
    )
  })
})
