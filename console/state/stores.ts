import type { Sample } from './observed.ts'

/** A server of a store, from the metrics of one replica. */
export interface StoreServer {
  readonly store: string
  readonly endpoint: string
  readonly isUp: boolean
  readonly isLeader: boolean
  /** When it last answered; undefined: it never did. */
  readonly bytes: number | undefined
}

export interface StoreSize {
  /** `etcd-0`: a name of its kind and number. */
  readonly store: string
  readonly bytes: number
  /** Undefined: no compaction is known. */
  readonly compactedRevision: number | undefined
}

/** The stores that report a size; one in memory reports none. */
export function storeSizes(samples: readonly Sample[]): StoreSize[] {
  const compacted = valuesBy(samples, 'pilothouse_store_compacted_revision', storeOf)
  return [...valuesBy(samples, 'apiserver_storage_size_bytes', storeOf)]
    .filter(([, bytes]) => bytes > 0)
    .map(([store, bytes]) => ({ store, bytes, compactedRevision: compacted.get(store) }))
}

export function storeServers(samples: readonly Sample[]): StoreServer[] {
  const keyOf = ({ labels }: Sample): string => JSON.stringify([labels['storage_cluster_id'], labels['endpoint']])
  const leaders = valuesBy(samples, 'pilothouse_store_member_is_leader', keyOf)
  const sizes = valuesBy(samples, 'pilothouse_store_member_size_bytes', keyOf)
  return samples
    .filter(({ name }) => name === 'pilothouse_store_member_up')
    .map((sample) => ({
      store: storeOf(sample),
      endpoint: sample.labels['endpoint'] ?? '',
      isUp: sample.value > 0,
      isLeader: (leaders.get(keyOf(sample)) ?? 0) > 0,
      bytes: sizes.get(keyOf(sample)),
    }))
}

function storeOf({ labels }: Sample): string {
  return labels['storage_cluster_id'] ?? ''
}

function valuesBy(
  samples: readonly Sample[],
  metric: string,
  keyOf: (sample: Sample) => string,
): ReadonlyMap<string, number> {
  return new Map(samples.flatMap((sample) => (sample.name === metric ? [[keyOf(sample), sample.value]] : [])))
}
