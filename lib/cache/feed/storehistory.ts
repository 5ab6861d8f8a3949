import type { Clock } from '../../base/index.ts'
import { asRevision, noRevision, type Revision } from '../../object/index.ts'
import { type Store, StoreError } from '../../storage/index.ts'

/** How long an answer of the store is valid: other servers may compact, too. */
const believedMs = 1000
/** The wait for the store ends after this: the history in memory is complete, whatever the store's is. */
const waitMsMax = 1000

/**
 * Which revisions the store still has. Watches that missed changes check before they resume: a revision that the store
 * has compacted is expired, even if the history in memory has it. Concurrent checks share a few reads.
 */
export class StoreHistory {
  readonly #store: Pick<Store, 'get'>
  readonly #clock: Clock
  /** A key to read; it need not exist. */
  readonly #key: string
  /** The newest revision known to be compacted. */
  #compacted: Revision = noRevision
  /** The oldest revision that was readable at `#checkedAtMs`. */
  #readable = Number.POSITIVE_INFINITY
  #checkedAtMs = 0
  readonly #asked = new Set<Revision>()
  #checking: Promise<void> | undefined

  constructor({ store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Clock }, key: string) {
    this.#store = store
    this.#clock = clock
    this.#key = key
  }

  /** The newest revision known to be compacted. */
  get compacted(): Revision {
    return this.#compacted
  }

  /** False where `revision` is compacted. */
  async has(revision: Revision): Promise<boolean> {
    for (;;) {
      if (revision <= this.#compacted) return false
      if (revision >= this.#readable && this.#clock.monotonicMs() < this.#checkedAtMs + believedMs) return true
      this.#asked.add(revision)
      this.#checking ??= this.#check().finally(() => (this.#checking = undefined))
      await this.#checking
    }
  }

  /** Finds the oldest readable one of the requested revisions: all before it are compacted, all after it are not. */
  async #check(): Promise<void> {
    const asked = [...this.#asked].sort((one, other) => one - other)
    this.#asked.clear()
    let low = 0
    let high = asked.length
    for (let middle = 0; low < high; middle = Math.floor((low + high) / 2)) {
      const revision = asked[middle] ?? noRevision
      if (revision > this.#compacted && (await this.#read(revision))) high = middle
      else {
        low = middle + 1
        if (revision > this.#compacted) this.#compacted = revision
      }
    }
    this.#readable = asked[high] ?? Number.POSITIVE_INFINITY
    this.#checkedAtMs = this.#clock.monotonicMs()
  }

  /** True also when the store doesn't answer. */
  async #read(revision: Revision): Promise<boolean> {
    const limit = new AbortController()
    const timer = this.#clock.after(waitMsMax, () => limit.abort())
    try {
      await this.#store.get(this.#key, { revision, signal: limit.signal })
      return true
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'compacted') return true
      if (error.revision !== undefined) this.#compacted = asRevision(Math.max(this.#compacted, error.revision - 1))
      return false
    } finally {
      void timer.close()
    }
  }
}
