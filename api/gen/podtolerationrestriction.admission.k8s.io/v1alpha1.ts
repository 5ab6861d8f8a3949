// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
/** Settings of the plugin PodTolerationRestriction. */
export type Configuration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** Tolerations that pods get in namespaces that state none. */
  default?: coreV1.Toleration[]
  /** Tolerations that pods may have in namespaces that state none. */
  whitelist?: coreV1.Toleration[]
}
