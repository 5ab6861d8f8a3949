// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
/** Settings of the plugin ResourceQuota. */
export type Configuration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** Resources that may only be used where a quota allows them. */
  limitedResources?: LimitedResource[]
}

/** A resource that may only be used where a quota allows it. */
export type LimitedResource = {
  /** API group of the resource. */
  apiGroup?: string
  /** Plural name of the resource. */
  resource: string
  /** Texts of which any one in a quota's resource name makes it limited. */
  matchContains?: string[]
  /** Scopes in which use is limited. */
  matchScopes?: coreV1.ScopedResourceSelectorRequirement[]
}
