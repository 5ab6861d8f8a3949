// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** A stored state of a stateful or daemon set, for rolling back to. */
export type ControllerRevision = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The state. Cannot be changed. */
  data?: JsonValue
  /** Number of the revision; later ones are higher. */
  revision: number
}

/** A list of ControllerRevision objects. */
export type ControllerRevisionList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ControllerRevision[]
}

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
  status: DaemonSetStatus
}

/** One aspect of a daemon set's state. */
export type DaemonSetCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of DaemonSet objects. */
export type DaemonSetList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: DaemonSet[]
}

/** Each node that the template matches gets one pod. */
export type DaemonSetSpec = {
  /** Selects the pods that belong to the set; must match the template. Cannot be changed. */
  selector?: metaV1.LabelSelector
  /** Template of the pods, one on each matching node. */
  template: coreV1.PodTemplateSpec
  /** How pods are replaced after the template changed. */
  updateStrategy: DaemonSetUpdateStrategy
  /** Seconds that a pod must be ready before it counts as available. Defaults to 0. */
  minReadySeconds?: number
  /** How many old revisions are kept for rolling back. Defaults to 10. */
  revisionHistoryLimit?: number
}

/** Counts of nodes, and of the pods on them. */
export type DaemonSetStatus = {
  /** Nodes that should run the pod and do. */
  currentNumberScheduled: number
  /** Nodes that run the pod although they should not. */
  numberMisscheduled: number
  /** Nodes that should run the pod. */
  desiredNumberScheduled: number
  /** Nodes that should run the pod and have a ready one. */
  numberReady: number
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** Nodes that run a pod of the present template. */
  updatedNumberScheduled?: number
  /** Nodes that should run the pod and have one that was ready for minReadySeconds. */
  numberAvailable?: number
  /** Nodes that should run the pod and have none available. */
  numberUnavailable?: number
  /** Counts collisions of revision names; part of the next name. */
  collisionCount?: number
  /** Aspects of the set's state. */
  conditions?: DaemonSetCondition[]
}

/** How the pods of a daemon set are replaced. */
export type DaemonSetUpdateStrategy = {
  /** RollingUpdate (the default), or OnDelete to replace pods only when they are deleted by other clients. */
  type?: string
  /** Settings of RollingUpdate. */
  rollingUpdate?: RollingUpdateDaemonSet
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
  status: DeploymentStatus
}

/** One aspect of a deployment, such as Available or Progressing. */
export type DeploymentCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the condition was last written. */
  lastUpdateTime?: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of Deployment objects. */
export type DeploymentList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Deployment[]
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
  strategy: DeploymentStrategy
  /** Seconds that a pod must be ready before it counts as available. Defaults to 0. */
  minReadySeconds?: number
  /** How many old replica sets are kept for rolling back. Defaults to 10. */
  revisionHistoryLimit?: number
  /** Ignores changes of the template until it is false again. Defaults to false. */
  paused?: boolean
  /** Seconds without progress after which the deployment counts as failed. Defaults to 600. */
  progressDeadlineSeconds?: number
}

/** Counts of the pods over all replica sets. */
export type DeploymentStatus = {
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** Pods that belong to the deployment and are not being deleted. */
  replicas?: number
  /** Pods of the present template. */
  updatedReplicas?: number
  /** Pods that are ready. */
  readyReplicas?: number
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number
  /** Pods that are not available, or not created yet. */
  unavailableReplicas?: number
  /** Pods that are being deleted. */
  terminatingReplicas?: number
  /** Aspects of the deployment's state, such as Available and Progressing. */
  conditions?: DeploymentCondition[]
  /** Counts collisions of replica set names; part of the next name. */
  collisionCount?: number
}

/** The default keeps most pods serving during an update. */
export type DeploymentStrategy = {
  /** RollingUpdate (the default), or Recreate to delete all old pods first. */
  type?: string
  /** Settings of RollingUpdate. */
  rollingUpdate?: RollingUpdateDeployment
}

/** Keeps a number of equal pods running; usually created by a deployment. */
export type ReplicaSet = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Pods to keep running. */
  spec: ReplicaSetSpec
  /** State of the pods. */
  status: ReplicaSetStatus
}

/** One aspect of a replica set's state. */
export type ReplicaSetCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of ReplicaSet objects. */
export type ReplicaSetList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ReplicaSet[]
}

/** Creates pods from the template, or deletes pods, until replicas of them match the selector. */
export type ReplicaSetSpec = {
  /** How many pods there should be. Defaults to 1. */
  replicas?: number
  /** Seconds that a pod must be ready before it counts as available. Defaults to 0. */
  minReadySeconds?: number
  /** Selects the pods that count; must match the template. Cannot be changed. */
  selector?: metaV1.LabelSelector
  /** Template of the pods. */
  template: coreV1.PodTemplateSpec
}

