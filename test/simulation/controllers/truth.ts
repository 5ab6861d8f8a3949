import { resources } from '../../../api/gen/resources.ts'
import type { Clock } from '../../../lib/base/index.ts'
import type { Client, WatchEvent } from '../../../lib/client/index.ts'
import { keyOf, nameOf } from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen, ResourceType } from '../../../lib/object/index.ts'

/** What the rules look at. */
export const followed: readonly ResourceType<never>[] = [
  resources.core.v1.namespaces,
  resources.core.v1.nodes,
  resources.core.v1.pods,
  resources.core.v1.configmaps,
  resources.core.v1.services,
  resources.core.v1.serviceaccounts,
  resources.core.v1.secrets,
  resources.core.v1.endpoints,
  resources.core.v1.replicationcontrollers,
  resources.core.v1.resourcequotas,
  resources.core.v1.persistentvolumes,
  resources.core.v1.persistentvolumeclaims,
  resources.apps.v1.deployments,
  resources.apps.v1.replicasets,
  resources.apps.v1.statefulsets,
  resources.apps.v1.daemonsets,
  resources.apps.v1.controllerrevisions,
  resources.batch.v1.jobs,
  resources.batch.v1.cronjobs,
  resources.policy.v1.poddisruptionbudgets,
  resources.autoscaling.v2.horizontalpodautoscalers,
  resources.discovery.v1.endpointslices,
  resources.coordination.v1.leases,
].map((type) => type as ResourceType<never>)

/** Heartbeats: they move the store on, and mean nothing to the rules. */
const leases = resources.coordination.v1.leases

/** One write as the store made it. */
export interface Write {
  readonly resource: string
  readonly key: string
  /** Undefined: it was made. */
  readonly before: Frozen<ApiObject> | undefined
  /** Undefined: it is gone. */
  readonly after: Frozen<ApiObject> | undefined
  readonly revision: number
  readonly atMs: number
}

/** A state that an object had, until the write at `revision` came. */
interface Version {
  readonly object: Frozen<ApiObject>
  readonly revision: number
  readonly atMs: number
}

/** Everything that the store holds, write by write, in the order of the writes. */
export class Truth {
  /** Called with each write, after it is shown. */
  onWrite: ((write: Write) => void) | undefined
  /** Writes of what is followed since the seed began. */
  writes = 0
  readonly #clock: Clock
  readonly #objects = new Map<string, Map<string, Frozen<ApiObject>>>()
  readonly #past = new Map<string, Version[]>()
  readonly #uids = new Map<string, Frozen<ApiObject>>()
  #waiting: { readonly resource: string; readonly deleted: boolean; readonly object: Frozen<ApiObject> }[] = []
  #failure: Error | undefined
  #newest = 0
  #settled = 0
  #caughtUpMs = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  follow(client: Client, type: ResourceType<never>): void {
    const resource = nameOf(type)
    this.#objects.set(resource, new Map())
    client.resource(type as ResourceType<ApiObject>).watch(
      { bookmarks: false, timeoutSeconds: 10 ** 9 },
      {
        onEvents: (events: readonly WatchEvent<ApiObject>[]) => {
          for (const event of events)
            if (event.type !== 'BOOKMARK')
              this.#waiting.push({ resource, deleted: event.type === 'DELETED', object: event.object })
        },
        onEnd: (error) => {
          this.#failure = error ?? new Error(`the watch of ${resource} has ended`)
        },
      },
    )
  }

  /** Forgets the past, not what there is. */
  clear(): void {
    this.#past.clear()
    this.writes = 0
  }

  /** All watches have received all writes up to this revision. */
  get settledRevision(): number {
    return this.#settled
  }

  /** Takes up what has been written since the last time. */
  catchUp(): void {
    if (this.#failure) throw this.#failure
    const nowMs = this.#clock.monotonicMs()
    if (nowMs > this.#caughtUpMs) this.#settled = this.#newest
    this.#caughtUpMs = nowMs
    if (this.#waiting.length === 0) return
    const waiting = this.#waiting.sort((left, right) => revisionOf(left.object) - revisionOf(right.object))
    this.#waiting = []
    for (const { resource, deleted, object } of waiting) this.#take(resource, deleted, object)
  }

  #take(resource: string, deleted: boolean, object: Frozen<ApiObject>): void {
    this.#newest = Math.max(this.#newest, revisionOf(object))
    if (resource === nameOf(leases)) return
    const objects = this.#objects.get(resource) as Map<string, Frozen<ApiObject>>
    const key = keyOf(object)
    const before = objects.get(key)
    const uid = object.metadata.uid ?? ''
    const revision = revisionOf(object)
    if (deleted) {
      objects.delete(key)
      this.#uids.delete(uid)
    } else {
      objects.set(key, object)
      this.#uids.set(uid, object)
    }
    const atMs = this.#clock.monotonicMs()
    if (before) {
      const past = this.#past.get(uid)
      if (past) past.push({ object: before, revision, atMs })
      else this.#past.set(uid, [{ object: before, revision, atMs }])
    }
    this.writes++
    this.onWrite?.({ resource, key, before, after: deleted ? undefined : object, revision, atMs })
  }

  get<T extends ApiObject>(type: ResourceType<T>, key: string): Frozen<T> | undefined {
    return this.#objects.get(nameOf(type))?.get(key) as Frozen<T> | undefined
  }

  all<T extends ApiObject>(type: ResourceType<T>): Frozen<T>[] {
    return [...(this.#objects.get(nameOf(type))?.values() ?? [])] as Frozen<T>[]
  }

  byUid(uid: string): Frozen<ApiObject> | undefined {
    return this.#uids.get(uid)
  }

  /** The states of an object that are past, the oldest first. */
  past(uid: string): readonly Version[] {
    return this.#past.get(uid) ?? []
  }

  /** Everything there is. */
  *everything(): Iterable<{ readonly resource: string; readonly object: Frozen<ApiObject> }> {
    for (const [resource, objects] of this.#objects) for (const object of objects.values()) yield { resource, object }
  }
}

function revisionOf({ metadata }: Frozen<ApiObject>): number {
  return Number(metadata.resourceVersion ?? 0)
}
