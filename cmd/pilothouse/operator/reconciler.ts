import { type Logger, silentLogger } from '../../../lib/base/index.ts'
import type { Client } from '../../../lib/client/index.ts'
import {
  createReconciler as createQueueReconciler,
  createWorkQueue,
  isConflict,
  joinKey,
  splitKey,
} from '../../../lib/controller/index.ts'
import { clockOf, type PlaneClock } from '../testkit/clock.ts'
import type { ObjectRequest, Watch } from './watch.ts'

/** One reconciliation. */
export interface Reconciliation {
  /** Aborts when the reconciler is closed. */
  readonly signal: AbortSignal
  /** Failures of this object since its last success. */
  readonly failures: number
}

export interface ReconcilerOptions {
  /** In log lines and errors. Default `reconciler`. */
  readonly name?: string
  /** Their changes, and at the start all of their objects, request reconciliations. */
  readonly watches: readonly Watch[]
  /**
   * Brings one object into its desired state; it may not exist any more. The same object is never reconciled twice at
   * the same time. After a rejection it is reconciled again, after 5 ms at first and twice as long each further time, at
   * most 1000 s. Informers may lag behind its own writes: a create may answer 409 then, and the next attempt sees the
   * object.
   */
  reconcile(request: ObjectRequest, reconciliation: Reconciliation): Promise<{ readonly againAfterMs?: number } | void>
  /** Maximum number of objects at the same time. Default 1. */
  readonly workers?: number
  /** Called with each failure, except for 409 Conflict, which only means that the state was old. Default: the logger. */
  onError?(error: unknown, request: ObjectRequest): void
  /** `plane.clock`, where retries should follow the time of a control plane. Default: the machine's time. */
  readonly clock?: PlaneClock
  readonly logger?: Logger
}

export interface Reconciler {
  /** Resolves when all informers are synced and reconciliations begin. */
  readonly started: Promise<void>
  /** Requests a reconciliation; several requests of one object before it begins are one. */
  request(object: ObjectRequest): void
  /** Takes no more requests, and resolves when the reconciliations in progress have ended. Informers stay open. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A reconcile loop over informers. Throws an Error where an option makes no sense.
 *
 *     const reconciler = createReconciler({
 *       watches: [widgets.requests(), deployments.ownerRequests(widgetType)],
 *       async reconcile(name) {
 *         const widget = widgets.get(name)
 *         if (widget) await client.resource(apps.deployments).patch(name, 'apply', deploymentOf(widget))
 *       },
 *     })
 */
export function createReconciler({
  name = 'reconciler',
  watches,
  reconcile,
  workers = 1,
  logger = silentLogger,
  clock: given,
  onError = (error, request) => logger.error('a reconciliation failed', { reconciler: name, ...request, error }),
}: ReconcilerOptions): Reconciler {
  if (!Number.isInteger(workers) || workers < 1) throw new Error('createReconciler: workers must be a number from 1')
  if (!Array.isArray(watches) || typeof reconcile !== 'function')
    throw new Error('createReconciler: watches must be a list, and reconcile a function')
  const queue = createWorkQueue({ clock: clockOf(given) }, { name })
  const loop = createQueueReconciler(
    { clock: clockOf(given), log: logger, ownWrites: noOwnWrites, meter: noMeter, failures: noFailureLog },
    queue,
    {
      name,
      workers,
      async turn(key, { signal, failures }) {
        const { namespace, name: object } = splitKey(key)
        const request = namespace === '' ? { name: object } : { namespace, name: object }
        try {
          return (await reconcile(request, { signal, failures })) ?? undefined
        } catch (error) {
          if (!isConflict(error) && !signal.aborted) onError(error, request)
          throw error
        }
      },
    },
  )
  const request = ({ namespace = '', name: object }: ObjectRequest): void => queue.add(joinKey(namespace, object))
  const ends = watches.map((watch) => watch.follow(request))
  let closed = false
  const started = Promise.all(watches.map((watch) => watch.whenSynced())).then(() => {
    if (!closed) loop.start()
  })
  async function close(): Promise<void> {
    closed = true
    for (const end of ends) end()
    await loop.close()
  }
  return { started, request, close, [Symbol.asyncDispose]: close }
}

/** The client of a reconciliation is the caller's own. */
const noOwnWrites = {
  isShown: () => true,
  forget() {},
  clientFor(): Client {
    throw new TypeError('a reconciliation uses the client of its caller')
  },
}

/** The program's own work is its own affair, however long it holds the event loop. */
const noMeter = { goOn: async () => {}, leave() {} }
/** `onError` has them. */
const noFailureLog = { failed() {}, recovered() {}, latest: () => [] }
