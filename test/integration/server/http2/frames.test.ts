import assert from 'node:assert/strict'
import type { Call } from '../../../../lib/request/index.ts'
import { serving, small } from '../support.ts'
import { assertOneOf, connecting, connectionError, errorOf, type FrameClient, malformed } from './frameclient.ts'
import * as f from './frames.ts'
import { literal, requestBlock } from './headerblock.ts'

const zeros = (bytes: number): Buffer => Buffer.alloc(bytes)

/** Sent on a connection on which stream 1 is open, and its body awaited. */
interface Wrong {
  readonly what: string
  readonly frames: Buffer | ((client: FrameClient) => Buffer)
  readonly verdict: readonly string[]
}

const onWrongStream: Wrong[] = [
  { what: 'DATA on stream 0', frames: f.frame(f.data, 0, 0, zeros(3)), verdict: connectionError('PROTOCOL_ERROR') },
  {
    what: 'HEADERS on stream 0',
    frames: f.frame(f.headers, 5, 0, requestBlock()),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'PRIORITY on stream 0',
    frames: f.frame(f.priority, 0, 0, zeros(5)),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'RST_STREAM on stream 0',
    frames: f.frame(f.rstStream, 0, 0, zeros(4)),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  { what: 'SETTINGS on a stream', frames: f.frame(f.settings, 0, 1), verdict: connectionError('PROTOCOL_ERROR') },
  {
    what: 'an acknowledgement of SETTINGS on a stream',
    frames: f.frame(f.settings, f.ack, 1),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  { what: 'PING on a stream', frames: f.frame(f.ping, 0, 1, zeros(8)), verdict: connectionError('PROTOCOL_ERROR') },
  { what: 'GOAWAY on a stream', frames: f.frame(f.goaway, 0, 1, zeros(8)), verdict: connectionError('PROTOCOL_ERROR') },
  {
    what: 'CONTINUATION on stream 0',
    frames: f.frame(f.continuation, f.endHeaders, 0, requestBlock()),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'CONTINUATION behind nothing',
    frames: f.frame(f.continuation, f.endHeaders, 1, requestBlock()),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'CONTINUATION behind a complete header block',
    frames: Buffer.concat([
      f.frame(f.headers, 5, 3, requestBlock()),
      f.frame(f.continuation, f.endHeaders, 3, literal('a', 'b')),
    ]),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'PUSH_PROMISE of a client',
    frames: f.frame(f.pushPromise, f.endHeaders, 1, Buffer.concat([f.uint32(2), requestBlock()])),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
]

const sized = connectionError('FRAME_SIZE_ERROR')
/** Too short for the fields that its flags announce: a wrong size, or fields that contradict each other. */
const contradictory = connectionError('FRAME_SIZE_ERROR', 'PROTOCOL_ERROR')
const ofWrongLength: Wrong[] = [
  ...[3, 5, 0].map((bytes) => ({
    what: `RST_STREAM of ${bytes} bytes`,
    frames: f.frame(f.rstStream, 0, 1, zeros(bytes)),
    verdict: sized,
  })),
  ...[4, 6, 0].map((bytes) => ({
    what: `PRIORITY of ${bytes} bytes`,
    frames: f.frame(f.priority, 0, 1, zeros(bytes)),
    verdict: errorOf('FRAME_SIZE_ERROR'),
  })),
  ...[1, 5, 7].map((bytes) => ({
    what: `SETTINGS of ${bytes} bytes`,
    frames: f.frame(f.settings, 0, 0, zeros(bytes)),
    verdict: sized,
  })),
  {
    what: 'an acknowledgement of SETTINGS with a payload',
    frames: f.frame(f.settings, f.ack, 0, zeros(6)),
    verdict: sized,
  },
  ...[0, 7, 9].map((bytes) => ({
    what: `PING of ${bytes} bytes`,
    frames: f.frame(f.ping, 0, 0, zeros(bytes)),
    verdict: sized,
  })),
  ...[0, 7].map((bytes) => ({
    what: `GOAWAY of ${bytes} bytes`,
    frames: f.frame(f.goaway, 0, 0, zeros(bytes)),
    verdict: sized,
  })),
  ...[0, 1].flatMap((id) =>
    [0, 3, 5].map((bytes) => ({
      what: `WINDOW_UPDATE of ${bytes} bytes ${id === 0 ? 'for the connection' : 'for a stream'}`,
      frames: f.frame(f.windowUpdate, 0, id, zeros(bytes)),
      verdict: sized,
    })),
  ),
  {
    what: 'HEADERS too short for their priority',
    frames: f.frame(f.headers, 5 | f.prioritized, 3, zeros(4)),
    verdict: contradictory,
  },
  {
    what: 'padded HEADERS of nothing',
    frames: f.frame(f.headers, 5 | f.padded, 3),
    verdict: contradictory,
  },
  { what: 'padded DATA of nothing', frames: f.frame(f.data, f.padded, 1), verdict: contradictory },
  {
    what: 'DATA whose padding is as long as all of it',
    frames: f.frame(f.data, f.padded, 1, Buffer.concat([Buffer.from([10]), zeros(9)])),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'DATA whose padding is longer than all of it',
    frames: f.frame(f.data, f.padded, 1, Buffer.concat([Buffer.from([255]), zeros(9)])),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'HEADERS whose padding is longer than all of them',
    frames: f.frame(f.headers, 5 | f.padded, 3, Buffer.concat([Buffer.from([200]), requestBlock()])),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'HEADERS whose padding leaves no room for the priority',
    frames: f.frame(f.headers, 5 | f.padded | f.prioritized, 3, Buffer.concat([Buffer.from([8]), zeros(10)])),
    verdict: contradictory,
  },
  ...Object.entries({
    DATA: [f.data, 0, 1],
    HEADERS: [f.headers, 5, 3],
    SETTINGS: [f.settings, 0, 0],
    PING: [f.ping, 0, 0],
    GOAWAY: [f.goaway, 0, 0],
    'an unknown frame': [0x77, 0, 0],
    'an unknown frame on a stream': [0x77, 0, 1],
  } as const).map(([name, [type, flags, id]]) => ({
    what: `${name} larger than the server takes`,
    frames: ({ serverSettings }: FrameClient) =>
      f.frame(type, flags, id, zeros((serverSettings.get(f.maxFrameSize) ?? 16_384) + 6 * 64)),
    verdict: type === f.data ? errorOf('FRAME_SIZE_ERROR') : sized,
  })),
  {
    what: 'CONTINUATION larger than the server takes',
    frames: ({ serverSettings }) =>
      Buffer.concat([
        f.frame(f.headers, f.endStream, 3, requestBlock()),
        f.frame(f.continuation, 0, 3, literal('a', 'b'.repeat(serverSettings.get(f.maxFrameSize) ?? 16_384))),
      ]),
    verdict: sized,
  },
  {
    what: 'the head of a frame of 16 MiB, before there is more of it',
    frames: Buffer.from([0xff, 0xff, 0xff, f.data, 0, 0, 0, 0, 1]),
    verdict: errorOf('FRAME_SIZE_ERROR'),
  },
]

const ofWrongValue: Wrong[] = [
  ...(
    [
      [f.enablePush, 2, 'PROTOCOL_ERROR'],
      [f.initialWindowSize, 2 ** 31, 'FLOW_CONTROL_ERROR'],
      [f.initialWindowSize, 2 ** 32 - 1, 'FLOW_CONTROL_ERROR'],
      [f.maxFrameSize, 16_383, 'PROTOCOL_ERROR'],
      [f.maxFrameSize, 0, 'PROTOCOL_ERROR'],
      [f.maxFrameSize, 2 ** 24, 'PROTOCOL_ERROR'],
    ] as const
  ).map(([setting, value, code]) => ({
    what: `setting ${setting} of ${value}`,
    frames: f.frame(f.settings, 0, 0, f.settingsPayload([[setting, value]])),
    verdict: connectionError(code),
  })),
  {
    what: 'WINDOW_UPDATE of 0 for the connection',
    frames: f.frame(f.windowUpdate, 0, 0, f.uint32(0)),
    verdict: connectionError('PROTOCOL_ERROR'),
  },
  {
    what: 'WINDOW_UPDATE of 0 for a stream',
    frames: f.frame(f.windowUpdate, 0, 1, f.uint32(0)),
    verdict: errorOf('PROTOCOL_ERROR'),
  },
  {
    what: 'WINDOW_UPDATE of 0 beside the reserved bit',
    frames: f.frame(f.windowUpdate, 0, 1, f.uint32(2 ** 31)),
    verdict: errorOf('PROTOCOL_ERROR'),
  },
  {
    what: 'WINDOW_UPDATE beyond the greatest window of the connection',
    frames: f.frame(f.windowUpdate, 0, 0, f.uint32(f.greatest)),
    verdict: connectionError('FLOW_CONTROL_ERROR'),
  },
  {
    what: 'WINDOW_UPDATE beyond the greatest window of a stream',
    frames: f.frame(f.windowUpdate, 0, 1, f.uint32(f.greatest)),
    verdict: errorOf('FLOW_CONTROL_ERROR'),
  },
  {
    what: 'an initial window that takes the window of a stream beyond the greatest',
    frames: Buffer.concat([
      f.frame(f.windowUpdate, 0, 1, f.uint32(f.greatest - 65_535)),
      f.frame(f.settings, 0, 0, f.settingsPayload([[f.initialWindowSize, 65_536]])),
    ]),
    verdict: connectionError('FLOW_CONTROL_ERROR'),
  },
]

const unobjectionable: { what: string; frames: Buffer }[] = [
  ...[0x0a, 0x0b, 0x10, 0x77, 0xff].flatMap((type) => [
    { what: `a frame of type ${type} on stream 0`, frames: f.frame(type, 0xff, 0, zeros(16)) },
    { what: `a frame of type ${type} on an open stream`, frames: f.frame(type, 0xff, 1, zeros(16)) },
  ]),
  { what: 'an unknown frame on an idle stream', frames: f.frame(0x77, 0, 99, zeros(16)) },
  { what: 'an unknown frame of nothing', frames: f.frame(0x77, 0, 0) },
  { what: 'an unknown frame of 16384 bytes', frames: f.frame(0x77, 0, 0, zeros(16_384)) },
  { what: 'unknown flags of DATA', frames: f.frame(f.data, 0xf6, 1, zeros(1)) },
  { what: 'unknown flags of SETTINGS', frames: f.frame(f.settings, 0xfe, 0) },
  { what: 'unknown flags of WINDOW_UPDATE', frames: f.frame(f.windowUpdate, 0xff, 1, f.uint32(1)) },
  { what: 'unknown flags of PRIORITY', frames: f.frame(f.priority, 0xff, 1, zeros(5)) },
  { what: 'the reserved bit of a stream', frames: f.frame(f.data, 0, 2 ** 31 + 1, zeros(1)) },
  { what: 'the reserved bit of an increment', frames: f.frame(f.windowUpdate, 0, 1, f.uint32(2 ** 31 + 1)) },
  { what: 'PRIORITY of an open stream', frames: f.frame(f.priority, 0, 1, Buffer.from([0, 0, 0, 0, 15])) },
  { what: 'PRIORITY of an idle stream', frames: f.frame(f.priority, 0, 101, Buffer.from([0x80, 0, 0, 1, 255])) },
  {
    what: 'unknown settings',
    frames: f.frame(
      f.settings,
      0,
      0,
      f.settingsPayload([
        [0x99, 2 ** 32 - 1],
        [0, 0],
      ]),
    ),
  },
  {
    what: 'settings within their ranges',
    frames: f.frame(
      f.settings,
      0,
      0,
      f.settingsPayload([
        [f.headerTableSize, 0],
        [f.enablePush, 0],
        [f.maxConcurrentStreams, 0],
        [f.initialWindowSize, f.greatest],
        [f.maxFrameSize, 2 ** 24 - 1],
        [6, 1_000_000],
      ]),
    ),
  },
  {
    what: 'the same setting twice',
    frames: f.frame(
      f.settings,
      0,
      0,
      f.settingsPayload([
        [4, 1],
        [4, 70_000],
      ]),
    ),
  },
  { what: 'the answer to a PING that nobody sent', frames: f.frame(f.ping, f.ack, 0, zeros(8)) },
  { what: 'DATA of nothing', frames: f.frame(f.data, 0, 1) },
  { what: 'padded DATA', frames: f.frame(f.data, f.padded, 1, f.padding(Buffer.from('x'), 20)) },
  { what: 'DATA that is all padding', frames: f.frame(f.data, f.padded, 1, f.padding(f.nothing, 255)) },
  { what: 'DATA with padding of no bytes', frames: f.frame(f.data, f.padded, 1, f.padding(Buffer.from('x'), 0)) },
]

describe('HTTP/2: frames', () => {
  const listen = serving()
  const open = connecting()

  const readAndAnswer = async (call: Call): Promise<void> => {
    await call.body()
    await call.responder.send(200, {}, small)
  }

  for (const { what, frames, verdict } of [...onWrongStream, ...ofWrongLength, ...ofWrongValue])
    it(`a frame is refused: ${what}`, async () => {
      const client = await open(await listen(readAndAnswer), { settings: [], connectionWindow: 1 })
      client.request(1, { method: 'POST' }, false)
      client.write(typeof frames === 'function' ? frames(client) : frames)
      assertOneOf(await client.outcome(1), verdict)
    })

  for (const { what, frames } of unobjectionable)
    it(`accepted: ${what}`, async () => {
      const client = await open(await listen(readAndAnswer), { settings: [], connectionWindow: 1 })
      client.request(1, { method: 'POST' }, false)
      await client.settled()
      client.frames.length = 0
      client.write(frames)
      assert.equal(await client.outcome(1), 'alive')
      const answers = client.frames.filter(({ type, flags }) => type !== f.windowUpdate && !(type === 4 && flags === 1))
      assert.deepEqual(answers, [])
      client.data(1, f.nothing, true)
      client.request(3)
      assert.deepEqual([await client.verdict(1), await client.verdict(3)], ['answer 200', 'answer 200'])
    })

  const blocks: { what: string; flags: number; payload: Buffer; verdict: readonly string[] }[] = [
    { what: 'padding', flags: f.padded, payload: f.padding(requestBlock(), 40), verdict: ['answer 200'] },
    { what: 'padding of no bytes', flags: f.padded, payload: f.padding(requestBlock(), 0), verdict: ['answer 200'] },
    {
      what: 'a priority',
      flags: f.prioritized,
      payload: Buffer.concat([f.uint32(2 ** 31), Buffer.from([200]), requestBlock()]),
      verdict: ['answer 200'],
    },
    {
      what: 'padding and a priority',
      flags: f.padded | f.prioritized,
      payload: f.padding(Buffer.concat([f.uint32(0), Buffer.from([1]), requestBlock()]), 9),
      verdict: ['answer 200'],
    },
    { what: 'unknown flags', flags: 0xd2, payload: requestBlock(), verdict: ['answer 200'] },
    {
      what: 'padding and nothing else',
      flags: f.padded,
      payload: f.padding(f.nothing, 100),
      verdict: malformed,
    },
    {
      // An error before RFC 9113, and of no consequence since.
      what: 'a priority that depends on itself',
      flags: f.prioritized,
      payload: Buffer.concat([f.uint32(1), Buffer.from([200]), requestBlock()]),
      verdict: ['answer 200', ...errorOf('PROTOCOL_ERROR')],
    },
  ]
  for (const { what, flags, payload, verdict } of blocks)
    it(`HEADERS with ${what}: ${verdict[0]}`, async () => {
      const client = await open(await listen())
      client.send(f.headers, f.endHeaders | f.endStream | flags, 1, payload)
      assertOneOf(await client.verdict(1), verdict)
    })

  it('PRIORITY that depends on its own stream is harmless', async () => {
    const client = await open(await listen(readAndAnswer))
    client.request(1, { method: 'POST' }, false)
    client.send(f.priority, 0, 1, Buffer.from([0, 0, 0, 1, 1]))
    assertOneOf(await client.outcome(1), ['alive', ...errorOf('PROTOCOL_ERROR')])
  })

  it('an unsolicited acknowledgement of SETTINGS is harmless', async () => {
    const client = await open(await listen())
    client.send(f.settings, f.ack, 0)
    assertOneOf(await client.outcome(), ['alive', 'connection PROTOCOL_ERROR'])
  })

  it('the padding is no part of a body', async () => {
    const port = await listen(async (call) => call.responder.send(200, {}, await call.body()))
    const client = await open(port)
    client.request(1, { method: 'POST' }, false)
    client.send(f.data, f.padded, 1, f.padding(Buffer.from('one '), 255))
    client.send(f.data, f.padded, 1, f.padding(f.nothing, 7))
    client.send(f.data, f.padded | f.endStream, 1, f.padding(Buffer.from('two'), 1))
    assert.equal((await client.answer(1)).body.toString(), 'one two')
  })

  it('a PING is answered with its own 8 bytes, whatever its unknown flags; its answers are not', async () => {
    const client = await open(await listen())
    client.frames.length = 0
    client.send(f.ping, f.ack, 0, Buffer.from('no reply'))
    client.send(f.ping, 0xfe, 0, Buffer.from('\u0000\u0001reply!'))
    const first = await client.next(({ type }) => type === f.ping, 'an answer to PING')
    assert.deepEqual([first.flags, first.payload.toString()], [f.ack, '\u0000\u0001reply!'])
    await client.settled()
    assert.deepEqual(client.frames, [])
  })

  it('GOAWAY of a client lets open streams finish', async () => {
    const goOn = Promise.withResolvers<void>()
    const port = await listen(async (call) => {
      await goOn.promise
      await call.responder.send(200, {}, Buffer.alloc(200_000, 7))
    })
    const client = await open(port)
    client.request(1)
    client.request(3, { method: 'POST' }, false)
    client.send(f.goaway, 0, 0, Buffer.concat([f.uint32(0), f.uint32(0), Buffer.from('thanks')]))
    client.data(3, Buffer.from('more'), true)
    const pongs = [client.ping(), client.ping()]
    await client.until(() => pongs.every((pong) => pong()) || client.closed, 'answers to PING')
    goOn.resolve()
    for (const id of [1, 3]) assert.deepEqual((await client.answer(id)).body, Buffer.alloc(200_000, 7))
  })
})
