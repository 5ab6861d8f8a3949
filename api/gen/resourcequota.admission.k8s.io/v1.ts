// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
/** Settings of the plugin ResourceQuota. */
export type Configuration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** Resources that may only be used with a quota for them. */
  limitedResources?: LimitedResource[]
}

/** A resource that may only be used with a quota for it. */
export type LimitedResource = {
  /** API group of the resource. */
  apiGroup?: string
  /** Plural name of the resource. */
  resource: string
  /** A resource name in a quota that contains any of these texts is limited. */
  matchContains?: string[]
  /** Scopes in which objects need a quota. */
  matchScopes?: coreV1.ScopedResourceSelectorRequirement[]
}
