// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type APIGroupDiscovery = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  versions?: APIVersionDiscovery[]
}

export type APIGroupDiscoveryList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: APIGroupDiscovery[]
}

export type APIResourceDiscovery = {
  resource: string
  responseKind?: metaV1.GroupVersionKind
  scope: string
  singularResource: string
  verbs?: string[]
  shortNames?: string[]
  categories?: string[]
  subresources?: APISubresourceDiscovery[]
}

export type APISubresourceDiscovery = {
  subresource: string
  responseKind?: metaV1.GroupVersionKind
  acceptedTypes?: metaV1.GroupVersionKind[]
  verbs?: string[]
}

export type APIVersionDiscovery = {
  version: string
  resources?: APIResourceDiscovery[]
  freshness?: string
}
