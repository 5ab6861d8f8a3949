import type { Socket } from 'node:net'
import type { Clock, Closable } from '../base/index.ts'
import { errorCodes } from '../http2/index.ts'
import type { Http1Session } from './http1/session.ts'
import type { Http2Session } from './http2/session.ts'
import type { Http2Stream } from './http2/stream.ts'
import type { ServerOptions } from './options.ts'

/** Bytes that a client has read, and since when it has read nothing although bytes were waiting. */
interface Backlog {
  takenBytes: number
  sinceMs: number
}

/** State of a session between two sweeps. */
interface SessionWatch {
  /** For streams with bytes waiting at the last sweep. */
  readonly backlogs: WeakMap<Http2Stream, Backlog>
  lastOpened: number
  idleSinceMs: number
  amidHeadersSinceMs: number | undefined
}

/** Every open connection. Sweeps end clients that read nothing and sessions that do nothing. */
export interface OpenConnections extends Closable {
  addSocket(socket: Socket): void
  addHttp1(session: Http1Session): void
  addHttp2(session: Http2Session): void
  /**
   * Sends clients elsewhere: idle HTTP/1.1 connections end, others behind their request; HTTP/2 clients open no new
   * streams, open ones finish. So do sessions that are added later: their connections were accepted before the port was
   * closed.
   */
  retireSessions(): void
  destroyAll(): void
  readonly size: number
  /** No output waits to be written. */
  readonly flushed: boolean
}

export function createOpenConnections(clock: Clock, options: ServerOptions): OpenConnections {
  const sockets = new Map<Socket, Backlog>()
  const http1 = new Set<Http1Session>()
  const http2 = new Map<Http2Session, SessionWatch>()
  let isRetiring = false

  /**
   * True when the client has read nothing for too long. The number of waiting bytes doesn't show that: it stays the
   * same where new bytes replace those that leave.
   */
  function stalled(pendingBytes: number, takenBytes: number, backlog: Backlog, nowMs: number): boolean {
    if (pendingBytes === 0 || takenBytes !== backlog.takenBytes) {
      backlog.takenBytes = takenBytes
      backlog.sinceMs = nowMs
    }
    return pendingBytes > 0 && nowMs - backlog.sinceMs >= options.stallTimeoutMs
  }

  function sweep(): void {
    const nowMs = clock.monotonicMs()
    for (const [socket, backlog] of sockets) {
      const { writableLength: pendingBytes } = socket
      if (pendingBytes > options.pendingBytesMax) socket.destroy()
      else if (stalled(pendingBytes, socket.bytesWritten - pendingBytes, backlog, nowMs)) socket.destroy()
    }
    for (const session of http1) session.sweep(nowMs)
    for (const [session, watch] of http2) {
      if (session.closed) continue
      for (const stream of session.streams.values())
        if (isStalled(stream, watch, nowMs)) stream.reset(errorCodes.cancel)
      sweepSession(session, watch, nowMs)
    }
  }

  function isStalled(stream: Http2Stream, { backlogs }: SessionWatch, nowMs: number): boolean {
    const { bytes: pendingBytes, takenBytes } = stream.queue
    if (pendingBytes === 0) return false
    // A complete answer may wait as a whole, however large it is: it can only shrink.
    if (pendingBytes > options.pendingBytesMax && !stream.ending) return true
    const backlog = backlogs.get(stream) ?? { takenBytes, sinceMs: nowMs }
    backlogs.set(stream, backlog)
    return stalled(pendingBytes, takenBytes, backlog, nowMs)
  }

  /** Closes idle connections, and those whose headers never end. */
  function sweepSession(session: Http2Session, watch: SessionWatch, nowMs: number): void {
    const hasAsked = session.lastOpened !== watch.lastOpened
    watch.lastOpened = session.lastOpened
    if (session.streams.size > 0 || hasAsked) watch.idleSinceMs = nowMs
    // Headers that began before another request arrived have ended: header blocks don't interleave (RFC 9113, section
    // 6.10).
    if (!session.amidHeaders || hasAsked) watch.amidHeadersSinceMs = undefined
    if (session.amidHeaders) watch.amidHeadersSinceMs ??= nowMs
    if (nowMs - (watch.amidHeadersSinceMs ?? nowMs) >= options.headersTimeoutMs)
      session.destroy(errorCodes.enhanceYourCalm)
    else if (nowMs - watch.idleSinceMs >= options.idleTimeoutMs) session.retire()
  }

  const { stallTimeoutMs, headersTimeoutMs, idleTimeoutMs } = options
  const timer = clock.every(
    Math.max(50, Math.min(5000, stallTimeoutMs / 4, headersTimeoutMs / 4, idleTimeoutMs / 4)),
    sweep,
  )
  return {
    addSocket(socket) {
      sockets.set(socket, { takenBytes: 0, sinceMs: clock.monotonicMs() })
      socket.once('close', () => sockets.delete(socket))
    },
    addHttp1(session) {
      http1.add(session)
      session.socket.once('close', () => http1.delete(session))
      if (isRetiring) session.retire()
    },
    addHttp2(session) {
      http2.set(session, {
        backlogs: new WeakMap(),
        lastOpened: 0,
        idleSinceMs: clock.monotonicMs(),
        amidHeadersSinceMs: undefined,
      })
      session.socket.once('close', () => http2.delete(session))
      if (isRetiring) session.retire()
    },
    retireSessions() {
      isRetiring = true
      for (const session of http1) session.retire()
      for (const session of http2.keys()) session.retire()
    },
    destroyAll() {
      for (const session of http2.keys()) session.destroy(errorCodes.noError)
      for (const session of http1) session.destroy()
      for (const socket of sockets.keys()) socket.destroy()
    },
    get size() {
      return sockets.size
    },
    get flushed() {
      for (const socket of sockets.keys()) if (socket.writableLength > 0) return false
      for (const { pendingBytes } of http1) if (pendingBytes > 0) return false
      for (const { streams, pendingBytes } of http2.keys()) if (streams.size > 0 || pendingBytes > 0) return false
      return true
    },
    close: () => timer.close(),
  }
}
