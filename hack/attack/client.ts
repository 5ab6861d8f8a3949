import http2 from 'node:http2'
import https from 'node:https'
import { gunzipSync } from 'node:zlib'

/** A raw request: nothing of the path is changed. */
export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | undefined
  readonly http2?: boolean
}

export interface Answer {
  /** 0: the connection ended before an answer. */
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON; undefined when it is none. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies of any shape
  readonly json: any
  /** Why it ended early; `timeout` when the end did not come in time. */
  readonly broken: string
}

const timeoutMs = 30_000
/**
 * Streams of one connection, and megabytes that Node's client allows it: beyond, Node itself refuses streams, with the
 * error of an overloaded server.
 */
const streamsMax = 500
const sessionMbMax = 200
/** A session that is closed sooner refuses requests that are still on their way to its socket. */
const closeDelayMs = timeoutMs
/** Maximum size of an answer; longer ones are cut. */
const bytesMax = 64 * 1024 * 1024

/** One user's connections: some of HTTP/1.1, one of HTTP/2. Sends to the loopback only, and never rejects. */
export class AttackClient {
  readonly #url: URL
  readonly #token: string
  readonly #agent = new https.Agent({ keepAlive: true, maxSockets: 64, rejectUnauthorized: false })
  #session: http2.ClientHttp2Session | undefined
  #streams = 0

  /** `token`: empty for anonymous requests. */
  constructor(url: string, token: string) {
    this.#url = new URL(url)
    if (this.#url.hostname !== '127.0.0.1') throw new Error(`${url} is not on the loopback`)
    this.#token = token
  }

  async send(sent: Sent): Promise<Answer> {
    const headers = { ...this.#credentials(), ...sent.headers }
    return await (sent.http2 ? this.#overHttp2(sent, headers) : this.#overHttp1(sent, headers))
  }

  /** JSON in and out. */
  async ask(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    return await this.send({ method, path, body: text, headers: text === undefined ? {} : { 'content-type': type } })
  }

  close(): void {
    this.#agent.destroy()
    this.#session?.destroy()
  }

  #credentials(): Record<string, string> {
    return this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }
  }

  async #overHttp1({ method, path, body }: Sent, headers: Record<string, string>): Promise<Answer> {
    const { hostname, port } = this.#url
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    return await new Promise((resolve) => {
      const reader = new AnswerReader(resolve)
      try {
        const options = { hostname, port, method, path, agent: this.#agent, headers: { ...length, ...headers } }
        const request = https.request(options, (answer) => {
          reader.begin(answer.statusCode ?? 0, answer.headers)
          reader.read(answer, () => request.destroy())
        })
        reader.timer = setTimeout(() => reader.end('timeout', () => request.destroy()), timeoutMs)
        request.on('error', (error) => reader.end(error.message))
        request.end(body)
      } catch (error) {
        reader.end(`not sent: ${String(error)}`)
      }
    })
  }

  async #overHttp2({ method, path, body }: Sent, headers: Record<string, string>): Promise<Answer> {
    return await new Promise((resolve) => {
      const reader = new AnswerReader(resolve)
      try {
        const stream = this.#http2().request({ ':method': method, ':path': path, ...headers }, { endStream: false })
        stream.on('response', (received) => reader.begin(received[':status'] ?? 0, received))
        reader.read(stream, () => stream.destroy())
        reader.timer = setTimeout(() => reader.end('timeout', () => stream.destroy()), timeoutMs)
        stream.end(body)
      } catch (error) {
        reader.end(`not sent: ${String(error)}`)
      }
    })
  }

  #http2(): http2.ClientHttp2Session {
    let session = this.#session
    const isSpent = ++this.#streams % streamsMax === 0
    if (isSpent) setTimeout((spent) => spent?.close(), closeDelayMs, session).unref()
    if (session === undefined || isSpent || session.closed || session.destroyed) {
      session = http2.connect(this.#url.origin, { rejectUnauthorized: false, maxSessionMemory: sessionMbMax })
      session.on('error', () => {})
      this.#session = session
    }
    return session
  }
}

/** Assembles one answer from all its events; later ends are ignored. */
class AnswerReader {
  timer: NodeJS.Timeout | undefined
  readonly #resolve: (answer: Answer) => void
  readonly #chunks: Buffer[] = []
  #length = 0
  #status = 0
  #headers: Answer['headers'] = {}

  constructor(resolve: (answer: Answer) => void) {
    this.#resolve = resolve
  }

  begin(status: number, headers: Answer['headers']): void {
    this.#status = status
    this.#headers = headers
  }

  read(stream: NodeJS.ReadableStream, stop: () => void): void {
    stream.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
      this.#length += chunk.length
      if (this.#length > bytesMax) this.end('cut', stop)
    })
    stream.on('end', () => this.end(''))
    stream.on('error', (error: Error) => this.end(error.message))
    stream.on('close', () => this.end('closed'))
  }

  end(broken: string, stop?: () => void): void {
    clearTimeout(this.timer)
    const bytes = plain(Buffer.concat(this.#chunks), this.#headers['content-encoding'])
    const text = bytes.toString()
    this.#resolve({ status: this.#status, headers: this.#headers, bytes, text, json: parse(text), broken })
    stop?.()
  }
}

function plain(bytes: Buffer, encoding: string | string[] | undefined): Buffer {
  if (encoding !== 'gzip') return bytes
  try {
    return gunzipSync(bytes)
  } catch {
    return bytes
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
