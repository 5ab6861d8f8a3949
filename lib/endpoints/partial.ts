import { formatGroupVersion, type GroupVersionKind, type ObjectMeta } from '../object/index.ts'
import type { MediaTypeName } from '../request/index.ts'
import type { Scheme } from '../scheme/index.ts'
import { transformedGvk } from './transformed.ts'

export const partialGvk: GroupVersionKind = transformedGvk('PartialObjectMetadata', 'v1')

/** An object's metadata, as an item: without kind and apiVersion. */
export function encodePartialItem(scheme: Scheme, metadata: ObjectMeta, mediaType: MediaTypeName): Uint8Array {
  return scheme.encodeItem({ apiVersion: formatGroupVersion(partialGvk), kind: partialGvk.kind, metadata }, mediaType)
}

/** As it stands in lists and rows: in JSON it says there, too, what it is. */
export function encodePartial(scheme: Scheme, metadata: ObjectMeta, mediaType: MediaTypeName): Uint8Array {
  const item = encodePartialItem(scheme, metadata, mediaType)
  return mediaType === 'application/json' ? scheme.encodeFromItem(partialGvk, item, mediaType) : item
}
