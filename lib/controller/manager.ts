import { type Clock, type Closable, createRepeatedWork, type Logger, type Metrics, type Random } from '../base/index.ts'
import { type Client, createClient, type Transport } from '../client/index.ts'
import { newestRelease, type Release } from '../features/index.ts'
import type { ApiObject, ResourceType } from '../object/index.ts'
import type { ControllerContext, ControllerDefinition } from './definition.ts'
import { createEventSink, type EventSink } from './events.ts'
import { type ControllerFailure, createFailureLog, type FailureLog } from './failures.ts'
import type { Informer } from './informer.ts'
import { createInformers, type Informers, nameOf } from './informers.ts'
import { createOwnWrites } from './ownwrites.ts'
import { createQueueMetrics, type QueueMetrics } from './queuemetrics.ts'
import { createReconciler, type Reconciler } from './reconciler.ts'
import type { ControllerSettings } from './settings.ts'
import { createTurnMeter, type TurnMeter } from './turnmeter.ts'
import { createWorkQueue } from './workqueue.ts'

interface ManagerDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  /**
   * Sends requests as a service account of kube-system; '': as the account of the shared informers. `isShared`: as
   * that account, in the name of `account`.
   */
  connect(account: string, isShared?: boolean): Transport
  gate(name: string): boolean
  /** The release to emulate. Default: the newest. */
  readonly release?: Release | undefined
}

interface ManagerOptions {
  readonly settings: ControllerSettings
  /** How long `close` waits for unfinished turns. Default 10 s. */
  readonly shutdownMs?: number
}

/** Runs controllers over shared informers. */
export interface Manager extends Closable {
  /** Names of the running controllers. */
  readonly controllers: readonly string[]
  /** Resolves once all informers that were requested at the start are synced. */
  whenSynced(): Promise<void>
  /** All informers. */
  informers(): Iterable<Informer<never>>
  /**
   * Milliseconds until the next known turn; 0 while a key waits, or a turn or write is unfinished. Lagging informers and
   * periodic work may cause further turns.
   */
  nextWorkMs(): number
  /** The latest failure of each queue, the newest first. */
  failures(): readonly ControllerFailure[]
  /** The problem of a controller; undefined: none. */
  check(name: string): Error | undefined
  /** Stops all controllers. */
  close(): Promise<void>
}

/** Starts the controllers. Where one of them can't start, it stops the others and rejects. */
export async function startControllers(
  dependencies: ManagerDependencies,
  definitions: readonly ControllerDefinition[],
  { settings, shutdownMs = 10_000 }: ManagerOptions,
): Promise<Manager> {
  const { clock, log } = dependencies
  const transport = dependencies.connect('')
  const shared = createClient(transport)
  const streams = transport.isLocal !== true
  const informers = createInformers({ ...dependencies, log: log.named('informers') }, shared, { streams })
  const failures = createFailureLog()
  const queueMetrics = createQueueMetrics(dependencies.metrics)
  const work: WorkMeasures = { queueMetrics, meter: createTurnMeter(clock), failures }
  const running = new Map<string, Running>()
  let closing: Promise<void> | undefined

  async function close(): Promise<void> {
    const ended = Promise.all(Array.from(running.values(), (each) => each.close()))
    const late = Promise.withResolvers<void>()
    const timer = clock.after(shutdownMs, () => {
      log.warn('controllers were still running at the end of the shutdown limit')
      late.resolve()
    })
    await Promise.race([ended, late.promise])
    void timer.close()
    informers.close()
    await shared.close()
  }

  try {
    for (const definition of definitions) {
      const off = (definition.gates ?? []).some((gate) => !dependencies.gate(gate)) || definition.disabled?.(settings)
      if (off) continue
      const each = new Running(dependencies, definition, settings, informers, work)
      running.set(definition.name, each)
      await definition.start(each.context)
    }
  } catch (error) {
    await close()
    throw error
  }
  informers.start()
  for (const each of running.values()) each.begin()
  return {
    controllers: [...running.keys()],
    async whenSynced() {
      await Promise.all(Array.from(informers.all(), (informer) => informer.whenSynced()))
    },
    informers: () => informers.all(),
    nextWorkMs: () => Math.min(...Array.from(running.values(), (each) => each.nextWorkMs())),
    failures: () => failures.latest(),
    check: (name) => running.get(name)?.check(),
    close: () => (closing ??= close()),
  }
}

/** Measures of turns, shared by all controllers. */
interface WorkMeasures {
  readonly queueMetrics: QueueMetrics
  readonly meter: TurnMeter
  readonly failures: FailureLog
}

