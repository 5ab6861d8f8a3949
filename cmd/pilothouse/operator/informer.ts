import { type Clock, type Logger, silentLogger, systemRandom } from '../../../lib/base/index.ts'
import type { ResourceClient } from '../../../lib/client/index.ts'
import {
  byController,
  controllerOf,
  createInformer as createSharedInformer,
  type Informer as SharedInformer,
} from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen, ResourceType } from '../../../lib/object/index.ts'
import { clockOf, type PlaneClock } from '../testkit/clock.ts'
import { type ObjectRequest, sameRequest, type Watch, watchOf } from './watch.ts'

export interface InformerOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
  /** `plane.clock`, where retries should follow the time of a control plane. Default: the machine's time. */
  readonly clock?: PlaneClock
  /** Receives errors of listeners and broken watches. Default: they are discarded. */
  readonly logger?: Logger
}

/** One change of one object. */
export interface ObjectChange<T> {
  /** The latest state; the last one of a deleted object. */
  readonly object: Frozen<T>
  /** The state before; undefined for an object that is new. */
  readonly before: Frozen<T> | undefined
  readonly deleted: boolean
}

/** The objects of one resource, kept up to date by a watch. They are shared and must not be changed. */
export interface Informer<T extends ApiObject> {
  readonly synced: boolean
  /** Resolves when the first complete state is there. */
  whenSynced(): Promise<void>
  get(name: ObjectRequest): Frozen<T> | undefined
  /** In no particular order. */
  list(options?: { readonly namespace?: string }): readonly Frozen<T>[]
  /** The objects whose controller, by their owner references, is `owner`. */
  controlledBy(owner: Frozen<Pick<ApiObject, 'metadata'>>): readonly Frozen<T>[]
  /** Calls `listener` with every object as new, then with each change; returns a function that ends that. */
  subscribe(listener: (change: ObjectChange<T>) => void): () => void
  /**
   * For `watches` of a reconciler: each change requests the objects that `requests` returns. Default: the changed
   * object itself.
   */
  requests(requests?: (object: Frozen<T>) => Iterable<ObjectRequest>): Watch
  /** For `watches` of a reconciler: each change requests the object's controller, if that is of this kind. */
  ownerRequests(owner: ResourceType): Watch
  /** Ends its watch. May be called more than once. */
  close(): void
  [Symbol.dispose](): void
}

/**
 * Follows the objects that a client can list: starts at once, survives every failure of its watch, and lists again where
 * the server no longer has the history (410).
 *
 *     const pods = createInformer(plane.client.resource(resources.core.v1.pods), { namespace: 'default' })
 *     await pods.whenSynced()
 *     pods.list().map(({ status }) => status?.phase)
 */
export function createInformer<T extends ApiObject>(
  client: ResourceClient<T>,
  { clock, logger = silentLogger, ...selection }: InformerOptions = {},
): Informer<T> {
  const dependencies = { clock: idleClock(clockOf(clock)), random: systemRandom, log: logger }
  const informer = createSharedInformer<T>(dependencies, client, selection)
  informer.start()
  const close = (): void => informer.close()
  return {
    get synced() {
      return informer.synced
    },
    whenSynced: () => informer.whenSynced(),
    get: ({ namespace, name }) => informer.get(namespace ? `${namespace}/${name}` : name),
    list: ({ namespace } = {}) => [...(namespace === undefined ? informer.all() : informer.in(namespace))],
    controlledBy: ({ metadata: { uid = '' } }) => informer.by(byController, uid),
    subscribe: (listener) => endOf(informer, listener),
    requests: (requests = sameRequest) => watchOf(informer, requests),
    ownerRequests: (owner) => watchOf(informer, (object) => requestsOfOwner(object, owner)),
    close,
    [Symbol.dispose]: close,
  }
}

function endOf<T extends ApiObject>(informer: SharedInformer<T>, listener: (change: ObjectChange<T>) => void) {
  const subscription = informer.subscribe(listener)
  return (): void => void subscription.close()
}

function* requestsOfOwner(object: Frozen<ApiObject>, type: ResourceType): Iterable<ObjectRequest> {
  const owner = controllerOf(object)
  if (owner?.kind !== type.kind || groupOf(owner.apiVersion) !== type.group) return
  yield type.namespaced ? { namespace: object.metadata.namespace, name: owner.name } : { name: owner.name }
}

function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}

/** The same clock with pauses that keep no process alive: an informer whose server has stopped retries for ever. */
function idleClock(clock: Clock): Clock {
  return {
    ...clock,
    sleep: (delayMs, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const end = (): void => {
          void timer.close()
          reject(signal?.reason)
        }
        const timer = clock.after(delayMs, () => {
          signal?.removeEventListener('abort', end)
          resolve()
        })
        signal?.addEventListener('abort', end, { once: true })
      }),
  }
}
