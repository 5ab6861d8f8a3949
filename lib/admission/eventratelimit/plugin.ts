import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/index.ts'
import { type ApiObject, statusErrors } from '../../object/index.ts'
import type { AdmissionAttributes, AdmissionPlugin } from '../plugin.ts'

/** One limit of EventRateLimit. */
export interface EventLimit {
  readonly type: 'Server' | 'Namespace' | 'User' | 'SourceAndObject'
  /** Events a second, and events at once. */
  readonly qps: number
  readonly burst: number
  /** Maximum number of namespaces, users or sources with their own counter. */
  readonly cacheSize: number
}

interface Bucket {
  tokens: number
  atMs: number
}

/** Limits the rate of events, so that a faulty component doesn't fill the store. */
export function createEventRateLimit({ clock }: { clock: Clock }, limits: readonly EventLimit[]): AdmissionPlugin {
  const limiters = limits.map((limit) => createLimiter(clock, limit))
  return {
    name: 'EventRateLimit',
    handles: (operation) => operation === 'CREATE' || operation === 'UPDATE',
    validate(attributes) {
      const { resource, subresource, dryRun } = attributes
      const isEvent = resource.resource === 'events' && (resource.group === '' || resource.group === 'events.k8s.io')
      if (!isEvent || subresource !== '' || dryRun) return
      // Each limit is charged, even when an earlier one refuses.
      const refusals = limiters.map((limiter) => limiter(attributes)).filter((text) => text !== undefined)
      const [first] = refusals
      if (first === undefined) return
      throw statusErrors.tooManyRequests(refusals.length > 1 ? `[${refusals.join(', ')}]` : first, 0)
    },
  }
}

/** Returns the reason of a refusal. */
function createLimiter(
  clock: Clock,
  { type, qps, burst, cacheSize }: EventLimit,
): (attributes: AdmissionAttributes) => string | undefined {
  const buckets = new LRUCache<string, Bucket>({ max: type === 'Server' ? 1 : cacheSize })
  return (attributes) => {
    const key = keyOf[type](attributes)
    const nowMs = clock.monotonicMs()
    const bucket = buckets.get(key) ?? { tokens: burst, atMs: nowMs }
    bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) * qps) / 1000)
    bucket.atMs = nowMs
    const isAllowed = bucket.tokens >= 1
    if (isAllowed) bucket.tokens--
    buckets.set(key, bucket)
    return isAllowed ? undefined : `limit reached on type ${type} for key ${key}`
  }
}

/** Clients choose the length of these keys, so they are cut. */
const keyCharactersMax = 2048

const keyOf: Readonly<Record<EventLimit['type'], (attributes: AdmissionAttributes) => string>> = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name.slice(0, keyCharactersMax),
  SourceAndObject: ({ object }) => sourceAndObject(object).slice(0, keyCharactersMax),
}

/** Events of the group events.k8s.io have both in other fields. */
function sourceAndObject(object: ApiObject | undefined): string {
  const event = (object ?? {}) as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>
  const source = event['source'] ?? event['deprecatedSource'] ?? {}
  const about = event['involvedObject'] ?? event['regarding'] ?? {}
  const parts = [source['component'], source['host'], about['kind'], about['namespace'], about['name'], about['uid']]
  return [...parts, about['apiVersion']].map((part) => (typeof part === 'string' ? part : '')).join('')
}
