import assert from 'node:assert/strict'
import type { Call } from '../../../../lib/request/index.ts'
import { serving, small } from '../support.ts'
import { assertOneOf, connecting, connectionError, errorOf, type FrameClient, malformed } from './frameclient.ts'
import * as f from './frames.ts'
import { indexed, literal, newest, remembered, requestBlock } from './headerblock.ts'

const post = { method: 'POST' }

/**
 * What a client does to bring a stream into a state, and what it then sends; the verdict is on `id`. Requests are
 * answered when their body has come; one for `?wait` is not.
 */
interface Step {
  readonly what: string
  readonly first?: (client: FrameClient) => void | Promise<unknown>
  readonly act: (client: FrameClient) => void
  readonly id: number
  readonly verdict: readonly string[]
}

const waiting = { path: '/api/v1/namespaces/default/pods/web?wait' }
const bodied = (client: FrameClient): void => client.request(1, post, false)
const halfClosed = (client: FrameClient): void => client.request(1, waiting)
const answered = (client: FrameClient): Promise<unknown> => {
  client.request(1)
  return client.answer(1)
}
const cancelled = (client: FrameClient): Promise<unknown> => {
  client.request(1, post, false)
  client.reset(1)
  return client.settled()
}
const interrupted = connectionError('PROTOCOL_ERROR')
const closedStream = [...errorOf('STREAM_CLOSED'), ...connectionError('PROTOCOL_ERROR')]
/**
 * A server that forgets closed streams can't distinguish a frame that is wrong from one that was on its way when the server
 * reset the stream (RFC 9113, 5.1): it may ignore both, as long as it does nothing of what they ask for.
 */
const aliveOr = (...verdicts: string[]): string[] => ['alive', ...verdicts]

