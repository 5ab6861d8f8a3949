import type { Token } from './lexer.ts'
import type { Source } from './source.ts'

/** `a.?b`, `a[?b]`, `{?k: v}` and `[?v]`, which not every environment has. */
export class OptionalSyntax {
  readonly #source: Source
  readonly #known: boolean
  #muteDepth = 0

  constructor(source: Source, known: boolean) {
    this.#source = source
    this.#known = known
  }

  /** Reports optional syntax where there is none; true when it did. */
  unsupported(mark: Token, syntax: string): boolean {
    if (this.#known) return false
    if (this.#muteDepth === 0) this.#source.report(mark.position, `unsupported syntax '${syntax}'`)
    return true
  }

  /** Within an entry that was reported as a whole, its parts are not. */
  muted<T>(mute: boolean, read: () => T): T {
    if (!mute) return read()
    this.#muteDepth++
    const result = read()
    this.#muteDepth--
    return result
  }
}
