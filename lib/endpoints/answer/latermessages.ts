import { assert, type Clock } from '../../base/index.ts'
import type { Encoding, Entry } from '../../cache/index.ts'
import { protobufFrames } from '../../codec/index.ts'
import { mapWithPauses } from './mapwithpauses.ts'

/** The items of a list in protobuf: their length is known before they are made. */
interface LaterMessages {
  /** Length of all items with their prefixes. */
  readonly itemsBytes: number
  /** The list's chunks, each valid until the next one. */
  list(frame: protobufFrames.ProtobufListFrame): Iterable<Uint8Array>
}

/** Throws whatever is wrong with an object. */
export async function prepareMessages(
  entries: readonly Entry[],
  encoding: Encoding,
  partsBytes: NonNullable<Encoding['partsBytes']>,
  clock: Clock,
): Promise<LaterMessages> {
  let itemsBytes = 0
  const measured = (entry: Entry): Entry | Uint8Array => {
    const item = encoding.isCheap?.(entry) ? entry : entry.bytes(encoding)
    itemsBytes += protobufFrames.itemBytesInList('stored' in item ? partsBytes(item) : item.length)
    return item
  }
  const items = await mapWithPauses(entries, measured, clock)
  return {
    itemsBytes,
    *list({ head, tail }) {
      const prefixOf = protobufFrames.createItemPrefixes()
      let left = itemsBytes
      yield head
      for (const item of items) {
        const parts = 'stored' in item ? (encoding.parts?.(item) ?? []) : [item]
        const length = protobufFrames.lengthOf(parts)
        left -= protobufFrames.itemBytesInList(length)
        yield prefixOf(length)
        yield* parts
      }
      assert(left === 0, 'the items of a list in protobuf have another length than its head says')
      yield tail
    },
  }
}
