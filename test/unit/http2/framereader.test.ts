import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  errorCodes,
  type FrameHandler,
  FrameReader,
  flags,
  frameBytesMax,
  frameOf,
  frames,
  ProtocolError,
  settingsAck,
} from '../../../lib/http2/index.ts'
import { withCode } from './headerlist.ts'

/** Records a reader's calls, a line each. */
class Record implements FrameHandler {
  readonly lines: string[] = []

  onFrame(type: number, flag: number, id: number, payload: Buffer): void {
    this.lines.push(`frame ${type} ${flag} ${id} ${payload.toString('hex')}`)
  }

  onHeaderBlock(id: number, flag: number, block: Buffer): void {
    this.lines.push(`headers ${flag} ${id} ${block.toString('hex')}`)
  }
}

function read(...chunks: readonly Buffer[]): readonly string[] {
  const record = new Record()
  const reader = new FrameReader(record)
  for (const chunk of chunks) reader.push(chunk)
  return record.lines
}

const bytes = (maxLength: number): fc.Arbitrary<Buffer> =>
  fc.uint8Array({ maxLength }).map((array) => Buffer.from(array))
const streamId = fc.integer({ min: 1, max: 2 ** 31 - 1 })

/** A frame of any type except those of headers, and the expected call. */
const plainFrame = fc
  .tuple(
    fc.nat(255).filter((type) => type !== frames.headers && type !== frames.continuation),
    fc.nat(255),
    fc.oneof(streamId, fc.constant(0)),
    fc.oneof(
      bytes(40),
      fc.integer({ min: 0, max: frameBytesMax }).map((length) => Buffer.alloc(length, length)),
    ),
  )
  .map(([type, flag, id, payload]) => ({
    bytes: frameOf(type, flag, id, payload),
    line: `frame ${type} ${flag} ${id} ${payload.toString('hex')}`,
  }))

/** A header block in any number of frames, with or without padding and priority, and the expected call. */
const headerFrames = fc
  .record({
    id: streamId,
    parts: fc.array(bytes(60), { minLength: 1, maxLength: 4 }),
    endStream: fc.boolean(),
    priority: fc.option(fc.uint8Array({ minLength: 5, maxLength: 5 })),
    padding: fc.option(fc.nat(255)),
  })
  .map(({ id, parts: [head = Buffer.alloc(0), ...rest], endStream, priority, padding }) => {
    const flag =
      (endStream ? flags.endStream : 0) |
      (priority ? flags.priority : 0) |
      (padding === null ? 0 : flags.padded) |
      (rest.length === 0 ? flags.endHeaders : 0)
    const payload = Buffer.concat([
      Buffer.from(padding === null ? [] : [padding]),
      priority ?? Buffer.alloc(0),
      head,
      Buffer.alloc(padding ?? 0),
    ])
    const continuations = rest.map((part, index) =>
      frameOf(frames.continuation, index === rest.length - 1 ? flags.endHeaders : 0, id, part),
    )
    return {
      bytes: Buffer.concat([frameOf(frames.headers, flag, id, payload), ...continuations]),
      line: `headers ${flag} ${id} ${Buffer.concat([head, ...rest]).toString('hex')}`,
    }
  })

function cut(input: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => place % (input.length + 1)), input.length].sort((a, b) => a - b)
  return ends.map((end, index) => Buffer.from(input.subarray(ends[index - 1] ?? 0, end)))
}

