import type { Encoding, Entry } from '../../cache/index.ts'
import type { ItemParts } from '../../scheme/index.ts'

/** An entry's bytes for a body or frame that is assembled at once. */
export function itemParts(entry: Entry, encoding: Encoding): ItemParts {
  return encoding.parts && encoding.isCheap?.(entry) ? encoding.parts(entry) : entry.bytes(encoding)
}
