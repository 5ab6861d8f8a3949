import { lstat, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import type { Clock, Closable, Logger, Random } from '../base/index.ts'
import type { Profiler } from '../observe/index.ts'
import { BufferPool } from './bufferpool.ts'
import { compose } from './chain.ts'
import { encodeStatusAsJson } from './errors.ts'
import { createFailureAnswers } from './failure.ts'
import { answerFailures } from './filters/answerfailures.ts'
import { dispatchRoute } from './filters/dispatch.ts'
import { receive } from './filters/receive.ts'
import { acceptHttp1 } from './http1/accept.ts'
import { verbosityRoute } from './nonresource/pages.ts'
import { profileRoutes } from './nonresource/profile.ts'
import { createOpenConnections } from './openconnections.ts'
import { defaultServerOptions } from './options.ts'
import { ChunkFrames } from './responder/chunks.ts'
import { createRoutes } from './routes.ts'
import { createTimerWheel } from './timerwheel.ts'
import { createPeerCertificates } from './tls/peer.ts'

export interface DebugSocketDependencies {
  readonly log: Logger
  readonly clock: Clock
  readonly random: Random
  readonly profiler: Profiler
  /** Serves PUT /debug/flags/v. */
  readonly setVerbosity?: (level: number) => void
}

const connectionsMax = 16

/**
 * A unix socket at `path` with the debug pages only, over HTTP/1.1. There is no authentication: only the file's owner
 * can connect (mode 0600). A socket that an earlier server left is replaced; rejects as `listen` does for any other
 * file, or while a process listens there.
 */
export async function openDebugSocket(dependencies: DebugSocketDependencies, path: string): Promise<Closable> {
  const { log, clock, profiler, setVerbosity } = dependencies
  const options = defaultServerOptions
  const routes = createRoutes([...profileRoutes(profiler), ...(setVerbosity ? [verbosityRoute(setVerbosity)] : [])])
  const run = compose([
    answerFailures(createFailureAnswers(log, encodeStatusAsJson)),
    receive(dependencies, options),
    (call) => dispatchRoute(call, routes),
  ])
  const timers = createTimerWheel(clock)
  const services = {
    clock,
    timers,
    peers: createPeerCertificates(clock),
    bodyBytesMax: options.bodyBytesMax,
    bodyTimeoutMs: options.requestTimeoutMs,
    compress: false,
    buffers: new BufferPool(),
    chunkFrames: new ChunkFrames(),
  }
  const connections = createOpenConnections(clock, options)
  const server = createServer(acceptHttp1({ options, connections, services, serve: (call) => void run(call) }))
  server.maxConnections = connectionsMax
  try {
    await removeStale(path)
    await listenPrivately(server, path)
  } catch (error) {
    await Promise.all([timers.close(), connections.close()])
    throw error
  }
  server.on('error', (error) => log.error('the debug socket failed', { error }))
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      connections.destroyAll()
      await Promise.all([closed, timers.close(), connections.close()])
    },
  }
}

/** Removes a socket file without a listener. */
async function removeStale(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined)
  if (found?.isSocket() && !(await isAnswered(path))) await unlink(path)
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('error', () => resolve(false))
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
  })
}

/** The file has its mode from the start: the socket is bound before `listen` returns. */
async function listenPrivately(server: Server, path: string): Promise<void> {
  const listening = new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const before = process.umask(0o177)
  try {
    server.listen(path)
  } finally {
    process.umask(before)
  }
  await listening
}
