import type { Tracer } from '../base/index.ts'
import { formatGroupResource, type GroupResource } from '../object/index.ts'
import type { CacheGetOptions } from './contract.ts'

/** Runs a read of a cache in the stock server's span for it. */
export interface CacheSpans {
  get<T>(key: string, at: CacheGetOptions['at'], work: () => Promise<T>): Promise<T>
  list<T>(work: () => Promise<T>): Promise<T>
  /** Ends the span when the watch has begun. */
  watch<T>(work: () => Promise<T>): Promise<T>
  /** Called when the cache shows the revision that the read needs. */
  fresh(): void
  filtered(looked: number, count: number): void
}

export function createCacheSpans(tracer: Tracer, resource: GroupResource): CacheSpans {
  const type = formatGroupResource(resource)
  return {
    get: (key, at, work) => tracer.within('cacher.Get', { key, 'resource-version': shown(at) }, work),
    list: (work) => tracer.within('cacher.GetList', { type }, work),
    watch: (work) => tracer.within('cacher.Watch', { type }, work),
    fresh: () => tracer.event('watchCache fresh enough'),
    filtered: (looked, count) => tracer.event('Filtered items', { looked, count }),
  }
}

/** The `resourceVersion` that a client would send for it. */
function shown(at: CacheGetOptions['at']): string {
  if (at.kind === 'latest') return ''
  return at.kind === 'any' ? '0' : String(at.revision)
}
