import type { Clock, Closable, Logger, Metrics, Random } from '../base/index.ts'
import type { Client, PartialObject } from '../client/index.ts'
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
  /** As `--controllers` and health checks name it. */
  readonly name: string
  /** Former names. */
  readonly aliases?: readonly string[]
  /** Its service account in kube-system, which its requests come from: `system:serviceaccount:kube-system:<account>`. */
  readonly account: string
  /** True: its requests come from the account of what the controllers share, as it has to work before others have theirs. */
  readonly asShared?: boolean
  /** `source.component` of its events. Default: the account. */
  readonly component?: string
  /** False: only where `--controllers` names it. */
  readonly byDefault?: boolean
  /** All of these gates must be on; else it is left out without a word. */
  readonly gates?: readonly string[]
  /** True: `*` and the name don't start it where this says so, such as without keys to sign with. */
  disabled?(settings: ControllerSettings): boolean
  /**
   * Asks for informers, subscribes and makes queues; nothing is synced yet. Queues are worked on once all informers that
   * it asked for are. Ends by itself when the context's signal aborts.
   */
  start(context: ControllerContext): void | Promise<void>
}

/** The services that a controller is given. */
export interface ControllerContext {
  readonly clock: Clock
  readonly random: Random
  /** Named after the controller. */
  readonly log: Logger
  readonly metrics: Metrics
  readonly settings: ControllerSettings
  gate(name: string): boolean
  /** Requests of the controller's own account. For turns of a queue use the turn's client. */
  readonly client: Client
  readonly events: EventRecorder
  /** Shared with all other controllers. */
  informer<T extends ApiObject>(type: ResourceType<T>): Informer<T>
  /** An informer of metadata only, for controllers that need no more. */
  metadataInformer(type: ResourceType<ApiObject>): Informer<PartialObject>
  /** Gives such an informer back, when its resource is gone; it ends once no controller uses it. */
  dropMetadataInformer(type: ResourceType<ApiObject>): void
  /** A queue of keys, each brought by `turn` into the state that it should have. */
  reconcile(options: ReconcilerOptions): WorkQueue
  /** Runs `work` every so often, once all informers are synced; not again while it runs. `atOnce`: first right then. */
  every(
    periodMs: number,
    work: (signal: AbortSignal) => void | Promise<void>,
    options?: { readonly atOnce?: boolean },
  ): void
  /** Runs once all informers are synced; a rejection is logged. */
  whenSynced(work: (signal: AbortSignal) => void | Promise<void>): void
  /** Closed when the controller stops. */
  own(closable: Closable): void
  /** Reports that it does not work, or with undefined that it does again; for its health check. */
  unhealthy(why: string | undefined): void
  readonly signal: AbortSignal
}
