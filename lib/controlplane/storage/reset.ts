import type { Feed } from '../../cache/index.ts'
import type { Registry } from '../../registry/index.ts'
import { prefixEnd, type Store, type StoredValue } from '../../storage/index.ts'

/** Restores a store to an earlier state. For stores that only one server uses. */
interface Reset {
  /** Stores the present content as the state that `reset` restores. */
  remember(): Promise<void>
  /** Resolves when the caches show it. Concurrent writes may survive; watches see every change. */
  reset(): Promise<void>
}

/** The server renews its leases during a reset, so a round checks again what has changed meanwhile. */
const roundsMax = 10

export function createReset(
  { store, feed, registry }: { store: Store; feed: Feed; registry: Registry },
  { prefix }: { prefix: string },
): Reset {
  const range = { start: `${prefix}/`, end: prefixEnd(`${prefix}/`) }
  let remembered: ReadonlyMap<string, StoredValue> = new Map()

  async function stored(): Promise<Map<string, StoredValue>> {
    const { values } = await store.range(range)
    return new Map(values.map((value) => [value.key, value]))
  }

  /** Undefined: it is right already. False: another write came first. */
  async function restore(key: string, is: StoredValue | undefined): Promise<boolean | undefined> {
    const was = remembered.get(key)
    if (was?.modRevision === is?.modRevision) return undefined
    if (was && is && Buffer.compare(was.value, is.value) === 0) return undefined
    if (!was) return is && (await store.delete(key, is.modRevision)).ok
    return (is ? await store.update(key, was.value, is.modRevision) : await store.create(key, was.value)).ok
  }

  async function caughtUp(): Promise<void> {
    const revision = await store.currentRevision()
    const [first] = registry.resources
    // All resources share one stream, so the first cache's progress is that of all.
    if (first && feed.revision < revision)
      await first.cache.list({ ...first.range(''), limit: 1, at: { kind: 'notOlderThan', revision } })
  }

  return {
    async remember() {
      remembered = await stored()
    },
    async reset() {
      for (let round = 0; round < roundsMax; round++) {
        const now = await stored()
        const keys = new Set([...now.keys(), ...remembered.keys()])
        const outcomes = await Promise.all(Array.from(keys, (key) => restore(key, now.get(key))))
        if (!outcomes.includes(false)) break
      }
      await caughtUp()
    },
  }
}
