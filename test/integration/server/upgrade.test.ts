import assert from 'node:assert/strict'
import { request } from 'node:https'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Call } from '../../../lib/request/index.ts'
import { standstill } from '../../support/standstill.ts'
import { turns } from '../../support/turns.ts'
import { protocols, raw, received, serving, session2 } from './support.ts'

const path = '/api/v1/namespaces/ns/pods/p/exec'

/** Echoes what comes over an upgraded stream; `left` resolves when its signal aborts. */
function echoing(): { handle(call: Call): void | Promise<void>; readonly left: Promise<unknown>; calls: Call[] } {
  const left = Promise.withResolvers<unknown>()
  const calls: Call[] = []
  return {
    calls,
    left: left.promise,
    handle(call) {
      calls.push(call)
      const { upgrade, signal } = call
      if (!upgrade) return call.responder.send(400, {}, Buffer.from('no upgrade'))
      signal.addEventListener('abort', () => left.resolve(signal.reason))
      const stream = upgrade.accept({ 'x-served-by': 'echo' })
      pipeline(stream, stream).catch(() => {})
    },
  }
}

interface Opened {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly stream: Duplex
}

/** Asks for an upgrade as each protocol does it. */
const openers: readonly { protocol: string; open(port: number): Promise<Opened> }[] = [
  {
    protocol: 'HTTP/1.1',
    open: (port) =>
      new Promise((resolve, reject) => {
        const headers = { connection: 'Upgrade', upgrade: 'echo' }
        const asked = request({ host: '127.0.0.1', port, path, headers, rejectUnauthorized: false, agent: false })
        asked.on('upgrade', (answer, stream, head) => {
          stream.on('error', () => {})
          if (head.length > 0) stream.unshift(head)
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, stream })
        })
        asked.on('response', (answer) => reject(new Error(`answered ${answer.statusCode}`)))
        asked.on('error', reject)
        asked.end()
      }),
  },
  {
    protocol: 'HTTP/2',
    async open(port) {
      const session = session2(port)
      await new Promise<void>((resolve) => session.once('remoteSettings', () => resolve()))
      const stream = session.request(
        { ':method': 'CONNECT', ':protocol': 'echo', ':path': path, ':scheme': 'https', ':authority': 'localhost' },
        { endStream: false },
      )
      stream.on('close', () => session.close())
      stream.on('error', () => {})
      return await new Promise((resolve, reject) => {
        stream.once('response', (headers) => resolve({ status: Number(headers[':status']), headers, stream }))
        stream.once('error', reject)
      })
    },
  },
]

async function text(stream: Duplex, bytes: number): Promise<string> {
  let all = ''
  for (;;) {
    const chunk = stream.read() as Buffer | null
    if (chunk !== null) all += chunk.toString('latin1')
    if (all.length >= bytes) return all
    await new Promise((resolve) => stream.once('readable', resolve))
  }
}

