import { type FunctionDeclaration, globalForm, type Library, memberForm, type Overload } from '../check/function.ts'
import { exactly, plus, type Range, scaled, times, unbounded } from '../check/range.ts'
import { types } from '../check/types.ts'
import { costs, deepTraversal, sizeOf, traversal } from '../run/cost.ts'
import { invalidArgument } from '../run/errors.ts'
import { ArrayList, codePointCount, type ListValue, type Value } from '../run/values.ts'
import { checkFormat, formatOverload } from './formatcheck.ts'
import { formatString } from './stringformat.ts'

const { string, int } = types
const texts = types.list(string)
type Estimate = NonNullable<Overload['estimate']>

const read = { cost: (text: Value) => traversal(sizeOf(text)) }
const readTwice = (text: Value): number => Math.ceil(sizeOf(text) * 2 * costs.traversal)

/** Cost of reading the receiver once; the result has its length. */
const sameSize: Estimate = ([text]) => {
  const size = text?.size ?? exactly(0)
  return { cost: scaled(size, costs.traversal), resultSize: size }
}

const searched: Estimate = ([text]) => ({ cost: scaled(text?.size ?? exactly(0), costs.traversal) })

/**
 * The extended string functions. Version 0 lacks format and `strings.quote`; version 3 adds reverse. The stock server
 * uses 2.
 */
export function stringsLibrary(version = 2): Library {
  const functions: FunctionDeclaration[] = [...searching(), ...changing(), ...splitting()]
  if (version >= 1) {
    const formatCost: Estimate = ([text]) => ({ cost: scaled(text?.size ?? exactly(0), costs.traversal) })
    functions.push(
      {
        name: 'format',
        overloads: [
          memberForm(formatOverload, [string, types.list(types.dyn)], string, formatString, {
            ...read,
            estimate: formatCost,
          }),
        ],
      },
      {
        name: 'strings.quote',
        overloads: [globalForm('strings_quote', [string], string, quoteText, { ...read, estimate: quoteEstimate })],
      },
    )
  }
  if (version >= 3) {
    const reversed = (text: string): string => Array.from(text).reverse().join('')
    functions.push({
      name: 'reverse',
      overloads: [memberForm('string_reverse', [string], string, reversed, { ...read, estimate: sameSize })],
    })
  }
  return version >= 1
    ? { name: 'strings', functions, checks: [checkFormat], mixing: ['format'] }
    : { name: 'strings', functions }
}

function searching(): FunctionDeclaration[] {
  const extras = { cost: (text: Value) => deepTraversal(text), estimate: searched }
  return [
    { name: 'charAt', overloads: [memberForm('string_char_at_int', [string, int], string, charAt)] },
    {
      name: 'indexOf',
      overloads: [
        memberForm('string_index_of_string', [string, string], int, (t: string, s: string) => indexOf(t, s, 0), extras),
        memberForm('string_index_of_string_int', [string, string, int], int, indexOf, extras),
      ],
    },
    {
      name: 'lastIndexOf',
      overloads: [
        memberForm('string_last_index_of_string', [string, string], int, lastIndexOf, extras),
        memberForm('string_last_index_of_string_int', [string, string, int], int, lastIndexOf, extras),
      ],
    },
  ]
}

function changing(): FunctionDeclaration[] {
  const extras = { ...read, estimate: sameSize }
  const lower = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const upper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
  return [
    { name: 'lowerAscii', overloads: [memberForm('string_lower_ascii', [string], string, lower, extras)] },
    { name: 'upperAscii', overloads: [memberForm('string_upper_ascii', [string], string, upper, extras)] },
    { name: 'trim', overloads: [memberForm('string_trim', [string], string, trim, extras)] },
    {
      name: 'replace',
      overloads: [
        memberForm('string_replace_string_string', [string, string, string], string, replace, {
          cost: replaceCost,
          estimate: replaceEstimate,
        }),
        memberForm('string_replace_string_string_int', [string, string, string, int], string, replace, {
          cost: replaceCost,
          estimate: replaceEstimate,
        }),
      ],
    },
    {
      name: 'substring',
      overloads: [
        memberForm('string_substring_int', [string, int], string, substring, extras),
        memberForm('string_substring_int_int', [string, int, int], string, substring, extras),
      ],
    },
  ]
}

