import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy on the loopback that misbehaves on command. */
export interface Proxy {
  /** `http://HOST:PORT`, or `unix://` and its path. */
  readonly url: string
  /** Connections taken so far. */
  readonly accepted: number
  /** Chunks that it holds back now. */
  readonly held: number
  /** Replies that it has swallowed so far. */
  readonly swallowed: number
  /** Added to each chunk in each direction. */
  delayMs: number
  /** Added besides for one connection in two: what is sent on it comes after what others send later. */
  unevenMs: number
  /** Takes nothing and gives nothing on, with connections open. */
  stalled: boolean
  /** Gives requests on, but swallows replies and then breaks the connection. */
  swallowReplies: boolean
  /** Gives requests on, but holds replies back, with connections open. */
  holdReplies: boolean
  /** New connections are refused. */
  refusing: boolean
  /** Breaks all connections. */
  reset(): void
  close(): Promise<void>
}

/** To `target`, as `http://host:port` (TLS passes through unseen), from a port of `host` or from a unix socket at `path`. */
export async function startProxy(
  target: string,
  { path, host = '127.0.0.1' }: { readonly path?: string; readonly host?: string } = {},
): Promise<Proxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()

  async function pass(from: Socket, to: Socket, isReply: boolean, isLate: boolean): Promise<void> {
    for await (const chunk of from) {
      const delayMs = proxy.delayMs + (isLate ? proxy.unevenMs : 0)
      if (delayMs > 0) await sleep(delayMs)
      proxy.held++
      while ((proxy.stalled || (isReply && proxy.holdReplies)) && !from.destroyed && !to.destroyed) await sleep(5)
      proxy.held--
      if (isReply && proxy.swallowReplies) {
        proxy.swallowed++
        break
      }
      if (!to.write(chunk as Buffer)) await new Promise((resolve) => to.once('drain', resolve).once('close', resolve))
    }
  }

  const server = createServer((client) => {
    proxy.accepted++
    if (proxy.refusing) return void client.destroy()
    const isLate = proxy.accepted % 2 === 0
    const upstream = connect(Number(port), hostname)
    const both = [client, upstream]
    const end = (): void => {
      for (const socket of both) {
        socket.destroy()
        sockets.delete(socket)
      }
    }
    for (const socket of both) {
      sockets.add(socket)
      socket.setNoDelay()
      socket.on('error', end).on('close', end)
    }
    pass(client, upstream, false, isLate)
      .catch(() => {})
      .finally(end)
    pass(upstream, client, true, isLate)
      .catch(() => {})
      .finally(end)
  })
  await new Promise<void>((resolve) =>
    path === undefined ? server.listen(0, host, resolve) : server.listen(path, resolve),
  )
  const address = server.address()
  const proxy = {
    url: typeof address === 'object' && address ? `http://${host}:${address.port}` : `unix://${path}`,
    accepted: 0,
    held: 0,
    swallowed: 0,
    delayMs: 0,
    unevenMs: 0,
    stalled: false,
    swallowReplies: false,
    holdReplies: false,
    refusing: false,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return proxy
}
