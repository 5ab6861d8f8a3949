// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
import type * as nodeK8sIoV1 from '../node.k8s.io/v1.ts'
/** A way to run containers, such as in a sandbox. */
export type RuntimeClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** How they are run. */
  spec: RuntimeClassSpec
}

/** The runtime, and what it needs. */
export type RuntimeClassSpec = {
  /** Name that nodes know the runtime by. */
  runtimeHandler: string
  /** Resources that running a pod costs. */
  overhead?: nodeK8sIoV1.Overhead
  /** Nodes that support the class; all when unset. */
  scheduling?: nodeK8sIoV1.Scheduling
}
