import assert from 'node:assert/strict'
import { once } from 'node:events'
import { constants } from 'node:http2'
import { request } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import type { Call } from '../../../lib/request/index.ts'
import type { Server, ServerOptions } from '../../../lib/server/index.ts'
import { closed, get1, get2, on2, protocols, run, session2, small } from './support.ts'

const pod = '/api/v1/namespaces/default/pods/web'
const bodyBytesMax = 3 * 1024 * 1024
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function readAll(call: Call): Promise<void> {
  const body = await call.body()
  await call.responder.send(200, {}, Buffer.from(String(body.byteLength)))
}

function raw(port: number): TLSSocket {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  socket.on('error', () => {})
  return socket
}

/** Everything that comes until the server closes. */
async function received(socket: TLSSocket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  await closed(socket)
  return text
}

describe('limits', () => {
  let server: Server | undefined
  afterEach(async () => {
    await server?.close()
    server = undefined
  })
  async function listen(
    handle?: (call: Call) => void | Promise<void>,
    options?: Partial<ServerOptions>,
  ): Promise<number> {
    const running = await run(handle, options)
    server = running.server
    return running.port
  }

  for (const { protocol, get } of protocols) {
    it(`${protocol}: a watch has to begin in the time of a request, and may then last longer`, async () => {
      const path = '/api/v1/namespaces/default/pods?watch=1'
      const never = await listen(() => new Promise(() => {}), { requestTimeoutMs: 200 })
      const late = await get(never, path)
      assert.equal(late.status, 504)
      assert.match(late.body, /"Timeout: request did not complete within the allotted timeout"/)
      await server?.close()
      const lasting = async (call: Call): Promise<void> => {
        const stream = call.responder.stream(200, {})
        stream.write(Buffer.from('begun '))
        await wait(700)
        stream.write(Buffer.from('and ended'))
        stream.end()
      }
      const long = await get(await listen(lasting, { requestTimeoutMs: 200 }), path)
      assert.deepEqual([long.status, long.body], [200, 'begun and ended'])
    })

    it(`${protocol}: takes a body of exactly 3 MiB and answers 413 to one byte more, announced or not`, async () => {
      const port = await listen(readAll)
      const ask = { method: 'POST', body: Buffer.alloc(bodyBytesMax) }
      assert.equal((await get(port, pod, ask)).body, String(bodyBytesMax))
      const announced: Record<string, string> = { 'content-length': String(bodyBytesMax + 1) }
      for (const headers of [announced, {}]) {
        const chunked = protocol === 'HTTP/1.1' && !('content-length' in headers)
        const answer = await get(port, pod, {
          method: 'POST',
          body: Buffer.alloc(bodyBytesMax + 1),
          headers: chunked ? { 'transfer-encoding': 'chunked' } : headers,
        })
        assert.equal(answer.status, 413)
        assert.match(answer.body, /"Request entity too large: limit is 3145728"/)
      }
      assert.equal((await get(port, pod, { method: 'POST', body: 'abc' })).body, '3')
    })

    it(`${protocol}: answers 414 to a URL that is too long and 400 to malformed escapes`, async () => {
      const port = await listen(undefined, { urlBytesMax: 1000 })
      assert.equal((await get(port, `/api/v1/pods?x=${'y'.repeat(1000)}`)).status, 414)
      for (const path of ['/api/v1/%zz', '/api/v1/pods/%ff', '/%']) {
        assert.equal((await get(port, path)).status, 400, path)
      }
      assert.equal((await get(port, '/api/v1/pods?labelSelector=%zz')).status, 200)
    })

    it(`${protocol}: gives up on a body that does not come`, async () => {
      const port = await listen(readAll, { requestTimeoutMs: 200 })
      const started = Date.now()
      const status = await new Promise<number>((resolve, reject) => {
        if (protocol === 'HTTP/2') {
          const session = session2(port)
          const stream = session.request({ ':path': pod, ':method': 'POST' })
          stream.write('{')
          stream.on('response', (headers) => {
            resolve(Number(headers[':status']))
            session.destroy()
          })
          stream.on('error', reject)
          return
        }
        const outgoing = request(
          { host: '127.0.0.1', port, path: pod, method: 'POST', rejectUnauthorized: false, agent: false },
          (incoming) => {
            resolve(incoming.statusCode ?? 0)
            outgoing.destroy()
          },
        )
        outgoing.on('error', reject)
        outgoing.write('{')
      })
      assert.equal(status, 504)
      assert.ok(Date.now() - started < 2000)
    })
  }

  it('HTTP/1.1: an early refusal reaches a client that goes on sending, and the connection is closed', async () => {
    const port = await listen(readAll)
    const socket = raw(port)
    await once(socket, 'secureConnect')
    socket.write(`POST ${pod} HTTP/1.1\r\nhost: x\r\ncontent-length: 999999999\r\n\r\n`)
    const answer = received(socket)
    const sending = setInterval(() => socket.write(Buffer.alloc(64 * 1024)), 5)
    const text = await answer
    clearInterval(sending)
    assert.match(text, /^HTTP\/1\.1 413 /)
    assert.match(text, /connection: close/i)
  })

  it('HTTP/1.1: answers 431 to headers that are too large or too many', async () => {
    const port = await listen(undefined, { headerBytesMax: 16 * 1024, headerCountMax: 50 })
    assert.equal((await get1(port, pod, { headers: { 'x-large': 'y'.repeat(20_000) } })).status, 431)
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, '1']))
    assert.equal((await get1(port, pod, { headers: many })).status, 431)
    assert.equal((await get1(port, pod, { headers: { 'x-large': 'y'.repeat(8000) } })).status, 200)
  })

  it('HTTP/2: refuses headers that are too large or too many, and goes on serving', async () => {
    const port = await listen(undefined, { headerBytesMax: 16 * 1024, headerCountMax: 50 })
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`x-${at}`, '1']))
    const outcomes = await Promise.allSettled([
      get2(port, pod, { headers: many }),
      get2(port, pod, { headers: { 'x-large': 'y'.repeat(20_000) } }),
    ])
    const statuses = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value.status : 0))
    assert.ok(!statuses.includes(200), `answered ${statuses.join(', ')}`)
    assert.equal((await get2(port, pod)).status, 200)
  })

  it('HTTP/1.1: cuts off a client whose headers trickle in', async () => {
    const port = await listen(undefined, { headersTimeoutMs: 200 })
    const socket = raw(port)
    await once(socket, 'secureConnect')
    socket.write(`GET ${pod} HTTP/1.1\r\n`)
    const trickle = setInterval(() => socket.write('x: y\r\n'), 20)
    const text = await received(socket).finally(() => clearInterval(trickle))
    assert.match(text, /^HTTP\/1\.1 408 |^$/)
  })

  it('cuts off a client that never shakes hands', async () => {
    const { createConnection } = await import('node:net')
    const port = await listen(undefined, { handshakeTimeoutMs: 150 })
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.on('error', () => {})
    await closed(socket)
  })

  for (const { protocol } of protocols) {
    it(`${protocol}: cuts off a client that reads nothing, and others are served meanwhile`, async () => {
      const closed = Promise.withResolvers<void>()
      const port = await listen(
        async (call) => {
          if (call.info.verb !== 'list') return call.responder.send(200, {}, small)
          call.signal.addEventListener('abort', () => closed.resolve())
          await call.responder.send(200, {}, Buffer.alloc(64 * 1024 * 1024))
        },
        { stallTimeoutMs: 300 },
      )
      let stop: () => void
      if (protocol === 'HTTP/2') {
        const session = session2(port)
        const stream = session.request({ ':path': '/api/v1/pods' })
        stream.on('error', () => {})
        stream.pause()
        stop = () => session.destroy()
      } else {
        const socket = raw(port)
        await once(socket, 'secureConnect')
        socket.write('GET /api/v1/pods HTTP/1.1\r\nhost: x\r\n\r\n')
        socket.pause()
        stop = () => socket.destroy()
      }
      assert.equal((await get1(port, pod)).status, 200)
      await closed.promise
      stop()
    })
  }

  it('HTTP/2: a rapid reset ends the session, bounds the work, and others are served', async () => {
    let handled = 0
    const port = await listen(
      async (call) => {
        handled++
        await new Promise((resolve) => call.signal.addEventListener('abort', resolve))
      },
      { http2ResetBurst: 50, http2ResetsPerSecond: 10 },
    )
    const session = session2(port)
    const ended = new Promise((resolve) => session.on('close', resolve))
    await once(session, 'connect')
    const attack = setInterval(() => {
      for (let at = 0; at < 50 && !session.destroyed && !session.closed; at++) {
        const stream = session.request({ ':path': pod })
        stream.on('error', () => {})
        stream.close(constants.NGHTTP2_CANCEL)
      }
    }, 5)
    await ended.finally(() => clearInterval(attack))
    assert.ok(handled < 1000, `${handled} handled`)
    assert.equal((await get1(port, '/version')).status, 200)
  })

  it('HTTP/2: allows so many streams at once and no more', async () => {
    let open = 0
    let most = 0
    const port = await listen(
      async (call) => {
        most = Math.max(most, ++open)
        await wait(30)
        open--
        await call.responder.send(200, {}, small)
      },
      { http2StreamsMax: 5 },
    )
    const session = session2(port)
    await once(session, 'remoteSettings')
    assert.equal(session.remoteSettings.maxConcurrentStreams, 5)
    const answers = await Promise.all(Array.from({ length: 20 }, () => on2(session, pod)))
    session.destroy()
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal(most, 5)
  })

  it('takes no more connections than allowed', async () => {
    const port = await listen(undefined, { connectionsMax: 2 })
    const sockets = [raw(port), raw(port)]
    await Promise.all(sockets.map((socket) => once(socket, 'secureConnect')))
    await assert.rejects(get1(port, pod))
    sockets[0]?.destroy()
    await wait(50)
    assert.equal((await get1(port, pod)).status, 200)
    sockets[1]?.destroy()
  })

  it('HTTP/1.1: keeps a connection for the next request, and closes it after the idle time', async () => {
    const port = await listen(undefined, { idleTimeoutMs: 300 })
    const socket = raw(port)
    await once(socket, 'secureConnect')
    const text = received(socket)
    const started = Date.now()
    for (const n of ['1', '2']) {
      socket.write(`GET ${pod}?n=${n} HTTP/1.1\r\nhost: x\r\n\r\n`)
      await wait(200)
      assert.ok(!socket.closed)
    }
    assert.equal((await text).match(/HTTP\/1\.1 200[^]*?connection: keep-alive/gi)?.length, 2)
    assert.ok(Date.now() - started >= 500)
  })

  it('keeps idle connections for three minutes unless told otherwise', async () => {
    const { defaultServerOptions } = await import('../../../lib/server/index.ts')
    assert.ok(defaultServerOptions.idleTimeoutMs >= 180_000)
  })

  it('HTTP/1.1: answers pipelined requests in order', async () => {
    const port = await listen(async (call) => {
      if (call.query.has('slow')) await wait(50)
      await call.responder.send(200, {}, Buffer.from(call.query.get('n') ?? ''))
    })
    const socket = raw(port)
    await once(socket, 'secureConnect')
    socket.write(`GET ${pod}?slow&n=first HTTP/1.1\r\nhost: x\r\n\r\n`)
    socket.write(`GET ${pod}?n=second HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    assert.match(await received(socket), /first[^]*second/)
  })

  it('HTTP/1.1: a stream behind another answer on one connection keeps its framing', async () => {
    const port = await listen(async (call) => {
      if (call.info.verb === 'watch') {
        const stream = call.responder.stream(200, {})
        stream.write(Buffer.from('event\n'))
        return stream.end()
      }
      await wait(50)
      await call.responder.send(200, {}, small)
    })
    const socket = raw(port)
    await once(socket, 'secureConnect')
    socket.write(`GET ${pod} HTTP/1.1\r\nhost: x\r\n\r\n`)
    socket.write('GET /api/v1/pods?watch=1 HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const text = await received(socket)
    assert.match(text, /ConfigMap[^]*\r\n\r\n6\r\nevent\n\r\n0\r\n\r\n$/)
  })

  for (const { protocol } of protocols) {
    it(`${protocol}: cuts off a watch for which too much waits`, async () => {
      const cut = Promise.withResolvers<void>()
      const port = await listen(
        (call) => {
          const stream = call.responder.stream(200, {})
          const more = setInterval(() => stream.write(Buffer.alloc(1024 * 1024)), 1)
          stream.onClose(() => {
            clearInterval(more)
            cut.resolve()
          })
        },
        { pendingBytesMax: 8 * 1024 * 1024, stallTimeoutMs: 10_000 },
      )
      if (protocol === 'HTTP/2') {
        const session = session2(port)
        const stream = session.request({ ':path': '/api/v1/pods?watch=1' })
        stream.on('error', () => {})
        await cut.promise
        session.destroy()
      } else {
        const socket = raw(port)
        await once(socket, 'secureConnect')
        socket.pause()
        socket.write('GET /api/v1/pods?watch=1 HTTP/1.1\r\nhost: x\r\n\r\n')
        await cut.promise
        socket.destroy()
      }
    })
  }

  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  const settings = frame(4, 0, 0, Buffer.alloc(0))
  const floods: { name: string; begin: Buffer; again: Buffer }[] = [
    {
      name: 'CONTINUATION frames',
      begin: frame(1, 0, 1, Buffer.from([0x82])),
      again: frame(9, 0, 1, Buffer.from([0x40, 1, 97, 1, 98])),
    },
    { name: 'SETTINGS frames', begin: Buffer.alloc(0), again: frame(4, 0, 0, Buffer.from([0, 3, 0, 0, 0, 9])) },
    { name: 'PING frames', begin: Buffer.alloc(0), again: frame(6, 0, 0, Buffer.alloc(8)) },
    { name: 'empty DATA frames on a closed stream', begin: Buffer.alloc(0), again: frame(0, 0, 1, Buffer.alloc(0)) },
  ]
  for (const { name, begin, again } of floods) {
    it(`HTTP/2: ends a session that floods it with ${name} and does not read`, async () => {
      const port = await listen()
      const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
      socket.on('error', () => {})
      await once(socket, 'secureConnect')
      socket.pause()
      socket.write(Buffer.concat([preface, settings, begin]))
      const burst = Buffer.concat(Array<Buffer>(2000).fill(again))
      const flood = setInterval(() => socket.write(burst), 1)
      const closed = new Promise((resolve) => socket.on('close', resolve))
      const unread = setTimeout(() => socket.resume(), 1000) // a closed connection shows only to who reads
      await closed
      clearInterval(flood)
      clearTimeout(unread)
      assert.equal((await get2(port, pod)).status, 200)
    })
  }
})

/** An HTTP/2 frame (RFC 9113, 4.1). */
function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}
