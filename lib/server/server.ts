import type { AddressInfo } from 'node:net'
import type { Clock } from '../base/index.ts'
import type { LocalApi } from '../client/index.ts'
import { BufferPool } from './bufferpool.ts'
import type { ServerCall } from './call.ts'
import { chainOf, compose } from './chain.ts'
import type { OwnReport, ServerDependencies, Siblings } from './contract.ts'
import { encodeStatusAsJson } from './errors.ts'
import { createFailureAnswers } from './failure.ts'
import { type CallFault, injectFaults } from './faults/injectfaults.ts'
import { createHookRunner, healthRoutes, ownFailures } from './health.ts'
import { createLifecycle } from './lifecycle.ts'
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
  /**
   * Listens, then runs the post-start hooks; resolves when it listens. Rejects when the address is taken. Where siblings serve
   * already it is the other way round: the hooks run and the checks of readiness pass before it listens.
   */
  start(): Promise<{ host: string; port: number }>
  /** Serves clients in this process. */
  readonly local: LocalApi
  /** Injects faults into the calls for which `faultOf` names one; undefined: into none, at no cost. */
  injectFaults(faultOf: ((call: ServerCall) => CallFault | undefined) | undefined, faultClock: Clock): void
  /** Resolves when all post-start hooks are done; rejects when one fails, or the server stops before. */
  readonly started: Promise<void>
  /** Number of requests so far, of this process and of others; undefined while one is in progress that isn't long-running. */
  readonly served: number | undefined
  readonly report: OwnReport
  /**
   * Stops gracefully: readiness fails, the shutdown delay passes, new requests are refused, requests in progress
   * finish, watches are closed over their grace period. Connections still open at the limit are cut off.
   */
  stop(): Promise<void>
  /** Cuts everything off. */
  close(): Promise<void>
}

/** Time of the handshakes and first requests of connections that were accepted before their listener was closed. */
const handOverMs = 500
const readyPollMs = 100

/** Throws RangeError for invalid options. */
export function createServer(
  dependencies: ServerDependencies,
  given: Partial<ServerOptions> & { tls?: ListenerTlsOptions } = {},
): Server {
  const { tls = {}, ...rest } = given
  const options = validateServerOptions(rest)
  const { log, clock, resources, siblings } = dependencies
  const serves = resources.serves?.bind(resources)
  const metrics = createServerMetrics(dependencies, (call) => serves?.(call.info) ?? true)
  const lifecycle = createLifecycle(clock, options, siblings && (() => handOver(siblings)))
  const timers = createTimerWheel(clock)
  const connections = createOpenConnections(clock, options)
  const errors = createFailureAnswers(log, dependencies.encodeStatus ?? encodeStatusAsJson)
  const hooks = createHookRunner(dependencies.postStartHooks)
  const health = { log, clock, lifecycle, metrics, hooks, checks: dependencies.healthChecks, siblings, options }
  const routes = nonResourceRoutes(dependencies, options, metrics, healthRoutes(health))
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

  function listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      const { host, port, portSharing } = options
      server.listen({ host, port, reusePort: portSharing }, () => {
        server.off('error', reject)
        server.on('error', (error) => log.error('the secure port failed', { error }))
        resolve()
      })
    })
  }

  async function runHooks(): Promise<void> {
    try {
      await hooks.run(stopping.signal)
      lifecycle.markStarted()
      startedness.resolve()
    } catch (error) {
      startedness.reject(error)
      throw error
    }
  }

  async function untilReady(): Promise<void> {
    const failing = ownFailures(health)
    while ((await failing('readyz', stopping.signal)).length > 0) await clock.sleep(readyPollMs, stopping.signal)
  }

  let listenerClosed: Promise<void> | undefined
  function closeListener(): Promise<void> {
    return (listenerClosed ??= new Promise((resolve) => {
      if (server.listening) server.close(() => resolve())
      else resolve()
    }))
  }

  /** New connections are for the siblings, while the requests that are on their way to this process are still served. */
  async function handOver({ drainTurn }: Siblings): Promise<void> {
    await drainTurn()
    if (options.shutdownSendRetryAfter) return
    void closeListener()
    connections.retireSessions()
    await clock.sleep(handOverMs)
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
      if (siblings?.areServing) {
        await runHooks()
        await untilReady()
        await listen()
      } else {
        await listen()
        runHooks().catch(() => {}) // `started` reports it
      }
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
    report: { failing: ownFailures(health), flush: () => metrics.flush() },
    stop: () => (ended ??= end(true)),
    close: () => (ended ??= end(false)),
  }
}

function nonResourceRoutes(
  dependencies: ServerDependencies,
  options: ServerOptions,
  metrics: ServerMetrics,
  health: readonly NonResourceRoute[],
): Routes {
  const { exposition, profiler, setVerbosity, listPaths } = dependencies
  const all: NonResourceRoute[] = [
    ...dependencies.routes,
    ...health,
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
