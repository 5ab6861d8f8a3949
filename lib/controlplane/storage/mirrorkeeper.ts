import { type Clock, type Closable, createRepeatedWork, type Logger, type Random } from '../../base/index.ts'
import type { Feed } from '../../cache/index.ts'
import { noRevision } from '../../object/index.ts'
import type { Mirror } from '../../storage/index.ts'

interface MirrorKeeperDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

/** Resources of definitions load in this time after all others: their values are in the file, too. */
const lateLoadMs = 60_000
const lookMs = 60_000
/** A file is this old before it is written again. It takes a second or two of CPU for a gigabyte. */
const ageMs = 10 * 60_000
/** The key that proves the file's history must not end before the next file. */
const ageMsMax = 24 * 3600_000
/** A server that stops does not wait longer for its file: etcd may be gone, or the disk slow. */
const lastSaveMsMax = 10_000
/** A start from the file catches up with so many revisions in no time. */
const revisionsMin = 2_000

/** Writes the mirror of a feed's store: when many revisions have passed for some minutes, and at the end. */
export function keepMirror(
  dependencies: MirrorKeeperDependencies,
  feed: Feed,
  mirror: Mirror,
  writes: boolean,
): Closable {
  const { clock, log } = dependencies
  let wasLoaded = false
  const releasing = clock.every(lateLoadMs, () => {
    if (wasLoaded) {
      mirror.release()
      void releasing.close()
    }
    wasLoaded = feed.ready
  })
  let savedMs = clock.monotonicMs()

  const isBehind = (): boolean =>
    mirror.savedRevision === noRevision || feed.revision - mirror.savedRevision >= revisionsMin

  async function save(): Promise<void> {
    const state = feed.pastState()
    if (!state) return
    await mirror.save(state)
    savedMs = clock.monotonicMs()
  }

  const saving = createRepeatedWork(dependencies, {
    name: 'the mirror of the store',
    periodMs: lookMs,
    backoff: { firstMs: lookMs },
    async run() {
      const pastMs = clock.monotonicMs() - savedMs
      if (pastMs >= ageMsMax || (isBehind() && (pastMs >= ageMs || mirror.savedRevision === noRevision))) await save()
    },
  })
  if (writes) saving.againAfter(lookMs)
  return {
    async close() {
      void releasing.close()
      await saving.close()
      if (!writes || !isBehind()) return
      const late = Promise.withResolvers<never>()
      const timer = clock.after(lastSaveMsMax, () => late.reject(new Error('it took too long')))
      await Promise.race([save(), late.promise]).catch((error: unknown) =>
        log.warn('the mirror of the store is not up to date', { error }),
      )
      void timer.close()
    },
  }
}
