import type { Entry } from '../../cache/index.ts'
import { type jsonFrames, writeJson } from '../../codec/index.ts'
import type { Column, RowContext } from '../../kinds/index.ts'
import { type ApiObject, fieldErrors, type ListMeta, statusErrors } from '../../object/index.ts'
import { formatMediaTypes, type QueryParameters, type Transform } from '../../request/index.ts'
import type { KindCodec } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { itemNow, type LaterItem, laterItem } from './listbody.ts'
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

export interface TableRequest {
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
    Object: ({ item }) => withinRow(endpoint, item()),
  }
  const shownOf = shown[includeObject]
  const head = rowHeads(endpoint, nowMs)
  return (source) => Buffer.concat([Buffer.from(head(source.columns())), shownOf(source), closingBrace])
}

/** The JSON of a row up to its object. */
function rowHeads(endpoint: Endpoint, nowMs: number): (object: ApiObject) => string {
  const { rowConditions } = endpoint.registry.kind
  return (object) => {
    const row: RowContext = { nowMs, visitsLeft: rowVisitsMax }
    const cells = writeJson(endpoint.columns.map((column) => column.cell(object, row)))
    const conditions = rowConditions?.(object) ?? []
    const marks = conditions.length > 0 ? `,"conditions":${writeJson(conditions)}` : ''
    return `{"cells":${cells}${marks},"object":`
  }
}

function withinRow(endpoint: Endpoint, item: Uint8Array): Uint8Array {
  return endpoint.codec.encodeWithin(endpoint.gvk, item, formatMediaTypes.json)
}

/** A row whose text is made while it is sent, and not kept, like that of other large lists. */
interface LaterRow {
  readonly head: string
  readonly object: LaterItem
}

interface LaterRows {
  /** Throws whatever is wrong with an object. */
  prepare(entry: Entry): LaterRow
  /** Each row is valid until the next one. */
  texts(rows: readonly LaterRow[]): Iterable<Uint8Array>
}

export function laterRows(endpoint: Endpoint, { version, includeObject }: TableRequest, nowMs: number): LaterRows {
  const encoding = endpoint.partial('json', version)
  const shown: Record<IncludeObject, (entry: Entry) => LaterItem> = {
    None: () => nothing,
    Metadata: (entry) => entry.bytesAgain(encoding) ?? laterItem(entry, encoding),
    Object: (entry) => withinRow(endpoint, entry.bytes(endpoint.item('json'))),
  }
  const shownOf = shown[includeObject]
  const head = rowHeads(endpoint, nowMs)
  return {
    prepare: (entry) => ({ head: head(endpoint.readRow(entry)), object: shownOf(entry) }),
    *texts(rows) {
      const scratch = new Scratch()
      for (const row of rows) {
        const object = itemNow(row.object, encoding)
        yield scratch.join(row.head, object instanceof Uint8Array ? [object, closingBrace] : [...object, closingBrace])
      }
    },
  }
}

const scratchBytesMin = 16 * 1024

/** One buffer for one row after the other: memory for each would cost more than its text. */
class Scratch {
  #bytes = Buffer.allocUnsafe(scratchBytesMin)

  /** Valid until the next call. */
  join(text: string, parts: readonly Uint8Array[]): Uint8Array {
    let length = Buffer.byteLength(text)
    for (const part of parts) length += part.byteLength
    if (length > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(length * 2)
    let at = this.#bytes.write(text)
    for (const part of parts) {
      this.#bytes.set(part, at)
      at += part.byteLength
    }
    return this.#bytes.subarray(0, at)
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
