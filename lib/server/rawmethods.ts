import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Server as TlsServer } from 'node:tls'
import { nodeHttp } from '../base/index.ts'
import { statusErrors } from '../object/index.ts'
import { encodeStatusAsJson } from './errors.ts'
import { ignore } from './openconnections.ts'
import type { RawConnection } from './responder/http1.ts'

type Take = (request: IncomingMessage, response: ServerResponse, raw?: RawConnection) => void

/**
 * Serves HTTP/1.1 requests that Node does not emit as requests. CONNECT is passed to `take` like any other method, an
 * upgrade with its raw connection; a method that Node's parser refuses is answered directly on the socket. HTTP/2 does
 * not need this.
 */
export function acceptRawMethods(server: TlsServer, take: Take): void {
  /** Node no longer handles the connection: an HTTP answer is its last. */
  function answered(request: IncomingMessage, socket: Socket): ServerResponse {
    socket.on('error', ignore)
    const response = new (nodeHttp().ServerResponse)(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket)
    response.once('finish', () => socket.destroySoon())
    return response
  }
  server.on('connect', (request: IncomingMessage, socket: Socket) => take(request, answered(request, socket)))
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = answered(request, socket)
    // Node before 24.9 doesn't call shouldUpgradeCallback, and has dropped the parser that would read the body.
    if (mayUpgrade(request)) take(request, response, { socket, head })
    else response.writeHead(400, { connection: 'close', 'content-length': 0 }).end()
  })
  // With a listener of this event, Node leaves every parser error to it.
  server.on('clientError', (error: ParserError, socket: Socket & { _httpMessage?: ServerResponse | null }) => {
    const pending = socket._httpMessage
    // Another answer has begun: an error can't be sent after it.
    if (!socket.writable || pending?.headersSent === true) return void socket.destroy()
    // The bytes after a complete request are malformed. That request is in progress, and its answer is the connection's
    // last.
    if (pending?.req.complete === true) return void (pending.shouldKeepAlive = false)
    socket.write(answerTo(error))
    socket.destroySoon()
  })
}

/** A request with a body is served as if it had not asked to upgrade. */
export function mayUpgrade({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0
}

interface ParserError extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

function answerTo({ code, rawPacket }: ParserError): Buffer {
  if (code === 'HPE_INVALID_METHOD' && rawPacket !== undefined && requestLine.test(rawPacket.toString('latin1'))) {
    const { contentType, body } = encodeStatusAsJson(statusErrors.methodNotAllowed().toStatus(), undefined, false)
    const head = `content-type: ${contentType}\r\ncontent-length: ${body.byteLength}\r\n`
    return Buffer.concat([answer('405 Method Not Allowed', head), body])
  }
  return answer(refusals[code ?? ''] ?? '400 Bad Request')
}

/** A method is a token (RFC 9110 section 9.1). */
const requestLine = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r\n/

const refusals: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

function answer(status: string, headers = ''): Buffer {
  return Buffer.from(`HTTP/1.1 ${status}\r\n${headers}connection: close\r\n\r\n`)
}
