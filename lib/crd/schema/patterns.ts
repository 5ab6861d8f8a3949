import { RE2JS } from 're2js'
import { patternSize, patternSizeMax } from '../../cel/index.ts'
import type { ValidationWork } from './validationwork.ts'

/** Regular expressions of one schema, compiled when they are first needed; linear in time, whatever the pattern. */
export interface Patterns {
  /** Whether the pattern matches anywhere in the text. A pattern that can't be compiled matches nothing. */
  matches(pattern: string, text: string, work: ValidationWork): boolean
}

/**
 * Instructions of a compiled pattern times characters of a text, of which each takes up to 28 ns: more would hold others
 * up, and matches nothing.
 */
const instructionsMax = 3_500_000
/** Steps that compiling takes for each instruction: the first objects of a schema have its patterns compiled. */
const stepsAnInstruction = 4
/** Instructions that take as long as a step of the validation. */
const instructionsAStep = 20

export function createPatterns(): Patterns {
  const compiled = new Map<string, RE2JS | undefined>()
  return {
    matches(pattern, text, work) {
      let program = compiled.get(pattern)
      if (!program && !compiled.has(pattern)) {
        const size = patternSize(pattern)
        work.noteOnce(size * stepsAnInstruction)
        compiled.set(pattern, (program = size > patternSizeMax ? undefined : compile(pattern)))
      }
      if (!program) return false
      const instructions = program.programSize() * text.length
      work.note(Math.trunc(instructions / instructionsAStep))
      if (instructions > instructionsMax || work.isOver) return false
      return program.matcher(text).find()
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
