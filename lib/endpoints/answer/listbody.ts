import type { Encoding, Entry } from '../../cache/index.ts'
import { indentJson } from '../../codec/index.ts'
import type { GroupVersionKind, ListMeta } from '../../object/index.ts'
import type { ItemParts } from '../../scheme/index.ts'
import { itemParts } from './itemparts.ts'
import { prepareMessages } from './latermessages.ts'
import { mapWithPauses, runWithPauses } from './mapwithpauses.ts'
import type { Asked, Send } from './rendering.ts'
import { send, sendChunks } from './send.ts'
import { listText, textFormOf } from './textform.ts'

/** Smaller lists are encoded before they are sent; their bytes are kept. */
export const chunkedBytesMin = 256 * 1024

/** The items of a list. */
interface ListOfItems {
  readonly listGvk: GroupVersionKind
  readonly metadata: ListMeta
  readonly encoding: Encoding
  /** Makes an entry's item in a thread; undefined: it is made here. */
  elsewhere?(entry: Entry): Promise<Uint8Array> | undefined
}

/**
 * Makes a list of items. A large one is made while it is sent, and not kept: the stored bytes are kept already, and so
 * much text, or so many parts of messages, would be expensive to allocate and to collect.
 */
export async function prepareItems(
  { call, services: { kindCodec, clock }, negotiated }: Asked,
  entries: readonly Entry[],
  { listGvk, metadata, encoding, elsewhere }: ListOfItems,
): Promise<Send> {
  const { mediaType } = negotiated
  const form = textFormOf(call, negotiated)
  if (form && (form !== 'json' || encoding.transcode) && isLarge(entries)) {
    const items = await mapWithPauses(entries, (entry) => elsewhere?.(entry) ?? laterItem(entry, encoding), clock)
    const frame = kindCodec.jsonListFrame(listGvk, metadata)
    return () => sendChunks(call, 200, mediaType, listText(form, frame, 'items', itemsNow(items, encoding)))
  }
  if (encoding.partsBytes && !elsewhere && isLarge(entries)) {
    const messages = await prepareMessages(entries, encoding, encoding.partsBytes, clock)
    const frame = kindCodec.protobufListFrame(listGvk, metadata, messages.itemsBytes)
    return () => sendChunks(call, 200, mediaType, messages.list(frame))
  }
  const items = await mapWithPauses<Entry, ItemParts>(
    entries,
    (entry) => elsewhere?.(entry) ?? itemParts(entry, encoding),
    clock,
  )
  const parts = await runWithPauses(kindCodec.encodeListFromItems(listGvk, metadata, items, mediaType), clock)
  const body = form === 'pretty' ? Array.from(indentJson(parts)) : parts
  return () => send(call, 200, mediaType, body)
}

/** Whether the text of these objects is made while it is sent. */
export function isLarge(entries: readonly Entry[]): boolean {
  let bytes = 0
  for (const { stored } of entries) if ((bytes += stored.byteLength) >= chunkedBytesMin) return true
  return false
}

/** An item's bytes, or the entry whose bytes are made while they are sent. */
export type LaterItem = Entry | ItemParts

export function laterItem(entry: Entry, encoding: Encoding): LaterItem {
  const kept = entry.keptBytes(encoding)
  if (kept) return kept
  return encoding.transcodes?.(entry) ? entry : itemParts(entry, encoding)
}

function* itemsNow(items: readonly LaterItem[], encoding: Encoding): Generator<ItemParts> {
  for (const item of items) yield itemNow(item, encoding)
}

/** Valid until the next call. */
export function itemNow(item: LaterItem, { transcode }: Encoding): ItemParts {
  return 'stored' in item ? (transcode?.(item) ?? []) : item
}
