import assert from 'node:assert/strict'
import type { Call } from '../../../../lib/request/index.ts'
import { eventually, eventuallyEquals } from '../../../support/eventually.ts'
import { turns } from '../../../support/turns.ts'
import { serving, small } from '../support.ts'
import { connecting, type FrameClient } from './frameclient.ts'
import * as f from './frames.ts'
import { literal, requestBlock } from './headerblock.ts'

const post = requestBlock({ method: 'POST' })
const withHeaders = (id: number, flags: number, block: Buffer): Buffer =>
  f.frame(f.headers, f.endHeaders | flags, id, block)
const megabyte = 1024 * 1024

async function untilAborted(call: Call): Promise<void> {
  if (call.signal.aborted) return
  await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
}

describe('HTTP/2: clients that make the server work for nothing', () => {
  const listen = serving()
  const open = connecting()

  /** Frames of one stream that begins, and that the client or, by the client's fault, the server resets. */
  const provocations: { what: string; stream: (id: number) => Buffer[] }[] = [
    {
      what: 'its client cancels',
      stream: (id) => [withHeaders(id, f.endStream, requestBlock()), f.frame(f.rstStream, 0, id, f.uint32(8))],
    },
    {
      what: 'a window update of nothing ends',
      stream: (id) => [withHeaders(id, f.endStream, requestBlock()), f.frame(f.windowUpdate, 0, id, f.uint32(0))],
    },
    {
      what: 'a window that is too large ends',
      stream: (id) => [
        withHeaders(id, f.endStream, requestBlock()),
        f.frame(f.windowUpdate, 0, id, f.uint32(f.greatest)),
      ],
    },
    {
      what: 'DATA behind its end ends',
      stream: (id) => [withHeaders(id, f.endStream, requestBlock()), f.frame(f.data, f.endStream, id, small)],
    },
    {
      what: 'HEADERS behind its end end',
      stream: (id) => [withHeaders(id, f.endStream, requestBlock()), withHeaders(id, f.endStream, literal('a', 'b'))],
    },
    {
      what: 'a body longer than announced ends',
      stream: (id) => [
        withHeaders(id, 0, Buffer.concat([post, literal('content-length', '1')])),
        f.frame(f.data, 0, id, small),
      ],
    },
    {
      what: 'trailers that are none end',
      stream: (id) => [withHeaders(id, 0, post), withHeaders(id, f.endStream, literal(':path', '/'))],
    },
    {
      what: 'HEADERS in the middle end',
      stream: (id) => [withHeaders(id, 0, post), withHeaders(id, 0, literal('a', 'b'))],
    },
    {
      what: 'a PRIORITY frame of the wrong size ends',
      stream: (id) => [withHeaders(id, 0, post), f.frame(f.priority, 0, id, Buffer.alloc(4))],
    },
  ]
  for (const { what, stream } of provocations)
    it(`a session of streams each of which ${what} is ended, and its work bounded`, async () => {
      let handled = 0
      let running = 0
      const port = await listen(
        async (call) => {
          if (call.query.has('served')) return call.responder.send(200, {}, small)
          handled++
          running++
          await untilAborted(call)
          running--
        },
        { http2ResetBurst: 50, http2ResetsPerSecond: 10 },
      )
      const client = await open(port)
      for (let id = 1; id < 4000 && !client.closed; id += 40) {
        const batch = Array.from({ length: 20 }, (_, at) => stream(id + 2 * at)).flat()
        await client.writeAndDrain(Buffer.concat(batch))
        await client.until(ponged(client), 'an answer to PING').catch(() => {})
        assert.ok(running <= 100, `${running} under way at once`)
      }
      await client.ended()
      assert.ok(handled <= 1000, `${handled} handled`)
      await eventuallyEquals(() => running, 0, 'the end of what was begun')
      const other = await open(port)
      other.request(1, { path: '/api/v1/pods?served' })
      assert.equal(await other.verdict(1), 'answer 200')
    })

  /** Sent on a connection on which stream 1 is open for a body. */
  const floods: { what: string; again: (round: number) => Buffer }[] = [
    { what: 'PING', again: () => f.frame(f.ping, 0, 0, Buffer.alloc(8)) },
    { what: 'answers to PING', again: () => f.frame(f.ping, f.ack, 0, Buffer.alloc(8)) },
    { what: 'SETTINGS', again: () => f.frame(f.settings, 0, 0, f.settingsPayload([[f.initialWindowSize, 9]])) },
    { what: 'SETTINGS of nothing', again: () => f.frame(f.settings, 0, 0) },
    {
      what: 'SETTINGS of thousands',
      again: () =>
        f.frame(f.settings, 0, 0, f.settingsPayload(Array.from({ length: 2700 }, (_, at) => [at + 100, at]))),
    },
    { what: 'acknowledgements of SETTINGS', again: () => f.frame(f.settings, f.ack, 0) },
    { what: 'empty DATA on an open stream', again: () => f.frame(f.data, 0, 1) },
    { what: 'DATA of padding on an open stream', again: () => f.frame(f.data, f.padded, 1, f.padding(f.nothing, 0)) },
    { what: 'PRIORITY', again: (round) => f.frame(f.priority, 0, 2 * (round % 1e6) + 3, Buffer.alloc(5)) },
    { what: 'unknown frames', again: () => f.frame(0x77, 0, 0, Buffer.alloc(10)) },
    { what: 'unknown frames of nothing', again: () => f.frame(0x77, 0, 1) },
    { what: 'WINDOW_UPDATE of the connection', again: () => f.frame(f.windowUpdate, 0, 0, f.uint32(1)) },
    { what: 'WINDOW_UPDATE of a stream', again: () => f.frame(f.windowUpdate, 0, 1, f.uint32(1)) },
    { what: 'GOAWAY', again: () => f.frame(f.goaway, 0, 0, Buffer.alloc(8)) },
    {
      what: 'requests beyond those allowed',
      again: (round) => withHeaders(2 * round + 3, f.endStream, requestBlock({ path: '/api/v1/pods' })),
    },
    {
      what: 'requests that are none',
      again: (round) => withHeaders(2 * round + 3, f.endStream, literal('no', 'request')),
    },
  ]
  for (const { what, again } of floods)
    it(`${what} without end take no memory and block no other client`, async () => {
      let running = 0
      const port = await listen(
        async (call) => {
          if (call.query.has('served')) return call.responder.send(200, {}, small)
          assert.ok(++running <= 10, 'more streams than allowed')
          await untilAborted(call)
        },
        { http2StreamsMax: 10 },
      )
      const other = await open(port)
      const client = await open(port, { connectionWindow: 1 })
      client.keepsFrames = false
      client.headers(1, post, false)
      const before = process.memoryUsage().rss
      let served = 0
      let round = 0
      for (let sent = 0; sent < 3 * megabyte && !client.closed; ) {
        const batch: Buffer[] = []
        for (let bytes = 0; bytes < 64 * 1024; bytes += batch.at(-1)?.length ?? 0) batch.push(again(round++))
        const bytes = Buffer.concat(batch)
        await client.writeAndDrain(bytes)
        sent += bytes.length
        other.request(2 * served + 1, { path: '/api/v1/pods?served' })
        assert.equal(await other.verdict(2 * served + 1), 'answer 200')
        served++
      }
      const grownMiB = (process.memoryUsage().rss - before) / megabyte
      assert.ok(grownMiB < 150, `${grownMiB} MiB`)
    })

  it('a client that requests endless answers without a body and reads nothing is cut off', async () => {
    const port = await listen((call) => call.responder.send(200, { 'x-large': 'y'.repeat(1000) }))
    const client = await open(port)
    client.socket.pause()
    const before = process.memoryUsage().rss
    let id = 1
    // The end shows only to who reads, or to who can write no more: 300 MB of answers are asked for.
    for (; id < 600_000 && !client.closed && !client.socket.writableNeedDrain; ) {
      const batch = Array.from({ length: 500 }, (_, at) => withHeaders(id + 2 * at, f.endStream, requestBlock()))
      id += 1000
      client.write(Buffer.concat(batch))
      await turns(1)
    }
    const grownMiB = (process.memoryUsage().rss - before) / megabyte
    assert.ok(grownMiB < 150, `${grownMiB} MiB`)
    client.socket.resume()
    await client.ended()
    assert.ok(client.incoming(id - 2).status === 0, 'all was answered')
  })

  for (const isRead of [true, false])
    it(`bodies in frames of one byte, ${isRead ? 'read' : 'unread'}, take little more memory than other bodies`, async () => {
      const port = await listen(async (call) => {
        if (isRead) await call.responder.send(200, {}, Buffer.from(String((await call.body()).byteLength)))
        else await untilAborted(call)
      })
      const client = await open(port)
      const before = process.memoryUsage().rss
      let most = 0
      const bytes = 400_000
      const ids = [1, 3, 5, 7]
      for (const id of ids) {
        client.request(id, { method: 'POST' }, false)
        const room = (): number => Math.min(client.window, client.windowOn(id), bytes - sent, 10_000)
        let sent = 0
        while (sent < bytes) {
          if (isRead) await client.until(() => room() > 0, 'room')
          const crumbs = room()
          if (crumbs <= 0) break
          client.crumbs(id, crumbs)
          sent += crumbs
          await client.settled()
          most = Math.max(most, process.memoryUsage().rss)
        }
        if (isRead) client.data(id, f.nothing, true)
      }
      if (isRead) for (const id of ids) assert.equal((await client.answer(id)).body.toString(), String(bytes))
      const grownMiB = (most - before) / megabyte
      assert.ok(grownMiB < 80, `${grownMiB} MiB`)
    })

  const greedy: { what: string; connectionWindow: number; pauses: boolean }[] = [
    { what: 'reads nothing', connectionWindow: f.greatest - 65_535, pauses: true },
    { what: 'opens its window no more', connectionWindow: 0, pauses: false },
  ]
  for (const { what, connectionWindow, pauses } of greedy)
    it(`a client that requests a thousand answers of 1 MiB and ${what} is cut off in time`, async () => {
      let begun = 0
      let running = 0
      const body = Buffer.alloc(megabyte)
      const port = await listen(
        async (call) => {
          begun++
          running++
          await call.responder.send(200, {}, body)
          running--
        },
        { stallTimeoutMs: 400, maxRequestsInFlight: 0, http2StreamsMax: 2000 },
      )
      const before = process.memoryUsage().rss
      const client = await open(port, { connectionWindow, settings: [[f.initialWindowSize, f.greatest]] })
      await client.settled()
      client.keepsFrames = false
      const ids = Array.from({ length: 1000 }, (_, at) => 2 * at + 1)
      if (pauses) client.socket.pause()
      for (const id of ids) client.request(id)
      await eventually(() => begun > 0 && running === 0, 'the end of all answers that were begun', 20_000)
      const grownMiB = (process.memoryUsage().rss - before) / megabyte
      assert.ok(grownMiB < 400, `${grownMiB} MiB`)
      client.socket.resume()
      const isOver = (id: number): boolean => client.incoming(id).reset !== undefined || client.incoming(id).ended
      await client.until(() => client.closed || ids.every(isOver), 'an end of all streams')
      await eventuallyEquals(() => running, 0, 'the end of all answers')
      const whole = ids.filter((id) => client.incoming(id).ended).length
      assert.ok(whole < 100, `${whole} answers were given`)
    })
})

/** Whether the server has answered a PING, or closed. */
function ponged(client: FrameClient): () => boolean {
  if (client.closed) return () => true
  const pong = client.ping()
  return () => client.closed || pong()
}
