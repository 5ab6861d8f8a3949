export interface DiffLine {
  readonly sign: ' ' | '+' | '-'
  readonly text: string
}

/** Pairs of lines that are compared, in some 20 ms; beyond it all lines from the first change to the last count as changed. */
const pairsMax = 1_500_000
/** Lines of a difference that are shown. */
export const shownMax = 1000

/** How `after` differs from `before`, by lines, with `context` equal lines around each change. */
export function diffLines(before: string, after: string, context = 3): DiffLine[] {
  const a = before.split('\n')
  const b = after.split('\n')
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  if (start === a.length && start === b.length) return []
  const middle = compare(a.slice(start, a.length - end), b.slice(start, b.length - end))
  const equal = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }))
  // Equal lines further away are not shown, and a long text has many.
  const above = equal(a.slice(Math.max(0, start - context), start))
  const below = equal(a.slice(a.length - end, Math.min(a.length, a.length - end + context)))
  return near(above.concat(middle, below), context)
}

/** By the longest common subsequence. */
function compare(a: readonly string[], b: readonly string[]): DiffLine[] {
  const signed = (lines: readonly string[], sign: '+' | '-'): DiffLine[] => lines.map((text) => ({ sign, text }))
  if (a.length * b.length > pairsMax) return [...signed(a, '-'), ...signed(b, '+')]
  const width = b.length + 1
  const lengths = new Uint16Array((a.length + 1) * width)
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i] ?? '' })
      i++
      j++
    } else if (i < a.length && (j >= b.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push({ sign: '-', text: a[i++] ?? '' })
    else lines.push({ sign: '+', text: b[j++] ?? '' })
  }
  return lines
}

function near(lines: readonly DiffLine[], context: number): DiffLine[] {
  const kept: DiffLine[] = []
  let last = -1
  for (const [index, { sign }] of lines.entries()) {
    if (sign === ' ') continue
    const from = Math.max(index - context, last + 1, 0)
    last = Math.min(index + context, lines.length - 1)
    for (let at = from; at <= last; at++) {
      const line = lines[at]
      if (line) kept.push(line)
    }
  }
  return kept
}
