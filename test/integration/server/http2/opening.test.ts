import assert from 'node:assert/strict'
import { serving, small, steppedClock } from '../support.ts'
import { assertOneOf, connecting, connectionError } from './frameclient.ts'
import * as f from './frames.ts'
import { literal, pod, requestBlock } from './headerblock.ts'

const noSettings = f.frame(f.settings, 0, 0)

describe('HTTP/2: the opening of a connection', () => {
  const listen = serving()
  const open = connecting()

  it('may arrive in any pieces, even byte by byte', async () => {
    const bytes = Buffer.concat([f.preface, noSettings, f.frame(f.headers, 5, 1, requestBlock())])
    const port = await listen()
    for (const pieceBytes of [1, 7, 23, 25, bytes.length]) {
      const client = await open(port, { bare: true })
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        // One record of TLS each.
        await new Promise((resolve) => client.socket.write(bytes.subarray(at, at + pieceBytes), resolve))
      }
      const { status, body } = await client.answer(1)
      assert.deepEqual([status, body], [200, small])
    }
  })

  it('begins on the side of the server with SETTINGS that state its limits', async () => {
    const client = await open(await listen(undefined, { http2StreamsMax: 17 }))
    const [first] = client.frames
    assert.deepEqual([first?.type, first?.id, first?.flags], [f.settings, 0, 0])
    assert.equal(client.serverSettings.get(f.maxConcurrentStreams), 17)
    const window = client.serverSettings.get(f.initialWindowSize) ?? 0
    assert.ok(window >= 65_535 && window <= 16 * 1024 * 1024, `a window of ${window} bytes`)
    assert.notEqual(client.serverSettings.get(f.enablePush), 1)
  })

  it('SETTINGS are acknowledged, each by one empty frame', async () => {
    const client = await open(await listen())
    for (let at = 0; at < 3; at++) client.sendSettings([[f.initialWindowSize, 1000 + at]])
    client.sendSettings([])
    await client.settled()
    const acknowledgements = client.frames.filter(({ type, flags }) => type === f.settings && flags === f.ack)
    assert.deepEqual(
      acknowledgements.map(({ payload }) => payload.length),
      [0, 0, 0, 0, 0],
    )
  })

  const openings: { what: string; bytes: Buffer }[] = [
    { what: 'a request of HTTP/1.1', bytes: Buffer.from(`GET ${pod} HTTP/1.1\r\nhost: x\r\n\r\n`) },
    { what: 'zeros', bytes: Buffer.alloc(100) },
    { what: 'a preface with a wrong last byte', bytes: Buffer.concat([f.preface.subarray(0, 23), Buffer.alloc(50)]) },
    { what: 'SETTINGS without the preface', bytes: Buffer.concat([noSettings, noSettings, noSettings]) },
    { what: 'a preface and PING', bytes: Buffer.concat([f.preface, f.frame(f.ping, 0, 0, Buffer.alloc(8))]) },
    { what: 'a preface and a request', bytes: Buffer.concat([f.preface, f.frame(f.headers, 5, 1, requestBlock())]) },
    {
      what: 'a preface and WINDOW_UPDATE',
      bytes: Buffer.concat([f.preface, f.frame(f.windowUpdate, 0, 0, f.uint32(1)), noSettings]),
    },
    { what: 'two prefaces', bytes: Buffer.concat([f.preface, f.preface, noSettings]) },
  ]
  for (const { what, bytes } of openings)
    it(`is refused when it is ${what}`, async () => {
      let handled = 0
      const port = await listen((call) => {
        handled++
        return call.responder.send(200, {}, small)
      })
      const client = await open(port, { bare: true })
      client.write(bytes)
      // RFC 9113, 3.4: a GOAWAY may be left out.
      assertOneOf(await client.verdict(1), [...connectionError('PROTOCOL_ERROR', 'FRAME_SIZE_ERROR'), 'closed'])
      assert.equal(handled, 0)
    })

  const halves: { what: string; bytes: Buffer }[] = [
    {
      what: 'sends half of a request',
      bytes: Buffer.concat([f.preface, noSettings, f.frame(f.headers, 5, 1, requestBlock()).subarray(0, 20)]),
    },
    { what: 'sends nothing', bytes: f.nothing },
    { what: 'sends half a preface', bytes: f.preface.subarray(0, 12) },
    { what: 'sends a preface and no SETTINGS', bytes: f.preface },
    {
      what: 'begins a header block and does not end it',
      bytes: Buffer.concat([f.preface, noSettings, f.frame(f.headers, f.endStream, 1, requestBlock())]),
    },
  ]
  for (const { what, bytes } of halves)
    it(`has a time limit: a client that ${what} is cut off`, async () => {
      const port = await listen(undefined, { headersTimeoutMs: 200 })
      const client = await open(port, { bare: true })
      client.write(bytes)
      await client.ended()
    })

  it('has a time limit: a client that always has an unfinished request, but none for long, is not cut off', async () => {
    const clock = steppedClock()
    const port = await listen(undefined, { headersTimeoutMs: 200 }, { clock })
    const client = await open(port)
    const halfBytes = 20
    let rest: Buffer = f.nothing
    let id = 1
    for (let elapsedMs = 0; elapsedMs < 800; elapsedMs += 20, id += 2) {
      const next = f.frame(f.headers, f.endHeaders | f.endStream, id, requestBlock())
      client.write(Buffer.concat([rest, next.subarray(0, halfBytes)]))
      rest = next.subarray(halfBytes)
      // The server has read the half, too: the answers come in the order of the requests.
      if (id > 1) await client.answer(id - 2)
      await clock.pass(20)
    }
    client.write(rest)
    assert.equal(await client.verdict(id - 2), 'answer 200')
  })

  it('has a time limit: a client whose request trickles in is cut off', async () => {
    const port = await listen(undefined, { headersTimeoutMs: 200 })
    const client = await open(port)
    const block = requestBlock({ more: [literal('x-a', 'b'.repeat(10_000))] })
    const bytes = f.frame(f.headers, 5, 1, block)
    let at = 0
    const trickle = setInterval(() => {
      client.write(bytes.subarray(at, at + 1))
      at++
    }, 10)
    await client.ended().finally(() => clearInterval(trickle))
  })

  it('an idle connection ends with GOAWAY after the idle time', async () => {
    const port = await listen(undefined, { idleTimeoutMs: 200, stallTimeoutMs: 200 })
    const client = await open(port)
    client.request(1)
    assert.equal((await client.answer(1)).status, 200)
    await client.ended()
    assert.equal(client.goaway?.code, 'NO_ERROR')
  })
})
