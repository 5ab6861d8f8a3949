import type { PausableWork } from '../../base/index.ts'
import { itemsPerPause, ListParts } from '../listparts.ts'
import { closeEnvelope, openEnvelope } from './envelope.ts'
import { ProtobufReader } from './protobufreader.ts'
import { ProtobufWriter } from './protobufwriter.ts'
import { lengthRest } from './wire.ts'

// The protobuf counterpart of json/frame.ts; an item is a bare message.

const tags = { metadata: 10, items: 18, eventType: 10, eventObject: 18, raw: 10 } as const
const lengthBytes = 4
const smallBytes = 256
/** Maximum length of a tag (one byte) and a length (five). */
const prefixBytesMax = 6

/** The object of an item, in its envelope. */
export function frameObject(apiVersion: string, kind: string, item: Uint8Array): Uint8Array {
  const writer = new ProtobufWriter(item.length + smallBytes)
  const mark = openEnvelope(writer)
  writer.raw(item)
  closeEnvelope(writer, mark, apiVersion, kind)
  return writer.finish()
}

/** The bytes around a list's items. */
export interface ProtobufListFrame {
  readonly head: Uint8Array
  readonly tail: Uint8Array
}

/** `itemsBytes`: the length of all items, with their prefixes. */
export function listFrame(
  apiVersion: string,
  kind: string,
  metadata: Uint8Array,
  itemsBytes: number,
): ProtobufListFrame {
  const head = new ProtobufWriter(metadata.length + smallBytes)
  head.raw(metadata)
  head.uint32(metadata.length)
  head.uint32(tags.metadata)
  closeEnvelope(head, -itemsBytes, apiVersion, kind)
  const tail = new ProtobufWriter(smallBytes)
  openEnvelope(tail)
  return { head: head.finish(), tail: tail.finish() }
}

/** The length of an item in a list, with its prefix. */
export function itemBytesInList(length: number): number {
  return 2 + lengthRest(length) + length
}

/** Makes the prefixes of a list's items, each valid until the next one. */
export function createItemPrefixes(): (length: number) => Uint8Array {
  const bytes = Buffer.allocUnsafe(prefixBytesMax)
  const views = Array.from({ length: prefixBytesMax + 1 }, (_, length) => bytes.subarray(0, length))
  return (length) => views[writePrefix(bytes, 0, length)] ?? bytes
}

/** One message, whole or in consecutive parts. */
export type MessageParts = Uint8Array | readonly Uint8Array[]

/** A list's body in parts; the items are not copied. Yields now and then, so that other requests run. */
export function* frameList(
  apiVersion: string,
  kind: string,
  metadata: Uint8Array,
  items: readonly MessageParts[],
): PausableWork<ListParts> {
  const parts = new ListParts()
  // In place of the head, which contains the length of all items and is made last.
  parts.push(metadata)
  let prefixes = Buffer.alloc(0)
  let at = 0
  for (const [index, item] of items.entries()) {
    if (index % itemsPerPause === 0) {
      if (index > 0) yield
      prefixes = Buffer.allocUnsafe(Math.min(itemsPerPause, items.length - index) * prefixBytesMax)
      at = 0
    }
    const start = at
    at = writePrefix(prefixes, at, lengthOf(item))
    parts.add(prefixes.subarray(start, at))
    if (item instanceof Uint8Array) parts.add(item)
    else for (const part of item) parts.add(part)
  }
  const { head, tail } = listFrame(apiVersion, kind, metadata, parts.byteLength)
  parts[0] = head
  parts.byteLength += head.length
  parts.add(tail)
  return parts
}

export function lengthOf(item: MessageParts): number {
  if (item instanceof Uint8Array) return item.length
  let length = 0
  for (const part of item) length += part.length
  return length
}

/** Writes tag and length of an item; answers the position behind them. */
function writePrefix(into: Uint8Array, from: number, length: number): number {
  let at = from
  into[at++] = tags.items
  let rest = length
  for (; rest > 0x7f; rest >>>= 7) into[at++] = (rest & 0x7f) | 0x80
  into[at++] = rest
  return at
}

/** Frames items that are whole, and items in parts. */
interface ProtobufWatchFramer {
  (type: string, item: Uint8Array): Uint8Array[]
  ofParts(type: string, item: readonly Uint8Array[]): Uint8Array[]
}

/**
 * Makes frames of a watch over one kind: a length of four bytes, big-endian, then a WatchEvent with the object in its
 * envelope. In parts; the item is not copied.
 */
export function watchFramer(apiVersion: string, kind: string): ProtobufWatchFramer {
  const writer = new ProtobufWriter(smallBytes)
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

/** Reads a frame's WatchEvent message: its type and its object in its envelope. */
export function readWatchEvent(message: Uint8Array): { type: string; object: Uint8Array } {
  const reader = new ProtobufReader(message)
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
