import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2'
import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { Clock, Closable } from '../base/index.ts'
import { connectTimeoutMs, openTls } from './opentls.ts'

/** Servers close idle connections; the client closes a session after this idle time, before them. */
const idleMs = 90_000
/**
 * A lost peer sends nothing: the client pings at this interval, and closes the connection when no reply comes in time.
 */
const pingEveryMs = 30_000
const pingMsMax = 15_000
/** Maximum number of streams of one session, even if its server allows more. */
const streamsMax = 1000

/**
 * Requests with one kind of credentials to one server: over HTTP/2 where the server supports it, on as few connections
 * as it allows.
 */
export interface Negotiation extends Closable {
  /**
   * The session for the next request; undefined: the server only speaks HTTP/1.1. Rejects when the connection fails:
   * every request that waits for it fails, and the next one tries again.
   */
  session(): ClientHttp2Session | undefined | Promise<ClientHttp2Session | undefined>
  /** A connection for HTTP/1.1 that was opened to find out the protocol; each is returned once. */
  spare(): TLSSocket | undefined
  /** False: other requests have taken its streams, or it is ending; request another session. */
  hasRoom(session: ClientHttp2Session): boolean
  /** Counts a stream, so that a session does not get more than its server allows. */
  hold(session: ClientHttp2Session, stream: ClientHttp2Stream): void
  /** Sends no more requests on a session whose server doesn't answer; those in flight continue. */
  retire(session: ClientHttp2Session): void
  close(): void
}

/** For `createEndpointConnections`. */
export function negotiating(
  clock: Clock,
): (url: string, target: () => ConnectionOptions | Promise<ConnectionOptions>) => Negotiation {
  return (url, target) => new Negotiating(clock, url, target)
}

class Negotiating implements Negotiation {
  readonly #clock: Clock
  readonly #origin: string
  readonly #target: () => ConnectionOptions | Promise<ConnectionOptions>
  #connecting: Promise<ClientHttp2Session | undefined> | undefined
  /** Sessions that accept requests, with their open streams. */
  readonly #usable = new Map<ClientHttp2Session, number>()
  readonly #all = new Set<ClientHttp2Session>()
  #speaksHttp1 = false
  #spare: TLSSocket | undefined
  #isClosed = false

  constructor(clock: Clock, url: string, target: () => ConnectionOptions | Promise<ConnectionOptions>) {
    this.#clock = clock
    this.#origin = new URL(url).origin
    this.#target = target
  }

  session(): ClientHttp2Session | undefined | Promise<ClientHttp2Session | undefined> {
    if (this.#speaksHttp1) return undefined
    for (const session of this.#usable.keys()) if (this.hasRoom(session)) return session
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined))
    return this.#connecting
  }

  spare(): TLSSocket | undefined {
    const socket = this.#spare
    this.#spare = undefined
    return socket?.destroyed === true ? undefined : socket
  }

  hasRoom(session: ClientHttp2Session): boolean {
    const isEnding = session.closed || session.destroyed
    return !isEnding && (this.#usable.get(session) ?? 0) < streamsAllowed(session)
  }

  hold(session: ClientHttp2Session, stream: ClientHttp2Stream): void {
    const count = (by: number): void => {
      const streams = this.#usable.get(session)
      if (streams !== undefined) this.#usable.set(session, streams + by)
    }
    count(1)
    stream.once('close', () => count(-1))
  }

  retire(session: ClientHttp2Session): void {
    this.#usable.delete(session)
    session.close()
  }

  close(): void {
    this.#isClosed = true
    this.#spare?.destroy()
    for (const session of this.#all) session.destroy()
  }

  async #connect(): Promise<ClientHttp2Session | undefined> {
    const socket = await openTls(this.#clock, await this.#target())
    if (this.#isClosed) {
      socket.destroy()
      throw new Error('the client is closed')
    }
    if (socket.alpnProtocol !== 'h2') {
      this.#speaksHttp1 = true
      this.#spare = socket
      // It may fail before a request takes it.
      socket.on('error', () => {})
      return undefined
    }
    const session = http2.connect(this.#origin, { createConnection: () => socket, settings: { enablePush: false } })
    this.#all.add(session)
    session.on('close', () => {
      this.#all.delete(session)
      this.#usable.delete(session)
    })
    await this.#settled(session)
    this.#usable.set(session, 0)
    session.on('goaway', () => this.retire(session))
    session.setTimeout(idleMs, () => this.retire(session))
    this.#watchOver(session)
    session.unref()
    return session
  }

  #watchOver(session: ClientHttp2Session): void {
    const timer = this.#clock.every(pingEveryMs, () => {
      if (session.destroyed) return
      const late = this.#clock.after(pingMsMax, () => session.destroy(new Error(`no answer to a ping within ${pingMsMax} ms`))) // biome-ignore format: one line
      if (!session.ping(() => void late.close())) void late.close()
    })
    session.once('close', () => void timer.close())
  }

  /** The server's settings hold its maximum of concurrent requests. */
  #settled(session: ClientHttp2Session): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.after(connectTimeoutMs, () =>
        session.destroy(new Error(`no settings within ${connectTimeoutMs} ms`)),
      )
      session.once('remoteSettings', () => resolve())
      session.on('error', reject)
      session.once('close', () => reject(new Error('the server closed the connection')))
      const end = (): void => void timer.close()
      session.once('remoteSettings', end)
      session.once('close', end)
    })
  }
}

function streamsAllowed({ remoteSettings }: ClientHttp2Session): number {
  return Math.max(1, Math.min(streamsMax, remoteSettings.maxConcurrentStreams ?? streamsMax))
}