const steps: Step[] = [
  // Idle streams (RFC 9113, 5.1).
  { what: 'DATA on an idle stream', act: (client) => client.data(1, small), id: 1, verdict: interrupted },
  { what: 'RST_STREAM of an idle stream', act: (client) => client.reset(1), id: 1, verdict: interrupted },
  { what: 'WINDOW_UPDATE of an idle stream', act: (client) => client.grant(1, 1), id: 1, verdict: interrupted },
  {
    what: 'WINDOW_UPDATE of a stream of the server',
    act: (client) => client.grant(2, 1),
    id: 2,
    verdict: interrupted,
  },
  { what: 'a request on an even stream', act: (client) => client.request(2), id: 2, verdict: interrupted },
  {
    what: 'a request on a lower stream than the one before',
    first: (client) => client.request(5, waiting),
    act: (client) => client.request(3),
    id: 3,
    verdict: aliveOr(...closedStream),
  },
  {
    what: 'DATA on a stream that was skipped',
    first: (client) => client.request(5, waiting),
    act: (client) => client.data(3, small),
    id: 3,
    verdict: aliveOr(...closedStream),
  },
  // Closed streams.
  {
    what: 'a request on a stream that was answered',
    first: answered,
    act: (client) => client.request(1),
    id: 3,
    verdict: aliveOr(...closedStream),
  },
  {
    what: 'DATA behind a complete request',
    first: halfClosed,
    act: (client) => client.data(1, small),
    id: 1,
    verdict: errorOf('STREAM_CLOSED'),
  },
  {
    what: 'empty DATA behind a complete request',
    first: halfClosed,
    act: (client) => client.data(1, f.nothing, true),
    id: 1,
    verdict: errorOf('STREAM_CLOSED'),
  },
  {
    what: 'HEADERS behind a complete request',
    first: halfClosed,
    act: (client) => client.headers(1, literal('a', 'b')),
    id: 1,
    verdict: errorOf('STREAM_CLOSED'),
  },
  {
    what: 'a request on a stream with a request',
    first: halfClosed,
    act: (client) => client.request(1),
    id: 1,
    verdict: errorOf('STREAM_CLOSED'),
  },
  // What may still be on its way when a stream closes.
  {
    what: 'WINDOW_UPDATE of an answered stream',
    first: answered,
    act: (client) => client.grant(1, 1),
    id: 3,
    verdict: ['alive'],
  },
  {
    what: 'RST_STREAM of an answered stream',
    first: answered,
    act: (client) => client.reset(1),
    id: 3,
    verdict: ['alive'],
  },
  {
    what: 'PRIORITY of an answered stream',
    first: answered,
    act: (client) => client.send(f.priority, 0, 1, Buffer.alloc(5)),
    id: 3,
    verdict: ['alive'],
  },
  {
    what: 'RST_STREAM twice',
    first: cancelled,
    act: (client) => client.reset(1),
    id: 3,
    verdict: ['alive'],
  },
  {
    what: 'DATA on a stream that its client has reset',
    first: cancelled,
    act: (client) => client.data(1, small),
    id: 1,
    verdict: aliveOr(...closedStream),
  },
  // Messages.
  {
    what: 'a second HEADERS frame in the middle of a body',
    first: bodied,
    act: (client) => client.headers(1, literal('a', 'b'), false),
    id: 1,
    verdict: malformed,
  },
  {
    what: 'trailers with a pseudo-header',
    first: bodied,
    act: (client) => client.headers(1, requestBlock()),
    id: 1,
    verdict: malformed,
  },
  {
    what: 'trailers with a name in upper case',
    first: bodied,
    act: (client) => client.headers(1, literal('Bad', 'b')),
    id: 1,
    verdict: malformed,
  },
  {
    what: 'trailers',
    first: bodied,
    act(client) {
      client.data(1, small)
      client.headers(1, literal('checksum', 'b'))
    },
    id: 1,
    verdict: ['answer 200'],
  },
  {
    what: 'trailers in pieces and no body',
    first: bodied,
    act(client) {
      client.send(f.headers, f.endStream, 1)
      client.send(f.continuation, 0, 1, literal('checksum', 'b'))
      client.send(f.continuation, f.endHeaders, 1)
    },
    id: 1,
    verdict: ['answer 200'],
  },
  {
    what: 'trailers of nothing',
    first: bodied,
    act: (client) => client.headers(1, f.nothing),
    id: 1,
    verdict: ['answer 200'],
  },
  // Header blocks are one piece, however many frames they take (RFC 9113, 4.3).
  ...(
    [
      ['PING', f.frame(f.ping, 0, 0, Buffer.alloc(8))],
      ['SETTINGS', f.frame(f.settings, 0, 0)],
      ['an unknown frame', f.frame(0x77, 0, 0)],
      ['an unknown frame on its stream', f.frame(0x77, 0, 3)],
      ['DATA on another stream', f.frame(f.data, 0, 1, small)],
      ['DATA on its stream', f.frame(f.data, 0, 3, small)],
      ['WINDOW_UPDATE', f.frame(f.windowUpdate, 0, 0, f.uint32(1))],
      ['RST_STREAM of its stream', f.frame(f.rstStream, 0, 3, f.uint32(8))],
      ['PRIORITY of its stream', f.frame(f.priority, 0, 3, Buffer.alloc(5))],
      ['another request', f.frame(f.headers, 5, 5, requestBlock())],
      ['HEADERS on its stream', f.frame(f.headers, 5, 3, requestBlock())],
      ['CONTINUATION on another stream', f.frame(f.continuation, f.endHeaders, 1, literal('a', 'b'))],
    ] as const
  ).map(([name, frame]) => ({
    what: `${name} within a header block`,
    first: bodied,
    act(client: FrameClient) {
      client.send(f.headers, f.endStream, 3, requestBlock())
      client.write(frame)
      client.send(f.continuation, f.endHeaders, 3, literal('a', 'b'))
    },
    id: 3,
    verdict: interrupted,
  })),
  {
    what: 'a request on the greatest stream',
    act: (client) => client.request(f.greatest),
    id: f.greatest,
    verdict: ['answer 200'],
  },
  {
    what: 'a request far beyond the last',
    first: answered,
    act: (client) => client.request(1_000_001),
    id: 1_000_001,
    verdict: ['answer 200'],
  },
]

