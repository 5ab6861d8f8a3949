import { noRevision, type Revision } from '../../object/index.ts'

/**
 * The newest revision that is old enough to expire. Reads at or before it go to the store, even where the cache could
 * still answer them: only the store knows which revisions are compacted, and continue tokens must expire with the
 * store's history.
 */
export class ExpiryFloor {
  readonly #keepMs: number
  /** In order of time and revision. */
  readonly #marks: { readonly revision: Revision; readonly atMs: number }[] = []
  #floor: Revision = noRevision

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  /** The newest revision that the cache showed `keepMs` ago; none while the cache is younger. */
  get floor(): Revision {
    return this.#floor
  }

  /** Call it periodically: the cache shows `revision` now. */
  note(revision: Revision, nowMs: number): void {
    if (this.#marks[this.#marks.length - 1]?.revision !== revision) this.#marks.push({ revision, atMs: nowMs })
    const after = this.#marks.findIndex(({ atMs }) => atMs > nowMs - this.#keepMs)
    const gone = after < 0 ? this.#marks.length : after
    for (const { revision: shown } of this.#marks.splice(0, gone)) this.#floor = shown
  }
}
