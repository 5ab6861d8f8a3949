import { formatGroupVersion, type GroupVersionKind, type ObjectMeta } from '../object/index.ts'
import type { MediaTypeName, Transform } from '../request/index.ts'
import type { Scheme } from '../scheme/index.ts'
import { transformedGvk } from './transformed.ts'

export function partialGvk(version: Transform['version']): GroupVersionKind {
  return transformedGvk('PartialObjectMetadata', version)
}

const itemGvk = partialGvk('v1')

/** An object's metadata, as an item: without kind and apiVersion. */
export function encodePartialItem(scheme: Scheme, metadata: ObjectMeta, mediaType: MediaTypeName): Uint8Array {
  return scheme.encodeItem({ apiVersion: formatGroupVersion(itemGvk), kind: itemGvk.kind, metadata }, mediaType)
}

/** As it stands in lists and rows: in JSON it says there, too, what it is. */
export function encodePartial(
  scheme: Scheme,
  metadata: ObjectMeta,
  version: Transform['version'],
  mediaType: MediaTypeName,
): Uint8Array {
  return partialOfItem(scheme, encodePartialItem(scheme, metadata, mediaType), version, mediaType)
}

export function partialOfItem(
  scheme: Scheme,
  item: Uint8Array,
  version: Transform['version'],
  mediaType: MediaTypeName,
): Uint8Array {
  return mediaType === 'application/json' ? scheme.encodeWithin(partialGvk(version), item, mediaType) : item
}
