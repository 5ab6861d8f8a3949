import type { Token } from './lexer.ts'
import type { SourceText } from './sourcetext.ts'

/** `a.?b`, `a[?b]`, `{?k: v}` and `[?v]`, which only some environments allow. */
export class OptionalSyntax {
  readonly #source: SourceText
  readonly #known: boolean
  #muteDepth = 0

  constructor(source: SourceText, known: boolean) {
    this.#source = source
    this.#known = known
  }

  /** Reports optional syntax where it is not allowed; true when it did. */
  unsupported(mark: Token, syntax: string): boolean {
    if (this.#known) return false
    if (this.#muteDepth === 0) this.#source.report(mark.position, `unsupported syntax '${syntax}'`)
    return true
  }

  /** Suppresses reports about the parts of an entry that was reported as a whole. */
  muted<T>(mute: boolean, read: () => T): T {
    if (!mute) return read()
    this.#muteDepth++
    const result = read()
    this.#muteDepth--
    return result
  }
}
