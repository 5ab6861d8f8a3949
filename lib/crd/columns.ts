import type * as v1 from '../../api/gen/apiextensions.k8s.io/v1.ts'
import type { Column, RowContext } from '../kinds/index.ts'
import { type ApiObject, countValues, humanDuration, jsonText, parseTime } from '../object/index.ts'
import { type JsonPath, parseJsonPath } from './jsonpath.ts'

type Cell = string | number | boolean | null
type ColumnType = Column['type']

const nameColumn: Column = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object, unique among its kind within the namespace.',
  priority: 0,
  cell: (object) => object.metadata.name ?? '',
}

const agePath = '.metadata.creationTimestamp'

/**
 * The columns of a version's tables: the name, and the definition's columns; the name alone where those can't be
 * parsed.
 */
export function columnsOf(definitions: readonly v1.CustomResourceColumnDefinition[] | undefined): readonly Column[] {
  const wanted = definitions?.length ? definitions : [{ name: 'Age', type: 'date', jsonPath: agePath }]
  const columns = wanted.map(columnOf)
  return columns.some((column) => column === undefined) ? [nameColumn] : [nameColumn, ...(columns as Column[])]
}

/** Paths of everything that these columns read; undefined: unknown, or more than the stored object contains. */
export function columnReadsOf(
  definitions: readonly v1.CustomResourceColumnDefinition[] | undefined,
): readonly string[] | undefined {
  const reads = ['metadata.name', agePath.slice(1)]
  for (const { jsonPath } of definitions ?? []) {
    const { below = '' } = parseJsonPath(jsonPath) ?? {}
    // The served version may be another, and resourceVersion is not stored.
    if (below === '' || below === 'apiVersion' || `${below}.`.startsWith('metadata.resourceVersion.')) return undefined
    reads.push(below)
  }
  return reads.includes('metadata') ? undefined : reads
}

function columnOf(definition: v1.CustomResourceColumnDefinition): Column | undefined {
  const path = parseJsonPath(definition.jsonPath)
  if (!path) return undefined
  const { name, type, format, priority = 0, jsonPath } = definition
  return {
    name,
    type: type as ColumnType,
    ...(format ? { format } : {}),
    description: definition.description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority,
    cell: (object, row) => cellOf(path, type, object, row),
  }
}

/** The cell of a row that has no visits left. */
const tooMuch = '<too many values>'
/** Number of characters that count as one visit. */
const charactersAVisit = 64

function cellOf(path: JsonPath, type: string, object: ApiObject, row: RowContext): Cell {
  const value = path.first(object, row)
  if (row.visitsLeft <= 0) return tooMuch
  if (value === undefined || value === null) return null
  switch (type) {
    case 'integer':
      if (typeof value === 'number') return Math.trunc(value)
      return typeof value === 'bigint' ? Number(value) : null
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null
    case 'boolean':
      return typeof value === 'boolean' ? value : null
    case 'date':
      return typeof value === 'string' ? ageOf(value, row.nowMs) : null
    case 'string':
      return limitedText(value, row)
    default:
      return null
  }
}

/** A row may show its object in many columns: their texts count as visits as well. */
function limitedText(value: unknown, row: RowContext): string {
  row.visitsLeft -= countValues(value, row.visitsLeft)
  if (row.visitsLeft <= 0) return tooMuch
  const text = textOf(value)
  row.visitsLeft -= Math.floor(text.length / charactersAVisit)
  return row.visitsLeft <= 0 ? tooMuch : text
}

function ageOf(time: string, nowMs: number): string {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/.test(time)) return '<invalid>'
  return humanDuration(nowMs - parseTime(time))
}

/** Prints a value for selectors and string columns. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}
