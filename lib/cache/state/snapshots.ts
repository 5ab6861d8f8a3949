import type { Tree } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { CacheOptions } from '../options.ts'
import type { CacheEntry } from './entry.ts'
import type { History } from './history.ts'

interface Snapshot {
  readonly revision: Revision
  readonly atMs: number
  readonly tree: Tree<CacheEntry>
}

type SnapshotOptions = Pick<CacheOptions, 'snapshotKeepMs' | 'snapshotsMax' | 'snapshotEveryEvents' | 'snapshotEveryMs'>

/**
 * Past states of one resource. A snapshot is taken every so many changes rather than at each, as each one makes the
 * tree copy its path for the next change; a state in between is the snapshot before it with history's changes applied.
 * For instance with snapshots at 100 and 356, the state at 200 is that of 100 and the changes up to 200.
 */
export class Snapshots {
  readonly #options: SnapshotOptions
  readonly #history: History
  /** In order of revision. */
  #kept: Snapshot[] = []
  #lastSequence = 0

  constructor(history: History, options: SnapshotOptions) {
    this.#history = history
    this.#options = options
  }

  get count(): number {
    return this.#kept.length
  }

  /** Called after changes: takes a snapshot of `tree`, the state at `revision`, when one is due. */
  changed(tree: Tree<CacheEntry>, revision: Revision, nowMs: number): void {
    const last = this.#kept[this.#kept.length - 1]
    const due =
      last === undefined ||
      this.#history.next - this.#lastSequence >= this.#options.snapshotEveryEvents ||
      nowMs - last.atMs >= this.#options.snapshotEveryMs
    if (!due) return
    this.#lastSequence = this.#history.next
    this.#kept.push({ revision, atMs: nowMs, tree: tree.clone() })
    this.expire(nowMs)
  }

  /**
   * Drops snapshots that no read within the kept time needs: the newest of the expired ones is still the base of a
   * later state. No snapshot outlives the history after it, as snapshots keep old entries in memory and only history
   * bounds their bytes.
   */
  expire(nowMs: number): void {
    const staleMs = nowMs - this.#options.snapshotKeepMs
    let drop = this.#kept.findIndex((snapshot) => snapshot.revision >= this.#history.floor)
    if (drop < 0) drop = this.#kept.length
    while (drop + 1 < this.#kept.length && (this.#kept[drop + 1]?.atMs ?? nowMs) < staleMs) drop++
    drop = Math.max(drop, this.#kept.length - this.#options.snapshotsMax)
    if (drop > 0) this.#kept.splice(0, drop)
  }

  /** The state at `revision`, which must not be newer than the cache's; undefined when it is no longer known. */
  at(revision: Revision, current: Tree<CacheEntry>): Tree<CacheEntry> | undefined {
    if (revision >= this.#history.last) return current
    const index = this.#kept.findLastIndex((snapshot) => snapshot.revision <= revision)
    const base = this.#kept[index]
    if (!base) return undefined
    if (base.revision === revision) return base.tree
    const from = this.#history.after(base.revision)
    if (from === undefined) return undefined
    const tree = base.tree.clone()
    for (let sequence = from; sequence < this.#history.next; sequence++) {
      const { revision: changedAt, key, current: entry } = this.#history.at(sequence)
      if (changedAt > revision) break
      if (entry) tree.set(entry)
      else tree.delete(key)
    }
    if (this.#kept.length < this.#options.snapshotsMax)
      this.#kept.splice(index + 1, 0, { revision, atMs: base.atMs, tree })
    return tree
  }
}