/** One running controller. */
class Running {
  readonly context: ControllerContext
  readonly #closables: Closable[] = []
  readonly #stopping = new AbortController()
  readonly #reconcilers: Reconciler[] = []
  readonly #informers = new Map<string, Informer<never>>()
  readonly #starts: (() => void)[] = []
  readonly #log: Logger
  readonly #events: EventSink
  readonly #client: Client
  #problem: string | undefined
  /** Passes and other work beside the queues that is under way. */
  #attempts = 0

  constructor(
    dependencies: ManagerDependencies,
    definition: ControllerDefinition,
    settings: ControllerSettings,
    informers: Informers,
    { queueMetrics, meter, failures }: WorkMeasures,
  ) {
    const { clock, random, metrics } = dependencies
    const { name, account, component = account } = definition
    const log = dependencies.log.named(name)
    const transport = dependencies.connect(account, definition.asShared === true)
    const { signal } = this.#stopping
    this.#log = log
    this.#client = createClient(transport)
    this.#events = createEventSink({ clock, random, log, client: this.#client }, { component })
    const skips = metrics.counter({
      name: `${subsystemOf(definition)}_stale_sync_skips_total`,
      help: "Turns delayed because an informer did not show the controller's own writes yet",
      labels: ['group', 'resource'],
      stability: 'ALPHA',
    })
    const informerOf = (resource: string): Informer<ApiObject> | undefined =>
      this.#informers.get(resource) as Informer<ApiObject> | undefined

    this.context = {
      clock,
      random,
      log,
      metrics,
      settings,
      signal,
      gate: (gate) => dependencies.gate(gate),
      release: dependencies.release ?? newestRelease,
      client: this.#client,
      events: this.#events,
      informer: (type) => this.#noted(type, informers.for(type)),
      metadataInformer: (type) => this.#noted(type, informers.metadata(type, this)),
      dropMetadataInformer: (type) => {
        const informer: unknown = informers.dropMetadata(type, this)
        const name = nameOf(type)
        if (this.#informers.get(name) === informer) this.#informers.delete(name)
      },
      reconcile: (options) => {
        const source = createWorkQueue({ clock, metrics: queueMetrics }, options)
        const lags = (resource: string): void => skips.add(resource.split('/').toSpliced(1, 1))
        const ownWrites = createOwnWrites({ clock, lags }, transport, informerOf)
        const reconciler = createReconciler({ clock, log, ownWrites, meter, failures }, source, options)
        this.#reconcilers.push(reconciler)
        return source
      },
      every: (periodMs, work, { atOnce = false } = {}) => {
        const run = async (each: AbortSignal): Promise<void> => work(each)
        const repeated = createRepeatedWork({ clock, random, log }, { name: 'periodic work', periodMs, run })
        this.#closables.push(repeated)
        this.#starts.push(() => repeated.againAfter(atOnce ? 0 : periodMs))
      },
      whenSynced: (work) => void this.#starts.push(() => void this.#attempt(work)),
      own: (closable) => void this.#closables.push(closable),
      unhealthy: (why) => {
        this.#problem = why
      },
    }
  }

  #noted<T>(type: ResourceType, informer: Informer<T>): Informer<T> {
    const name = nameOf(type)
    if (!this.#informers.has(name)) this.#informers.set(name, informer as Informer<never>)
    return informer
  }

  /** Starts the queues once every informer that was requested so far is synced. */
  begin(): void {
    const synced = Array.from(this.#informers.values(), (informer) => informer.whenSynced())
    void Promise.all(synced).then(() => {
      if (this.#stopping.signal.aborted) return
      for (const reconciler of this.#reconcilers) reconciler.start()
      for (const start of this.#starts) start()
    })
  }

  async #attempt(work: (signal: AbortSignal) => void | Promise<void>): Promise<void> {
    this.#attempts++
    try {
      await work(this.#stopping.signal)
    } catch (error) {
      if (!this.#stopping.signal.aborted) this.#log.error('the controller failed', { error })
    } finally {
      this.#attempts--
    }
  }

  nextWorkMs(): number {
    if (this.#attempts > 0 || this.#events.isBusy) return 0
    return Math.min(...this.#reconcilers.map((reconciler) => reconciler.nextMs()))
  }

  check(): Error | undefined {
    return this.#problem === undefined ? undefined : new Error(this.#problem)
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error('the controller stops'))
    await Promise.all(this.#closables.map(async (closable) => await closable.close()))
    await Promise.all(this.#reconcilers.map((reconciler) => reconciler.close()))
    await this.#events.close()
    await this.#client.close()
  }
}

/** The prefix of the controller's metrics, in the stock form: `job_controller`. */
function subsystemOf({ name, aliases = [] }: ControllerDefinition): string {
  const short = aliases[0] ?? name
  return `${short.replace(/-controller$/, '').replaceAll('-', '_')}_controller`
}