describe('a frame reader', () => {
  it('reads the same frames however they are cut', () => {
    const sent = fc.array(fc.oneof(plainFrame, headerFrames), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(sent, fc.array(fc.nat(), { maxLength: 20 }), (frameList, places) => {
        const input = Buffer.concat(frameList.map((frame) => frame.bytes))
        const lines = frameList.map((frame) => frame.line)
        assert.deepEqual(read(input), lines)
        assert.deepEqual(read(...cut(input, places)), lines)
      }),
      { numRuns: 500 },
    )
  })

  it('reads the same frames byte by byte, and when headers have begun', () => {
    const input = Buffer.concat([
      frameOf(frames.headers, 0, 1, Buffer.from('ab')),
      frameOf(frames.continuation, flags.endHeaders, 1, Buffer.from('c')),
      settingsAck,
    ])
    const record = new Record()
    const reader = new FrameReader(record)
    const states: boolean[] = []
    for (const byte of input) {
      reader.push(Buffer.of(byte))
      states.push(reader.amidHeaders)
    }
    const times = (count: number, state: boolean): boolean[] => Array.from({ length: count }, () => state)
    // Of the acknowledgement, too, until its type has come.
    assert.deepEqual(states, [...times(20, true), false, ...times(3, true), ...times(6, false)])
    assert.deepEqual(record.lines, [`headers 0 1 ${Buffer.from('abc').toString('hex')}`, 'frame 4 1 0 '])
  })

  it('returns views of the input, without copies', () => {
    const headers = frameOf(frames.headers, flags.endHeaders | flags.padded, 1, Buffer.of(1, 0x82, 0))
    const data = frameOf(frames.data, 0, 1, Buffer.from('abc'))
    const chunk = Buffer.concat([headers, data])
    const seen: Buffer[] = []
    new FrameReader({
      onFrame: (_type, _flag, _id, payload) => void seen.push(payload),
      onHeaderBlock: (_id, _flag, block) => void seen.push(block),
    }).push(chunk)
    assert.deepEqual(
      seen.map((view) => [view.buffer === chunk.buffer, view.byteOffset - chunk.byteOffset, view.length]),
      [
        [true, 10, 1],
        [true, 21, 3],
      ],
    )
  })

  it('keeps nothing of a chunk that may be overwritten after the call', () => {
    const frame = frameOf(frames.headers, 0, 1, Buffer.from('ab'))
    const more = frameOf(frames.continuation, 0, 1, Buffer.from('c'))
    const rest = frameOf(frames.continuation, flags.endHeaders, 1, Buffer.from('d'))
    const record = new Record()
    const reader = new FrameReader(record)
    for (const chunk of [frame, Buffer.concat([more, rest.subarray(0, 4)]), rest.subarray(4)]) {
      reader.push(chunk)
      chunk.fill(0xff)
    }
    assert.deepEqual(record.lines, ['headers 0 1 61626364'])
  })

  it('ignores the reserved bit of a stream', () => {
    const frame = frameOf(frames.data, 0, 1, Buffer.alloc(0))
    frame[5] = 0x80
    assert.deepEqual(read(frame), ['frame 0 0 1 '])
  })

  const { protocolError, frameSizeError, enhanceYourCalm } = errorCodes
  const begun = frameOf(frames.headers, 0, 1, Buffer.from('ab'))
  const refused: readonly (readonly [what: string, code: number, ...sent: Buffer[]])[] = [
    [
      'a frame that is too long, as soon as its head is there',
      frameSizeError,
      Buffer.from('004001000000000001', 'hex'),
    ],
    ['a header block that data interrupts', protocolError, begun, frameOf(frames.data, 0, 1, Buffer.alloc(0))],
    ['a header block that an unknown frame interrupts', protocolError, begun, frameOf(99, 0, 1, Buffer.alloc(0))],
    ['a header block that other headers interrupt', protocolError, begun, begun],
    ['a continuation of another stream', protocolError, begun, frameOf(frames.continuation, 4, 3, Buffer.alloc(0))],
    ['a continuation of nothing', protocolError, frameOf(frames.continuation, flags.endHeaders, 1, Buffer.alloc(0))],
    ['headers of no stream', protocolError, frameOf(frames.headers, flags.endHeaders, 0, Buffer.of(0x82))],
    ['headers too short for the length of padding', frameSizeError, frameOf(frames.headers, 12, 1, Buffer.alloc(0))],
    ['headers too short for a priority', frameSizeError, frameOf(frames.headers, 0x24, 1, Buffer.alloc(4))],
    ['headers too short for both', frameSizeError, frameOf(frames.headers, 0x2c, 1, Buffer.alloc(5))],
    ['headers with more padding than room', protocolError, frameOf(frames.headers, 12, 1, Buffer.of(3, 0x82, 0))],
    ['padding that covers a priority', protocolError, frameOf(frames.headers, 0x2c, 1, Buffer.of(2, 0, 0, 0, 0, 0, 0))],
  ]
  for (const [what, code, ...sent] of refused)
    it(`refuses ${what}`, () => {
      assert.throws(() => read(...sent), withCode(code))
      assert.throws(() => read(...cut(Buffer.concat(sent), [3, 11, 13])), withCode(code))
    })

  it('accepts a frame of the maximum size', () => {
    assert.equal(read(frameOf(frames.data, 0, 1, Buffer.alloc(frameBytesMax))).length, 1)
  })

  it('refuses a header block that is longer than the limit, in one frame or several', () => {
    const blocks = (limit: number, ...parts: readonly number[]): void => {
      const reader = new FrameReader(new Record(), { headerBlockBytesMax: limit })
      for (const [index, length] of parts.entries()) {
        const flag = index === parts.length - 1 ? flags.endHeaders : 0
        reader.push(frameOf(index === 0 ? frames.headers : frames.continuation, flag, 1, Buffer.alloc(length)))
      }
    }
    blocks(100, 100)
    blocks(100, 40, 40, 20)
    assert.throws(() => blocks(100, 101), withCode(enhanceYourCalm))
    assert.throws(() => blocks(100, 40, 40, 21), withCode(enhanceYourCalm))
    blocks(1 << 20, ...Array.from({ length: 64 }, () => frameBytesMax))
    assert.throws(() => blocks(1 << 20, ...Array.from({ length: 65 }, () => frameBytesMax)), withCode(enhanceYourCalm))
  })

  it('refuses a header block in more frames than the limit, empty ones among them', () => {
    for (const [limit, most] of [
      [undefined, 1024],
      [3, 3],
      [0, 0],
    ]) {
      const reader = new FrameReader(new Record(), limit === undefined ? {} : { continuationsMax: limit })
      const next = frameOf(frames.continuation, 0, 1, Buffer.alloc(0))
      reader.push(begun)
      for (let i = 0; i < (most ?? 0); i++) reader.push(next)
      assert.throws(() => reader.push(next), withCode(enhanceYourCalm))
    }
  })

  it('reads nothing after an error, its own or one of its receiver', () => {
    const record = new Record()
    const reader = new FrameReader(record)
    assert.throws(() => reader.push(Buffer.concat([settingsAck, begun, begun, settingsAck])), ProtocolError)
    reader.push(settingsAck)
    assert.equal(record.lines.length, 1)

    let told = 0
    const stop = (): never => {
      told++
      throw new Error('enough')
    }
    const stopped = new FrameReader({ onFrame: stop, onHeaderBlock: stop })
    assert.throws(() => stopped.push(Buffer.concat([settingsAck, settingsAck])), { message: 'enough' })
    stopped.push(settingsAck)
    assert.equal(told, 1)
  })

  it('reads any bytes or throws an error with a code of the protocol', () => {
    // Heads of frames are short ones mostly, so that several are read.
    const head = fc.tuple(fc.nat(20), fc.nat(10), fc.nat(63), fc.nat(2)).map(([length, type, flag, id]) => {
      return Buffer.of(0, 0, length, type, flag, 0, 0, 0, id)
    })
    fc.assert(
      fc.property(fc.array(fc.oneof(head, bytes(20)), { maxLength: 20 }), (parts) => {
        try {
          read(...parts)
        } catch (error) {
          assert.ok(error instanceof ProtocolError, String(error))
        }
      }),
      { numRuns: 3000 },
    )
  })
})
