import type { Clock } from '../base/index.ts'

/** How long a namespace without policies in the store is checked in the cache only. */
const emptyForMs = 30_000
const emptyMax = 10_000

interface NamespacePolicyDependencies<Policy> {
  readonly clock: Clock
  /** The policies of a namespace in a cache; without a promise where that costs nothing. */
  cached(namespace: string, signal: AbortSignal): readonly Policy[] | Promise<readonly Policy[]>
  /** The policies of a namespace in the store. */
  live(namespace: string, signal: AbortSignal): Promise<readonly Policy[]>
}

export type NamespacePolicies<Policy> = (
  namespace: string,
  signal: AbortSignal,
) => readonly Policy[] | Promise<readonly Policy[]>

/**
 * Finds the policies of a namespace. A cache that is behind must not let a write bypass the first policy: for a
 * namespace without policies in the cache the store is read, every half minute at most.
 */
export function createNamespacePolicies<Policy>({
  clock,
  cached,
  live,
}: NamespacePolicyDependencies<Policy>): NamespacePolicies<Policy> {
  /** Namespaces that had no policies in the store, and until when that is trusted. */
  const empty = new Map<string, number>()

  async function look(namespace: string, signal: AbortSignal): Promise<readonly Policy[]> {
    const found = await live(namespace, signal)
    empty.delete(namespace)
    if (found.length > 0) return found
    empty.set(namespace, clock.monotonicMs() + emptyForMs)
    for (const oldest of empty.keys()) {
      if (empty.size <= emptyMax) break
      empty.delete(oldest)
    }
    return found
  }

  return (namespace, signal) => {
    const known = cached(namespace, signal)
    const isBelieved = (empty.get(namespace) ?? 0) > clock.monotonicMs()
    if (known instanceof Promise)
      return known.then((found) => (found.length > 0 || isBelieved ? found : look(namespace, signal)))
    return known.length > 0 || isBelieved ? known : look(namespace, signal)
  }
}
