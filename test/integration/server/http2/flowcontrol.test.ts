import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createSeededRandom } from '../../../../lib/base/index.ts'
import type { Call } from '../../../../lib/request/index.ts'
import { serving, small, steppedClock } from '../support.ts'
import { assertOneOf, connecting, errorOf, type FrameClient } from './frameclient.ts'
import * as f from './frames.ts'
import { pod } from './headerblock.ts'

/** Bytes that depend on their position. */
function pattern(bytes: number, seed = 1): Buffer {
  const body = Buffer.alloc(bytes)
  for (let at = 0; at < bytes; at++) body[at] = (at * 31 + (at >> 8) * seed + seed) & 0xff
  return body
}

const hash = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex')

/** Until the server has sent what it may send, and nothing more comes of it. */
async function received(client: FrameClient, id: number, bytes: number): Promise<void> {
  await client.until(() => client.incoming(id).bodyBytes >= bytes, `${bytes} bytes on stream ${id}`)
  await client.settled()
  assert.equal(client.incoming(id).bodyBytes, bytes)
}

// That the server sends more than it may is seen by the client, in every test.
describe('HTTP/2: the windows of a client', () => {
  const listen = serving()
  const open = connecting()

  it('a window of one byte, opened byte by byte, lets the answer through byte by byte', async () => {
    const body = pattern(3000)
    const client = await open(await listen((call) => call.responder.send(200, {}, body)), {
      settings: [[f.initialWindowSize, 1]],
    })
    client.request(1)
    let granted = 1
    await received(client, 1, granted)
    for (const bytes of [1, 2, 1, 7, 100, 1, 1000, 512]) {
      client.grant(1, bytes)
      await received(client, 1, (granted += bytes))
    }
    for (; granted < body.length; granted += 25) client.grant(1, Math.min(25, body.length - granted))
    assert.deepEqual((await client.answer(1)).body, body)
  })

  for (const bytes of [10, 64 * 1024, 300_000])
    it(`a window of zero lets the headers of an answer of ${bytes} bytes through; the body follows when it opens`, async () => {
      const body = pattern(bytes)
      const client = await open(await listen((call) => call.responder.send(200, {}, body)), {
        settings: [[f.initialWindowSize, 0]],
      })
      client.request(1)
      await client.until(() => client.incoming(1).status === 200, 'headers')
      await received(client, 1, 0)
      client.grant(1, 5)
      await received(client, 1, 5)
      client.grant(1, bytes)
      assert.deepEqual((await client.answer(1)).body, body)
    })

  it('an answer without a body needs no window', async () => {
    const client = await open(await listen((call) => call.responder.send(404, {})), {
      settings: [[f.initialWindowSize, 0]],
    })
    client.request(1)
    assert.equal(await client.verdict(1), 'answer 404')
  })

  it("an answer of exactly the window's size ends without waiting", async () => {
    const client = await open(await listen((call) => call.responder.send(200, {}, pattern(1000))), {
      settings: [[f.initialWindowSize, 1000]],
    })
    client.request(1)
    assert.deepEqual((await client.answer(1)).body, pattern(1000))
  })

  it('a stream whose window is shut blocks no other', async () => {
    const client = await open(await listen((call) => call.responder.send(200, {}, pattern(200_000))), {
      settings: [[f.initialWindowSize, 0]],
    })
    for (const id of [1, 3, 5]) client.request(id)
    client.grant(3, 200_000)
    assert.deepEqual((await client.answer(3)).body, pattern(200_000))
    for (const id of [1, 5]) assert.equal(client.incoming(id).bodyBytes, 0)
    client.grant(5, 200_000)
    assert.deepEqual((await client.answer(5)).body, pattern(200_000))
    assert.equal(client.incoming(1).bodyBytes, 0)
  })

  it('the window of the connection is shared: all streams progress, none beyond the window', async () => {
    const port = await listen((call) => call.responder.send(200, {}, pattern(100_000, Number(call.query.get('seed')))))
    const client = await open(port, { connectionWindow: 0 })
    const ids = Array.from({ length: 10 }, (_, at) => 2 * at + 1)
    for (const id of ids) client.request(id, { path: `${pod}?seed=${id}` })
    const all = (): number => ids.reduce((sum, id) => sum + client.incoming(id).bodyBytes, 0)
    let granted = 65_535
    while (granted < 500_000) {
      const due = granted
      await client.until(() => all() >= due, `${due} bytes on all streams`)
      await client.settled()
      assert.equal(all(), granted)
      client.grant(0, 20_000)
      granted += 20_000
    }
    await client.until(() => all() >= 500_000, 'half of all')
    for (const id of ids) assert.ok(client.incoming(id).bodyBytes > 0, `nothing on stream ${id} at half of all`)
    client.grant(0, 1_000_000)
    for (const id of ids) assert.deepEqual((await client.answer(id)).body, pattern(100_000, id))
  })

  it('a stream that is reset while the connection is full leaves the window to the others', async () => {
    const client = await open(await listen((call) => call.responder.send(200, {}, pattern(100_000))), {
      connectionWindow: 0,
    })
    client.request(1)
    await received(client, 1, 65_535)
    client.request(3)
    client.reset(1)
    await client.settled()
    client.grant(0, 100_000)
    assert.deepEqual((await client.answer(3)).body, pattern(100_000))
  })

  it('an initial window that shrinks makes windows negative, and one that grows opens them', async () => {
    const body = pattern(200_000)
    const client = await open(await listen((call) => call.responder.send(200, {}, body)), { settings: [] })
    client.request(1)
    await received(client, 1, 65_535)
    client.sendSettings([[f.initialWindowSize, 1000]])
    await received(client, 1, 65_535)
    // 1000 - 65535 is open: what is granted first only makes up for that.
    client.grant(1, 64_535)
    await received(client, 1, 65_535)
    client.grant(1, 1)
    await received(client, 1, 65_536)
    client.sendSettings([[f.initialWindowSize, 3000]])
    await received(client, 1, 67_536)
    client.sendSettings([[f.initialWindowSize, 4000]])
    await received(client, 1, 68_536)
    client.request(3)
    await received(client, 3, 4000)
    client.sendSettings([[f.initialWindowSize, 0]])
    client.sendSettings([[f.initialWindowSize, 200_000]])
    for (const id of [1, 3]) await client.until(() => client.incoming(id).bodyBytes > 68_536, 'more')
    client.grant(1, 200_000)
    for (const id of [1, 3]) assert.deepEqual((await client.answer(id)).body, body)
  })

  // Clients may hold a server to the old window until it has acknowledged the new one.
  it('a larger initial window is acknowledged before it is used', async () => {
    const client = await open(await listen((call) => call.responder.send(200, {}, pattern(50_000))), {
      settings: [[f.initialWindowSize, 100]],
    })
    client.request(1)
    await received(client, 1, 100)
    client.sendSettings([[f.initialWindowSize, 50_000]])
    assert.deepEqual((await client.answer(1)).body, pattern(50_000))
  })

  // RFC 9113, 6.5.3: values are processed in their order, and nothing else in between.
  it('the last of two initial windows in one frame counts, and the first opens nothing', async () => {
    const client = await open(await listen((call) => call.responder.send(200, {}, pattern(50_000))), {
      settings: [[f.initialWindowSize, 100]],
    })
    client.request(1)
    await received(client, 1, 100)
    client.sendSettings([
      [f.initialWindowSize, 1_000_000],
      [f.initialWindowSize, 150],
    ])
    await received(client, 1, 150)
    client.grant(1, 50_000)
    assert.deepEqual((await client.answer(1)).body, pattern(50_000))
  })

  it('an initial window that grows lets every stream that waits for it end', async () => {
    const client = await open(await listen((call) => call.responder.send(200, {}, pattern(100))), {
      settings: [[f.initialWindowSize, 0]],
    })
    const ids = Array.from({ length: 20 }, (_, at) => 2 * at + 1)
    for (const id of ids) client.request(id)
    await client.until(() => ids.every((id) => client.incoming(id).status === 200), 'all headers')
    client.sendSettings([[f.initialWindowSize, 100]])
    for (const id of ids) assert.deepEqual((await client.answer(id)).body, pattern(100))
  })

  for (const bytes of [16_384, 16_385, 65_536, 2 ** 24 - 1])
    it(`frames of up to ${bytes} bytes are the largest that the client accepts`, async () => {
      const body = pattern(1_000_000)
      const client = await open(await listen((call) => call.responder.send(200, {}, body)), {
        settings: [
          [f.maxFrameSize, bytes],
          [f.initialWindowSize, f.greatest],
        ],
      })
      client.request(1)
      assert.equal(hash((await client.answer(1)).body), hash(body))
    })

  it('a client that reads little, but steadily, is not cut off', async () => {
    const body = pattern(300_000)
    const clock = steppedClock()
    const port = await listen((call) => call.responder.send(200, {}, body), { stallTimeoutMs: 200 }, { clock })
    const client = await open(port, { settings: [[f.initialWindowSize, 1]] })
    client.request(1)
    await received(client, 1, 1)
    for (let round = 0; round < 12; round++) {
      await clock.pass(50)
      client.grant(1, 100)
      await received(client, 1, 1 + 100 * (round + 1))
    }
    client.grant(1, body.length)
    assert.deepEqual((await client.answer(1)).body, body)
  })

  it('a stream that writes bit by bit arrives as written, as far as the window is open', async () => {
    const port = await listen((call) => {
      const stream = call.responder.stream(200, {})
      for (let at = 0; at < 100; at++) stream.write(pattern(100, at))
      stream.end()
    })
    const client = await open(port, { settings: [[f.initialWindowSize, 550]] })
    client.request(1)
    await received(client, 1, 550)
    client.grant(1, 10_000)
    const whole = Buffer.concat(Array.from({ length: 100 }, (_, at) => pattern(100, at)))
    assert.deepEqual((await client.answer(1)).body, whole)
  })
})

