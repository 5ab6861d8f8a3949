import type { ApiObject, GroupVersionKind, GroupVersionResource, JsonObject } from '../object/index.ts'
import type { StructType } from '../schema/index.ts'

/** A resource, or a subresource, in one version, and the kind of its objects. */
export interface ServedForm {
  readonly resource: GroupVersionResource
  readonly kind: GroupVersionKind
}

/** The versions in which objects are served, for webhooks and policies. */
export interface ObjectVersions {
  /** A value that changes whenever the set of served resources changes. */
  served(): unknown
  /** All resources that serve the same objects, including this one, in the order of discovery. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly ServedForm[]
  /** A copy in another version of its kind; the object itself if it is in that version. */
  convert(object: ApiObject, of: GroupVersionResource, to: GroupVersionKind): ApiObject
  /** As JSON, with kind and apiVersion. */
  encode(object: ApiObject, of: GroupVersionResource): string
  /** Typed, with defaults; unknown fields are removed, or refused. Throws StatusError. */
  decode(tree: JsonObject, of: GroupVersionResource, kind: GroupVersionKind, options?: { strict?: boolean }): ApiObject
  /** The type of a kind's objects; undefined: it is not known yet. */
  struct(of: GroupVersionResource, kind: GroupVersionKind): StructType | undefined
}
