import { formatGroupVersion, type GroupVersionKind, type ObjectMeta } from '../../object/index.ts'
import type { MediaTypeName, Transform } from '../../request/index.ts'
import type { KindCodec } from '../../scheme/index.ts'
import { transformedGvk } from './transformed.ts'

export function partialGvk(version: Transform['version']): GroupVersionKind {
  return transformedGvk('PartialObjectMetadata', version)
}

const itemGvk = partialGvk('v1')

/** An object's metadata, as an item: without kind and apiVersion. */
export function encodePartialItem(kindCodec: KindCodec, metadata: ObjectMeta, mediaType: MediaTypeName): Uint8Array {
  return kindCodec.encodeItem({ apiVersion: formatGroupVersion(itemGvk), kind: itemGvk.kind, metadata }, mediaType)
}

/** The metadata in lists and rows: in JSON with kind and apiVersion there, too. */
export function encodePartial(
  kindCodec: KindCodec,
  metadata: ObjectMeta,
  version: Transform['version'],
  mediaType: MediaTypeName,
): Uint8Array {
  return partialFramer(kindCodec, version, mediaType)(encodePartialItem(kindCodec, metadata, mediaType))
}

/** Frames items for lists and rows; the kind and version are encoded once. */
export function partialFramer(
  kindCodec: KindCodec,
  version: Transform['version'],
  mediaType: MediaTypeName,
): (item: Uint8Array) => Uint8Array {
  if (mediaType !== 'application/json') return (item) => item
  const head = headOf(kindCodec, version)
  return (item) => {
    // A comma replaces the item's opening brace; metadata are never empty.
    const whole = new Uint8Array(head.length + item.length)
    whole.set(head)
    whole.set(item, head.length)
    whole[head.length] = comma
    return whole
  }
}

/** Frames an item's JSON in parts, as parts. */
export function partialPartsFramer(
  kindCodec: KindCodec,
  version: Transform['version'],
): (item: readonly Uint8Array[]) => readonly Uint8Array[] {
  const head = Buffer.concat([headOf(kindCodec, version), Uint8Array.of(comma)])
  return ([first = emptyItem, ...rest]) => [head, first.subarray(1), ...rest]
}

/** Without the closing brace. */
function headOf(kindCodec: KindCodec, version: Transform['version']): Uint8Array {
  return kindCodec.encodeWithin(partialGvk(version), emptyItem, 'application/json').subarray(0, -1)
}

const emptyItem = Buffer.from('{}')
const comma = 0x2c
