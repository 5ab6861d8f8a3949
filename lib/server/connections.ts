import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Clock, Closable } from '../base/index.ts'
import { ServerStopping } from './errors.ts'
import type { ServerOptions } from './options.ts'

/** What waits for a client, and since when nothing of it has gone. */
interface Backlog {
  pending: number
  sinceMs: number
}

/** Every open connection: looks after clients that read nothing and sessions that do nothing. */
export interface Connections extends Closable {
  addSocket(socket: TLSSocket): void
  addSession(session: ServerHttp2Session): void
  addStream(stream: ServerHttp2Stream, session: ServerHttp2Session): void
  /** HTTP/2 clients open no new streams; those under way go on. */
  retireSessions(): void
  destroyAll(): void
  readonly size: number
  /** Nothing waits to be written to anybody. */
  readonly flushed: boolean
}

export function createConnections(clock: Clock, options: ServerOptions): Connections {
  const sockets = new Map<TLSSocket, Backlog>()
  const sessions = new Map<ServerHttp2Session, { streams: Map<ServerHttp2Stream, Backlog>; idleSinceMs: number }>()

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
    for (const [session, { streams, idleSinceMs }] of sessions) {
      for (const [stream, backlog] of streams) if (stalled(stream.writableLength, backlog, nowMs)) stream.destroy()
      if (streams.size === 0 && nowMs - idleSinceMs >= options.idleTimeoutMs && !session.closed) session.close()
    }
  }

  const timer = clock.every(Math.max(50, Math.min(5000, options.stallTimeoutMs / 4)), sweep)
  return {
    addSocket(socket) {
      sockets.set(socket, { pending: 0, sinceMs: 0 })
      socket.once('close', () => sockets.delete(socket))
    },
    addSession(session) {
      sessions.set(session, { streams: new Map(), idleSinceMs: clock.monotonicMs() })
      session.once('close', () => sessions.delete(session))
      session.on('error', ignore)
    },
    addStream(stream, session) {
      const entry = sessions.get(session)
      if (entry === undefined) return
      entry.streams.set(stream, { pending: 0, sinceMs: 0 })
      stream.once('close', () => {
        entry.streams.delete(stream)
        entry.idleSinceMs = clock.monotonicMs()
      })
    },
    retireSessions() {
      for (const session of sessions.keys()) if (!session.closed) session.close()
    },
    destroyAll() {
      // With a code, so that clients don't take what they have for the whole.
      for (const [session, { streams }] of sessions) {
        if (streams.size > 0) session.destroy(new ServerStopping(), constants.NGHTTP2_CANCEL)
        else session.destroy()
      }
      for (const socket of sockets.keys()) socket.destroy()
    },
    get size() {
      return sockets.size
    },
    get flushed() {
      for (const socket of sockets.keys()) if (socket.writableLength > 0) return false
      for (const { streams } of sessions.values()) if (streams.size > 0) return false
      return true
    },
    close: () => timer.close(),
  }
}

/** Of a client's broken connection there is nothing to do and nobody to tell. */
export function ignore(): void {}
