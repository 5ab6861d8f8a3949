import { randomBytes } from 'node:crypto'
import type http2 from 'node:http2'
import https from 'node:https'
import type { Duplex } from 'node:stream'
import { Receiver } from 'ws'

/** A client's WebSocket. */
export interface TestWebSocket {
  readonly protocol: string
  /** As they came. */
  readonly messages: readonly Buffer[]
  readonly raw: Duplex
  /** The close code; 1006 where the connection ended without one. */
  readonly closed: Promise<number>
  /** All messages of a channel, joined. */
  textOf(channel: number): string
  send(data: Buffer, isBinary?: boolean): void
  destroy(): void
}

/** Rejects with the answer where the server refuses. */
export function openWebSocket(
  url: string,
  protocols: readonly string[],
  headers: Record<string, string>,
): Promise<TestWebSocket> {
  return new Promise((done, failed) => {
    const call = https.get(url, {
      rejectUnauthorized: false,
      agent: false,
      headers: {
        ...headers,
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        ...(protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') }),
      },
    })
    call.on('error', failed)
    call.on('response', (answer) => {
      let body = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      answer.on('end', () => failed(new Error(`${answer.statusCode} ${body}`)))
    })
    call.on('upgrade', (answer, socket: Duplex, head: Buffer) =>
      done(webSocketOf(socket, head, answer.headers['sec-websocket-protocol'] ?? '')),
    )
  })
}

/** Over HTTP/2 (RFC 8441), as a stream of a session that has the server's settings. */
export async function openWebSocketOverHttp2(
  session: http2.ClientHttp2Session,
  path: string,
  protocols: readonly string[],
  headers: Record<string, string> = {},
): Promise<TestWebSocket> {
  if (!session.remoteSettings.enableConnectProtocol) await new Promise((done) => session.once('remoteSettings', done))
  const stream = session.request(
    {
      ...headers,
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':scheme': 'https',
      ':path': path,
      'sec-websocket-version': '13',
      ...(protocols.length === 0 ? {} : { 'sec-websocket-protocol': protocols.join(', ') }),
    },
    { endStream: false },
  )
  const answer = await new Promise<http2.IncomingHttpHeaders>((done, failed) => {
    stream.once('response', done)
    stream.once('error', failed)
  })
  if (Number(answer[':status']) === 200) {
    if (answer['sec-websocket-accept'] !== undefined) throw new Error('there was no key to accept')
    return webSocketOf(stream, Buffer.alloc(0), String(answer['sec-websocket-protocol'] ?? ''))
  }
  let body = ''
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) body += chunk
  throw new Error(`${answer[':status']} ${body}`)
}

function webSocketOf(socket: Duplex, head: Buffer, protocol: string): TestWebSocket {
  const messages: Buffer[] = []
  const receiver = new Receiver({ isServer: false, maxPayload: 0, allowSynchronousEvents: true })
  receiver.on('message', (data) => void messages.push(data))
  let code = 1006
  const closed = new Promise<number>((done) => socket.on('close', () => done(code)))
  receiver.on('conclude', (given) => {
    code = given
    socket.end(frame(8, Buffer.of(given >> 8, given & 255)))
  })
  receiver.on('error', () => socket.destroy())
  socket.on('error', () => {})
  if (head.length > 0) receiver.write(head)
  socket.on('data', (chunk: Buffer) => receiver.write(chunk))
  return {
    protocol,
    messages,
    raw: socket,
    closed,
    textOf: (channel) =>
      Buffer.concat(messages.filter((data) => data[0] === channel).map((data) => data.subarray(1))).toString(),
    send: (data, isBinary = true) => void socket.write(frame(isBinary ? 2 : 1, data)),
    destroy: () => socket.destroy(),
  }
}

/** One whole message, masked with zeros. */
function frame(opcode: number, data: Buffer): Buffer {
  const head = data.length < 126 ? Buffer.alloc(6) : data.length < 65_536 ? Buffer.alloc(8) : Buffer.alloc(14)
  head[0] = 0x80 | opcode
  if (data.length < 126) head[1] = 0x80 | data.length
  else if (data.length < 65_536) {
    head[1] = 0x80 | 126
    head.writeUInt16BE(data.length, 2)
  } else {
    head[1] = 0x80 | 127
    head.writeBigUInt64BE(BigInt(data.length), 2)
  }
  return Buffer.concat([head, data])
}
