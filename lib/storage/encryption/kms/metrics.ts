import { type Clock, type Metrics } from '../../../base/index.ts'
import { hashOf } from '../hash.ts'
import type { Direction } from '../metrics.ts'

/** Counts which keys of a key service are used. */
export interface KmsMetrics {
  used(direction: Direction, keyId: string): void
  /** The service names this key as the one to use. */
  named(keyId: string): void
  invalid(code: string): void
  /** A seed was made, or could not be. */
  generated(startedMs: number, error?: unknown): void
  cached(keys: number): void
}

interface Use {
  readonly labels: readonly string[]
  readonly count: { add(by: number): void }
  lastMs: number
}

/** Uses of keys that are counted separately. */
const usesMax = 2000

export function createKmsMetrics(
  clock: Clock,
  metrics: Metrics,
  { provider, serverIdHash }: { readonly provider: string; readonly serverIdHash: string },
): KmsMetrics {
  const prefix = 'apiserver_envelope_encryption'
  const labels = ['apiserver_id_hash', 'key_id_hash', 'provider_name', 'transformation_type']
  const uses = metrics.counter({ name: `${prefix}_key_id_hash_total`, help: 'Uses of each key.', labels })
  const lastUses = metrics.gauge({
    name: `${prefix}_key_id_hash_last_timestamp_seconds`,
    help: 'When each key was used last, in seconds since the epoch.',
    labels,
    past: true,
  })
  const lastNamed = metrics.gauge({
    name: `${prefix}_key_id_hash_status_last_timestamp_seconds`,
    help: 'When the key service named each key last as the one to use, in seconds since the epoch.',
    labels: labels.slice(0, 3),
    past: true,
  })
  const invalid = metrics.counter({
    name: `${prefix}_invalid_key_id_from_status_total`,
    help: 'Answers of the key service with a key id that can not be used.',
    labels: ['error', 'provider_name'],
  })
  const size = metrics.gauge({
    name: `${prefix}_dek_source_cache_size`,
    help: 'Data keys that are cached decrypted.',
    labels: ['provider_name'],
    across: 'sum',
  })
  const durations = metrics.histogram({
    name: 'apiserver_storage_data_key_generation_duration_seconds',
    help: 'How long it takes to make a data key and have it encrypted.',
    buckets: Array.from({ length: 14 }, (_, power) => 5e-6 * 2 ** power),
  })
  const failures = metrics.counter({
    name: 'apiserver_storage_data_key_generation_failures_total',
    help: 'Data keys that could not be made.',
  })
  const known = new Map<string, Use>()
  lastUses.collect(() =>
    Array.from(known.values(), ({ labels: values, lastMs }) => ({ labels: values, value: lastMs / 1000 })),
  )

  function useOf(direction: Direction, keyId: string): Use {
    const name = `${direction} ${keyId}`
    let use = known.get(name)
    if (use) return use
    const values = [serverIdHash, hashOf(keyId), provider, direction]
    use = { labels: values, count: uses.at(values), lastMs: 0 }
    if (known.size < usesMax) known.set(name, use)
    return use
  }

  return {
    used(direction, keyId) {
      const use = useOf(direction, keyId)
      use.count.add(1)
      use.lastMs = clock.now()
    },
    named: (keyId) => lastNamed.set([serverIdHash, hashOf(keyId), provider], clock.now() / 1000),
    invalid: (code) => invalid.add([code, provider]),
    generated(startedMs, error) {
      if (error === undefined) durations.observe([], (clock.monotonicMs() - startedMs) / 1000)
      else failures.add([])
    },
    cached: (keys) => size.set([provider], keys),
  }
}
