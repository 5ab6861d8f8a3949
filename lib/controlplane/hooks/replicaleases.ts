import type * as core from '../../../api/gen/core/v1.ts'
import type { ApiObject } from '../../object/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { prefixEnd, type Store } from '../../storage/index.ts'

/** The replicas that are there: each keeps a key that the store drops when it is no longer renewed. */
export interface ReplicaLeases {
  /** Says that this replica is there; answers the names of all that are, sorted. */
  renew(): Promise<readonly string[]>
  /** This replica goes. */
  close(): Promise<void>
}

interface EndpointsLease {
  readonly labels?: Readonly<Record<string, string>>
  readonly subsets: core.Endpoints['subsets']
}

const ttlSeconds = 15
const triesMax = 8

export function createReplicaLeases(
  { store, scheme }: { store: Store; scheme: Scheme },
  /** `lease`: what the key holds, as Endpoints. */
  { prefix, name, lease }: { prefix: string; name: string; lease: () => Promise<EndpointsLease> },
): ReplicaLeases {
  const key = prefix + name
  let generation = 0

  async function write(): Promise<void> {
    for (let tries = 0; tries < triesMax; tries++) {
      // Other bytes each time: a write that changes nothing renews nothing.
      const { labels, subsets } = await lease()
      const metadata = { name: '', generation: ++generation, ...(labels && { labels }) }
      const bytes = scheme.encodeForStorage({ apiVersion: 'v1', kind: 'Endpoints', metadata, subsets } as ApiObject)
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
      const { value } = await store.get(key)
      if (value) await store.delete(key, value.modRevision)
    },
  }
}
