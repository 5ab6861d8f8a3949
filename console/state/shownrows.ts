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
  for (const row of rows) if (matchesSearch(row, wanted)) found.push(row)
  return found.sort((a, b) => compareRows(a, b, order))
}

/** `wanted` is in lower case. */
export function matchesSearch(row: Row, wanted: string): boolean {
  return wanted === '' || row.name.toLowerCase().includes(wanted)
}

/** By the cells of the order's column, then by namespace, name and uid: 0 only for states of one row. */
export function compareRows(a: Row, b: Row, { column, descending }: Order): number {
  const byCells = compareCells(cellOf(a, column), cellOf(b, column))
  return (descending ? -byCells : byCells) || compareNames(a, b)
}

function cellOf(row: Row, column: number): unknown {
  return column < 0 ? row.namespace : row.cells[column]
}

function compareNames(a: Row, b: Row): number {
  return compareTexts(a.namespace, b.namespace) || compareTexts(a.name, b.name) || compareTexts(a.uid, b.uid)
}

function compareCells(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return compareTexts(String(a ?? ''), String(b ?? ''))
}

/** By code units: several times faster than by language, and names are ASCII. */
function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
