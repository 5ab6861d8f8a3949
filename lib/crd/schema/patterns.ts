import { RE2JS } from 're2js'

/** Regular expressions of one schema, compiled when they are first needed; linear in time, whatever the pattern. */
export interface Patterns {
  /** Whether the pattern matches anywhere in the text. A pattern that can't be compiled matches nothing. */
  matches(pattern: string, text: string): boolean
}

/** Characters of a pattern times those of a text: more takes too long, and matches nothing. */
const patternWorkMax = 20_000_000

export function createPatterns(): Patterns {
  const compiled = new Map<string, RE2JS | undefined>()
  return {
    matches(pattern, text) {
      if (pattern.length * text.length > patternWorkMax) return false
      if (!compiled.has(pattern)) compiled.set(pattern, compile(pattern))
      return compiled.get(pattern)?.matcher(text).find() ?? false
    },
  }
}

function compile(pattern: string): RE2JS | undefined {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return undefined
  }
}
