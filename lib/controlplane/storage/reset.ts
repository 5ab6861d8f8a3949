import type { Feed } from '../../cache/index.ts'
import type { Registry } from '../../registry/index.ts'
import { prefixEnd, type Store, type StoredValue } from '../../storage/index.ts'

/** Brings a store back to what it held at one time. For stores that one server has for itself. */
interface Reset {
  /** Remembers the present content of the store as the state that `reset` goes back to. */
  remember(): Promise<void>
  /** Resolves when the caches show it. Writes that happen meanwhile may survive; watches see every change. */
  reset(): Promise<void>
}

/** Own leases are renewed while a reset goes through the store: it looks again at what has changed under it. */
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
    // The stream is one for all resources, so one that has come so far stands for all.
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
