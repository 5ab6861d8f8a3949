import { type Clock, type Closable, createRepeatedWork, type Logger, type Random } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import type { EtcdStore } from './store.ts'

/** kube-apiserver's key, so that replicas of either kind share the work. */
const compactionKey = 'compact_rev_key'

/**
 * Compacts an etcd that many replicas share, once an interval among all of them. Each interval every replica tries to
 * raise the version of one key from the one that it saw last; the one that succeeds compacts to the revision of an
 * interval ago, which the key then holds. So history lives for one to two intervals.
 */
export function createCompactor(
  store: EtcdStore,
  dependencies: { clock: Clock; random: Random; log: Logger },
  options: { intervalMs: number },
): Closable {
  const { log } = dependencies
  let seenVersion = 0
  let seenRevision: Revision = noRevision

  async function compactOnce(): Promise<void> {
    const value = new TextEncoder().encode(String(seenRevision))
    const outcome = await store.putVersion(compactionKey, seenVersion, value)
    const target = seenRevision
    seenRevision = outcome.revision
    if (!outcome.ok) {
      // Another replica was first this time, or this one has only started.
      seenVersion = outcome.version
      const compacted = Number(new TextDecoder().decode(outcome.value))
      if (Number.isSafeInteger(compacted) && compacted > 0) store.noteCompacted(asRevision(compacted))
      return
    }
    seenVersion++
    if (target === noRevision) return
    await store.compact(asRevision(target))
    log.verbose(2, 'etcd: compacted', { revision: target })
  }

  const { intervalMs } = options
  const compaction = createRepeatedWork(dependencies, {
    name: 'compaction of etcd',
    periodMs: intervalMs,
    run: compactOnce,
  })
  compaction.againAfter(intervalMs)
  return compaction
}
