import { CborWriter, selfDescribed } from './encode.ts'

// The CBOR counterpart of json/frame.ts; an item is a map without the self-described tag.

/** The object of an item, with the tag. */
export function frameObject(apiVersion: string, kind: string, item: Uint8Array): Uint8Array {
  const { size, headBytes } = mapHead(item)
  const writer = new CborWriter()
  writer.raw(selfDescribed)
  beginObject(writer, size, apiVersion, kind)
  writer.raw(item.subarray(headBytes))
  return writer.finish()
}

/** Writes the head of an object's map, which has `size` further entries. */
function beginObject(writer: CborWriter, size: number, apiVersion: string, kind: string): void {
  writer.map(size + 2)
  writer.string('kind')
  writer.string(kind)
  writer.string('apiVersion')
  writer.string(apiVersion)
}

/** A list's body in parts; the items are parts of their own, not copied. */
export function frameList(
  apiVersion: string,
  kind: string,
  metadata: Uint8Array,
  items: readonly Uint8Array[],
): Uint8Array[] {
  const writer = new CborWriter()
  writer.raw(selfDescribed)
  beginObject(writer, 2, apiVersion, kind)
  writer.string('metadata')
  writer.raw(metadata)
  writer.string('items')
  writer.array(items.length)
  return [writer.finish(), ...items]
}

/** Makes the entries of a watch's CBOR sequence over one kind, in parts; the item is a part of its own. */
export function watchFramer(apiVersion: string, kind: string): (type: string, item: Uint8Array) => Uint8Array[] {
  return (type, item) => {
    const { size, headBytes } = mapHead(item)
    const writer = new CborWriter()
    writer.raw(selfDescribed)
    writer.map(2)
    writer.string('type')
    writer.string(type)
    writer.string('object')
    beginObject(writer, size, apiVersion, kind)
    return [writer.finish(), item.subarray(headBytes)]
  }
}

function mapHead(item: Uint8Array): { size: number; headBytes: number } {
  const view = new DataView(item.buffer, item.byteOffset, item.byteLength)
  const info = view.getUint8(0) & 31
  if (info < 24) return { size: info, headBytes: 1 }
  return info === 24 ? { size: view.getUint8(1), headBytes: 2 } : { size: view.getUint16(1), headBytes: 3 }
}