describe('HTTP/2: streams', () => {
  const listen = serving()
  const open = connecting()

  let handled = 0
  const take = async (call: Call): Promise<void> => {
    handled++
    await call.body()
    if (call.query.has('wait')) await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
    else await call.responder.send(200, {}, small)
  }

  for (const { what, first, act, id, verdict } of steps)
    it(`${what}: ${verdict[0]}`, async () => {
      const client = await open(await listen(take), { connectionWindow: 0 })
      await first?.(client)
      await client.settled()
      const before = handled
      act(client)
      const isAnswered = verdict.every((one) => one.startsWith('answer'))
      assertOneOf(await (isAnswered ? client.verdict(id) : client.outcome(id)), verdict)
      if (!isAnswered) assert.equal(handled, before)
    })

  for (const pieceBytes of [1, 2, 10])
    it(`a header block arrives in pieces of ${pieceBytes} bytes`, async () => {
      const port = await listen((call) => call.responder.send(200, {}, Buffer.from(`${call.headers['x-late']}`)))
      const client = await open(port)
      const block = requestBlock({ more: [literal('x-late', 'was')] })
      for (const id of [1, 3]) {
        client.send(f.headers, f.endStream, id, block.subarray(0, pieceBytes))
        for (let at = pieceBytes; at < block.length; at += pieceBytes) {
          const isLast = at + pieceBytes >= block.length
          client.send(f.continuation, isLast ? f.endHeaders : 0, id, block.subarray(at, at + pieceBytes))
        }
      }
      for (const id of [1, 3]) assert.equal((await client.answer(id)).body.toString(), 'was')
    })

  it('a header block may begin and end with empty frames', async () => {
    const client = await open(await listen())
    client.send(f.headers, f.endStream, 1)
    client.send(f.continuation, 0, 1, requestBlock())
    client.send(f.continuation, f.endHeaders, 1)
    assert.equal(await client.verdict(1), 'answer 200')
  })

  it('more streams than allowed are refused, the others continue, and the headers of both are remembered', async () => {
    const goOn = Promise.withResolvers<void>()
    const seen: (string | undefined)[] = []
    const port = await listen(
      async (call) => {
        seen.push(call.headers['x-stream'])
        await goOn.promise
        await call.responder.send(200, {}, small)
      },
      { http2StreamsMax: 3 },
    )
    const client = await open(port)
    await client.settled()
    for (const id of [1, 3, 5, 7, 9]) client.request(id, { more: [remembered('x-stream', String(id))] })
    // RFC 9113, 5.1.2: either is a right code, and only the first says that the request may be repeated.
    for (const id of [7, 9]) assert.equal(await client.verdict(id), 'stream REFUSED_STREAM')
    assert.equal(await client.outcome(1), 'alive')
    goOn.resolve()
    for (const id of [1, 3, 5]) assert.equal(await client.verdict(id), 'answer 200')
    // The newest entry is that of the last request, which was refused; the one before it belongs to stream 7.
    client.request(11, { more: [indexed(newest)] })
    client.request(13, { more: [indexed(newest + 1)] })
    for (const id of [11, 13]) assert.equal(await client.verdict(id), 'answer 200')
    assert.deepEqual(seen, ['1', '3', '5', '9', '7'])
  })

  it('a stream that ends makes room for another at once', async () => {
    const port = await listen(undefined, { http2StreamsMax: 1 })
    const client = await open(port)
    for (let id = 1; id < 200; id += 2) {
      client.request(id)
      assert.equal(await client.verdict(id), 'answer 200')
    }
  })

  it('a stream that its client resets makes room for another', async () => {
    const port = await listen(take, { http2StreamsMax: 1 })
    const client = await open(port)
    for (let id = 1; id < 100; id += 4) {
      client.request(id, waiting)
      client.reset(id)
      await client.settled()
      client.request(id + 2)
      assert.equal(await client.verdict(id + 2), 'answer 200')
    }
  })
})