function splitting(): FunctionDeclaration[] {
  const extras = { cost: readTwice, estimate: splitEstimate }
  // The stock server charges for the result; long lists of empty texts cost nothing there.
  const joined = {
    cost: (list: Value) => Math.floor(sizeOf(list) / 100),
    resultCost: readTwice,
    estimate: joinEstimate,
  }
  return [
    {
      name: 'split',
      overloads: [
        memberForm('string_split_string', [string, string], texts, (t: string, s: string) => split(t, s, -1), extras),
        memberForm('string_split_string_int', [string, string, int], texts, split, extras),
      ],
    },
    {
      name: 'join',
      overloads: [
        memberForm('list_join', [texts], string, (list: ListValue) => join(list, ''), joined),
        memberForm('list_join_string', [texts, string], string, join, joined),
      ],
    },
  ]
}

/** Positions are code points; texts of the basic plane need no conversion. */
function characters(text: string): readonly string[] | string {
  return codePointCount(text) === text.length ? text : Array.from(text)
}

function slice(text: string, start: number, end: number): string {
  const all = characters(text)
  return typeof all === 'string' ? all.slice(start, end) : all.slice(start, end).join('')
}

function position(value: Value): number {
  return typeof value === 'number' ? value : invalidArgument(`index out of range: ${String(value)}`)
}

function charAt(text: string, at: number | bigint): string {
  const index = position(at)
  const size = codePointCount(text)
  if (index < 0 || index > size) return invalidArgument(`index out of range: ${index}`)
  return slice(text, index, index + 1)
}

function indexOf(text: string, part: string, from: number | bigint): number {
  const start = position(from)
  const all = characters(text)
  if (start < 0) return invalidArgument(`index out of range: ${start}`)
  if (part === '') return Math.min(start, all.length)
  if (start >= all.length) return -1
  if (typeof all === 'string') return all.indexOf(part, start)
  const found = text.indexOf(part, all.slice(0, start).join('').length)
  return found < 0 ? -1 : codePointCount(text.slice(0, found))
}

function lastIndexOf(text: string, part: string, from: number | bigint | null): number {
  const all = characters(text)
  const start = from === null ? all.length : position(from)
  if (start < 0) return invalidArgument(`index out of range: ${start}`)
  if (part === '') return Math.min(start, all.length)
  if (from !== null && start >= all.length) return -1
  const end = typeof all === 'string' ? start : all.slice(0, start).join('').length
  const found = text.lastIndexOf(part, end)
  return found < 0 ? -1 : codePointCount(text.slice(0, found))
}

