import type { LineFilter } from './logbuffer.ts'

/** Characters of a line that are searched. */
const searchedMax = 2000
const patternCharactersMax = 200
/** Instructions of a compiled expression: one of this size needs some 50 ms for a line, at worst. */
const programMax = 200

/** An expression that can't be used; the message is for the user. */
export class BadPattern extends Error {}

/** Lines that hold the text, in any case; undefined for the empty one. */
export function textFilter(text: string): LineFilter | undefined {
  if (text === '') return undefined
  const wanted = text.toLowerCase()
  return (line) => line.slice(0, searchedMax).toLowerCase().includes(wanted)
}

/**
 * Lines that the expression matches, in any case. RE2 takes time in proportion to the line, whatever the expression; the
 * browser's own expressions may take forever. Throws BadPattern.
 */
export async function patternFilter(pattern: string): Promise<LineFilter | undefined> {
  if (pattern === '') return undefined
  const { RE2JS } = await import('re2js')
  if (pattern.length > patternCharactersMax) throw new BadPattern('the expression is too long')
  const expression = compile()
  if (expression.programSize() > programMax) throw new BadPattern('the expression repeats too much')
  return (line) => expression.matcher(line.slice(0, searchedMax)).find()

  function compile(): InstanceType<typeof RE2JS> {
    try {
      return RE2JS.compile(pattern, RE2JS.CASE_INSENSITIVE)
    } catch (error) {
      throw new BadPattern(error instanceof Error ? error.message : String(error))
    }
  }
}
