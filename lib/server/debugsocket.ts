import { lstat, unlink } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { type Clock, type Closable, type Logger, nodeHttp, type Random } from '../base/index.ts'
import type { Profiler } from '../observe/index.ts'
import { BufferPool } from './bufferpool.ts'
import { ServerCall } from './call.ts'
import { compose } from './chain.ts'
import { encodeStatusAsJson } from './errors.ts'
import { createFailureAnswers } from './failure.ts'
import { answerFailures } from './filters/answerfailures.ts'
import { dispatchRoute } from './filters/dispatch.ts'
import { receive } from './filters/receive.ts'
import { verbosityRoute } from './nonresource/pages.ts'
import { profileRoutes } from './nonresource/profile.ts'
import { ignore } from './openconnections.ts'
import { defaultServerOptions } from './options.ts'
import { ChunkFrames } from './responder/chunks.ts'
import { Http1Responder } from './responder/http1.ts'
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
  const routes = createRoutes([...profileRoutes(profiler), ...(setVerbosity ? [verbosityRoute(setVerbosity)] : [])])
  const run = compose([
    answerFailures(createFailureAnswers(log, encodeStatusAsJson)),
    receive(dependencies, defaultServerOptions),
    (call) => dispatchRoute(call, routes),
  ])
  const timers = createTimerWheel(clock)
  const services = {
    clock,
    timers,
    peers: createPeerCertificates(clock),
    bodyBytesMax: defaultServerOptions.bodyBytesMax,
    bodyTimeoutMs: defaultServerOptions.requestTimeoutMs,
    compress: false,
    buffers: new BufferPool(),
    chunkFrames: new ChunkFrames(),
  }
  const server = nodeHttp().createServer((request, response) => {
    response.on('error', ignore)
    const headers = request.headers as Record<string, string | undefined> // no header of a request is a list
    const responder = new Http1Responder(request, response)
    void run(new ServerCall(services, responder, request.method ?? '', request.url ?? '', headers))
  })
  server.maxConnections = connectionsMax
  try {
    await removeStale(path)
    await listenPrivately(server, path)
  } catch (error) {
    void timers.close()
    throw error
  }
  server.on('error', (error) => log.error('the debug socket failed', { error }))
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await Promise.all([closed, timers.close()])
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
