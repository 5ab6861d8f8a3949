import { noRevision, type Revision } from '../object/index.ts'

/**
 * What the cache showed some time ago. States from before are the store's to answer for, even where the cache still knows
 * them since nothing has changed: only the store can tell that they have been compacted, and clients wait for their
 * continue tokens to expire.
 */
export class Past {
  readonly #keepMs: number
  /** In order of time and revision. */
  readonly #marks: { readonly revision: Revision; readonly atMs: number }[] = []
  #floor: Revision = noRevision

  constructor(keepMs: number) {
    this.#keepMs = keepMs
  }

  /** The newest revision that was shown `keepMs` ago; none while the cache is younger. */
  get floor(): Revision {
    return this.#floor
  }

  /** From time to time: `revision` is shown now. */
  note(revision: Revision, nowMs: number): void {
    if (this.#marks[this.#marks.length - 1]?.revision !== revision) this.#marks.push({ revision, atMs: nowMs })
    const after = this.#marks.findIndex(({ atMs }) => atMs > nowMs - this.#keepMs)
    const gone = after < 0 ? this.#marks.length : after
    for (const { revision: shown } of this.#marks.splice(0, gone)) this.#floor = shown
  }
}
