import { RE2JS } from 're2js'

/** Regular expressions of one schema, compiled when they are first needed; linear in time, whatever the pattern. */
export interface Patterns {
  /** Whether the pattern matches anywhere in the text. A pattern that can't be compiled matches nothing. */
  matches(pattern: string, text: string): boolean
}

export function createPatterns(): Patterns {
  const compiled = new Map<string, RE2JS | undefined>()
  return {
    matches(pattern, text) {
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
