import type { Row } from './row.ts'

export interface Order {
  /** Index of a column, or -1 for the namespace. */
  readonly column: number
  readonly descending: boolean
}

/** The rows that match the text, in order. */
export function shownRows(rows: Iterable<Row>, search: string, order: Order): Row[] {
  const wanted = search.toLowerCase()
  const found: Row[] = []
  for (const row of rows) if (wanted === '' || row.name.toLowerCase().includes(wanted)) found.push(row)
  const direction = order.descending ? -1 : 1
  return found.sort(
    (a, b) => direction * compareCells(cellOf(a, order.column), cellOf(b, order.column)) || compareNames(a, b),
  )
}

function cellOf(row: Row, column: number): unknown {
  return column < 0 ? row.namespace : row.cells[column]
}

function compareNames(a: Row, b: Row): number {
  return compareTexts(a.namespace, b.namespace) || compareTexts(a.name, b.name)
}

function compareCells(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareTexts(String(a ?? ''), String(b ?? ''))
}

/** By code units: several times faster than by language, and names are ASCII. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
