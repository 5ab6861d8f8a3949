// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type APIGroupDiscovery = {
  kind?: string
  apiVersion?: string
  metadata: metaV1.ObjectMeta
  versions?: APIVersionDiscovery[]
}

export type APIGroupDiscoveryList = {
  kind?: string
  apiVersion?: string
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
