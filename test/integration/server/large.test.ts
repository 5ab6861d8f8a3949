import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { connect } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import type { Server } from '../../../lib/server/index.ts'
import { standstill } from '../../support/standstill.ts'
import { turns } from '../../support/turns.ts'
import { protocols, run, session2 } from './support.ts'

const list = '/api/v1/pods'

async function fetch(
  port: number,
  protocol: string,
  headers: Record<string, string>,
  { query = '', slow = false } = {},
): Promise<{ headers: Record<string, unknown>; body: Buffer }> {
  const chunks: Buffer[] = []
  if (protocol === 'HTTP/2') {
    const session = session2(port)
    const stream = session.request({ ':path': list + query, ...headers })
    const [given] = (await once(stream, 'response')) as [Record<string, unknown>]
    await collect(stream, chunks, slow)
    session.destroy()
    return { headers: given, body: Buffer.concat(chunks) }
  }
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path: list + query,
    headers,
    rejectUnauthorized: false,
    agent: false,
  })
  outgoing.end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  await collect(incoming, chunks, slow)
  return { headers: incoming.headers, body: Buffer.concat(chunks) }
}

/** A slow reader rests now and then, so that much is under way to it while others are served. */
async function collect(source: AsyncIterable<unknown>, chunks: Buffer[], slow: boolean): Promise<void> {
  for await (const chunk of source) {
    chunks.push(chunk as Buffer)
    if (slow && chunks.length % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('large answers', () => {
  const random = randomBytes(13_600_000)
  const words = Buffer.from('{"kind":"Pod","metadata":{"name":"web"}},'.repeat(30_000))
  const chunked = (body: Buffer, bytes: number): Buffer[] =>
    Array.from({ length: Math.ceil(body.length / bytes) }, (_, at) => body.subarray(at * bytes, (at + 1) * bytes))
  const forms: { name: string; body: Buffer; sent: Buffer | Buffer[] }[] = [
    { name: 'one buffer', body: random, sent: random },
    { name: 'pieces', body: random, sent: chunked(random, 64 * 1024) },
    {
      name: 'thousands of crumbs',
      body: random.subarray(0, 4_000_000),
      sent: chunked(random.subarray(0, 4_000_000), 1000),
    },
    { name: 'large chunks', body: random, sent: chunked(random, 3_000_001) },
  ]
  let server: Server | undefined
  afterEach(async () => server?.close())
  const hash = (body: Buffer): string => createHash('sha256').update(body).digest('hex')

  for (const { protocol } of protocols) {
    for (const { name, body, sent } of forms) {
      it(`${protocol}: arrive whole when passed as ${name}`, async () => {
        const running = await run((call) => call.responder.send(200, {}, sent))
        server = running.server
        const answer = await fetch(running.port, protocol, {})
        assert.equal(answer.headers['content-length'], String(body.length))
        assert.equal(hash(answer.body), hash(body))
      })
    }

    it(`${protocol}: never mix with others, though they share buffers`, async () => {
      const running = await run((call) => {
        const fill = Number(call.query.get('fill'))
        return call.responder.send(200, {}, chunked(Buffer.alloc(3_000_000, fill), 7001))
      })
      server = running.server
      const fetches = Array.from({ length: 12 }, async (_, fill) => {
        const slow = fill % 3 === 0
        const { body } = await fetch(running.port, protocol, {}, { query: `?fill=${fill}`, slow })
        assert.ok(body.equals(Buffer.alloc(3_000_000, fill)))
      })
      await Promise.all(fetches)
    })

    it(`${protocol}: are compressed above 128 KiB for clients that accept gzip`, async () => {
      let sent: Buffer | Buffer[] = words
      const running = await run((call) => call.responder.send(200, {}, sent))
      server = running.server
      const { port } = running
      for (const form of [words, chunked(words, 5000)]) {
        sent = form
        const answer = await fetch(port, protocol, { 'accept-encoding': 'br, gzip;q=0.5' })
        assert.equal(answer.headers['content-encoding'], 'gzip')
        assert.equal(answer.headers['vary'], 'Accept-Encoding')
        assert.ok(answer.body.length < words.length / 5)
        assert.equal(hash(gunzipSync(answer.body)), hash(words))
      }
      const refusals: Record<string, string>[] = [
        {},
        { 'accept-encoding': 'gzip;q=0' },
        { 'accept-encoding': 'identity' },
      ]
      for (const refusal of refusals) {
        assert.equal((await fetch(port, protocol, refusal)).headers['content-encoding'], undefined)
      }
      sent = words.subarray(0, 100_000)
      const small = await fetch(port, protocol, { 'accept-encoding': 'gzip' })
      assert.equal(small.headers['content-encoding'], undefined)
    })

    it(`${protocol}: arrive whole when they are made while they are sent, in one buffer`, async () => {
      const running = await run((call) => call.responder.sendChunks(200, {}, reusing(chunked(random, 70_001))))
      server = running.server
      for (const slow of [false, true]) {
        const answer = await fetch(running.port, protocol, {}, { slow })
        assert.equal(answer.headers['content-length'], undefined)
        assert.equal(hash(answer.body), hash(random))
      }
    })

    it(`${protocol}: made while they are sent, they are compressed, too`, async () => {
      const running = await run((call) => call.responder.sendChunks(200, {}, reusing(chunked(words, 5000))))
      server = running.server
      const answer = await fetch(running.port, protocol, { 'accept-encoding': 'gzip' })
      assert.equal(answer.headers['content-encoding'], 'gzip')
      assert.equal(hash(gunzipSync(answer.body)), hash(words))
    })

    it(`${protocol}: are not continued for a client that left, or before it reads`, async () => {
      let made = 0
      let gone: (() => void) | undefined
      const over = new Promise<void>((resolve) => (gone = resolve))
      const running = await run(async (call) => {
        await call.responder.sendChunks(
          200,
          {},
          reusing(chunked(random, 10_000), () => made++),
        )
        gone?.()
      })
      server = running.server
      const leave = await beginToRead(running.port, protocol)
      const begun = await standstill(() => made, turns)
      assert.ok(begun < 1000, `${begun} of 1360 chunks were made for a client that doesn't read`)
      leave()
      await over
      assert.ok(made - begun <= 20, `${made - begun} more`)
    })

    it(`${protocol}: made while they are sent and failing, they don't look complete`, async () => {
      const running = await run((call) => call.responder.sendChunks(200, {}, failing(chunked(random, 10_000))))
      server = running.server
      await assert.rejects(fetch(running.port, protocol, {}))
    })

    // Usually 4 ms; in one go it would be more than 100.
    it(`${protocol}: do not block the event loop while they are sent`, async () => {
      const huge = Buffer.alloc(100_000_000)
      const running = await run((call) => call.responder.send(200, {}, huge))
      server = running.server
      const { longest, done } = await watchedFetch(running.port, protocol, 60)
      assert.equal(done, huge.length)
      assert.ok(longest < 60, `${longest} ms`)
    })
  }

  it('HTTP/1.0: made while they are sent, they end with the connection', async () => {
    const running = await run((call) => call.responder.sendChunks(200, {}, reusing(chunked(random, 10_000))))
    server = running.server
    const socket = connect({ host: '127.0.0.1', port: running.port, rejectUnauthorized: false })
    socket.write(`GET ${list} HTTP/1.0\r\nhost: x\r\n\r\n`)
    const received: Buffer[] = []
    for await (const chunk of socket) received.push(chunk as Buffer)
    const answer = Buffer.concat(received)
    const body = answer.subarray(answer.indexOf('\r\n\r\n') + 4)
    assert.equal(hash(body), hash(random))
  })

  it('HTTP/1.1: made while they are sent, they leave the connection to the next request', async () => {
    const running = await run((call) => call.responder.sendChunks(200, {}, reusing(chunked(words, 10_000))))
    server = running.server
    const socket = connect({ host: '127.0.0.1', port: running.port, rejectUnauthorized: false })
    // Both at once: the second answer waits behind the first.
    socket.write(`GET ${list} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(2))
    let received = ''
    for await (const chunk of socket) {
      received += String(chunk)
      if (received.endsWith('\r\n0\r\n\r\n') && received.split('HTTP/1.1 200').length === 3) break
    }
    const texts = received.split(/HTTP\/1.1 200[^]*?\r\n\r\n/).slice(1)
    assert.deepEqual(
      texts.map((text) => text.replaceAll(/(^|\r\n)[0-9a-f]+\r\n/g, '').trim() === words.toString()),
      [true, true],
    )
  })

  for (const protocol of ['HTTP/1.1', 'HTTP/2'])
    it(`${protocol}: curl reads the refusal of a body that is too large`, async () => {
      const { execFile } = await import('node:child_process')
      const running = await run(async (call) => void (await call.body()), { bodyBytesMax: 1024 * 1024 })
      server = running.server
      const url = `https://127.0.0.1:${running.port}${list}`
      const flags = ['-sk', protocol === 'HTTP/2' ? '--http2' : '--http1.1', '-o', '/dev/null', '-w', '%{http_code}']
      const printed = Promise.withResolvers<string>()
      const child = execFile('curl', [...flags, '--data-binary', '@-', url], (_error, out) => printed.resolve(out))
      child.stdin?.on('error', () => {})
      child.stdin?.end(Buffer.alloc(3 * 1024 * 1024))
      assert.equal(await printed.promise, '413')
    })

  it('are not compressed when the gate is off', async () => {
    const running = await run((call) => call.responder.send(200, {}, words), { compressResponses: false })
    server = running.server
    const answer = await fetch(running.port, 'HTTP/1.1', { 'accept-encoding': 'gzip' })
    assert.equal(answer.headers['content-encoding'], undefined)
  })
})

/** Yields all chunks in the same memory, as transcoders do; calls `made` for each. */
function* reusing(chunks: readonly Buffer[], made: () => void = () => {}): Generator<Uint8Array> {
  const memory = Buffer.alloc(100_000)
  for (const chunk of chunks) {
    made()
    memory.fill(0)
    chunk.copy(memory)
    yield memory.subarray(0, chunk.length)
  }
}

function* failing(chunks: readonly Buffer[]): Generator<Uint8Array> {
  yield* chunks.slice(0, 200)
  throw new Error('a bug')
}

/** Asks, and reads nothing but the beginning of the answer. Answers how to leave. */
async function beginToRead(port: number, protocol: string): Promise<() => void> {
  if (protocol === 'HTTP/2') {
    const session = session2(port)
    const stream = session.request({ ':path': list })
    await once(stream, 'response')
    return () => session.destroy()
  }
  const outgoing = request({ host: '127.0.0.1', port, path: list, rejectUnauthorized: false, agent: false })
  outgoing.on('error', () => {})
  outgoing.end()
  await once(outgoing, 'response')
  return () => outgoing.destroy()
}

/**
 * Fetches from another process, so that only the server's work is on this event loop. Answers how long this thread
 * worked at most in one turn of the loop (not how long others kept it from working): the first of three times that is
 * below `wantedMs`, or else the best.
 */
async function watchedFetch(
  port: number,
  protocol: string,
  wantedMs: number,
): Promise<{ longest: number; done: number }> {
  const { execFile } = await import('node:child_process')
  const flag = protocol === 'HTTP/2' ? '--http2' : '--http1.1'
  let best = Infinity
  let done = 0
  for (let round = 0; round < 3 && best >= wantedMs; round++) {
    let longest = 0
    const workedMs = (): number => {
      const { user, system } = process.threadCpuUsage()
      return (user + system) / 1000
    }
    let last = workedMs()
    let watching = true
    const tick = (): void => {
      const now = workedMs()
      longest = Math.max(longest, now - last)
      last = now
      if (watching) setImmediate(tick)
    }
    const url = `https://127.0.0.1:${port}${list}`
    const child = execFile('curl', ['-sk', flag, '-o', '/dev/null', '-w', '%{size_download}', url], (_error, out) => {
      done = Number(out)
    })
    last = workedMs()
    setImmediate(tick)
    await once(child, 'close')
    watching = false
    best = Math.min(best, longest)
  }
  return { longest: best, done }
}
