// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
import type * as nodeK8sIoV1 from '../node.k8s.io/v1.ts'
/** A way to run containers, such as in a sandbox. */
export type RuntimeClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Runtime and its requirements. */
  spec: RuntimeClassSpec
}

/** The runtime, and its requirements. */
export type RuntimeClassSpec = {
  /** Runtime handler of the nodes. */
  runtimeHandler: string
  /** Resources for running a pod. */
  overhead?: nodeK8sIoV1.Overhead
  /** Nodes that support the class; all when unset. */
  scheduling?: nodeK8sIoV1.Scheduling
}
