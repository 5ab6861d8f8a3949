import { RE2JS } from 're2js'
import { patternSize, patternSizeMax } from '../check/patternsize.ts'
import { regexCost, sizeOf } from './cost.ts'
import { invalidArgument } from './errors.ts'
import type { Frame } from './frame.ts'
import type { Value } from './values.ts'

const cachedMax = 256

/** Compiles RE2 patterns, which match in linear time. Keeps the last ones. */
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

/** undefined: not an RE2 pattern, or too large. */
export function compileRegex(pattern: string): RE2JS | undefined {
  if (patternSize(pattern) > patternSizeMax) return undefined
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}

/** The cost of matching a text, charged before the pattern is compiled. */
export function matchCost(text: Value, pattern: Value, _c: Value, _d: Value, frame: Frame): number {
  const cost = regexCost(sizeOf(text), sizeOf(pattern))
  return typeof pattern === 'string' ? cost + frame.patternCost(pattern, patternSize(pattern)) : cost
}
