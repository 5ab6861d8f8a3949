import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import type { StoreWatchSink } from '../contract.ts'
import type { MirrorFence } from './footer.ts'

/** Evidence that a state, which was loaded and followed, is of the store's history. */
export interface HistoryProof {
  /** The store that was loaded has this key; one that has it now shares the history up to its revision. */
  readonly fence: MirrorFence
  /** Revisions behind the fence that came before the stream last broke. */
  readonly suspect: { readonly from: Revision; readonly upTo: Revision } | undefined
  /** The stream has not broken since. */
  holds(): boolean
}

/**
 * Whether the events of a watch are of one history. A store can only be exchanged for another one by ending its servers,
 * which breaks the stream. So events since the last break are of the store of now, and so are those up to the newest
 * fence that it still has; those between may be of a store that was restored from a backup of that time.
 *  For instance: a fence at 100, events up to 120, a break, events up to 150. The store still has the fence: 101 to 120
 *  are suspect.
 */
export class StreamHistory {
  #fence: MirrorFence | undefined
  /** Number of breaks. */
  #breaks = 0
  #delivered: Revision = noRevision
  /** The newest revision before a break that no fence covers. */
  #suspectUpTo: Revision = noRevision

  /**
   * A load begins: the fence was created before its first read, and after the revision that it reads. Undefined: nothing
   * will be known.
   */
  begin(fence: MirrorFence | undefined): void {
    this.#fence = fence
    this.#suspectUpTo = noRevision
    this.#delivered = noRevision
  }

  /** The sink of a watch that follows the load. */
  following(sink: StoreWatchSink): StoreWatchSink {
    return {
      onEvents: (events) => {
        const last = events[events.length - 1]
        if (last && last.revision > this.#delivered) this.#delivered = last.revision
        sink.onEvents(events)
      },
      onProgress: (revision) => sink.onProgress(revision),
      onInterrupted: () => {
        this.#breaks++
        this.#suspectUpTo = this.#delivered
        sink.onInterrupted?.()
      },
      onEnd: (error) => {
        this.#breaks++
        sink.onEnd(error)
      },
    }
  }

  /** Undefined: nothing is known. */
  proof(): HistoryProof | undefined {
    if (!this.#fence) return undefined
    const breaks = this.#breaks
    const from = asRevision(this.#fence.revision + 1)
    const upTo = this.#suspectUpTo
    return {
      fence: this.#fence,
      suspect: upTo >= from ? { from, upTo } : undefined,
      holds: () => this.#breaks === breaks,
    }
  }

  /** The fence was created while the proof held. */
  prove(fence: MirrorFence, proof: HistoryProof): void {
    this.#fence = fence
    // A break since then makes later revisions suspect.
    if (proof.holds()) this.#suspectUpTo = noRevision
  }
}
