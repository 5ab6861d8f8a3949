import { CborWriter, selfDescribed } from './encode.ts'

// As in json/frame.ts; an item is a map without the self-described tag.

/** The object of an item, with the tag. */
export function frameObject(apiVersion: string, kind: string, item: Uint8Array): Uint8Array {
  return Buffer.concat([selfDescribed, untagged(apiVersion, kind, item)])
}

function untagged(apiVersion: string, kind: string, item: Uint8Array): Uint8Array {
  const { size, headBytes } = mapHead(item)
  const writer = new CborWriter()
  writer.map(size + 2)
  writer.string('kind')
  writer.string(kind)
  writer.string('apiVersion')
  writer.string(apiVersion)
  writer.raw(item.subarray(headBytes))
  return writer.finish()
}

/** A list's body in parts; the items stand among them as they are. */
export function frameList(
  apiVersion: string,
  kind: string,
  metadata: Uint8Array,
  items: readonly Uint8Array[],
): Uint8Array[] {
  const writer = new CborWriter()
  writer.raw(selfDescribed)
  writer.map(4)
  writer.string('kind')
  writer.string(kind)
  writer.string('apiVersion')
  writer.string(apiVersion)
  writer.string('metadata')
  writer.raw(metadata)
  writer.string('items')
  writer.array(items.length)
  return [writer.finish(), ...items]
}

/** One entry of the sequence that a watch is; `object` is a whole object with its tag. */
export function frameWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const writer = new CborWriter()
  writer.raw(selfDescribed)
  writer.map(2)
  writer.string('type')
  writer.string(type)
  writer.string('object')
  writer.raw(object.subarray(selfDescribed.length))
  return writer.finish()
}

function mapHead(item: Uint8Array): { size: number; headBytes: number } {
  const view = new DataView(item.buffer, item.byteOffset, item.byteLength)
  const info = view.getUint8(0) & 31
  if (info < 24) return { size: info, headBytes: 1 }
  return info === 24 ? { size: view.getUint8(1), headBytes: 2 } : { size: view.getUint16(1), headBytes: 3 }
}
