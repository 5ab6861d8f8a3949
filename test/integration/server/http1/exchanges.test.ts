import assert from 'node:assert/strict'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import type { TLSSocket } from 'node:tls'
import { createSeededRandom } from '../../../../lib/base/index.ts'
import type { Call } from '../../../../lib/request/index.ts'
import { eventually, eventuallyEquals } from '../../../support/eventually.ts'
import { standstill } from '../../../support/standstill.ts'
import { turns } from '../../../support/turns.ts'
import { closed, raw, received, serving, small } from '../support.ts'

const pod = '/api/v1/namespaces/default/pods/web'
const get = `GET ${pod} HTTP/1.1\r\nhost: x\r\n`
const closing = `${get}connection: close\r\n\r\n`

function echo(call: Call): Promise<void> {
  return call
    .body()
    .then(async (body) => await call.responder.send(200, {}, Buffer.concat([Buffer.from('got '), body])))
}

describe('HTTP/1.1: requests and answers', () => {
  const listen = serving()

  async function open(port: number): Promise<TLSSocket> {
    const socket = raw(port)
    await once(socket, 'secureConnect')
    return socket
  }
  async function ask(port: number, text: string): Promise<string> {
    const socket = await open(port)
    socket.write(text, 'latin1')
    return await received(socket)
  }
  const bodies = (text: string): string[] => text.split(/HTTP\/1\.1 \d+ [^]*?\r\n\r\n/).slice(1)
  const statuses = (text: string): string[] =>
    [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status ?? '')

  it('a client that closes its side behind the request gets its answer', async () => {
    const port = await listen(async (call) => {
      await turns()
      await call.responder.send(200, {}, small)
    })
    const socket = await open(port)
    socket.allowHalfOpen = true
    socket.end(`${get}\r\n`)
    assert.match(await received(socket), /200 OK[^]*connection: close[^]*ConfigMap/)
  })

  it('a client that closes its side ends its watch at once, and a slow request soon', async () => {
    const ends: Promise<unknown>[] = []
    const port = await listen(async (call) => {
      const over = new Promise((resolve) => call.signal.addEventListener('abort', resolve))
      ends.push(over)
      if (call.info.verb === 'watch') call.responder.stream(200, {}).write(Buffer.from('event'))
      await over
    })
    for (const path of ['/api/v1/pods?watch=1', pod]) {
      const socket = await open(port)
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`)
      await eventually(() => ends.length > 0, 'the request')
      socket.end()
      await ends.pop()
      socket.destroy()
    }
  })

  it('a client that leaves aborts its request', async () => {
    const left = Promise.withResolvers<unknown>()
    const begun = Promise.withResolvers<void>()
    const port = await listen(async (call) => {
      call.signal.addEventListener('abort', () => left.resolve(call.signal.reason))
      begun.resolve()
      await left.promise
    })
    const socket = await open(port)
    socket.write(`${get}\r\n`)
    await begun.promise
    socket.destroy()
    assert.match(String(await left.promise), /ClientGone/)
  })

  it('100 Continue is sent when the body is wanted, and only then', async () => {
    const port = await listen(async (call) => {
      if (call.method === 'PUT') return await call.responder.send(403, {}, small)
      await echo(call)
    })
    const head = (method: string): string =>
      `${method} ${pod} HTTP/1.1\r\nhost: x\r\nexpect: 100-Continue\r\ncontent-length: 3\r\n\r\n`
    const wanted = await open(port)
    wanted.write(head('POST'))
    const [interim] = (await once(wanted, 'data')) as [Buffer]
    assert.equal(String(interim), 'HTTP/1.1 100 Continue\r\n\r\n')
    wanted.write(`abc${closing}`)
    assert.deepEqual(statuses(await received(wanted)), ['200', '200'])
    // The client may send its body or not: what comes behind the answer can't be read as a request.
    const refused = await ask(port, `${head('PUT')}${closing}`)
    assert.deepEqual(statuses(refused), ['403'])
    assert.match(refused, /connection: close/)
  })

  it('a short body that nobody reads is not taken for the next request, and the connection lasts', async () => {
    const port = await listen((call) => call.responder.send(200, {}, Buffer.from(call.method)))
    const body = `DELETE ${pod} HTTP/1.1\r\nhost: x\r\n\r\n`
    const socket = await open(port)
    socket.write(`POST ${pod} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n`)
    await once(socket, 'data')
    socket.write(`${body}${closing}`)
    assert.deepEqual(bodies(await received(socket)), ['GET'])
  })

  it('a chunked body that nobody reads ends the connection', async () => {
    const port = await listen((call) => call.responder.send(200, {}, Buffer.from(call.method)))
    const socket = await open(port)
    socket.write(`POST ${pod} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`)
    const text = received(socket)
    await once(socket, 'data')
    socket.write(`0\r\n\r\n${closing}`)
    assert.deepEqual(bodies(await text), ['POST'])
  })

  it('a body whose framing breaks is answered 400, and its handler sees its client gone', async () => {
    const seen = Promise.withResolvers<unknown>()
    const port = await listen(async (call) => {
      await call.body().catch(seen.resolve)
    })
    const socket = await open(port)
    socket.write(`POST ${pod} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc`)
    await turns()
    socket.write(`x\r\n${closing}`)
    assert.deepEqual(statuses(await received(socket)), ['400'])
    assert.match(String(await seen.promise), /ClientGone/)
  })

  it('HEAD, 204 and 304 have no body, and the connection lasts', async () => {
    const port = await listen((call) => {
      const status = Number(call.query.get('status') ?? 200)
      if (call.query.has('chunks')) return call.responder.sendChunks(status, {}, [small])
      if (!call.query.has('stream')) return call.responder.send(status, {}, status === 200 ? small : undefined)
      const stream = call.responder.stream(status, {})
      stream.write(small)
      stream.end()
    })
    const of = (method: string, query: string): string => `${method} ${pod}?${query} HTTP/1.1\r\nhost: x\r\n\r\n`
    const text = await ask(
      port,
      of('HEAD', '') +
        of('HEAD', 'stream') +
        of('HEAD', 'chunks') +
        of('GET', 'status=204') +
        of('GET', 'status=304') +
        of('GET', 'status=204&stream') +
        closing,
    )
    assert.deepEqual(statuses(text), ['200', '200', '200', '204', '304', '204', '200'])
    assert.deepEqual(bodies(text), ['', '', '', '', '', '', small.toString()])
    assert.match(text, new RegExp(`^HTTP/1.1 200 OK\r\n[^]*?content-length: ${small.length}\r\n`))
  })

  it('HTTP/1.0: closes behind the answer, keeps the connection on request, and gets no chunks', async () => {
    const port = await listen((call) => {
      if (!call.query.has('stream')) return call.responder.send(200, {}, small)
      const stream = call.responder.stream(200, {})
      stream.write(Buffer.from('one '))
      stream.write([Buffer.from('tw'), Buffer.from('o')])
      stream.end()
    })
    const old = (query: string, more = ''): string => `GET ${pod}${query} HTTP/1.0\r\n${more}\r\n`
    assert.deepEqual(bodies(await ask(port, old('') + old(''))), [small.toString()])
    const kept = await ask(port, old('', 'connection: Keep-Alive\r\n') + old('?stream', 'connection: keep-alive\r\n'))
    assert.deepEqual(bodies(kept), [small.toString(), 'one two'])
    assert.doesNotMatch(kept, /chunked/)
  })

  it('many requests at once are answered in order, one a turn of the event loop', async () => {
    let [running, most, count] = [0, 0, 0]
    const port = await listen(async (call) => {
      most = Math.max(most, ++running)
      await call.responder.send(200, {}, Buffer.from(`<${count++}>`))
      running--
    })
    const total = 800
    const text = await ask(port, `${get}\r\n`.repeat(total - 1) + closing)
    assert.equal(bodies(text).join(''), Array.from({ length: total }, (_, at) => `<${at}>`).join(''))
    assert.equal(most, 1)
  })

  it('requests behind a slow one wait unread', async () => {
    const slow = Promise.withResolvers<void>()
    const port = await listen(async (call) => {
      await slow.promise
      await call.responder.send(200, {}, small)
    })
    const socket = await open(port)
    const text = received(socket)
    let taken = 0
    const flood = Buffer.from(`${get}\r\n`.repeat(2000))
    // Until the system's buffers are full.
    for (let round = 0; round < 400; round++) if (!socket.write(flood, () => (taken += flood.length))) await turns(1)
    let before = -1
    while (before !== taken) {
      before = taken
      await turns(20)
    }
    assert.ok(taken < 400 * flood.length, `${taken} bytes were taken`)
    socket.destroy()
    slow.resolve()
    await text
  })

  it('a client that asks again and again and reads no answer is served a few, and all when it reads', async () => {
    let served = 0
    const total = 300
    const answer = Buffer.alloc(60_000, 'x')
    const port = await listen(async (call) => {
      served++
      await call.responder.send(200, {}, answer)
    })
    const socket = await open(port)
    socket.pause()
    socket.write(`${get}\r\n`.repeat(total - 1) + closing)
    const few = await standstill(() => served, turns)
    assert.ok(few < total / 2, `${few} of ${total} were served`)
    const text = received(socket)
    socket.resume()
    assert.equal(statuses(await text).length, total)
    assert.equal(served, total)
  })

  it('an upgraded connection gets the bytes behind the request first, and another answer ends it', async () => {
    const port = await listen(async (call) => {
      await turns()
      const { upgrade } = call
      if (call.query.has('refuse') || upgrade === undefined) return await call.responder.send(403, {}, small)
      const stream = upgrade.accept({})
      pipeline(stream, stream).catch(() => {})
    })
    const asking = (query: string): string =>
      `GET ${pod}?${query} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\n`
    const socket = await open(port)
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += String(chunk)))
    socket.write(`${asking('')}first `)
    await eventually(() => text.endsWith('first '), 'the first bytes')
    socket.write('second')
    await eventually(() => text.endsWith('second'), 'the next bytes')
    assert.match(text, /^HTTP\/1\.1 101 Switching Protocols\r\n[^]*\r\n\r\nfirst second$/)
    socket.end()
    await closed(socket)
    const refused = await ask(port, `${asking('refuse')}${closing}`)
    assert.deepEqual(statuses(refused), ['403'])
    const unasked = await ask(
      port,
      `POST ${pod} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: echo\r\ncontent-length: 3\r\n\r\nabc${closing}`,
    )
    assert.deepEqual(statuses(unasked), ['403', '403'])
  })

  it('an unused connection and one with half a head end after the time for headers', async () => {
    const port = await listen(undefined, { headersTimeoutMs: 200 })
    assert.equal(await ask(port, ''), '')
    assert.deepEqual(statuses(await ask(port, get)), ['408'])
    assert.deepEqual(statuses(await ask(port, `${get}\r\n${get}`)), ['200', '408'])
  })

  it('a body that never ends is given up after the time for a request', async () => {
    const gone = Promise.withResolvers<unknown>()
    const port = await listen(
      // Long-running: it has no deadline of its own.
      async (call) => {
        call.bodyStream().resume()
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
        gone.resolve(call.signal.reason)
      },
      { headersTimeoutMs: 100, requestTimeoutMs: 100 },
    )
    const head = `POST ${pod}/attach HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\na`
    assert.deepEqual(statuses(await ask(port, head)), ['408'])
    await gone.promise
  })

  it('headers of an answer can hold no line end, nor a character that becomes one', async () => {
    const port = await listen((call) => call.responder.send(200, { 'x-a': call.query.get('value') ?? '' }, small))
    for (const value of ['a\r\nx-b: c', 'a\nb', '\u010ax-b: c', '\0'])
      assert.doesNotMatch(
        await ask(port, closing.replace(pod, `${pod}?value=${encodeURIComponent(value)}`)),
        /^x-b|200/m,
      )
    assert.match(await ask(port, closing.replace(pod, `${pod}?value=%C3%A9%09!`)), /x-a: \xe9\t!\r\n/)
  })

  it("random bytes end a connection, or don't; the server keeps serving, and nothing stays under way", async () => {
    let running = 0
    const port = await listen(
      async (call) => {
        running++
        try {
          await call.body()
          await call.responder.send(200, {}, Buffer.alloc(call.url.length > 60 ? 100_000 : 10))
        } finally {
          running--
        }
      },
      { headersTimeoutMs: 400, requestTimeoutMs: 400 },
    )
    const post = `POST ${pod} HTTP/1.1\r\nhost: x\r\n`
    const whole = `${get}\r\n${post}content-length: 5\r\n\r\nhello${post}transfer-encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\na: b\r\n\r\n${closing.replace(pod, `${pod}?${'x'.repeat(60)}`)}`
    const one = async (seed: number): Promise<void> => {
      const random = createSeededRandom(seed)
      const bytes = Buffer.from(whole, 'latin1')
      for (let left = random.below(4); left > 0; left--) bytes[random.below(bytes.length)] = random.below(256)
      const socket = await open(port)
      socket.resume()
      for (let at = 0; at < bytes.length; ) {
        const end = at + 1 + random.below(bytes.length - at)
        socket.write(bytes.subarray(at, end))
        at = end
        await turns(random.below(3))
        if (random.below(12) === 0) socket.destroy()
        if (socket.destroyed) return
      }
      if (random.below(2) === 0) socket.end()
      await closed(socket)
    }
    await Promise.all(Array.from({ length: 60 }, (_, seed) => one(seed)))
    await eventuallyEquals(() => running, 0, 'requests under way')
    assert.match(await ask(port, closing), /200 OK/)
  })
})
