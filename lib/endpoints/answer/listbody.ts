import { assert } from '../../base/index.ts'
import type { Encoding, Entry, ListResult } from '../../cache/index.ts'
import { indentJson } from '../../codec/index.ts'
import { type ListMeta, statusErrors } from '../../object/index.ts'
import type { Call, Negotiated, Transform } from '../../request/index.ts'
import type { ItemParts } from '../../scheme/index.ts'
import { type Endpoint, itemParts } from '../endpoint.ts'
import type { Services } from '../services.ts'
import { largeItem } from './largeitem.ts'
import { mapWithPauses, runWithPauses } from './mapwithpauses.ts'
import { send, sendChunks } from './respond.ts'
import { parseIncludeObject, rowEncoder, rowSourceOfEntry, tableFrame } from './table.ts'
import { listText, textFormOf } from './textform.ts'
import { transformedGvk } from './transformed.ts'

/** Smaller lists are encoded before they are sent; their bytes are kept. */
const chunkedBytesMin = 256 * 1024

/**
 * The body of a list. `chunks` are made while they are sent, and not kept: the stored bytes are kept already, and so much
 * text would be expensive to allocate and to collect.
 */
export type ListBody =
  | { readonly chunks: Iterable<Uint8Array> }
  | { readonly parts: Uint8Array | readonly Uint8Array[] }

/**
 * A collection in the representation that the client asked for. Throws 406 for one that only single objects have. Objects
 * that can't be encoded are found here, before anything is sent.
 */
export async function listBody(
  call: Call,
  endpoint: Endpoint,
  services: Services,
  negotiated: Negotiated,
  { entries }: ListResult,
  metadata: ListMeta,
): Promise<ListBody> {
  const { scheme, clock } = services
  const { transform, mediaType, format } = negotiated
  if (transform?.kind === 'Table')
    return table(call, endpoint, services, { ...negotiated, transform }, entries, metadata)
  if (transform?.kind === 'PartialObjectMetadata')
    throw statusErrors.notAcceptable(
      `you requested PartialObjectMetadata, but the requested object is a list (${endpoint.listGvk.kind})`,
    )
  const form = textFormOf(call, negotiated)
  const listGvk = transform ? transformedGvk(transform.kind, transform.version) : endpoint.listGvk
  const encoding = transform ? endpoint.partial(format, transform.version) : endpoint.item(format)
  const large = (entry: Entry): Promise<ItemParts> | undefined =>
    transform ? undefined : largeItem(endpoint, entry, format, services)
  if (form && (form !== 'json' || encoding.transcode) && isLarge(entries, storedBytes)) {
    const items = await mapWithPauses(entries, (entry) => large(entry) ?? laterItem(entry, encoding), clock)
    return { chunks: listText(form, scheme.jsonListFrame(listGvk, metadata), 'items', itemsNow(items, encoding)) }
  }
  const items = await mapWithPauses(entries, (entry) => large(entry) ?? itemParts(entry, encoding), clock)
  const parts = await runWithPauses(scheme.encodeListFromItems(listGvk, metadata, items, mediaType), clock)
  return { parts: form === 'pretty' ? Array.from(indentJson(parts)) : parts }
}

export function sendList(call: Call, { mediaType }: Negotiated, body: ListBody): void | Promise<void> {
  return 'chunks' in body ? sendChunks(call, 200, mediaType, body.chunks) : send(call, 200, mediaType, body.parts)
}

async function table(
  call: Call,
  endpoint: Endpoint,
  { scheme, clock }: Services,
  negotiated: Negotiated & { readonly transform: Transform },
  entries: readonly Entry[],
  metadata: ListMeta,
): Promise<ListBody> {
  const { version } = negotiated.transform
  const request = { version, includeObject: parseIncludeObject(call.query), columns: true }
  const encodeRow = rowEncoder(endpoint, request, clock.now())
  const encode = (entry: Entry): Uint8Array => encodeRow(rowSourceOfEntry(endpoint, entry))
  // One row may take long by itself.
  const rows = await mapWithPauses(entries, encode, clock, { itemsPerLook: 1 })
  const form = textFormOf(call, negotiated)
  assert(form, 'tables are negotiated as text only')
  const text = listText(form, tableFrame(scheme, endpoint, metadata, request), 'rows', rows)
  return form !== 'json' && isLarge(rows, (row) => row.byteLength) ? { chunks: text } : { parts: Array.from(text) }
}

const storedBytes = ({ stored }: Entry): number => stored.byteLength

function isLarge<Item>(items: readonly Item[], bytesOf: (item: Item) => number): boolean {
  let bytes = 0
  for (const item of items) if ((bytes += bytesOf(item)) >= chunkedBytesMin) return true
  return false
}

/** An item's bytes, or the entry that they are made of when they are sent. */
type LaterItem = Entry | ItemParts

function laterItem(entry: Entry, encoding: Encoding): LaterItem {
  const kept = entry.keptBytes(encoding)
  if (kept) return kept
  return encoding.transcodes?.(entry) ? entry : itemParts(entry, encoding)
}

function* itemsNow(items: readonly LaterItem[], { transcode }: Encoding): Generator<ItemParts> {
  for (const item of items) yield 'stored' in item ? (transcode?.(item) ?? []) : item
}
