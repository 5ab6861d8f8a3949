import { RE2JS } from 're2js'
import { patternSize, patternSizeMax } from '../../cel/index.ts'
import type { ValidationWork } from './validationwork.ts'

/** Regular expressions of one schema, compiled on first use; linear in time, whatever the pattern. */
export interface Patterns {
  /** Whether the pattern matches anywhere in the text. An invalid pattern matches nothing. */
  matches(pattern: string, text: string, work: ValidationWork): boolean
}

/**
 * Maximum number of a compiled pattern's instructions times a text's characters, each of which takes up to 28 ns: more
 * would block other requests, and matches nothing.
 */
const instructionsMax = 3_500_000
/** Number of steps for compiling each instruction: the first objects of a schema have its patterns compiled. */
const stepsAnInstruction = 4
/** Number of instructions that take as long as a step of the validation. */
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
