import { signal } from '@preact/signals'

/** A sample of an exposition with its labels. */
export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** The metrics that the overview shows beside its charts. */
export const observedNames: ReadonlySet<string> = new Set([
  'apiserver_resource_objects',
  'apiserver_storage_size_bytes',
  'apiserver_watch_cache_resource_version',
  'pilothouse_store_compacted_revision',
  'pilothouse_store_member_is_leader',
  'pilothouse_store_member_size_bytes',
  'pilothouse_store_member_up',
  'pilothouse_workqueue_last_retry_timestamp_seconds',
  'workqueue_depth',
  'workqueue_longest_running_processor_seconds',
  'workqueue_retries_total',
])

/** Their latest samples. */
export const observed = signal<readonly Sample[]>([])

/** The samples of these names, each with its labels. */
export function labelledSamples(exposition: string, wanted: ReadonlySet<string> = observedNames): Sample[] {
  const found: Sample[] = []
  for (const line of exposition.split('\n')) {
    const name = /^[\w:]+/.exec(line)?.[0] ?? ''
    if (!wanted.has(name)) continue
    const labels: Record<string, string> = {}
    for (const [, key = '', value = ''] of line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) labels[key] = value
    found.push({ name, labels, value: Number(line.slice(line.lastIndexOf(' ') + 1)) })
  }
  return found
}

/** The largest value of a name. */
export function largest(samples: readonly Sample[], name: string): number | undefined {
  const values = samples.flatMap((sample) => (sample.name === name ? sample.value : []))
  return values.length === 0 ? undefined : Math.max(...values)
}
