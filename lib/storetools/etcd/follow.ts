import type { Clock } from '../../base/index.ts'
import { asRevision, type Revision } from '../../object/index.ts'
import type { Store, StoreError } from '../../storage/index.ts'
import { type StoreChange, StoreToolError } from '../contract.ts'

/** Changes that may wait for the caller, and their bytes: a watch can't be slowed down. */
const waitingMax = 200_000
const waitingBytesMax = 512 * 1024 * 1024
const askEveryMs = 100
const yieldEveryMs = 250

interface Followed {
  /** The changes since the last call, once there are some or a while has passed. */
  next(): Promise<{ readonly changes: readonly StoreChange[]; readonly revision: Revision }>
  close(): void
}

/** All keys of a cluster from a revision on. */
export function followEtcd(clock: Clock, store: Store, from: Revision): Followed {
  let changes: StoreChange[] = []
  let bytes = 0
  let seen = asRevision(from - 1)
  let failure: StoreToolError | undefined
  const watch = store.watch(
    { start: '\0', end: '\u{10ffff}', fromRevision: from },
    {
      onEvents(events) {
        for (const event of events) bytes += event.value.length + event.key.length
        changes = changes.length === 0 ? [...events] : changes.concat(events)
        seen = events.at(-1)?.revision ?? seen
        if (changes.length > waitingMax || bytes > waitingBytesMax)
          failure ??= new StoreToolError('the source is written faster than the target can follow')
      },
      onProgress(revision) {
        seen = asRevision(Math.max(seen, revision))
      },
      onEnd(error: StoreError) {
        failure ??= new StoreToolError(`the source can't be followed: ${error.message}`, { cause: error })
      },
    },
  )
  const asking = clock.every(askEveryMs, () => void watch.requestProgress())
  return {
    async next() {
      const untilMs = clock.monotonicMs() + yieldEveryMs
      while (!failure && changes.length === 0 && clock.monotonicMs() < untilMs) await clock.sleep(askEveryMs / 4)
      if (failure) throw failure
      const taken = { changes, revision: seen }
      changes = []
      bytes = 0
      return taken
    },
    close() {
      void asking.close()
      watch.close()
    },
  }
}
