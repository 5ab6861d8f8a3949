import { quote } from '../../object/index.ts'

/** A clause of a format text, which an argument fills: `%s`, `%.2f`. */
export interface Clause {
  readonly verb: Verb
  readonly precision: number | undefined
}

export type Verb = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o'

/** An invalid clause, and why; `atEnd`: the text ends at its percent sign. */
interface BrokenClause {
  readonly broken: string
  readonly atEnd: boolean
}

/** The parts of a format text, in order; nothing follows a broken clause. */
export function* formatParts(text: string): Generator<string | Clause | BrokenClause> {
  let at = 0
  for (;;) {
    const percent = text.indexOf('%', at)
    if (percent < 0) {
      yield text.slice(at)
      return
    }
    yield text.slice(at, percent)
    if (text[percent + 1] === '%') {
      yield '%'
      at = percent + 2
      continue
    }
    const clause = readClause(text, percent + 1)
    yield clause
    if ('broken' in clause) return
    at = percent + 1 + clause.length
  }
}

function readClause(text: string, start: number): (Clause & { readonly length: number }) | BrokenClause {
  if (start >= text.length) return { broken: 'unexpected end of string', atEnd: true }
  const digits = /^\.(\d*)/.exec(text.slice(start, start + precisionLengthMax))
  const verbAt = start + (digits?.[0].length ?? 0)
  if (verbAt >= text.length) return unparsed('error while parsing precision: could not find end of precision specifier')
  const precision = digits ? Number(digits[1]) : undefined
  if (precision !== undefined && (digits?.[1] === '' || precision > int64Max)) {
    const why = digits?.[1] === '' ? 'invalid syntax' : 'value out of range'
    const number = quote(digits?.[1] ?? '')
    const error = `error while converting precision to integer: strconv.Atoi: parsing ${number}: ${why}`
    return unparsed(`error while parsing precision: ${error}`)
  }
  const verb = text[verbAt] ?? ''
  if (!isVerb(verb)) return unparsed(`unrecognized formatting clause "${firstByte(text, verbAt)}"`)
  return { verb, precision, length: verbAt + 1 - start }
}

/** A precision with more digits is invalid in any case. */
const precisionLengthMax = 10_000
const int64Max = 2 ** 63 - 1

function unparsed(why: string): BrokenClause {
  return { broken: `could not parse formatting clause: ${why}`, atEnd: false }
}

const verbs: ReadonlySet<string> = new Set<Verb>(['s', 'd', 'f', 'e', 'b', 'x', 'X', 'o'])

function isVerb(letter: string): letter is Verb {
  return verbs.has(letter)
}

/** The stock server reads bytes, not characters. */
function firstByte(text: string, at: number): string {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
  return String.fromCodePoint(Buffer.from(character)[0] ?? 0)
}

/** The expected argument of each verb, in the words of both checks: without data and when printing. */
const refusals: Readonly<Record<Verb, string>> = {
  s: 'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: 'only integers, byte buffers, and strings can be formatted as hex',
  X: 'only integers, byte buffers, and strings can be formatted as hex',
  o: 'octal clause can only be used on integers',
}

export function refusal(verb: Verb, typeName: string): string {
  return `error during formatting: ${refusals[verb]}, was given ${typeName}`
}
