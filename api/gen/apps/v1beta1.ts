// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as appsV1 from '../apps/v1.ts'
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Keeps a pod running on every node, or on those that match. */
export type DaemonSet = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** What to run where. */
  spec: DaemonSetSpec
  /** What is running. */
  status: appsV1.DaemonSetStatus
}

/** Each node that the template fits gets one pod. */
export type DaemonSetSpec = {
  /** Selects the pods that belong to the set; must match the template. Cannot be changed. */
  selector?: metaV1.LabelSelector
  /** The pods to make, one on each node that they fit. */
  template: coreV1.PodTemplateSpec
  /** How pods are replaced after the template changed. */
  updateStrategy: appsV1.DaemonSetUpdateStrategy
  /** Seconds that a pod must be ready before it counts as available. Defaults to 0. */
  minReadySeconds?: number
  /** Counts the changes of the template. */
  templateGeneration?: number
  /** How many old revisions are kept for rolling back. Defaults to 10. */
  revisionHistoryLimit?: number
}

/** Keeps a number of like pods running, and replaces them step by step when their template changes. */
export type Deployment = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** What to keep running. */
  spec: DeploymentSpec
  /** What is running. */
  status: appsV1.DeploymentStatus
}

/** Each state of the template gets a replica set of its own. */
export type DeploymentSpec = {
  /** How many pods there should be. Defaults to 1. */
  replicas?: number
  /** Selects the pods that belong to the deployment; must match the template. Cannot be changed. */
  selector?: metaV1.LabelSelector
  /** The pods to make; their restartPolicy must be Always. */
  template: coreV1.PodTemplateSpec
  /** How pods are replaced after the template changed. */
  strategy: appsV1.DeploymentStrategy
  /** Seconds that a pod must be ready before it counts as available. Defaults to 0. */
  minReadySeconds?: number
  /** How many old replica sets are kept for rolling back. Defaults to 10. */
  revisionHistoryLimit?: number
  /** Leaves changes of the template alone until it is false again. Defaults to false. */
  paused?: boolean
  /** Asks for an earlier template, once. */
  rollbackTo?: RollbackConfig
  /** Seconds without progress after which the deployment counts as failed. Defaults to 600. */
  progressDeadlineSeconds?: number
}

/** The template to go back to. */
export type RollbackConfig = {
  /** Its revision; 0 is the last one. */
  revision?: number
}
