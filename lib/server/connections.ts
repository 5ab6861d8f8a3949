import type { TLSSocket } from 'node:tls'
import type { Clock, Closable } from '../base/index.ts'
import { errorCodes } from '../http2/index.ts'
import type { Http2Session } from './http2/session.ts'
import type { Http2Stream } from './http2/stream.ts'
import type { ServerOptions } from './options.ts'

/** What waits for a client, and since when nothing of it has gone. */
interface Backlog {
  pending: number
  sinceMs: number
}

/** What is known of a session from one look to the next. */
interface SessionWatch {
  /** Of streams for which something waited at a look. */
  readonly backlogs: WeakMap<Http2Stream, Backlog>
  requests: number
  idleSinceMs: number
  amidHeadersSinceMs: number | undefined
}

/** Every open connection: looks after clients that read nothing and sessions that do nothing. */
export interface Connections extends Closable {
  addSocket(socket: TLSSocket): void
  addSession(session: Http2Session): void
  /** HTTP/2 clients open no new streams; those under way go on. */
  retireSessions(): void
  destroyAll(): void
  readonly size: number
  /** Nothing waits to be written to anybody. */
  readonly flushed: boolean
}

export function createConnections(clock: Clock, options: ServerOptions): Connections {
  const sockets = new Map<TLSSocket, Backlog>()
  const sessions = new Map<Http2Session, SessionWatch>()

  /** True when the client has taken nothing for too long, or too much waits for it. */
  function stalled(pending: number, backlog: Backlog, nowMs: number): boolean {
    if (pending === 0 || pending !== backlog.pending) {
      backlog.pending = pending
      backlog.sinceMs = nowMs
    }
    if (pending > options.pendingBytesMax) return true
    return pending > 0 && nowMs - backlog.sinceMs >= options.stallTimeoutMs
  }

  function sweep(): void {
    const nowMs = clock.monotonicMs()
    for (const [socket, backlog] of sockets) if (stalled(socket.writableLength, backlog, nowMs)) socket.destroy()
    for (const [session, watch] of sessions) {
      if (session.closed) continue
      for (const stream of session.streams.values())
        if (isStalled(stream, watch, nowMs)) stream.reset(errorCodes.cancel)
      sweepSession(session, watch, nowMs)
    }
  }

  function isStalled(stream: Http2Stream, { backlogs }: SessionWatch, nowMs: number): boolean {
    const pending = stream.outbox.bytes
    if (pending === 0) return false
    const backlog = backlogs.get(stream) ?? { pending: 0, sinceMs: nowMs }
    backlogs.set(stream, backlog)
    return stalled(pending, backlog, nowMs)
  }

  /** Those who do nothing, and those who never come to the end of their headers. */
  function sweepSession(session: Http2Session, watch: SessionWatch, nowMs: number): void {
    if (session.streams.size > 0 || session.requests !== watch.requests) watch.idleSinceMs = nowMs
    watch.requests = session.requests
    if (!session.amidHeaders) watch.amidHeadersSinceMs = undefined
    else watch.amidHeadersSinceMs ??= nowMs
    if (nowMs - (watch.amidHeadersSinceMs ?? nowMs) >= options.headersTimeoutMs)
      session.destroy(errorCodes.enhanceYourCalm)
    else if (nowMs - watch.idleSinceMs >= options.idleTimeoutMs) session.retire()
  }

  const timer = clock.every(
    Math.max(50, Math.min(5000, options.stallTimeoutMs / 4, options.headersTimeoutMs / 4)),
    sweep,
  )
  return {
    addSocket(socket) {
      sockets.set(socket, { pending: 0, sinceMs: 0 })
      socket.once('close', () => sockets.delete(socket))
    },
    addSession(session) {
      sessions.set(session, {
        backlogs: new WeakMap(),
        requests: 0,
        idleSinceMs: clock.monotonicMs(),
        amidHeadersSinceMs: undefined,
      })
      session.socket.once('close', () => sessions.delete(session))
    },
    retireSessions() {
      for (const session of sessions.keys()) session.retire()
    },
    destroyAll() {
      for (const session of sessions.keys()) session.destroy(errorCodes.noError)
      for (const socket of sockets.keys()) socket.destroy()
    },
    get size() {
      return sockets.size
    },
    get flushed() {
      for (const socket of sockets.keys()) if (socket.writableLength > 0) return false
      for (const { streams, pendingBytes } of sessions.keys()) if (streams.size > 0 || pendingBytes > 0) return false
      return true
    },
    close: () => timer.close(),
  }
}

/** Of a client's broken connection there is nothing to do and nobody to tell. */
export function ignore(): void {}