/** Counts of the pods that match the selector. */
export type ReplicaSetStatus = {
  /** How many pods there are, without those being deleted. */
  replicas: number
  /** Pods that have all labels of the template. */
  fullyLabeledReplicas?: number
  /** Pods that are ready. */
  readyReplicas?: number
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas?: number
  /** Pods that are being deleted. */
  terminatingReplicas?: number
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** Aspects of the set's state, such as ReplicaFailure. */
  conditions?: ReplicaSetCondition[]
}

/** Settings of a rolling update of a daemon set. */
export type RollingUpdateDaemonSet = {
  /** Nodes, by number or share, that may be without an available pod during an update. Defaults to 1. */
  maxUnavailable?: number | string
  /** Nodes, by number or share, that may run an old and a new pod during an update. Defaults to 0. */
  maxSurge?: number | string
}

/** Settings of a rolling update of a deployment. */
export type RollingUpdateDeployment = {
  /** Pods, by number or share, that may be missing during an update. Defaults to 25%, rounded down. */
  maxUnavailable?: number | string
  /** Pods, by number or share, that may exist beyond replicas during an update. Defaults to 25%, rounded up. */
  maxSurge?: number | string
}

/** Settings of a rolling update of a stateful set. */
export type RollingUpdateStatefulSetStrategy = {
  /** Only pods of this ordinal and above are replaced. Defaults to 0. */
  partition?: number
  /** Pods, by number or share, that may be missing during an update. Defaults to 1. */
  maxUnavailable?: number | string
}

/** Keeps numbered pods running, each with a stable name and persistent volumes. */
export type StatefulSet = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Pods to keep running. */
  spec: StatefulSetSpec
  /** State of the pods; may be out of date. */
  status: StatefulSetStatus
}

/** One aspect of a stateful set's state. */
export type StatefulSetCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of StatefulSet objects. */
export type StatefulSetList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: StatefulSet[]
}

/** How the pods of a set are numbered. */
export type StatefulSetOrdinals = {
  /** Ordinal of the first pod. Defaults to 0. */
  start: number
}

/** Deleting a claim deletes its data if its storage class does. */
export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  /** After the set is deleted: Retain (the default) or Delete. */
  whenDeleted?: string
  /** After their pod is scaled down: Retain (the default) or Delete. */
  whenScaled?: string
}

/** Pods keep their ordinal, name and claims when they are replaced. */
export type StatefulSetSpec = {
  /** How many pods there should be. Defaults to 1. */
  replicas?: number
  /** Selects the pods that belong to the set; must match the template. Cannot be changed. */
  selector?: metaV1.LabelSelector
  /** Template of the pods, named <set>-<ordinal>; their restartPolicy must be Always. */
  template: coreV1.PodTemplateSpec
  /** Templates of the claims that each pod gets; they have precedence over volumes of the same name. */
  volumeClaimTemplates?: coreV1.PersistentVolumeClaim[]
  /** Headless service, created separately, that gives the pods their DNS names. */
  serviceName: string
  /** OrderedReady (the default) creates pods one after another; Parallel creates them all at once. */
  podManagementPolicy?: string
  /** How pods are replaced after the template changed. */
  updateStrategy: StatefulSetUpdateStrategy
  /** How many old revisions are kept for rolling back. Defaults to 10. */
  revisionHistoryLimit?: number
  /** Seconds that a pod must be ready before it counts as available. Defaults to 0. */
  minReadySeconds?: number
  /** Whether the claims made from volumeClaimTemplates are deleted. */
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy
  /** How the pods are numbered; from 0 when unset. */
  ordinals?: StatefulSetOrdinals
}

/** Counts of the pods, by readiness and by revision. */
export type StatefulSetStatus = {
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** How many pods there are. */
  replicas: number
  /** Pods that are ready. */
  readyReplicas?: number
  /** Pods of the revision currentRevision. */
  currentReplicas?: number
  /** Pods of the revision updateRevision. */
  updatedReplicas?: number
  /** Revision that pods have before the update. */
  currentRevision?: string
  /** Revision that pods have after the update. */
  updateRevision?: string
  /** Counts collisions of revision names; part of the next name. */
  collisionCount?: number
  /** Aspects of the set's state. */
  conditions?: StatefulSetCondition[]
  /** Pods that have been ready for minReadySeconds. */
  availableReplicas: number
}

/** How the pods of a stateful set are replaced. */
export type StatefulSetUpdateStrategy = {
  /** RollingUpdate (the default), or OnDelete to replace pods only when they are deleted by other clients. */
  type?: string
  /** Settings of RollingUpdate. */
  rollingUpdate?: RollingUpdateStatefulSetStrategy
}
