import type { Informer } from '../../../lib/controller/index.ts'
import type { ApiObject, Frozen } from '../../../lib/object/index.ts'

/** Names the object to reconcile. */
export interface ObjectRequest {
  /** Absent for cluster-scoped objects. */
  readonly namespace?: string | undefined
  readonly name: string
}

/** An informer whose changes request reconciliations. Made by an informer's `requests` and `ownerRequests`. */
export interface Watch {
  whenSynced(): Promise<void>
  /** Calls `request` for each change, beginning with all objects; returns a function that ends that. */
  follow(request: (object: ObjectRequest) => void): () => void
}

export function sameRequest({ metadata: { namespace, name = '' } }: Frozen<ApiObject>): Iterable<ObjectRequest> {
  return [{ namespace, name }]
}

/** The requests of a change are those of the object before it and after it: an object may have moved to another owner. */
export function watchOf<T extends ApiObject>(
  informer: Informer<T>,
  requests: (object: Frozen<T>) => Iterable<ObjectRequest>,
): Watch {
  return {
    whenSynced: () => informer.whenSynced(),
    follow(request) {
      const subscription = informer.subscribe(({ object, before }) => {
        if (before) for (const one of requests(before)) request(one)
        for (const one of requests(object)) request(one)
      })
      return () => void subscription.close()
    },
  }
}
