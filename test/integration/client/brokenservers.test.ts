import assert from 'node:assert/strict'
import http2 from 'node:http2'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { systemClock } from '../../../lib/base/index.ts'
import { answerProblem, createEndpointClient, RequestError } from '../../../lib/client/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { dependencies } from '../storage/kit.ts'

const authority = createAuthority(dependencies, { commonName: 'hooks' })
const stranger = createAuthority(dependencies, { commonName: 'strangers' })
const issue = (names: readonly string[], by = authority, usage: 'both' | 'client' = 'both') =>
  by.issue({ commonName: 'hook', usage, names: [...names] })
const good = issue(['127.0.0.1', 'localhost'])
const json = 'content-type: application/json'
const answer = (head: string, body = ''): string =>
  `HTTP/1.1 ${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`

interface Place {
  readonly host?: string
  readonly timeoutMs?: number
}

type Row = readonly [what: string, start: () => Server, expected: string, place?: Place]

const bare = (on: (socket: Socket) => void): Server => createServer((socket) => on(socket.on('error', () => {})))
/** It says this to whatever it hears. */
const speaks = (text: string | Buffer) => (): Server => bare((socket) => socket.once('data', () => socket.end(text)))

function secure(
  reply: string | ((socket: tls.TLSSocket) => void),
  certificate = good,
  options: tls.TlsOptions = {},
): () => Server {
  return () => {
    const given = { cert: certificate.certificate, key: certificate.key, ALPNProtocols: ['http/1.1'], ...options }
    const server = tls.createServer(given, (socket) => {
      socket.on('error', () => {})
      if (typeof reply === 'string') socket.once('data', () => socket.end(reply))
      else reply(socket)
    })
    return server.on('tlsClientError', () => {})
  }
}

function streams(on: (stream: http2.ServerHttp2Stream) => void): () => Server {
  return () => {
    const server = http2.createSecureServer({ cert: good.certificate, key: good.key })
    server.on('stream', (stream) => {
      stream.on('error', () => {})
      // The listener of a server gets the server's end of a stream.
      on(stream as http2.ServerHttp2Stream)
    })
    return server.on('sessionError', () => {})
  }
}

const verify = 'tls: failed to verify certificate: x509: '
const brokenHttp = 'net/http: HTTP/1.x transport connection broken: '
/** `U`: the URL. What Go's client says of the same servers, where it does not name ports and lines. */
const failures: readonly Row[] = [
  ['closes after the hello', () => bare((socket) => socket.once('data', () => socket.end())), 'Post "U": EOF'],
  [
    'resets after the hello',
    () => bare((socket) => socket.once('data', () => socket.resetAndDestroy())),
    'Post "U": read: connection reset by peer',
  ],
  ['is silent', () => bare(() => {}), 'Post "U": context deadline exceeded', { timeoutMs: 200 }],
  ['is silent over TLS', secure(() => {}), 'Post "U": context deadline exceeded', { timeoutMs: 500 }],
  [
    'speaks plain HTTP',
    speaks('HTTP/1.1 400 Bad Request\r\n\r\n'),
    'Post "U": http: server gave HTTP response to HTTPS client',
  ],
  [
    'refuses the handshake',
    speaks(Buffer.from([21, 3, 3, 0, 2, 2, 40])),
    'Post "U": remote error: tls: handshake failure',
  ],
  [
    'has a certificate of another authority',
    secure('', issue(['127.0.0.1'], stranger)),
    `Post "U": ${verify}certificate signed by unknown authority`,
  ],
  [
    'has other names',
    secure('', issue(['a.example.com', 'b.example.com'])),
    `Post "U": ${verify}certificate is valid for a.example.com, b.example.com, not localhost`,
    { host: 'localhost' },
  ],
  [
    'has names, but no address',
    secure('', issue(['a.example.com'])),
    `Post "U": ${verify}cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs`,
  ],
  [
    'has other addresses',
    secure('', issue(['10.0.0.1', '10.0.0.2'])),
    `Post "U": ${verify}certificate is valid for 10.0.0.1, 10.0.0.2, not 127.0.0.1`,
  ],
  [
    'has addresses, but no name',
    secure('', issue(['10.0.0.1'])),
    `Post "U": ${verify}certificate is not valid for any names, but wanted to match localhost`,
    { host: 'localhost' },
  ],
  [
    'has a certificate for clients',
    secure('', issue(['127.0.0.1'], authority, 'client')),
    `Post "U": ${verify}certificate specifies an incompatible key usage`,
  ],
  [
    'asks for a client certificate',
    secure('', good, { requestCert: true, rejectUnauthorized: true, ca: authority.certificate }),
    'Post "U": remote error: tls: certificate required',
  ],
  ['breaks off without an answer', secure((socket) => socket.once('data', () => socket.destroy())), 'Post "U": EOF'],
  ['answers no HTTP', secure('{"kind":"AdmissionReview"}'), `Post "U": ${brokenHttp}malformed HTTP response`],
  ['answers a strange status', secure('HTTP/1.1 abc OK\r\n\r\n'), `Post "U": ${brokenHttp}malformed HTTP status code`],
  [
    'answers a strange header',
    secure('HTTP/1.1 200 OK\r\nno colon\r\n\r\n'),
    `Post "U": ${brokenHttp}malformed MIME header`,
  ],
  [
    'answers a strange length',
    secure('HTTP/1.1 200 OK\r\ncontent-length: abc\r\n\r\n'),
    `Post "U": ${brokenHttp}bad Content-Length`,
  ],
  [
    'answers two lengths',
    secure('HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello!'),
    `Post "U": ${brokenHttp}http: message cannot contain multiple Content-Length headers`,
  ],
  [
    'answers headers without end',
    secure(answer(`200 OK\r\nx: ${'a'.repeat(2_000_000)}`)),
    `Post "U": ${brokenHttp}net/http: server response headers exceeded the limit; aborted`,
  ],
  [
    'cuts the body',
    secure('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'),
    'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
  ],
  [
    'cuts a chunk',
    secure('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nff\r\nabc'),
    'unexpected error when reading response body. Please retry. Original error: unexpected EOF',
  ],
  [
    'sends a chunk without length',
    secure('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n'),
    'unexpected error when reading response body. Please retry. Original error: invalid byte in chunk length',
  ],
  [
    'is silent within the body',
    secure((socket) => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nabc'))),
    'unexpected error when reading response body. Please retry. Original error: context deadline exceeded',
    { timeoutMs: 500 },
  ],
  [
    'resets the stream',
    streams((stream) => stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)),
    'Post "U": stream error: stream ID 1; INTERNAL_ERROR; received from peer',
  ],
  [
    'cancels the stream',
    streams((stream) => stream.close(http2.constants.NGHTTP2_CANCEL)),
    'Post "U": stream error: stream ID 1; CANCEL; received from peer',
  ],
]