describe('HTTP/2: clients that are slow, and not stuck', () => {
  const listen = serving()
  const open = connecting()
  const stallTimeoutMs = 400
  /** Time between two checks for clients that are stuck. */
  const checkMs = stallTimeoutMs / 4

  it('get an answer that is larger than what may wait of a stream', async () => {
    const body = pattern(1_500_000)
    const clock = steppedClock()
    const limits = { stallTimeoutMs, pendingBytesMax: 500_000 }
    const port = await listen((call) => call.responder.send(200, {}, body), limits, { clock })
    const client = await open(port, { connectionWindow: 0 })
    client.request(1)
    for (let granted = 65_535; granted < body.length; granted += 100_000) {
      await received(client, 1, granted)
      await clock.pass(checkMs)
      client.grant(0, 100_000)
    }
    assert.equal(hash((await client.answer(1)).body), hash(body))
  })

  it('keep a stream with as much unread data as once before', async () => {
    const writes = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const clock = steppedClock()
    const port = await listen(
      async (call) => {
        const stream = call.responder.stream(200, {})
        for (const each of writes) {
          await each.promise
          stream.write(pattern(1000))
        }
        stream.end()
      },
      { stallTimeoutMs },
      { clock },
    )
    const client = await open(port, { settings: [[f.initialWindowSize, 0]] })
    client.request(1)
    for (const [at, each] of writes.entries()) {
      each.resolve()
      await client.settled()
      await clock.pass(stallTimeoutMs / 2)
      client.grant(1, 1000)
      await received(client, 1, 1000 * (at + 1))
      await clock.pass(stallTimeoutMs * 1.5)
    }
    assert.equal((await client.answer(1)).status, 200)
  })

  it('keep a stream that fills the connection at every check', async () => {
    const chunk = pattern(500_000)
    const clock = steppedClock()
    const port = await listen(
      async (call) => {
        const stream = call.responder.stream(200, {})
        const writeOn = (): void => {
          if (stream.write(chunk)) setImmediate(writeOn)
          else stream.onDrain(writeOn)
        }
        writeOn()
        await new Promise<void>((resolve) => stream.onClose(resolve))
      },
      { stallTimeoutMs },
      { clock },
    )
    const client = await open(port)
    client.request(1)
    for (let check = 0; check < 20; check++) {
      const { bodyBytes } = client.incoming(1)
      await client.until(() => client.incoming(1).bodyBytes >= bodyBytes + 2 * chunk.length, 'more of the answer')
      client.socket.pause()
      await clock.pass(checkMs)
      client.socket.resume()
    }
    await client.settled()
  })
})

