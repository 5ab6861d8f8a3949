import type { Clock, Closable, Logger, Metrics, Random } from '../base/index.ts'
import type { Client, PartialObject } from '../client/index.ts'
import type { Release } from '../features/index.ts'
import type { ApiObject, ResourceType } from '../object/index.ts'
import type { EventRecorder } from './events.ts'
import type { Informer } from './informer.ts'
import type { ReconcilerOptions } from './reconciler.ts'
import type { ControllerSettings } from './settings.ts'
import type { WorkQueue } from './workqueue.ts'

/**
 * A controller as data: lib/controllers/<name>/index.ts exports one, and lib/controllers/index.ts lists it.
 *
 * The parts of a controller are `observe`, which reads what its informers show of one key, `plan`, a pure function from
 * that to intentions, and `perform`, which carries them out. `start` ties them together:
 *
 *     export const replicaset: ControllerDefinition = {
 *       name: 'replicaset-controller',
 *       aliases: ['replicaset'],
 *       account: 'replicaset-controller',
 *       start(context) {
 *         const sets = context.informer(resources.apps.v1.replicasets)
 *         const queue = context.reconcile({
 *           name: 'replicaset',
 *           workers: context.settings.concurrentReplicasetSyncs,
 *           async turn(key, { client }) {
 *             const seen = observe({ sets, pods }, key)
 *             if (seen) await perform(plan(seen, context.clock.now()), seen, { client, events: context.events })
 *           },
 *         })
 *         sets.subscribe(({ object }) => queue.add(keyOf(object)))
 *       },
 *     }
 */
export interface ControllerDefinition {
  /** Its name in `--controllers` and in health checks. */
  readonly name: string
  /** Former names. */
  readonly aliases?: readonly string[]
  /** Its requests come from this service account: `system:serviceaccount:kube-system:<account>`. */
  readonly account: string
  /** True: it uses the account of the shared informers, as it has to work before the other accounts exist. */
  readonly asShared?: boolean
  /** `source.component` of its events. Default: the account. */
  readonly component?: string
  /** False: it runs only where `--controllers` names it. */
  readonly byDefault?: boolean
  /** It runs only where all of these feature gates are on. */
  readonly gates?: readonly string[]
  /** True: it does not run even where `--controllers` names it, as without keys to sign with. */
  disabled?(settings: ControllerSettings): boolean
  /**
   * Requests informers, subscribes to them and creates queues; no informer is synced yet. The queues start once all
   * requested informers are synced. The controller ends when the context's signal aborts.
   */
  start(context: ControllerContext): void | Promise<void>
}

/** The services that the manager provides to a controller. */
export interface ControllerContext {
  readonly clock: Clock
  readonly random: Random
  /** Named after the controller. */
  readonly log: Logger
  readonly metrics: Metrics
  readonly settings: ControllerSettings
  gate(name: string): boolean
  /** The emulated release. */
  readonly release: Release
  /** Sends requests as the controller's account. Turns of a queue use the turn's client instead. */
  readonly client: Client
  readonly events: EventRecorder
  /** Shared with all other controllers. */
  informer<T extends ApiObject>(type: ResourceType<T>): Informer<T>
  /** An informer of metadata only, for controllers that need no more. */
  metadataInformer(type: ResourceType<ApiObject>): Informer<PartialObject>
  /** Releases such an informer, whose resource is no longer served. It closes once no controller uses it. */
  dropMetadataInformer(type: ResourceType<ApiObject>): void
  /** A queue of keys; `turn` brings the object of a key into its desired state. */
  reconcile(options: ReconcilerOptions): WorkQueue
  /**
   * Runs `work` periodically once all informers are synced, never twice at a time. `atOnce`: for the first time right
   * then.
   */
  every(
    periodMs: number,
    work: (signal: AbortSignal) => void | Promise<void>,
    options?: { readonly atOnce?: boolean },
  ): void
  /** Runs once all informers are synced; a rejection is logged. */
  whenSynced(work: (signal: AbortSignal) => void | Promise<void>): void
  /** Closed when the controller stops. */
  own(closable: Closable): void
  /** Sets the problem that the controller's health check reports; undefined: none. */
  unhealthy(why: string | undefined): void
  readonly signal: AbortSignal
}
