import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2, { type Http2SecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { type Closable, systemClock, systemRandom } from '../../../lib/base/index.ts'
import {
  createHttpTransport,
  createServerConnections,
  RequestError,
  type Transport,
  type WatchSink,
} from '../../../lib/client/index.ts'
import { type ApiObject, StatusError } from '../../../lib/object/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { createSimClock } from '../../support/simclock.ts'

const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'ca' })
const { certificate: cert, key } = authority.issue({ commonName: 's', usage: 'server', names: ['127.0.0.1'] })
const { NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_INTERNAL_ERROR } = http2.constants

type Answer = (stream: ServerHttp2Stream, path: string, session: ServerHttp2Session) => void

const json = { ':status': 200, 'content-type': 'application/json' }
const answered: Answer = (stream, path) => {
  stream.respond(json)
  stream.end(JSON.stringify({ path }))
}
const get = (transport: Transport, url: string): Promise<unknown> => transport.send({ method: 'GET', url })

/** Requests and watches of a controller's client, all on one connection. */
describe('a client with all requests on one connection', () => {
  let server: Http2SecureServer | https.Server
  const sessions = new Set<ServerHttp2Session>()
  const seen: string[] = []
  const opened: Closable[] = []
  let connections = 0
  let endpoint = { url: '', ca: authority.certificate }

  async function serve(answer: Answer, options: http2.SecureServerOptions = {}): Promise<void> {
    const over2 = http2.createSecureServer({ cert, key, ...options })
    server = over2
    over2.on('session', (session) => {
      sessions.add(session)
      session.on('error', () => {})
      session.on('close', () => sessions.delete(session))
    })
    over2.on('stream', (stream, { ':path': path = '', authorization = '' }) => {
      seen.push(`${path} ${authorization}`.trim())
      stream.on('error', () => {})
      answer(stream as ServerHttp2Stream, path, stream.session as ServerHttp2Session)
    })
    await listen()
  }

  async function listen(): Promise<void> {
    server.on('secureConnection', () => connections++)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    endpoint = { ...endpoint, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }

  function transport(options: { timeoutMs?: number; bodyBytesMax?: number } = {}, clock = systemClock): Transport {
    const made = createHttpTransport({ clock }, endpoint, { userAgent: 'test', ...options })
    opened.push(made)
    return made
  }

  /** Watches until its end; resolves with the error of that. */
  function watched(through: Transport, url: string, events: string[] = []): Promise<Error | undefined> {
    return new Promise((resolve) => {
      const sink: WatchSink<ApiObject> = {
        onEvents: (batch) => events.push(...batch.map(({ object }) => object.metadata.name ?? '')),
        onEnd: resolve,
      }
      opened.push(through.watch({ method: 'GET', url }, sink))
    })
  }

  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close()
    for (const session of sessions) session.destroy()
    await new Promise((resolve) => server.close(resolve))
    seen.length = 0
    connections = 0
  })

  it('shares it with clients of other credentials, whose end does not end it', async () => {
    await serve(answered)
    const shared = createServerConnections({ clock: systemClock }, endpoint)
    opened.push(shared)
    const clients = ['a', 'b', 'c'].map((name) =>
      createHttpTransport(
        { clock: systemClock, connections: shared },
        { ...endpoint, authorization: name },
        { userAgent: name },
      ),
    )
    await Promise.all(clients.map((client, index) => get(client, `/${index}`)))
    void clients[0]?.close()
    await assert.rejects(get(clients[0] ?? assert.fail(), '/closed'), /the client is closed/)
    await Promise.all(clients.slice(1).map((client) => get(client, '/again')))
    assert.deepEqual([seen.slice().sort(), connections], [['/0 a', '/1 b', '/2 c', '/again b', '/again c'], 1])
  })

  it('speaks HTTP/1.1 to a server without HTTP/2', async () => {
    server = https.createServer({ cert, key }, (request, response) => {
      seen.push(`${request.httpVersion} ${request.url}`)
      response.setHeader('content-type', 'application/json')
      response.end('{}')
    })
    await listen()
    const client = transport()
    await get(client, '/a')
    await get(client, '/b')
    assert.deepEqual([seen, connections], [['1.1 /a', '1.1 /b'], 1])
  })

  it('opens a second one where the server allows no more requests on the first', async () => {
    await serve(
      (stream, path) => (path === '/watch' ? stream.respond(json) : answered(stream, path, stream.session as never)),
      {
        settings: { maxConcurrentStreams: 1 },
      },
    )
    const client = transport()
    void watched(client, '/watch')
    await eventuallyEquals(() => seen.length, 1, 'requests')
    assert.deepEqual(await get(client, '/a'), { path: '/a' })
    assert.equal(connections, 2)
  })

  it('moves to another one after a GOAWAY: open requests are answered, refused ones sent again', async () => {
    let isFirst = true
    await serve((stream, path, session) => {
      if (!isFirst) return answered(stream, path, session)
      isFirst = false
      session.goaway(NGHTTP2_NO_ERROR)
      session.ping(() => answered(stream, path, session))
    })
    const client = transport()
    const first = get(client, '/first')
    await eventuallyEquals(() => seen.length, 1, 'requests')
    await get(client, '/second')
    assert.deepEqual([await first, connections], [{ path: '/first' }, 2])
  })

  it('sends a refused request again, but not one that may have been processed', async () => {
    const codes = [NGHTTP2_REFUSED_STREAM, undefined, NGHTTP2_INTERNAL_ERROR]
    await serve((stream, path, session) => {
      const code = codes.shift()
      if (code === undefined) answered(stream, path, session)
      else stream.close(code)
    })
    const client = transport()
    assert.deepEqual(await get(client, '/a'), { path: '/a' })
    await assert.rejects(
      get(client, '/b'),
      (error) => error instanceof RequestError && /INTERNAL_ERROR/.test(error.message),
    )
    assert.deepEqual(seen, ['/a', '/a', '/b'])
  })

  it('ends a watch whose stream is reset, and goes on with the others', async () => {
    const streams = new Map<string, ServerHttp2Stream>()
    await serve((stream, path) => {
      streams.set(path, stream)
      stream.respond(json)
      stream.write(`{"type":"ADDED","object":{"metadata":{"name":"${path}"}}}\n`)
    })
    const client = transport()
    const events: string[] = []
    const first = watched(client, '/1', events)
    void watched(client, '/2', events)
    await eventuallyEquals(() => events.length, 2, 'events')
    streams.get('/1')?.destroy(new Error('a fault'))
    assert.match(String(await first), /INTERNAL_ERROR/)
    streams.get('/2')?.write('{"type":"ADDED","object":{"metadata":{"name":"more"}}}\n')
    await eventuallyEquals(() => events.length, 3, 'events')
    assert.equal(events.at(-1), 'more')
  })

  it('reports a connection that breaks to every request and watch on it', async () => {
    await serve((stream) => stream.respond(json))
    const client = transport()
    const ends = [watched(client, '/1'), watched(client, '/2'), get(client, '/3').catch((error: unknown) => error)]
    await eventuallyEquals(() => seen.length, 3, 'requests')
    for (const session of sessions) session.destroy()
    for (const error of await Promise.all(ends)) assert.ok(error instanceof RequestError, String(error))
  })

  it('refuses an answer and a frame that are too large, and keeps the connection', async () => {
    await serve((stream, path, session) => {
      if (path === '/small') return answered(stream, path, session)
      stream.respond(json)
      const more = (): void => {
        while (!stream.destroyed && stream.write(Buffer.alloc(65_536, 'x')));
      }
      stream.on('drain', more)
      more()
    })
    const client = transport({ bodyBytesMax: 100_000 })
    await assert.rejects(get(client, '/large'), /the answer has more than 100000 bytes/)
    assert.match(String(await watched(client, '/watch')), /a frame of more than 16777216 bytes/)
    assert.deepEqual(await get(client, '/small'), { path: '/small' })
    assert.equal(connections, 1)
  })

  it('limits the time to the head and between parts of an answer, and leaves a silent connection', async () => {
    await serve((stream, path, session) => {
      if (path === '/ok') answered(stream, path, session)
      if (path === '/half') {
        stream.respond(json)
        stream.write('{')
      }
    })
    // Longer than it takes a slow machine to connect.
    const client = transport({ timeoutMs: 1000 })
    assert.deepEqual(await get(client, '/ok'), { path: '/ok' })
    await assert.rejects(get(client, '/silent'), /context deadline exceeded$/)
    assert.deepEqual(await get(client, '/ok'), { path: '/ok' })
    assert.equal(connections, 2)
    await assert.rejects(get(client, '/half'), /context deadline exceeded$/)
  })

  it('notices a server that stalls by its pings, and ends what waits', async () => {
    await serve((stream) => stream.respond(json))
    const clock = createSimClock(0)
    const { every, after, monotonicMs } = clock
    const client = transport({}, { ...systemClock, every, after, monotonicMs })
    const end = watched(client, '/watch')
    await eventuallyEquals(() => seen.length, 1, 'requests')
    // The clock goes on, while nothing arrives any more.
    while (clock.step(60_000));
    assert.match(String(await end), /http2: client connection lost/)
  })

  it('leaves a connection on which nothing came while a request waited that is given up', async () => {
    await serve((stream, path, session) => {
      if (path === '/ok') answered(stream, path, session)
    })
    const clock = createSimClock(0)
    const { every, after, monotonicMs } = clock
    const client = transport({}, { ...systemClock, every, after, monotonicMs })
    for (const [waitMs, expected] of [
      [3_000, 1],
      [5_000, 2],
    ] as const) {
      const over = new AbortController()
      const renewal = client.send({ method: 'GET', url: '/renewal', signal: over.signal })
      const before = seen.length
      await eventuallyEquals(() => seen.length, before + 1, 'requests')
      const untilMs = clock.monotonicMs() + waitMs
      while (clock.monotonicMs() < untilMs) clock.step(untilMs)
      over.abort(new Error('late'))
      await assert.rejects(renewal, /late/)
      await get(client, '/ok')
      assert.equal(connections, expected)
    }
  })

  it('passes on the Status of a watch that is refused, and a reason to abort', async () => {
    await serve((stream, path) => {
      if (path === '/never') return
      stream.respond({ ':status': 410, 'content-type': 'application/json' })
      stream.end('{"kind":"Status","code":410,"reason":"Expired"}')
    })
    const client = transport()
    const refused = await watched(client, '/watch')
    assert.ok(refused instanceof StatusError && refused.reason === 'Expired')
    const over = new AbortController()
    const waiting = client.send({ method: 'GET', url: '/never', signal: over.signal })
    await eventuallyEquals(() => seen.length, 2, 'requests')
    over.abort(new Error('enough'))
    await assert.rejects(waiting, /^Error: enough$/)
  })
})
