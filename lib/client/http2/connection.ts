import type { TLSSocket } from 'node:tls'
import { type Clock, type Closable, networkErrorText } from '../../base/index.ts'
import {
  ClientSession,
  type ClientSessionHost,
  type ClientStream,
  type ClientStreamSink,
  ProtocolError,
} from '../../http2/index.ts'
import { connectTimeoutMs } from '../opentls.ts'

/** As client-go: a connection without a frame for so long gets a ping, and ends when there is no answer in time. */
const pingAfterMs = 30_000
const pingMsMax = 15_000
const checkEveryMs = 5_000
/** Servers close idle connections; the client closes one after this idle time, before them. */
const idleMs = 90_000
/** A server that reads this little of what it is sent, and goes on asking for replies, is lost. */
const unsentBytesMax = 64 << 20

const nothing = new Uint8Array(0)

/** One HTTP/2 connection to a server: the session on its socket. */
export class Http2Connection implements ClientSessionHost {
  readonly #clock: Clock
  readonly #socket: TLSSocket
  readonly #session = new ClientSession(this)
  readonly #checks: Closable
  readonly #settled = Promise.withResolvers<void>()
  readonly #onLeave: (connection: Http2Connection) => void
  #out: Uint8Array[] = []
  #outBytes = 0
  #reason = 'EOF'
  #heardAtMs: number
  #pingedAtMs: number | undefined
  #usedAtMs: number
  /** It keeps the process alive. */
  #isReferenced = true

  /** `onLeave` is called once it accepts no more requests. */
  constructor(clock: Clock, socket: TLSSocket, onLeave: (connection: Http2Connection) => void) {
    this.#clock = clock
    this.#socket = socket
    this.#onLeave = onLeave
    this.#heardAtMs = this.#usedAtMs = clock.monotonicMs()
    socket.setNoDelay()
    socket.on('data', (chunk: Buffer) => this.#onData(chunk))
    socket.on('error', (error) => (this.#reason = networkErrorText(error)))
    socket.on('end', () => this.destroy('unexpected EOF'))
    socket.on('close', () => this.destroy(this.#reason))
    this.#checks = clock.every(checkEveryMs, () => this.#check())
    this.#session.begin()
  }

  get usable(): boolean {
    return this.#session.usable
  }

  get hasRoom(): boolean {
    return this.#session.hasRoom
  }

  get inFlight(): number {
    return this.#session.inFlight
  }

  /** Milliseconds since the server last sent anything. */
  get silentMs(): number {
    return this.#clock.monotonicMs() - this.#heardAtMs
  }

  /** Resolves once the server's settings have arrived; rejects when they don't. */
  async whenReady(): Promise<void> {
    const timer = this.#clock.after(connectTimeoutMs, () => this.destroy(`no settings within ${connectTimeoutMs} ms`))
    try {
      await this.#settled.promise
    } finally {
      void timer.close()
    }
  }

  /** Throws StreamError when it accepts no more requests. `headers`: a header block. */
  open(headers: Buffer, body: Uint8Array | undefined, sink: ClientStreamSink): ClientStream {
    const stream = this.#session.open(headers, body ?? nothing, sink)
    this.#refer()
    return stream
  }

  cancel(stream: ClientStream): void {
    this.#session.cancel(stream)
    this.#refer()
  }

  /** Accepts no more requests; those that are open go on. */
  retire(reason: string): void {
    this.#session.leave(reason)
    this.#refer()
  }

  destroy(reason: string): void {
    // The last frames, such as a GOAWAY to a broken peer, are still sent.
    this.#flush()
    void this.#checks.close()
    this.#settled.reject(new Error(reason))
    this.#settled.promise.catch(() => {})
    this.#socket.destroySoon()
    this.#session.end(reason)
  }

  send(bytes: Uint8Array): void {
    if (this.#out.length === 0) this.#clock.soon(() => this.#flush())
    this.#out.push(bytes)
    this.#outBytes += bytes.length
  }

  onReady(): void {
    this.#settled.resolve()
    this.#refer()
  }

  onLeave(_reason: string): void {
    this.#onLeave(this)
  }

  #flush(): void {
    const out = this.#out
    const bytes = this.#outBytes
    this.#out = []
    this.#outBytes = 0
    if (bytes === 0 || this.#socket.destroyed || this.#socket.writableEnded) return
    this.#socket.write(out.length === 1 ? (out[0] ?? nothing) : Buffer.concat(out, bytes))
    if (this.#socket.writableLength > unsentBytesMax) this.destroy('the server does not read')
  }

  #onData(chunk: Buffer): void {
    this.#heardAtMs = this.#clock.monotonicMs()
    this.#pingedAtMs = undefined
    try {
      this.#session.receive(chunk)
    } catch (error) {
      // Any other error is a bug of the code that reads answers.
      if (!(error instanceof ProtocolError)) throw error
      this.destroy(`http2: ${error.message}`)
    }
    this.#refer()
  }

  /** A connection that waits for an answer keeps the process alive; one that is no longer used closes. */
  #refer(): void {
    const isBusy = this.#session.inFlight > 0
    if (isBusy) this.#usedAtMs = this.#heardAtMs
    else if (!this.#session.usable) return this.destroy('the connection is not used any more')
    if (isBusy === this.#isReferenced) return
    this.#isReferenced = isBusy
    if (isBusy) this.#socket.ref()
    else this.#socket.unref()
  }

  #check(): void {
    const now = this.#clock.monotonicMs()
    if (this.#session.inFlight === 0 && now - this.#usedAtMs > idleMs) return this.retire('the connection is idle')
    if (this.#pingedAtMs !== undefined) {
      if (now - this.#pingedAtMs >= pingMsMax) this.destroy('http2: client connection lost')
    } else if (now - this.#heardAtMs >= pingAfterMs) {
      this.#pingedAtMs = now
      this.#session.ping()
    }
  }
}
