import { quote } from '../../object/index.ts'

/** A part of a time: its element in Go's layouts, the pattern of its text, and the range that it may exceed. */
type Part = readonly [element: string, pattern: RegExp, range?: readonly [what: string, from: number, below: number]]

const day: readonly Part[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/, ['month', 1, 13]],
  ['-', /^-/],
  ['02', /^\d\d/],
]
const time: readonly Part[] = [
  ...day,
  ['T', /^T/],
  ['15', /^\d\d?/, ['hour', 0, 24]],
  [':', /^:/],
  ['04', /^\d\d/, ['minute', 0, 60]],
  [':', /^:/],
  ['05', /^\d\d(?:[.,]\d+)?/, ['second', 0, 60]],
]

/** Why a text is not a time, or not a day, in Go's words. */
export function timeFault(text: string, what: 'day' | 'time'): string {
  const parts = what === 'day' ? day : time
  const layout = parts.map(([element]) => element).join('')
  let rest = text
  for (const [element, pattern, range] of parts) {
    const found = pattern.exec(rest)?.[0]
    if (found === undefined)
      return `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(element)}`
    rest = rest.slice(found.length)
    const value = Number(found.replace(',', '.'))
    if (range && (value < range[1] || value >= range[2])) return `parsing time ${quote(text)}: ${range[0]} out of range`
  }
  return rest === ''
    ? `parsing time ${quote(text)}: day out of range`
    : `parsing time ${quote(text)}: extra text: ${quote(rest)}`
}
