import { Reader } from './reader.ts'
import { closeEnvelope, openEnvelope } from './envelope.ts'
import { Writer } from './writer.ts'

// As in json/frame.ts; an item is a bare message.

const tags = { metadata: 10, items: 18, eventType: 10, eventObject: 18, raw: 10 } as const
const lengthBytes = 4
const smallBytes = 256
/** A tag of one byte, a length of five. */
const prefixBytesMax = 6

/** The object of an item, in its envelope. */
export function frameObject(apiVersion: string, kind: string, item: Uint8Array): Uint8Array {
  const writer = new Writer(item.length + smallBytes)
  const mark = openEnvelope(writer)
  writer.raw(item)
  closeEnvelope(writer, mark, apiVersion, kind)
  return writer.finish()
}

/** One message, whole or in parts that follow each other. */
export type MessageParts = Uint8Array | readonly Uint8Array[]

/** A list's body in parts; the items stand among them as they are. */
export function frameList(
  apiVersion: string,
  kind: string,
  metadata: Uint8Array,
  items: readonly MessageParts[],
): Uint8Array[] {
  const prefixes = itemPrefixes(items)
  const head = new Writer(metadata.length + smallBytes)
  head.raw(metadata)
  head.uint32(metadata.length)
  head.uint32(tags.metadata)
  const itemBytes = items.reduce((sum, item, index) => sum + lengthOf(item) + (prefixes[index]?.length ?? 0), 0)
  closeEnvelope(head, -itemBytes, apiVersion, kind)
  const tail = new Writer(smallBytes)
  openEnvelope(tail)
  const parts = [head.finish()]
  for (const [index, prefix] of prefixes.entries()) {
    const item = items[index] ?? []
    parts.push(prefix)
    if (item instanceof Uint8Array) parts.push(item)
    else for (const part of item) parts.push(part)
  }
  parts.push(tail.finish())
  return parts
}

function lengthOf(item: MessageParts): number {
  if (item instanceof Uint8Array) return item.length
  let length = 0
  for (const part of item) length += part.length
  return length
}

/** Tag and length of each item; all in one buffer. */
function itemPrefixes(items: readonly MessageParts[]): Uint8Array[] {
  const bytes = Buffer.allocUnsafe(items.length * prefixBytesMax)
  let at = 0
  return items.map((item) => {
    const start = at
    bytes[at++] = tags.items
    for (let rest = lengthOf(item); ; rest >>>= 7) {
      bytes[at++] = rest > 0x7f ? (rest & 0x7f) | 0x80 : rest
      if (rest <= 0x7f) return bytes.subarray(start, at)
    }
  })
}

/** Makes frames of items that are whole, and of such in parts. */
interface ProtobufWatchFramer {
  (type: string, item: Uint8Array): Uint8Array[]
  ofParts(type: string, item: readonly Uint8Array[]): Uint8Array[]
}

/**
 * Makes frames of a watch over one kind: a length of four bytes, big end first, then a WatchEvent with the object in its
 * envelope. In parts; the item stands among them as it is.
 */
export function watchFramer(apiVersion: string, kind: string): ProtobufWatchFramer {
  const writer = new Writer(smallBytes)
  openEnvelope(writer)
  const tail = writer.finish()
  const frame = (type: string, item: MessageParts): Uint8Array[] => {
    const length = lengthOf(item)
    closeEnvelope(writer, -length, apiVersion, kind)
    const behind = length + tail.length
    writer.length(tags.raw, -behind)
    writer.length(tags.eventObject, -behind)
    writer.string(tags.eventType, type)
    const message = writer.finish()
    const head = new Uint8Array(lengthBytes + message.length)
    new DataView(head.buffer).setUint32(0, message.length + behind)
    head.set(message, lengthBytes)
    return item instanceof Uint8Array ? [head, item, tail] : [head, ...item, tail]
  }
  return Object.assign((type: string, item: Uint8Array) => frame(type, item), { ofParts: frame })
}

/** A WatchEvent's message, as a frame has it behind its length: its type and its object in its envelope. */
export function readWatchEvent(message: Uint8Array): { type: string; object: Uint8Array } {
  const reader = new Reader(message)
  let type = ''
  let object = new Uint8Array()
  while (reader.pos < reader.end) {
    const tag = reader.uint32()
    if (tag === tags.eventType) type = reader.string()
    else if (tag === tags.eventObject) {
      const outer = reader.enter()
      while (reader.pos < reader.end) {
        const inner = reader.uint32()
        if (inner === tags.raw) object = reader.bytes()
        else reader.skip(inner)
      }
      reader.leave(outer)
    } else reader.skip(tag)
  }
  return { type, object }
}
