import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { Clock, Closable } from '../../base/index.ts'
import { openTls } from '../opentls.ts'
import { Http2Connection } from './connection.ts'

/** A second connection is opened where the server allows no more requests on the first. */
const connectionsMax = 8
/** Requests that wait where no connection has room. */
const waitingMax = 10_000

/** HTTP/2 connections to one server: one of them, as long as the server allows enough requests on it. */
export interface Http2Connections extends Closable {
  /**
   * The connection for the next request; undefined: the server only speaks HTTP/1.1. Rejects or throws when there is
   * none: all requests that wait for it fail, and the next one tries again.
   */
  take(): Http2Connection | undefined | Promise<Http2Connection | undefined>
  /** A connection for HTTP/1.1 that was opened to find out the protocol; each is returned once. */
  spare(): TLSSocket | undefined
  close(): void
}

/** `target`: returns the options of a TLS connection, called for each connection. */
export function createHttp2Connections(
  clock: Clock,
  target: () => ConnectionOptions | Promise<ConnectionOptions>,
): Http2Connections {
  const usable = new Set<Http2Connection>()
  const all = new Set<Http2Connection>()
  let connecting: Promise<Http2Connection | undefined> | undefined
  let speaksHttp1 = false
  let spare: TLSSocket | undefined
  let isClosed = false

  async function connect(): Promise<Http2Connection | undefined> {
    const socket = await openTls(clock, await target())
    if (isClosed) {
      socket.destroy()
      throw new Error('the client is closed')
    }
    if (socket.alpnProtocol !== 'h2') {
      speaksHttp1 = true
      spare = socket
      // It may fail before a request takes it.
      socket.on('error', () => {})
      return undefined
    }
    const connection = new Http2Connection(clock, socket, (left) => void usable.delete(left))
    all.add(connection)
    socket.once('close', () => all.delete(connection))
    await connection.whenReady()
    if (connection.usable) usable.add(connection)
    return connection
  }

  function leastUsed(): Http2Connection {
    const [least] = [...usable].sort((left, right) => left.inFlight - right.inFlight)
    if (!least || least.inFlight >= waitingMax) throw new Error('too many requests wait for an answer')
    return least
  }

  return {
    take() {
      if (speaksHttp1) return undefined
      for (const connection of usable) if (connection.hasRoom) return connection
      if (usable.size >= connectionsMax) return leastUsed()
      connecting ??= connect().finally(() => (connecting = undefined))
      return connecting
    },
    spare() {
      const socket = spare
      spare = undefined
      return socket?.destroyed === true ? undefined : socket
    },
    close() {
      isClosed = true
      spare?.destroy()
      for (const connection of all) connection.destroy('the client is closed')
    },
  }
}
