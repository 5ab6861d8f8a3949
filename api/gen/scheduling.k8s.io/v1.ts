// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** A named priority for pods. */
export type PriorityClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The priority; at most 1000000000 but for the system's own classes. Cannot be changed. */
  value: number
  /** Pods that name no class get this one; at most one class should have it. Defaults to false. */
  globalDefault?: boolean
  /** When to use the class, for people. */
  description?: string
  /** Whether pods of the class may evict others: PreemptLowerPriority (the default) or Never. */
  preemptionPolicy?: string
}

/** A list of PriorityClass objects. */
export type PriorityClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: PriorityClass[]
}
