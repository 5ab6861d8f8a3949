// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** A group, its versions and their resources. */
export type APIGroupDiscovery = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name of the group; empty for core. */
  metadata: metaV1.ObjectMeta
  /** Versions of the group, the preferred first. */
  versions?: APIVersionDiscovery[]
}

/** A list of APIGroupDiscovery objects. */
export type APIGroupDiscoveryList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: APIGroupDiscovery[]
}

/** A resource. */
export type APIResourceDiscovery = {
  /** Plural name of the resource. */
  resource: string
  /** Kind of the objects. */
  responseKind?: metaV1.GroupVersionKind
  /** Cluster or Namespaced. */
  scope: string
  /** Singular name, as clients print it. */
  singularResource: string
  /** Verbs that the resource takes. */
  verbs?: string[]
  /** Abbreviations that clients accept. */
  shortNames?: string[]
  /** Groups of resources that this one is listed under, such as all. */
  categories?: string[]
  /** Subresources of the resource. */
  subresources?: APISubresourceDiscovery[]
}

/** A subresource. */
export type APISubresourceDiscovery = {
  /** Name of the subresource. */
  subresource: string
  /** Kind of the answers; unset when they are no objects. */
  responseKind?: metaV1.GroupVersionKind
  /** Kinds that it accepts besides the answer's. */
  acceptedTypes?: metaV1.GroupVersionKind[]
  /** Verbs that the subresource takes. */
  verbs?: string[]
}

/** A version of a group. */
export type APIVersionDiscovery = {
  /** Name of the version. */
  version: string
  /** Resources of the version. */
  resources?: APIResourceDiscovery[]
  /** Current, or Stale when the server behind it did not answer. */
  freshness?: string
}
