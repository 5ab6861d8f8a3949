import { indentJson, type jsonFrames, yamlListChunks } from '../../codec/index.ts'
import { type Call, isPretty, type Negotiated } from '../../request/index.ts'
import type { ItemParts } from '../../scheme/index.ts'

/** The text format of a body. */
export type TextForm = 'json' | 'pretty' | 'yaml'

/** Undefined for binary formats. */
export function textFormOf(call: Call, negotiated: Negotiated): TextForm | undefined {
  const { format } = negotiated
  if (format === 'yaml') return format
  return format === 'json' ? (wantsPretty(call, negotiated) ? 'pretty' : 'json') : undefined
}

/** Whether to indent the answer; only JSON can be. */
export function wantsPretty(call: Call, negotiated: Negotiated): boolean {
  return negotiated.format === 'json' && (negotiated.pretty || isPretty(call.query, call.headers['user-agent']))
}

/**
 * A list or a table from the JSON around its items and that of the items, made while it is sent. `field`: the list's
 * name.
 */
export function listText(
  form: TextForm,
  frame: jsonFrames.ListFrame,
  field: 'items' | 'rows',
  items: Iterable<ItemParts>,
): Iterable<Uint8Array> {
  if (form === 'json') return jsonList(frame, items)
  // Both yield within an item; meanwhile an encoder may overwrite the item's bytes.
  const own = ownItems(items)
  return form === 'yaml' ? yamlListChunks(frame, field, own) : indentJson(jsonList(frame, own))
}

function* jsonList({ head, separator, tail }: jsonFrames.ListFrame, items: Iterable<ItemParts>): Generator<Uint8Array> {
  yield head
  let isFirst = true
  for (const item of items) {
    if (!isFirst) yield separator
    isFirst = false
    // Parts are valid until the next yield, which may be between two chunks.
    yield item instanceof Uint8Array ? item : item.length === 1 ? (item[0] ?? noBytes) : Buffer.concat(item)
  }
  yield tail
}

const noBytes = new Uint8Array(0)

function* ownItems(items: Iterable<ItemParts>): Generator<Uint8Array> {
  for (const item of items) yield item instanceof Uint8Array ? item : Buffer.concat(item)
}