/** Go's unicode.IsSpace. */
function trim(text: string): string {
  const space = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'
  const start = new RegExp(`^${space}+`).exec(text)?.[0].length ?? 0
  let end = text.length
  const single = new RegExp(space)
  while (end > start && single.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

const textMax = 16_777_216

function replace(text: string, from: string, to: string, limit: number | bigint | null): string {
  const times = limit === null || limit < 0 ? Number.POSITIVE_INFINITY : Number(limit)
  if (times === 0) return text
  if (from === '') {
    const all = Array.from(text)
    if (text.length + Math.min(times, all.length + 1) * to.length > textMax) {
      return invalidArgument('result of replace is too long')
    }
    let out = ''
    for (let at = 0; at <= all.length; at++) out += (at < times ? to : '') + (all[at] ?? '')
    return out
  }
  const parts: string[] = []
  let at = 0
  for (let count = 0; count < times; count++) {
    const found = text.indexOf(from, at)
    if (found < 0) break
    parts.push(text.slice(at, found))
    at = found + from.length
  }
  parts.push(text.slice(at))
  if (text.length + parts.length * to.length > textMax) return invalidArgument('result of replace is too long')
  return parts.join(to)
}

/** The cost of reading and writing; growth beyond the read text is charged, too, for safety. */
function replaceCost(text: Value, from: Value, to: Value): number {
  const growth = typeof from === 'string' && typeof to === 'string' ? Math.max(1, to.length / (from.length + 1)) : 1
  const base = readTwice(text)
  return growth > 10 ? base * Math.ceil(growth / 10) : base
}

function substring(text: string, from: number | bigint, to: number | bigint | null): string {
  const size = codePointCount(text)
  const start = position(from)
  const end = to === null ? size : position(to)
  if (start < 0 || start > size) return invalidArgument(`index out of range: ${start}`)
  if (end < 0 || end > size) return invalidArgument(`index out of range: ${end}`)
  if (start > end) return invalidArgument(`invalid substring range. start: ${start}, end: ${end}`)
  return slice(text, start, end)
}

function split(text: string, separator: string, limit: number | bigint): ArrayList {
  const most = Number(limit)
  if (most === 0 || (text === '' && separator === '')) return new ArrayList([])
  if (most === 1) return new ArrayList([text])
  const parts = separator === '' ? Array.from(text) : text.split(separator)
  if (most < 0 || parts.length <= most) return new ArrayList(parts)
  return new ArrayList([...parts.slice(0, most - 1), parts.slice(most - 1).join(separator)])
}

function join(list: ListValue, separator: string): string {
  const parts: string[] = []
  let size = 0
  for (const item of list) {
    if (typeof item !== 'string') return invalidArgument('no such overload')
    size += item.length + separator.length
    if (size > textMax) return invalidArgument('result of join is too long')
    parts.push(item)
  }
  return parts.join(separator)
}

const quoteEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

/** A CEL string literal of a text. */
function quoteText(text: string): string {
  // oxlint-disable-next-line eslint/no-control-regex
  return `"${text.toWellFormed().replace(/[\x07\b\f\n\r\t\v\\"]/g, (c) => quoteEscapes[c] ?? c)}"`
}

const quoteEstimate: Estimate = ([text]) => {
  const size = text?.size ?? exactly(0)
  return { cost: scaled(size, costs.traversal), resultSize: plus(times(size, { min: 1, max: 2 }), exactly(2)) }
}

const splitEstimate: Estimate = ([text, , limit]) => {
  const size = text?.size ?? exactly(0)
  const max = limit?.literalInt === undefined || limit.literalInt < 0 ? size.max : limit.literalInt
  return { cost: scaled(size, 2 * costs.traversal), resultSize: { min: 0, max } }
}

const joinEstimate: Estimate = ([list, separator]) => {
  if (!list) return { cost: exactly(0) }
  const separators: Range = { min: Math.max(0, list.size.min - 1), max: Math.max(0, list.size.max - 1) }
  let size = times(list.size, list.elementSize)
  if (separator) size = plus(size, times(separator.size, separators))
  return { cost: scaled(size, costs.traversal), resultSize: size }
}

/** The longest result replaces the smallest matches with the longest text; the shortest, the other way round. */
const replaceEstimate: Estimate = ([text, from, to]) => {
  const [size, old, by] = [text?.size ?? exactly(0), from?.size ?? exactly(0), to?.size ?? exactly(0)]
  const cost = scaled(size, 2 * costs.traversal)
  const most = replaced(size.max, old.min, by.max, by.max <= old.min)
  const least = replaced(size.min, old.max, by.min, old.max <= by.min)
  return { cost, resultSize: { min: Math.min(least, unbounded), max: Math.min(most, unbounded) } }
}

function replaced(size: number, old: number, by: number, unchanged: boolean): number {
  if (old === 0) return (size + 1) * by + size
  return unchanged ? size : Math.ceil(size / old) * by
}
