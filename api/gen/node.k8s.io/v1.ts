// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Counts for scheduling and quotas, and limits the pod on its node. */
export type Overhead = {
  /** The resources, for each pod. */
  podFixed?: Record<string, string>
}

/** A way to run containers, such as in a sandbox. */
export type RuntimeClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Runtime handler of the nodes. Cannot be changed. */
  handler: string
  /** Resources for running a pod; added to each pod of the class. */
  overhead?: Overhead
  /** Nodes that support the class; all when unset. */
  scheduling?: Scheduling
}

/** A list of RuntimeClass objects. */
export type RuntimeClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: RuntimeClass[]
}

/** Restricts pods of the class to these nodes. */
export type Scheduling = {
  /** Labels of the nodes; joined with the selector of the pod. */
  nodeSelector?: Record<string, string>
  /** Tolerations to add to pods of the class. */
  tolerations?: coreV1.Toleration[]
}
