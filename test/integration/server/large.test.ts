import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { gunzipSync } from 'node:zlib'
import type { Server } from '../../../lib/server/index.ts'
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
      it(`${protocol}: arrive whole when handed over as ${name}`, async () => {
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
        assert.equal(body.length, 3_000_000)
        assert.ok(body.every((byte) => byte === fill))
      })
      await Promise.all(fetches)
    })

    it(`${protocol}: are compressed above 128 KiB for who accepts gzip`, async () => {
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

    // Usually 4 ms; in one go it would be more than 100.
    it(`${protocol}: do not hold the event loop while they are sent`, async () => {
      const huge = Buffer.alloc(100_000_000)
      const running = await run((call) => call.responder.send(200, {}, huge))
      server = running.server
      const { longest, done } = await watchedFetch(running.port, protocol)
      assert.equal(done, huge.length)
      assert.ok(longest < 60, `${longest} ms`)
    })
  }

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

/**
 * Fetches from another process, so that only the server's work is on this event loop. Answers how long this thread
 * worked at most in one turn of the loop (not how long others kept it from working); the best of three.
 */
async function watchedFetch(port: number, protocol: string): Promise<{ longest: number; done: number }> {
  const { execFile } = await import('node:child_process')
  const flag = protocol === 'HTTP/2' ? '--http2' : '--http1.1'
  let best = Infinity
  let done = 0
  for (let round = 0; round < 3; round++) {
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
