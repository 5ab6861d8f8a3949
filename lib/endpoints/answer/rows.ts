import type { Entry } from '../../cache/index.ts'
import { type jsonFrames, writeJson } from '../../codec/index.ts'
import type { Column, RowContext } from '../../kinds/index.ts'
import { type ApiObject, fieldErrors, type ListMeta, statusErrors } from '../../object/index.ts'
import { formatMediaTypes, type QueryParameters, type Transform } from '../../request/index.ts'
import type { KindCodec } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { encodePartial } from './partialitem.ts'
import { transformedGvk } from './transformed.ts'

/** The part of its object that a row contains. */
type IncludeObject = 'None' | 'Metadata' | 'Object'

/** Throws 400 for any other word. */
export function parseIncludeObject(query: QueryParameters): IncludeObject {
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
export interface RowSource {
  /** The object itself, in JSON, in the served version. */
  item(): Uint8Array
  /** The object for the columns, like Endpoint.readRow. */
  columns(): ApiObject
  /** The PartialObjectMetadata in JSON, with kind and apiVersion. */
  partial(version: Transform['version']): Uint8Array
}

export function rowSourceOf(
  kindCodec: KindCodec,
  endpoint: Endpoint,
  object: ApiObject,
  metadata = object.metadata,
): RowSource {
  const { codec, capabilities, toServed, main } = endpoint
  return {
    item: () => codec.encodeItem(toServed(object), formatMediaTypes.json),
    // A scale's columns read the object itself.
    columns: () => (capabilities.convertsOnRead ? (main ?? endpoint).toServed(object) : object),
    partial: (version) => encodePartial(kindCodec, metadata, version, formatMediaTypes.json),
  }
}

export function rowSourceOfEntry(endpoint: Endpoint, entry: Entry): RowSource {
  return {
    item: () => entry.bytes(endpoint.item('json')),
    columns: () => endpoint.readRow(entry),
    partial: (version) => entry.bytes(endpoint.partial('json', version)),
  }
}

/**
 * Maximum number of values that the cells of one row may visit: a path with `..` through the largest object visits all.
 */
const rowVisitsMax = 100_000

/** Encodes rows, each as JSON. */
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

/** A Table of these rows as an item: JSON without kind and apiVersion. */
export function tableItem(
  endpoint: Endpoint,
  metadata: ListMeta,
  request: TableRequest,
  rows: readonly Uint8Array[],
): Uint8Array {
  const between = rows.flatMap((row, index) => (index === 0 ? [row] : [comma, row]))
  return Buffer.concat([tableHead(endpoint, metadata, request), ...between, closing])
}

/** The JSON of a Table around its rows. */
export function tableFrame(
  kindCodec: KindCodec,
  endpoint: Endpoint,
  metadata: ListMeta,
  request: TableRequest,
): jsonFrames.ListFrame {
  const gvk = transformedGvk('Table', request.version)
  const head = kindCodec.encodeWithin(gvk, tableHead(endpoint, metadata, request), formatMediaTypes.json)
  return { head, separator: comma, tail: Buffer.concat([closing, lineEnd]) }
}

function tableHead(endpoint: Endpoint, metadata: ListMeta, { columns }: TableRequest): Uint8Array {
  const definitions = columns ? endpoint.columns.map(definitionOf) : null
  return Buffer.from(`{"metadata":${writeJson(metadata)},"columnDefinitions":${writeJson(definitions)},"rows":[`)
}

function definitionOf({ name, type, format = '', description, priority }: Column): object {
  return { name, type, format, description, priority }
}
