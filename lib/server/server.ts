import type { AddressInfo } from 'node:net'
import type { Clock } from '../base/index.ts'
import type { LocalApi } from '../client/index.ts'
import { BufferPool } from './bufferpool.ts'
import type { ServerCall } from './call.ts'
import { chainOf, compose } from './chain.ts'
import type { ServerDependencies } from './contract.ts'
import { encodeStatusAsJson } from './errors.ts'
import { createFailureAnswers } from './failure.ts'
import { type CallFault, injectFaults } from './faults/injectfaults.ts'
import { createHookRunner, type HookRunner, healthRoutes } from './health.ts'
import { createLifecycle, type Lifecycle } from './lifecycle.ts'
import { createListener, type ListenerTlsOptions } from './listener.ts'
import { createLocalApi } from './local.ts'
import { createServerMetrics, type ServerMetrics } from './metrics.ts'
import { metricsRoutes, rootRoute, verbosityRoute } from './nonresource/pages.ts'
import { profileRoutes } from './nonresource/profile.ts'
import { createOpenConnections } from './openconnections.ts'
import { type ServerOptions, validateServerOptions } from './options.ts'
import { ChunkFrames } from './responder/chunks.ts'
import { createRoutes, type NonResourceRoute, type Routes } from './routes.ts'
import { createTimerWheel } from './timerwheel.ts'
import { createPeerCertificates } from './tls/peer.ts'

export interface Server {
  /** Listens, then runs the post-start hooks; resolves when it listens. Rejects when the address is taken. */
  start(): Promise<{ host: string; port: number }>
  /** Serves clients in this process. */
  readonly local: LocalApi
  /** Injects faults into the calls for which `faultOf` names one; undefined: into none, at no cost. */
  injectFaults(faultOf: ((call: ServerCall) => CallFault | undefined) | undefined, faultClock: Clock): void
  /** Resolves when all post-start hooks are done; rejects when one fails, or the server stops before. */
  readonly started: Promise<void>
  /** Number of requests so far, of this process and of others; undefined while one is in progress that isn't long-running. */
  readonly served: number | undefined
  /**
   * Stops gracefully: readiness fails, the shutdown delay passes, new requests are refused, requests in progress
   * finish, watches are closed over their grace period. Connections still open at the limit are cut off.
   */
  stop(): Promise<void>
  /** Cuts everything off. */
  close(): Promise<void>
}

/** Throws RangeError for invalid options. */
export function createServer(
  dependencies: ServerDependencies,
  given: Partial<ServerOptions> & { tls?: ListenerTlsOptions } = {},
): Server {
  const { tls = {}, ...rest } = given
  const options = validateServerOptions(rest)
  const { log, clock, resources } = dependencies
  const serves = resources.serves?.bind(resources)
  const metrics = createServerMetrics(dependencies, (call) => serves?.(call.info) ?? true)
  const lifecycle = createLifecycle(clock, options)
  const timers = createTimerWheel(clock)
  const connections = createOpenConnections(clock, options)
  const errors = createFailureAnswers(log, dependencies.encodeStatus ?? encodeStatusAsJson)
  const hooks = createHookRunner(dependencies.postStartHooks)
  const routes = nonResourceRoutes(dependencies, options, metrics, lifecycle, hooks)
  const parts = { dependencies, options, errors, lifecycle, timers, metrics, routes }
  let run = compose(chainOf(parts))
  let runLocal = compose(chainOf(parts, { local: true }))

  const { bodyBytesMax, requestTimeoutMs: bodyTimeoutMs } = options
  const services = {
    clock,
    timers,
    peers: createPeerCertificates(clock),
    bodyBytesMax,
    bodyTimeoutMs,
    compress: options.compressResponses,
    buffers: new BufferPool(),
    chunkFrames: new ChunkFrames(),
  }
  const listener = createListener({
    log,
    options,
    tls,
    certificates: dependencies.certificates,
    connections,
    metrics,
    services,
    serve: (call) => void run(call),
  })
  const { server } = listener
  const stopping = new AbortController()
  const startedness = Promise.withResolvers<void>()
  startedness.promise.catch(() => {}) // callers that need it await it
  let ended: Promise<void> | undefined

  function closeListener(): Promise<void> {
    return new Promise((resolve) => {
      if (server.listening) server.close(() => resolve())
      else resolve()
    })
  }

  async function end(graceful: boolean): Promise<void> {
    stopping.abort(new Error('the server stops'))
    if (graceful) await lifecycle.beginStop()
    const closed = options.shutdownSendRetryAfter && graceful ? undefined : closeListener()
    if (graceful) {
      if (!options.shutdownSendRetryAfter) connections.retireSessions()
      if (!(await lifecycle.drain(() => connections.flushed)))
        log.warn('requests were still under way at the end of the shutdown limit')
    }
    connections.destroyAll()
    await (closed ?? closeListener())
    await Promise.all([listener.close(), connections.close(), timers.close(), metrics.close()])
    startedness.reject(new Error('the server was stopped'))
  }

  return {
    async start() {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        const { host, port, portSharing } = options
        server.listen({ host, port, reusePort: portSharing }, () => {
          server.off('error', reject)
          server.on('error', (error) => log.error('the secure port failed', { error }))
          resolve()
        })
      })
      hooks.run(stopping.signal).then(() => {
        lifecycle.markStarted()
        startedness.resolve()
      }, startedness.reject)
      const { address, port } = server.address() as AddressInfo // a TCP server that listens has one
      return { host: address, port }
    },
    local: createLocalApi(services, (call) => void runLocal(call)),
    injectFaults(faultOf, faultClock) {
      const faulty = { ...parts, faults: faultOf && injectFaults(faultOf, { clock: faultClock, lifecycle }) }
      run = compose(chainOf(faulty))
      runLocal = compose(chainOf(faulty, { local: true }))
    },
    started: startedness.promise,
    get served() {
      return lifecycle.served
    },
    stop: () => (ended ??= end(true)),
    close: () => (ended ??= end(false)),
  }
}

function nonResourceRoutes(
  dependencies: ServerDependencies,
  options: ServerOptions,
  metrics: ServerMetrics,
  lifecycle: Lifecycle,
  hooks: HookRunner,
): Routes {
  const { log, clock, healthChecks: checks, exposition, profiler, setVerbosity, listPaths } = dependencies
  const all: NonResourceRoute[] = [
    ...dependencies.routes,
    ...healthRoutes({ log, clock, lifecycle, metrics, hooks, checks, options }),
    ...(exposition === undefined
      ? []
      : metricsRoutes(exposition, options.profiling ? dependencies.resetMetrics : undefined, metrics)),
    ...(options.profiling && profiler !== undefined ? profileRoutes(profiler) : []),
    ...(options.profiling && setVerbosity !== undefined ? [verbosityRoute(setVerbosity)] : []),
    rootRoute(() => routes, listPaths ?? (() => [])),
  ]
  const routes = createRoutes(all)
  return routes
}