describe('HTTP/2: the windows of the server', () => {
  const listen = serving()
  const open = connecting()
  const post = { method: 'POST' }
  const unlimited = { maxRequestsInFlight: 0, maxMutatingRequestsInFlight: 0 }

  const readAndHash = async (call: Call): Promise<void> => {
    await call.responder.send(200, {}, Buffer.from(hash(await call.body())))
  }

  for (const frameBytes of [16_384, 1000])
    it(`a body of 2.5 MiB goes through in frames of ${frameBytes} bytes`, async () => {
      const body = pattern(2.5 * 1024 * 1024)
      const client = await open(await listen(readAndHash))
      client.request(1, post, false)
      await client.upload(1, body, { frameBytes })
      assert.equal((await client.answer(1)).body.toString(), hash(body))
    })

  it('ten bodies at once go through', async () => {
    const client = await open(await listen(readAndHash))
    const ids = Array.from({ length: 10 }, (_, at) => 2 * at + 1)
    for (const id of ids) client.request(id, post, false)
    await Promise.all(ids.map((id) => client.upload(id, pattern(400_000, id), { frameBytes: 5000 })))
    for (const id of ids) assert.equal((await client.answer(id)).body.toString(), hash(pattern(400_000, id)))
  })

  it('padded bytes count, and are returned: more of them than the windows hold pass through', async () => {
    const client = await open(await listen(readAndHash))
    client.request(1, post, false)
    for (let sent = 0; sent < 1024 * 1024; sent += 256) {
      await client.until(() => Math.min(client.window, client.windowOn(1)) >= 256 || client.closed, 'room for padding')
      client.padding(1, 255)
    }
    client.data(1, f.nothing, true)
    assert.equal((await client.answer(1)).body.toString(), hash(f.nothing))
  })

  it('a client that sends more than the windows allow is stopped', async () => {
    const port = await listen(
      (call) => new Promise((resolve) => call.signal.addEventListener('abort', () => resolve())),
    )
    const client = await open(port)
    client.request(1, post, false)
    const piece = f.frame(f.data, 0, 1, Buffer.alloc(16_384))
    const allowed = Math.min(client.window, client.windowOn(1))
    let sent = 0
    for (
      ;
      sent <= allowed + 16 * 1024 * 1024 && !client.closed && client.incoming(1).reset === undefined;
      sent += 16_384
    ) {
      await client.writeAndDrain(piece)
    }
    assertOneOf(await client.verdict(1), [...errorOf('FLOW_CONTROL_ERROR'), 'closed'])
    assert.ok(sent >= allowed, `stopped after ${sent} of ${allowed} bytes`)
  })

  it('a client that sends one byte more than the window of a stream is stopped', async () => {
    const port = await listen(
      (call) => new Promise((resolve) => call.signal.addEventListener('abort', () => resolve())),
    )
    const client = await open(port)
    await client.settled()
    client.request(1, post, false)
    // As much as one stream or the connection takes, whichever is less, and it is taken.
    const bytes = Math.min(client.window, client.windowOn(1))
    for (let left = bytes; left > 0; left -= 16_384) client.data(1, Buffer.alloc(Math.min(left, 16_384)))
    assert.equal(await client.outcome(1), 'alive')
    // Windows that were opened meanwhile are to be filled as well, until nothing more is opened.
    const room = (): number => Math.min(client.window, client.windowOn(1))
    for (; room() > 0; await client.settled()) {
      client.data(1, Buffer.alloc(Math.min(room(), 16_384)))
    }
    client.data(1, f.nothing)
    assert.equal(await client.outcome(1), 'alive')
    client.data(1, Buffer.alloc(1))
    assertOneOf(await client.verdict(1), errorOf('FLOW_CONTROL_ERROR'))
  })

  it('a client that sends one byte more than the window of the connection is stopped', async () => {
    const port = await listen(
      (call) => new Promise((resolve) => call.signal.addEventListener('abort', () => resolve())),
    )
    const client = await open(port)
    await client.settled()
    let id = 1
    for (client.request(id, post, false); client.window > 0; await client.settled()) {
      if (client.windowOn(id) <= 0) client.request((id += 2), post, false)
      client.data(id, Buffer.alloc(Math.min(client.window, client.windowOn(id), 16_384)))
    }
    client.request(id + 2, post, false)
    client.data(id + 2, f.nothing)
    assert.equal(await client.outcome(id + 2), 'alive')
    client.data(id + 2, Buffer.alloc(1))
    assertOneOf(await client.verdict(id + 2), errorOf('FLOW_CONTROL_ERROR'))
  })

  const unread: {
    what: string
    handle: (call: Call) => void | Promise<void>
    after: (client: FrameClient, id: number) => void
  }[] = [
    {
      what: 'answered without a look at them',
      handle: (call) => call.responder.send(200, {}, small),
      after: () => {},
    },
    {
      what: 'refused for what they announce',
      handle: async (call) => {
        await new Promise((resolve) => setImmediate(resolve))
        await call.responder.send(403, {}, small)
      },
      after: () => {},
    },
    {
      what: 'cancelled before anybody looks at them',
      handle: (call) => new Promise((resolve) => call.signal.addEventListener('abort', () => resolve())),
      after: (client, id) => client.reset(id),
    },
  ]
  for (const { what, handle, after } of unread)
    it(`bodies that are ${what} use up no window: after a hundred of them the connection still works`, async () => {
      const port = await listen(async (call) => {
        if (call.query.has('read')) await readAndHash(call)
        else await handle(call)
      })
      const client = await open(port)
      for (let id = 1; id < 200; id += 2) {
        client.request(id, post, false)
        // All of it is on its way before the client hears that nobody wants it.
        for (let at = 0; at < 4; at++) {
          await client.until(() => client.window >= 15_000, 'room on the connection')
          client.data(id, Buffer.alloc(15_000))
        }
        after(client, id)
        assertOneOf(await client.outcome(id), ['alive', 'stream NO_ERROR', 'answer 200', 'answer 403'])
      }
      const body = pattern(1_000_000)
      client.request(201, { method: 'POST', path: `${pod}?read` }, false)
      await client.upload(201, body)
      assert.equal((await client.answer(201)).body.toString(), hash(body))
    })

  for (const count of [400, 1500])
    it(`${count} bodies on their way when all are refused are no offence`, async () => {
      const port = await listen(
        async (call) => {
          if (call.query.has('read')) await readAndHash(call)
          else await call.responder.send(403, {}, small)
        },
        { ...unlimited, http2StreamsMax: 2000 },
      )
      const client = await open(port)
      const ids = Array.from({ length: count }, (_, at) => 2 * at + 1)
      client.socket.cork()
      for (const id of ids) client.request(id, post, false)
      for (let round = 0; round < 5; round++) for (const id of ids) client.data(id, Buffer.alloc(8), round === 4)
      client.socket.uncork()
      for (const id of ids) assert.equal((await client.answer(id)).status, 403)
      client.request(5001, { method: 'POST', path: `${pod}?read` }, false)
      await client.upload(5001, pattern(1_000_000))
      assert.equal((await client.answer(5001)).body.toString(), hash(pattern(1_000_000)))
    })

  it('a client that reads an early answer only behind its whole body gets rid of that', async () => {
    const port = await listen((call) => call.responder.send(403, {}, small))
    const client = await open(port, { settings: [[f.initialWindowSize, 0]] })
    client.request(1, post, false)
    await client.upload(1, pattern(1_000_000))
    client.grant(1, 1000)
    assert.equal((await client.answer(1)).status, 403)
  })

  it('a client that ends its body soon after an early answer gets no reset', async () => {
    const client = await open(await listen((call) => call.responder.send(403, {}, small)))
    client.request(1, post, false)
    assert.equal((await client.answer(1)).status, 403)
    client.data(1, Buffer.alloc(1000), true)
    client.request(3)
    await client.answer(3)
    await new Promise((resolve) => setTimeout(resolve, 200))
    assert.equal(client.incoming(1).reset, undefined)
  })

  it('a client whose body is reset with NO_ERROR has got the whole answer before', async () => {
    const client = await open(await listen((call) => call.responder.send(403, {}, pattern(100_000))))
    client.request(1, post, false)
    client.data(1, Buffer.alloc(1000))
    assert.deepEqual((await client.answer(1)).body, pattern(100_000))
    await client.until(() => client.incoming(1).reset, 'a reset')
    assert.equal(client.incoming(1).reset, 'NO_ERROR')
    // What was on its way then is not held against the client.
    client.data(1, Buffer.alloc(1000), true)
    await client.settled()
  })
})

