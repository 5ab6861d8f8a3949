import type { Feed } from '../../cache/index.ts'
import type { Registry } from '../../registry/index.ts'
import type { MemoryStore, StoreContent } from '../../storage/index.ts'

/** Earlier states of a server that stores in memory. */
export interface Snapshots {
  /** Everything that is stored now. Nothing is copied: it costs microseconds an object. */
  take(): Promise<StoreContent>
  /**
   * Brings the server back to a state, by writes that watches receive; no other write comes in between. Resolves when
   * the caches show it.
   */
  restore(content: StoreContent): Promise<void>
}

export function createSnapshots({
  memory,
  feed,
  registry,
}: {
  readonly memory: MemoryStore
  readonly feed: Feed
  readonly registry: Registry
}): Snapshots {
  async function caughtUp(): Promise<void> {
    const revision = await memory.currentRevision()
    const [first] = registry.resources
    // All resources share one stream, so the first cache's progress is that of all.
    if (first && feed.revision < revision)
      await first.cache.list({ ...first.range(''), limit: 1, at: { kind: 'notOlderThan', revision } })
  }

  return {
    take: () => memory.content(),
    async restore(content) {
      await memory.restore(content)
      await caughtUp()
    },
  }
}