describe('server: upgrades and streamed bodies', () => {
  const serve = serving()

  for (const { protocol, open } of openers) {
    describe(`an upgrade over ${protocol}`, () => {
      it('hands over a stream of bytes both ways', async () => {
        const echo = echoing()
        const { status, headers, stream } = await open(await serve(echo.handle))
        assert.equal(status, protocol === 'HTTP/2' ? 200 : 101)
        assert.equal(headers['x-served-by'], 'echo')
        assert.equal(headers['upgrade'], protocol === 'HTTP/2' ? undefined : 'echo')
        stream.write('hello')
        assert.equal(await text(stream, 5), 'hello')
        stream.write('x'.repeat(300_000))
        assert.equal((await text(stream, 300_000)).length, 300_000)
        const [call] = echo.calls
        assert.deepEqual([call?.method, call?.info.verb, call?.headers['upgrade']], ['GET', 'get', 'echo'])
        stream.destroy()
      })

      it('aborts the signal when the client leaves', async () => {
        const echo = echoing()
        const { stream } = await open(await serve(echo.handle))
        stream.write('hello')
        await text(stream, 5)
        stream.destroy()
        assert.ok((await echo.left) instanceof Error)
      })

      it('outlives the deadline of requests', async () => {
        const echo = echoing()
        const port = await serve(echo.handle, { requestTimeoutMs: 100 })
        const { stream } = await open(port)
        await new Promise((resolve) => setTimeout(resolve, 400))
        stream.write('still')
        assert.equal(await text(stream, 5), 'still')
        // The server closes after this test, with the stream still open.
      })

      it('holds back a side that sends faster than the other reads', async () => {
        const taken = Promise.withResolvers<Duplex>()
        const port = await serve((call) => {
          const stream = call.upgrade?.accept({})
          if (stream) taken.resolve(stream)
        })
        const { stream } = await open(port)
        const server = await taken.promise
        let written = 0
        const chunk = Buffer.alloc(64 * 1024)
        while (written < 64 << 20 && server.write(chunk)) written += chunk.length
        assert.ok(written < 32 << 20, `${written} bytes wait for a client that reads nothing`)
        stream.destroy()
      })
    })
  }

  it('answers an upgrade that its handler ignores like any request, and closes the connection', async () => {
    const port = await serve()
    const socket = raw(port)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`)
    assert.match(await received(socket), /^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*ConfigMap/i)
  })

  it('serves an upgrade request with a body as a plain request', async () => {
    const port = await serve(async (call) => {
      assert.equal(call.upgrade, undefined)
      await call.responder.send(200, {}, await call.body())
    })
    const socket = raw(port)
    socket.end(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, close\r\nUpgrade: echo\r\nContent-Length: 4\r\n\r\nbody`,
    )
    assert.match(await received(socket), /^HTTP\/1\.1 200 OK[^]*body$/)
  })

  for (const { protocol, get } of protocols) {
    it(`${protocol}: a request without an upgrade gets none`, async () => {
      const port = await serve((call) => call.responder.send(call.upgrade === undefined ? 200 : 500, {}))
      assert.equal((await get(port, path)).status, 200)
    })
  }

  const megabyte = Buffer.alloc(1 << 20, 'x')
  const senders = [
    {
      protocol: 'HTTP/1.1',
      send: (port: number, body: Readable) =>
        new Promise<string>((resolve, reject) => {
          const outgoing = request(
            { host: '127.0.0.1', port, path, method: 'POST', rejectUnauthorized: false, agent: false },
            (answer) => {
              let all = ''
              answer.on('data', (chunk) => (all += String(chunk)))
              answer.on('end', () => resolve(all))
            },
          )
          outgoing.on('error', reject)
          body.pipe(outgoing)
          body.on('close', () => {
            if (!body.readableEnded) outgoing.destroy()
          })
        }),
    },
    {
      protocol: 'HTTP/2',
      send: (port: number, body: Readable) =>
        new Promise<string>((resolve, reject) => {
          const session = session2(port)
          const outgoing = session.request({ ':method': 'POST', ':path': path }, { endStream: false })
          let all = ''
          outgoing.on('data', (chunk) => (all += String(chunk)))
          outgoing.on('end', () => resolve(all))
          outgoing.on('error', reject)
          outgoing.on('close', () => session.close())
          body.pipe(outgoing)
          body.on('close', () => {
            if (!body.readableEnded) outgoing.destroy()
          })
        }),
    },
  ]
  for (const { protocol, send } of senders) {
    describe(`a body as a stream over ${protocol}`, () => {
      it('may be a hundred times as large as the memory it takes', async () => {
        let most = 0
        const port = await serve(
          async (call) => {
            let bytes = 0
            for await (const chunk of call.bodyStream() as AsyncIterable<Buffer>) {
              bytes += chunk.length
              most = Math.max(most, chunk.length)
            }
            await call.responder.send(200, {}, Buffer.from(String(bytes)))
          },
          { bodyBytesMax: 1000 },
        )
        const body = Readable.from(
          (function* () {
            for (let sent = 0; sent < 100; sent++) yield megabyte
          })(),
        )
        assert.equal(await send(port, body), String(100 << 20))
        assert.ok(most <= 512 * 1024, `a chunk of ${most} bytes`)
      })

      it('arrives no faster than it is read', async () => {
        const reading = Promise.withResolvers<Readable>()
        const port = await serve(async (call) => {
          const stream = call.bodyStream()
          const first = stream[Symbol.asyncIterator]()
          await first.next()
          reading.resolve(stream)
          await new Promise((resolve) => stream.once('close', resolve))
        })
        let sent = 0
        const body = Readable.from(
          (function* () {
            for (; sent < 100; sent++) yield megabyte
          })(),
        )
        const answered = send(port, body).catch(() => {})
        await reading.promise
        await standstill(() => sent, turns)
        assert.ok(sent < 30, `${sent} MB were sent to a server that reads nothing`)
        body.destroy()
        await answered
      })

      it('fails when the client leaves, and the signal aborts', async () => {
        const failed = Promise.withResolvers<readonly [unknown, boolean]>()
        const port = await serve(async (call) => {
          const { signal } = call
          const stream = call.bodyStream()
          try {
            for await (const _ of stream) if (!body.destroyed) body.destroy()
          } catch (error) {
            await new Promise((resolve) => setImmediate(resolve))
            failed.resolve([error, signal.aborted])
          }
        })
        const body = Readable.from(
          (function* () {
            for (;;) yield Buffer.alloc(1000)
          })(),
        )
        send(port, body).catch(() => {})
        const [error, aborted] = await failed.promise
        assert.ok(error instanceof Error)
        assert.equal(aborted, true)
      })
    })
  }
})