describe('HTTP/2: lawful clients of all habits', () => {
  const listen = serving()
  const open = connecting()

  /** Downloads take what they are granted bit by bit; uploads are read, refused or cancelled; all at once. */
  for (const seed of [1, 2, 3, 4])
    it(`receive their answers, and lose no window (${seed})`, async () => {
      const port = await listen(async (call) => {
        if (call.query.has('refuse')) return call.responder.send(403, {}, small)
        const body = await call.body()
        const bytes = Number(call.query.get('bytes'))
        await call.responder.send(200, { 'x-hash': hash(body) }, pattern(bytes, bytes % 97))
      })
      const random = createSeededRandom(seed)
      const client = await open(port, {
        settings: [[f.initialWindowSize, 1 + random.below(5000)]],
        connectionWindow: 0,
      })
      const roomAtFirst = client.window
      let granted = 65_535
      let nextId = 1
      let left = 150
      let busy = true
      const all = (): number => client.receivedBytes
      const open_ = async (): Promise<void> => {
        while (busy) {
          await client.until(() => !busy || all() > granted - 20_000, 'use of the window of the connection')
          const more = 1 + random.below(30_000)
          client.grant(0, more)
          granted += more
        }
      }
      const one = async (): Promise<void> => {
        const id = nextId
        nextId += 2
        const bytes = random.below(3) === 0 ? random.below(60_000) : random.below(2000)
        const upload = random.below(2) === 0 ? pattern(random.below(100_000), id) : f.nothing
        const refuse = random.below(4) === 0
        client.request(id, { method: 'POST', path: `${pod}?bytes=${bytes}${refuse ? '&refuse' : ''}` }, false)
        const habit = random.below(6)
        if (habit === 0) client.padding(id, random.below(256))
        await client.upload(id, upload, { frameBytes: 1 + random.below(16_384), end: false })
        if (habit === 1) return client.reset(id)
        client.data(id, f.nothing, true)
        let window = 0
        for (let rounds = 0; ; rounds++) {
          const incoming = client.incoming(id)
          const due = window
          await client.until(() => incoming.ended || incoming.reset || incoming.bodyBytes >= due, 'more of an answer')
          if (incoming.ended || incoming.reset !== undefined) break
          if (habit === 2 && rounds === 3) return client.reset(id)
          const more = 1 + random.below(20_000)
          client.grant(id, more)
          window += more
        }
        const { status, headers, body } = await client.answer(id)
        assert.equal(status, refuse ? 403 : 200)
        if (refuse) return
        assert.equal(headers['x-hash'], hash(upload))
        assert.equal(hash(body), hash(pattern(bytes, bytes % 97)))
      }
      const worker = async (): Promise<void> => {
        while (left-- > 0) await one()
      }
      const opening = open_()
      await Promise.all(Array.from({ length: 15 }, worker))
      busy = false
      client.ping()
      await opening
      await client.settled()
      // What is not given back at once is kept until it is worth a frame, and that is half of it at most.
      assert.ok(client.window * 2 >= roomAtFirst, `${client.window} of ${roomAtFirst} bytes are left`)
    })
})
