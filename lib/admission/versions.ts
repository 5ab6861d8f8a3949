import type { ApiObject, GroupVersionKind, GroupVersionResource, JsonObject } from '../object/index.ts'
import type { StructType } from '../schema/index.ts'

/** A resource, or a part of one, in one version, and the kind that its requests bring. */
export interface ServedForm {
  readonly resource: GroupVersionResource
  readonly kind: GroupVersionKind
}

/** The versions in which objects are served, for plugins that others configure. */
export interface ObjectVersions {
  /** Another value whenever something else is served. */
  served(): unknown
  /** All resources that serve the same objects, this one among them, in the order of discovery. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly ServedForm[]
  /** A copy in another version of its kind; the object itself where it is in that version. */
  convert(object: ApiObject, of: GroupVersionResource, to: GroupVersionKind): ApiObject
  /** As JSON, with kind and apiVersion. */
  encode(object: ApiObject, of: GroupVersionResource): string
  /** Typed, with defaults; fields that the kind does not have are left out, or refused. Throws StatusError. */
  decode(tree: JsonObject, of: GroupVersionResource, kind: GroupVersionKind, options?: { strict?: boolean }): ApiObject
  /** The type of a kind's objects; undefined: it is not known yet. */
  struct(of: GroupVersionResource, kind: GroupVersionKind): StructType | undefined
}
