import { asRevision, type Revision } from '../../lib/object/index.ts'
import type { Store, StoreError, StoreEvent, StoreWatch } from '../../lib/storage/index.ts'

/** The deliveries of a watch so far. */
export interface WatchRecord {
  /** One array per call of onEvents. */
  readonly calls: readonly (readonly StoreEvent[])[]
  readonly events: readonly StoreEvent[]
  readonly progress: readonly Revision[]
  readonly ended: StoreError | undefined
  readonly watch: StoreWatch
  close(): void
}

/** Watches a store from `fromRevision`, everything below `start` by default. */
export function recordWatch(store: Store, start: string, end: string, fromRevision: number): WatchRecord {
  const calls: (readonly StoreEvent[])[] = []
  const events: StoreEvent[] = []
  const progress: Revision[] = []
  let ended: StoreError | undefined
  const watch = store.watch(
    { start, end, fromRevision: asRevision(fromRevision) },
    {
      onEvents(batch) {
        if (ended) throw new Error('events after the end')
        calls.push(batch)
        events.push(...batch)
      },
      onProgress: (revision) => void progress.push(revision),
      onEnd(error) {
        if (ended) throw new Error('ended twice')
        ended = error
      },
    },
  )
  return {
    calls,
    events,
    progress,
    get ended() {
      return ended
    },
    watch,
    close: () => watch.close(),
  }
}
