// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
/** Settings of the plugin PodTolerationRestriction. */
export type Configuration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** Default tolerations of pods, for namespaces without their own. */
  default?: coreV1.Toleration[]
  /** Allowed tolerations of pods, for namespaces without their own. */
  whitelist?: coreV1.Toleration[]
}
