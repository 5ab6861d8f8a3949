import type { Entry } from '../cache/index.ts'
import { writeJson } from '../codec/index.ts'
import type { Column, RowContext } from '../kinds/index.ts'
import { type ApiObject, fieldErrors, type ListMeta, statusErrors } from '../object/index.ts'
import { formatMediaTypes, type MediaTypeName, type Transform } from '../request/index.ts'
import type { Scheme } from '../scheme/index.ts'
import type { Endpoint } from './endpoint.ts'
import { encodePartial } from './partial.ts'
import { transformedGvk } from './transformed.ts'

/** The part of its object that a row carries. */
type IncludeObject = 'None' | 'Metadata' | 'Object'

/** Throws 400 for any other word. */
export function parseIncludeObject(query: URLSearchParams): IncludeObject {
  const asked = query.size === 0 ? '' : (query.get('includeObject') ?? '')
  if (asked === '') return 'Metadata'
  if (asked === 'None' || asked === 'Metadata' || asked === 'Object') return asked
  const error = fieldErrors.invalid('includeObject', asked, "must be 'Metadata', 'Object', 'None', or empty")
  throw statusErrors.badRequest(`Unable to convert to Table as requested: ${error.field}: ${error.message}`)
}

interface TableRequest {
  readonly version: Transform['version']
  readonly includeObject: IncludeObject
  /** False: rows only, as in all but the first event of a watch. */
  readonly columns: boolean
}

/** The source of a row: an entry of the cache, which may have bytes already, or an object that was just written. */
interface RowSource {
  /** The object itself, in JSON, in the version that is served. */
  item(): Uint8Array
  /** As Endpoint.readRow gives it. */
  columns(): ApiObject
  /** As PartialObjectMetadata in JSON, with kind and apiVersion. */
  partial(version: Transform['version']): Uint8Array
}

export function rowSourceOf(
  scheme: Scheme,
  endpoint: Endpoint,
  object: ApiObject,
  metadata = object.metadata,
): RowSource {
  const { codec, custom, fromHub, main } = endpoint
  return {
    item: () => codec.encodeItem(fromHub(object), formatMediaTypes.json),
    // A scale's columns read the object itself.
    columns: () => (custom ? (main ?? endpoint).fromHub(object) : object),
    partial: (version) => encodePartial(scheme, metadata, version, formatMediaTypes.json),
  }
}

export function rowSourceOfEntry(endpoint: Endpoint, entry: Entry): RowSource {
  return {
    item: () => entry.bytes(endpoint.item('json')),
    columns: () => endpoint.readRow(entry),
    partial: (version) => entry.bytes(endpoint.partial('json', version)),
  }
}

/** Values of its object that the cells of one row may visit: a path with `..` through the largest object visits all. */
const rowVisitsMax = 100_000

/** Makes rows, each as JSON. */
export function rowEncoder(
  endpoint: Endpoint,
  { version, includeObject }: TableRequest,
  nowMs: number,
): (source: RowSource) => Uint8Array {
  const shown: Record<IncludeObject, (source: RowSource) => Uint8Array> = {
    None: () => nothing,
    Metadata: ({ partial }) => partial(version),
    Object: ({ item }) => {
      return endpoint.codec.encodeWithin(endpoint.gvk, item(), formatMediaTypes.json)
    },
  }
  const shownOf = shown[includeObject]
  const { rowConditions } = endpoint.registry.kind
  return (source) => {
    const object = source.columns()
    const row: RowContext = { nowMs, visitsLeft: rowVisitsMax }
    const cells = writeJson(endpoint.columns.map((column) => column.cell(object, row)))
    const conditions = rowConditions?.(object) ?? []
    const marks = conditions.length > 0 ? `,"conditions":${writeJson(conditions)}` : ''
    return Buffer.concat([Buffer.from(`{"cells":${cells}${marks},"object":`), shownOf(source), closingBrace])
  }
}

const nothing = Buffer.from('null')
const closingBrace = Buffer.from('}')
const comma = Buffer.from(',')
const closing = Buffer.from(']}')
const lineEnd = Buffer.from('\n')

/** A Table of these rows as an item: JSON without kind and apiVersion, in parts that are to be written one after the other. */
export function tableItem(
  endpoint: Endpoint,
  metadata: ListMeta,
  { columns }: TableRequest,
  rows: readonly Uint8Array[],
): Uint8Array[] {
  const definitions = columns ? endpoint.columns.map(definitionOf) : null
  const head = `{"metadata":${writeJson(metadata)},"columnDefinitions":${writeJson(definitions)},"rows":[`
  const parts: Uint8Array[] = [Buffer.from(head)]
  for (const row of rows) {
    if (parts.length > 1) parts.push(comma)
    parts.push(row)
  }
  parts.push(closing)
  return parts
}

/** The body of an answer that is a Table; in JSON the rows stand in it uncopied. */
export function tableBody(
  scheme: Scheme,
  version: TableRequest['version'],
  item: readonly Uint8Array[],
  mediaType: MediaTypeName,
): readonly Uint8Array[] {
  const gvk = transformedGvk('Table', version)
  if (mediaType !== 'application/json') return [scheme.encodeFromItem(gvk, Buffer.concat(item), mediaType)]
  const [head = noBytes, ...rows] = item
  return [scheme.encodeWithin(gvk, head, mediaType), ...rows, lineEnd]
}

const noBytes = new Uint8Array(0)

function definitionOf({ name, type, format = '', description, priority }: Column): object {
  return { name, type, format, description, priority }
}
