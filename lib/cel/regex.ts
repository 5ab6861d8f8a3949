import { RE2JS } from 're2js'
import { invalidArgument } from './errors.ts'

const cachedMax = 256
const patternLengthMax = 100_000

/** Compiles RE2 patterns: linear in time, whatever the pattern. Keeps the last ones. */
export class RegexCache {
  readonly #compiled = new Map<string, RE2JS>()

  get(pattern: string): RE2JS {
    const known = this.#compiled.get(pattern)
    if (known) return known
    const compiled = compileRegex(pattern)
    if (!compiled) return invalidArgument(`error parsing regexp: \`${pattern}\``)
    if (this.#compiled.size >= cachedMax) {
      const [oldest] = this.#compiled.keys()
      if (oldest !== undefined) this.#compiled.delete(oldest)
    }
    this.#compiled.set(pattern, compiled)
    return compiled
  }
}

/** undefined: not a pattern of RE2. */
export function compileRegex(pattern: string): RE2JS | undefined {
  if (pattern.length > patternLengthMax) return undefined
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}
