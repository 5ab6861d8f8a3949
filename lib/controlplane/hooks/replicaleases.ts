import type * as core from '../../../api/gen/core/v1.ts'
import type { Clock, Logger } from '../../base/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { prefixEnd, type Store } from '../../storage/index.ts'
import { withTimeout } from '../process/withtimeout.ts'

/** The running replicas: each keeps a key that the store drops when it is no longer renewed. */
export interface ReplicaLeases {
  /** Renews this replica's key; resolves with the names of all replicas, sorted. */
  renew(): Promise<readonly string[]>
  /** Removes this replica. Never rejects, and takes only a moment: the store may be closed before. */
  close(): Promise<void>
}

interface EndpointsLease {
  readonly labels?: Readonly<Record<string, string>>
  readonly subsets: core.Endpoints['subsets']
}

const ttlSeconds = 15
const triesMax = 8
/** A key that can't be deleted in this time expires later. */
const closeMsMax = 500

export function createReplicaLeases(
  {
    store,
    scheme,
    clock,
    log,
  }: { readonly store: Store; readonly scheme: Scheme; readonly clock: Clock; readonly log: Logger },
  /** `lease`: the content of the key, as Endpoints. */
  { prefix, name, lease }: { prefix: string; name: string; lease: () => Promise<EndpointsLease> },
): ReplicaLeases {
  const key = prefix + name
  let generation = 0

  async function write(): Promise<void> {
    for (let tries = 0; tries < triesMax; tries++) {
      // Different bytes each time: a write without a change renews nothing.
      const { labels, subsets } = await lease()
      const metadata = { name: '', generation: ++generation, ...(labels && { labels }) }
      const bytes = scheme.objects.encodeForStorage({
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata,
        subsets,
      } as ApiObject)
      const { value } = await store.get(key)
      const result = value
        ? await store.update(key, bytes, value.modRevision, { ttlSeconds })
        : await store.create(key, bytes, { ttlSeconds })
      if (result.ok) return
    }
    throw new Error(`${key} could not be renewed`)
  }

  return {
    async renew() {
      await write()
      const { values } = await store.range({ start: prefix, end: prefixEnd(prefix), keysOnly: true })
      return values.map((value) => value.key.slice(prefix.length)).sort()
    },
    async close() {
      const remove = async (signal: AbortSignal): Promise<void> => {
        const { value } = await store.get(key, { signal })
        if (value) await store.delete(key, value.modRevision, { signal })
      }
      try {
        await withTimeout(clock, closeMsMax, remove, (cause) => new Error('the store did not take it', { cause }))
      } catch (error) {
        log.warn('the address of this replica stays until it expires', { error })
      }
    },
  }
}
