import { Breather } from '../base/index.ts'
import type { Encoding, Entry, ListResult } from '../cache/index.ts'
import type { ListMeta } from '../object/index.ts'
import { type Call, formatMediaTypes, type Negotiated } from '../request/index.ts'
import type { ItemParts } from '../scheme/index.ts'
import { type Endpoint, itemParts } from './endpoint.ts'
import { largeItem } from './largeitem.ts'
import { mapInSlices } from './mapinslices.ts'
import { wantsPretty } from './respond.ts'
import type { Services } from './services.ts'
import { transformedGvk } from './transformed.ts'

/** Lists of fewer stored bytes are encoded before they are sent, and kept. */
const chunkedBytesMin = 256 * 1024

/**
 * The body of a large list in JSON, written while it is sent and not kept: its stored bytes are kept already, and so much
 * text would be expensive to allocate and to collect. Undefined where the list has to be put together first. Objects that
 * can't be encoded are found here, before anything is sent.
 */
export async function listChunks(
  call: Call,
  endpoint: Endpoint,
  { scheme, clock }: Services,
  negotiated: Negotiated,
  { entries }: ListResult,
  metadata: ListMeta,
): Promise<Iterable<Uint8Array> | undefined> {
  const { transform, mediaType } = negotiated
  if (mediaType !== formatMediaTypes.json || wantsPretty(call, negotiated)) return undefined
  if (transform && transform.kind !== 'PartialObjectMetadataList') return undefined
  const encoding = transform ? endpoint.partial('json', transform.version) : endpoint.item('json')
  if (!encoding.transcode || !isLarge(entries)) return undefined
  const listGvk = transform ? transformedGvk(transform.kind, transform.version) : endpoint.listGvk
  const breather = new Breather(clock)
  const made = (entry: Entry): ChunkedItem | Promise<ChunkedItem> =>
    (transform ? undefined : largeItem(endpoint, entry, 'json', breather)) ?? chunkedItem(entry, encoding)
  const items = await mapInSlices(entries, made, clock)
  return chunks(scheme.jsonListFrame(listGvk, metadata), items, encoding.transcode)
}

function isLarge(entries: readonly Entry[]): boolean {
  let bytes = 0
  for (const { stored } of entries) if ((bytes += stored.byteLength) >= chunkedBytesMin) return true
  return false
}

/** An entry stands for the bytes that are made of it when its turn comes. */
type ChunkedItem = Entry | ItemParts

function chunkedItem(entry: Entry, encoding: Encoding): ChunkedItem {
  const kept = entry.keptBytes(encoding)
  if (kept) return kept
  return encoding.transcodes?.(entry) ? entry : itemParts(entry, encoding)
}

function* chunks(
  { head, separator, tail }: ReturnType<Services['scheme']['jsonListFrame']>,
  items: readonly ChunkedItem[],
  transcode: NonNullable<Encoding['transcode']>,
): Generator<Uint8Array> {
  yield head
  let isFirst = true
  for (const item of items) {
    if (!isFirst) yield separator
    isFirst = false
    if (item instanceof Uint8Array) yield item
    else yield* 'stored' in item ? transcode(item) : item
  }
  yield tail
}
