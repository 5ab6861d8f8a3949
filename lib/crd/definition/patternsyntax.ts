import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { patternSize, patternSizeMax } from '../../cel/index.ts'

/** Maximum number of cached patterns, and their length: few definitions have patterns of their own. */
const rememberedMax = 1000
const rememberedCharactersMax = 500

/** Explains why a pattern of a schema can't be compiled. */
export class PatternSyntax {
  readonly #sound = new LRUCache<string, true>({ max: rememberedMax })

  /** The cost of compiling the pattern; 0: it is known to be valid. */
  cost(pattern: string): number {
    return this.#sound.has(pattern) ? 0 : patternSize(pattern)
  }

  /** Undefined: valid. */
  fault(pattern: string): string | undefined {
    if (this.#sound.get(pattern)) return undefined
    if (patternSize(pattern) > patternSizeMax) return 'error parsing regexp: expression too large'
    try {
      RE2JS.compile(pattern)
      if (pattern.length <= rememberedCharactersMax) this.#sound.set(pattern, true)
      return undefined
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
}