const empty = (status: number, type = 'application/json'): string =>
  `0-length response with status code: ${status} and content type: ${type}`
/** Answers that came whole, and why they are none. */
const answers: readonly (readonly [head: string, body: string, expected: string | undefined])[] = [
  [`200 OK\r\n${json}`, '{}', undefined],
  [`206 OK\r\n${json}`, '{}', undefined],
  ['200 OK', '', empty(200)],
  ['200 OK\r\ncontent-type: text/html', '', empty(200, 'text/html')],
  ['204 No Content', '', empty(204)],
  ['101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x', '', empty(101)],
  ['299 X', '{}', 'the server responded with the status code 299 but did not return more information'],
  [
    '302 Found\r\nlocation: /y',
    '',
    'the server responded with the status code 302 but did not return more information',
  ],
  ['404 X', 'hello', 'the server could not find the requested resource'],
  ['403 X', 'not you', 'not you'],
  ['406 X', '', 'the server was unable to respond with a content type that the client supports'],
  ['500 X', '', 'an error on the server ("") has prevented the request from succeeding'],
  ['500 X', 'boom', 'an error on the server ("boom") has prevented the request from succeeding'],
  [`500 X\r\n${json}`, '{}', 'an error on the server ("unknown") has prevented the request from succeeding'],
  [`500 X\r\n${json}`, '{"kind":"Status","status":"Failure","message":"no way"}', 'no way'],
  ['503 X', '', 'the server is currently unable to handle the request'],
]

describe('another server', () => {
  let server: Server
  const sockets = new Set<Socket>()
  afterEach(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })

  async function ask(
    start: () => Server,
    { host = '127.0.0.1', timeoutMs = 10_000 }: Place = {},
  ): Promise<string | undefined> {
    server = start()
    server.on('connection', (socket) => sockets.add(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://${host}:${(server.address() as AddressInfo).port}/hook`
    const client = createEndpointClient({ clock: systemClock }, { url, ca: authority.certificate })
    try {
      return answerProblem(await client.post('{}', undefined, timeoutMs))
    } catch (error) {
      assert.ok(error instanceof RequestError)
      return error.message.replace(url, 'U')
    } finally {
      client.close()
    }
  }

  for (const [what, start, expected, place] of failures)
    it(`a server that ${what} is reported in the words of Go's clients`, async () => {
      assert.equal(await ask(start, place), expected)
    })

  for (const [head, body, expected] of answers)
    it(`a server that answers ${JSON.stringify(head)}, ${JSON.stringify(body)} ${expected === undefined ? 'is read' : 'is reported as the stock client does'}`, async () => {
      assert.equal(await ask(secure(answer(head, body))), expected)
    })

  it('a server with long, but finite headers is read', async () => {
    assert.equal(await ask(secure(answer(`200 OK\r\nx: ${'a'.repeat(100_000)}`, '{}'))), undefined)
  })
})
