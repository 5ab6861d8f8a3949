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
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Pods, and the nodes that run them. */
  spec: DaemonSetSpec
  /** State of the pods. */
  status: appsV1.DaemonSetStatus
}

/** Each node that the template matches gets one pod. */
export type DaemonSetSpec = {
  /** Selects the pods that belong to the set; must match the template. Cannot be changed. */
  selector?: metaV1.LabelSelector
  /** Template of the pods, one on each matching node. */
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

/** Keeps a number of equal pods running, and replaces them step by step when their template changes. */
export type Deployment = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Pods to keep running. */
  spec: DeploymentSpec
  /** State of the pods. */
  status: appsV1.DeploymentStatus
}

/** Each state of the template gets its own replica set. */
export type DeploymentSpec = {
  /** How many pods there should be. Defaults to 1. */
  replicas?: number
  /** Selects the pods that belong to the deployment; must match the template. Cannot be changed. */
  selector?: metaV1.LabelSelector
  /** Template of the pods; their restartPolicy must be Always. */
  template: coreV1.PodTemplateSpec
  /** How pods are replaced after the template changed. */
  strategy: appsV1.DeploymentStrategy
  /** Seconds that a pod must be ready before it counts as available. Defaults to 0. */
  minReadySeconds?: number
  /** How many old replica sets are kept for rolling back. Defaults to 10. */
  revisionHistoryLimit?: number
  /** Ignores changes of the template until it is false again. Defaults to false. */
  paused?: boolean
  /** Requests an earlier template, once. */
  rollbackTo?: RollbackConfig
  /** Seconds without progress after which the deployment counts as failed. Defaults to 600. */
  progressDeadlineSeconds?: number
}

/** The template to roll back to. */
export type RollbackConfig = {
  /** Its revision; 0 is the last one. */
  revision?: number
}
