import type { Clock, Closable, Logger, Random, RequestTracer } from '../base/index.ts'
import type { LocalApi } from '../client/index.ts'
import { noRevision } from '../object/index.ts'
import { type MetricsRegistry, recordBuild } from '../observe/index.ts'
import type { OwnReport } from '../server/index.ts'
import { prefixEnd, type Store } from '../storage/index.ts'
import { openAccess } from './access/access.ts'
import { openAuditor } from './access/auditing.ts'
import { openFairness } from './access/fairness.ts'
import { composeApi } from './api/api.ts'
import type { ApiserverConfig } from './config.ts'
import { createFaults, type Faults } from './faults/faults.ts'
import { composeHooks } from './hooks/hooks.ts'
import { stockStartHooks } from './hooks/stockstarthooks.ts'
import { openEgress } from './process/egress.ts'
import { hostInUrl, openPort, type ServerSiblings } from './process/port.ts'
import { openConfiguredTracing } from './process/tracing.ts'
import type { ProcessEnvironment } from './serverservices.ts'
import { createSnapshots, type Snapshots } from './storage/snapshots.ts'
import { openStorage } from './storage/storage.ts'

/** The services that the program provides to its server. */
export interface ProgramServices extends ProcessEnvironment {
  readonly clock: Clock
  /** Runs the timers of connections and of the requests on them, whose clients have a time of their own. Default: `clock`. */
  readonly connectionClock?: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: MetricsRegistry
  /** Absent: no tracing. */
  readonly tracer?: RequestTracer | undefined
  setVerbosity?(level: number): void
  /** Absent: the server is this process alone. */
  readonly siblings?: ServerSiblings | undefined
  /** A store's data is damaged: the server should not go on. */
  onDamage?(error: Error): void
}

/** An API server that listens. */
export interface Apiserver {
  /** `https://host:port`, as this machine reaches it. */
  readonly url: string
  readonly port: number
  /** All post-start hooks are done; rejects when one fails. */
  readonly started: Promise<void>
  readonly report: OwnReport
  /** The API for clients of this process. */
  readonly local: LocalApi
  /**
   * A number that grows with each request and write; undefined while a request is in progress that isn't long-running,
   * or the caches lag behind the store.
   */
  activity(): number | undefined
  /** Faults that tests inject. */
  readonly faults: Faults
  /** Calls back after each change of what is stored, before its watches are served. */
  onChange(changed: () => void): Closable
  /** Only for a store in memory. */
  readonly snapshots?: Snapshots
  /** Stops gracefully and releases everything. */
  stop(): Promise<void>
}

/**
 * Starts an API server with all its parts, from the store up. Resolves when it listens and its caches are loaded.
 * Rejects with StartError for an unusable store, address or file; then everything is released.
 */
export async function composeApiserver(config: ApiserverConfig, services: ProgramServices): Promise<Apiserver> {
  const opened = new AsyncDisposableStack()
  try {
    return await compose(config, services, opened)
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** Each step registers what it opens on the stack, which is closed in the opposite order. */
async function compose(
  config: ApiserverConfig,
  given: ProgramServices,
  opened: AsyncDisposableStack,
): Promise<Apiserver> {
  recordBuild(given.metrics, config.version)
  config.gates.record(given.metrics)
  const tracer = await openConfiguredTracing(config, given)
  opened.defer(() => tracer?.close())
  const egress = await openEgress(config.egress, { ...given, tracer })
  if (tracer && egress.controlplane)
    given.log.warn('spans are sent directly, not through the proxy of the network controlplane')
  const injection = createFaults((faultOf) => server.injectFaults(faultOf, given.clock))
  const services = { ...given, tracer, egress, webhookFailure: injection.webhookFailure }

  let listensAt = config.server.port ?? 0
  const listening = Promise.withResolvers<number>()
  const port = (): number => listensAt
  // Its hooks run before it listens.
  if (services.siblings?.areServing) listening.resolve(listensAt)

  const storage = await openStorage(config, services, opened)
  // Closed when the last request has ended.
  const auditor = await openAuditor(config.audit, storage.scheme, services)
  opened.defer(() => auditor?.close())
  const access = await openAccess(config, services, { registry: storage.registry, port }, opened)
  const api = await composeApi(config, services, storage, access, opened)
  const connected = { ...services, clock: given.connectionClock ?? given.clock }
  const fairness = openFairness(config, connected, storage, opened)
  const { checked, unchecked } = composeHooks(
    config,
    services,
    storage,
    access,
    fairness,
    api.aggregation,
    listening.promise,
    opened,
  )
  const begun = stockStartHooks({
    caches: storage.stores.loaded,
    storage: storage.gate('WatchCacheInitializationPostStartHook') ? storage.stores.loaded : undefined,
    customResources: api.customResources,
    aggregation: api.aggregation?.ready,
  })
  const { server, ...address } = await openPort(
    config,
    connected,
    { storage, access, api, fairness, hooks: [...begun, ...checked], auditor, port },
    opened,
  )

  listensAt = address.port
  listening.resolve(address.port)
  for (const hook of unchecked) void hook.run()
  const { stores, registry } = storage
  const snapshots = stores.memory && createSnapshots({ ...stores.main, memory: stores.memory, registry })
  const { started } = server
  started.catch(() => {}) // reported by the code that waits for it
  return {
    url: `https://${hostInUrl(address.host)}:${address.port}`,
    port: address.port,
    started,
    report: server.report,
    local: server.local,
    activity() {
      const { feed, store } = stores.main
      if (server.served === undefined || feed.revision < (store.revisionNow?.() ?? 0)) return undefined
      return server.served + feed.revision
    },
    faults: injection.faults,
    onChange: (changed) => followStore(stores.main.store, config, changed),
    ...(snapshots && { snapshots }),
    stop: () => opened.disposeAsync(),
  }
}

function followStore(store: Store, { storagePrefix }: ApiserverConfig, changed: () => void): Closable {
  const start = `${storagePrefix}/`
  const sink = { onEvents: changed, onProgress() {}, onEnd() {} }
  return store.watch({ start, end: prefixEnd(start), fromRevision: noRevision }, sink)
}
