import assert from 'node:assert/strict'
import { once } from 'node:events'
import http2, { type Http2SecureServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import { createEndpointClient, type EndpointClient, RequestError } from '../../../lib/client/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { turns } from '../../support/turns.ts'

const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'ca' })
const { certificate: cert, key } = authority.issue({ commonName: 's', usage: 'server', names: ['127.0.0.1'] })

type Answer = (stream: ServerHttp2Stream, session: ServerHttp2Session, body: string) => void

interface Served {
  readonly url: string
  readonly sessions: Set<ServerHttp2Session>
  /** Protocols of the requests, `2.0` or `1.1`. */
  readonly seen: string[]
  connections: number
}

describe('requests to other servers over HTTP/2', () => {
  let server: Http2SecureServer | https.Server
  let client: EndpointClient | undefined
  let served: Served

  async function serve(answer: Answer, options: http2.SecureServerOptions = {}): Promise<EndpointClient> {
    const sessions = new Set<ServerHttp2Session>()
    const over2 = http2.createSecureServer({ cert, key, ...options })
    server = over2
    served = { url: '', sessions, seen: [], connections: 0 }
    over2.on('session', (session) => {
      sessions.add(session)
      session.on('error', () => {})
      session.on('close', () => sessions.delete(session))
    })
    over2.on('stream', (stream) => {
      served.seen.push('2.0')
      stream.on('error', () => {})
      let body = ''
      stream.on('data', (chunk) => (body += String(chunk)))
      stream.on('end', () => answer(stream as ServerHttp2Stream, stream.session as ServerHttp2Session, body))
    })
    return await listen()
  }

  async function listen(): Promise<EndpointClient> {
    server.on('secureConnection', () => served.connections++)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return open(`https://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
  }

  function open(url: string, more: { bodyBytesMax?: number } = {}): EndpointClient {
    client?.close()
    served = Object.assign(served, { url })
    return (client = createEndpointClient({ clock: systemClock }, { url, ca: authority.certificate }, more))
  }

  afterEach(async () => {
    client?.close()
    client = undefined
    for (const session of served.sessions) session.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  const echo: Answer = (stream, _session, body) => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain' })
    stream.end(`got ${body}`)
  }
  const text = async (sent: string): Promise<string> => String((await client?.post(sent))?.body)

  it('share one connection, also when the first of them start concurrently', async () => {
    await serve(echo)
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => text(`${i}`)))
    assert.deepEqual(
      answers,
      Array.from({ length: 200 }, (_, i) => `got ${i}`),
    )
    assert.equal(served.connections, 1)
    const { status, headers } = (await client?.get()) ?? {}
    assert.deepEqual([status, headers?.['content-type'], headers?.[':status']], [200, 'text/plain', undefined])
    assert.equal(served.connections, 1)
  })

  it('wait for each other where the server allows few at once', async () => {
    await serve((stream, session, body) => void sleep(5).then(() => echo(stream, session, body)), {
      settings: { maxConcurrentStreams: 2 },
    })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => text(`${i}`)))
    assert.equal(new Set(answers).size, 20)
    assert.equal(served.connections, 1)
  })

  it('are HTTP/1.1 where the server speaks only that, on the connection that negotiated', async () => {
    served = { url: '', sessions: new Set(), seen: [], connections: 0 }
    server = https.createServer({ cert, key }, (request, response) => {
      served.seen.push(request.httpVersion)
      request.resume().on('end', () => response.end('answer'))
    })
    await listen()
    assert.deepEqual([await text('a'), await text('b')], ['answer', 'answer'])
    assert.deepEqual([served.seen, served.connections], [['1.1', '1.1'], 1])
  })

  it('go to a new connection after a GOAWAY, and open ones are answered', async () => {
    const first = Promise.withResolvers<void>()
    const after = Promise.withResolvers<void>()
    await serve((stream, session, body) => {
      if (body !== 'slow') return echo(stream, session, body)
      session.goaway(http2.constants.NGHTTP2_NO_ERROR)
      // The client answers a ping after it has seen what came before.
      session.ping(() => first.resolve())
      void after.promise.then(() => echo(stream, session, body))
    })
    const slow = text('slow')
    await first.promise
    assert.equal(await text('after'), 'got after')
    after.resolve()
    assert.equal(await slow, 'got slow')
    assert.equal(served.connections, 2)
  })

  it('are sent again where the server refused them unprocessed, a limited number of times', async () => {
    let refusals = 1
    await serve((stream, session, body) => {
      if (refusals-- > 0) stream.close(http2.constants.NGHTTP2_REFUSED_STREAM)
      else echo(stream, session, body)
    })
    assert.equal(await text('a'), 'got a')
    assert.equal(served.seen.length, 2)
    refusals = Number.POSITIVE_INFINITY
    await assert.rejects(text('b'), /refused the request before it began/)
    assert.equal(served.seen.length, 5)
  })

  it('are not sent again where the server may have processed them', async () => {
    await serve((stream) => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR))
    await assert.rejects(text('a'), RequestError)
    assert.equal(served.seen.length, 1)
    for (const session of served.sessions) session.destroy()
    await turns()
    await assert.rejects(text('b'), RequestError)
    assert.deepEqual([served.seen.length, served.connections], [2, 2])
  })

  it('fail when the connection breaks in the middle of an answer', async () => {
    await serve((stream, session) => {
      stream.respond({ ':status': 200 })
      stream.write('half')
      void sleep(20).then(() => session.destroy())
    })
    await assert.rejects(text('a'), RequestError)
  })

  it('time out where the server is silent; the next one does not wait on the same connection', async () => {
    let isSilent = true
    await serve((stream, session, body) => (isSilent ? undefined : echo(stream, session, body)))
    await assert.rejects(client?.post('a', undefined, 200) ?? Promise.resolve(), /: context deadline exceeded$/)
    isSilent = false
    assert.equal(await text('b'), 'got b')
    assert.equal(served.connections, 2)
  })

  it('are aborted by their signal with its reason, before and after the connection is open', async () => {
    await serve(() => {})
    for (const reason of [new Error('first'), new Error('second')]) {
      const over = new AbortController()
      const asked = client?.post('a', over.signal)
      setTimeout(() => over.abort(reason), 30)
      await assert.rejects(asked ?? Promise.resolve(), reason)
    }
    await assert.rejects(client?.post('a', AbortSignal.abort(new Error('third'))) ?? Promise.resolve(), /third/)
  })

  it('end at an answer that is too large', async () => {
    await serve((stream) => {
      stream.respond({ ':status': 200 })
      stream.end(Buffer.alloc(200_000))
    })
    open(served.url, { bodyBytesMax: 100_000 })
    await assert.rejects(text('a'), /the answer has more than 100000 bytes/)
  })

  it('trust only the given authority, with the error texts of HTTP/1.1', async () => {
    await serve(echo)
    const said = async (url: string): Promise<string> => {
      const stranger = createEndpointClient({ clock: systemClock }, { url })
      try {
        return await stranger.post('a').then(String, (error: Error) => error.message.replace(/^.*?: /, ''))
      } finally {
        stranger.close()
      }
    }
    assert.match(await said(served.url), /x509: certificate signed by unknown authority$/)
    assert.match(await said('https://127.0.0.1:1/x'), /^dial tcp 127\.0\.0\.1:1: connect: connection refused$/)
  })
})
