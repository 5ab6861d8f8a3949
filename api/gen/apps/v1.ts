// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type ControllerRevision = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  data?: JsonValue
  revision: number
}

export type ControllerRevisionList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ControllerRevision[]
}

export type DaemonSet = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: DaemonSetSpec
  status: DaemonSetStatus
}

export type DaemonSetCondition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type DaemonSetList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: DaemonSet[]
}

export type DaemonSetSpec = {
  selector?: metaV1.LabelSelector
  template: coreV1.PodTemplateSpec
  updateStrategy: DaemonSetUpdateStrategy
  minReadySeconds?: number
  revisionHistoryLimit?: number
}

export type DaemonSetStatus = {
  currentNumberScheduled: number
  numberMisscheduled: number
  desiredNumberScheduled: number
  numberReady: number
  observedGeneration?: number
  updatedNumberScheduled?: number
  numberAvailable?: number
  numberUnavailable?: number
  collisionCount?: number
  conditions?: DaemonSetCondition[]
}

export type DaemonSetUpdateStrategy = {
  type?: string
  rollingUpdate?: RollingUpdateDaemonSet
}

export type Deployment = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: DeploymentSpec
  status: DeploymentStatus
}

export type DeploymentCondition = {
  type: string
  status: string
  lastUpdateTime?: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type DeploymentList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Deployment[]
}

export type DeploymentSpec = {
  replicas?: number
  selector?: metaV1.LabelSelector
  template: coreV1.PodTemplateSpec
  strategy: DeploymentStrategy
  minReadySeconds?: number
  revisionHistoryLimit?: number
  paused?: boolean
  progressDeadlineSeconds?: number
}

export type DeploymentStatus = {
  observedGeneration?: number
  replicas?: number
  updatedReplicas?: number
  readyReplicas?: number
  availableReplicas?: number
  unavailableReplicas?: number
  terminatingReplicas?: number
  conditions?: DeploymentCondition[]
  collisionCount?: number
}

export type DeploymentStrategy = {
  type?: string
  rollingUpdate?: RollingUpdateDeployment
}

export type ReplicaSet = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ReplicaSetSpec
  status: ReplicaSetStatus
}

export type ReplicaSetCondition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type ReplicaSetList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ReplicaSet[]
}

export type ReplicaSetSpec = {
  replicas?: number
  minReadySeconds?: number
  selector?: metaV1.LabelSelector
  template: coreV1.PodTemplateSpec
}

export type ReplicaSetStatus = {
  replicas: number
  fullyLabeledReplicas?: number
  readyReplicas?: number
  availableReplicas?: number
  terminatingReplicas?: number
  observedGeneration?: number
  conditions?: ReplicaSetCondition[]
}

export type RollingUpdateDaemonSet = {
  maxUnavailable?: number | string
  maxSurge?: number | string
}

export type RollingUpdateDeployment = {
  maxUnavailable?: number | string
  maxSurge?: number | string
}

export type RollingUpdateStatefulSetStrategy = {
  partition?: number
  maxUnavailable?: number | string
}

export type StatefulSet = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: StatefulSetSpec
  status: StatefulSetStatus
}

export type StatefulSetCondition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type StatefulSetList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: StatefulSet[]
}

export type StatefulSetOrdinals = {
  start: number
}

export type StatefulSetPersistentVolumeClaimRetentionPolicy = {
  whenDeleted?: string
  whenScaled?: string
}

export type StatefulSetSpec = {
  replicas?: number
  selector?: metaV1.LabelSelector
  template: coreV1.PodTemplateSpec
  volumeClaimTemplates?: coreV1.PersistentVolumeClaim[]
  serviceName: string
  podManagementPolicy?: string
  updateStrategy: StatefulSetUpdateStrategy
  revisionHistoryLimit?: number
  minReadySeconds?: number
  persistentVolumeClaimRetentionPolicy?: StatefulSetPersistentVolumeClaimRetentionPolicy
  ordinals?: StatefulSetOrdinals
}

export type StatefulSetStatus = {
  observedGeneration?: number
  replicas: number
  readyReplicas?: number
  currentReplicas?: number
  updatedReplicas?: number
  currentRevision?: string
  updateRevision?: string
  collisionCount?: number
  conditions?: StatefulSetCondition[]
  availableReplicas: number
}

export type StatefulSetUpdateStrategy = {
  type?: string
  rollingUpdate?: RollingUpdateStatefulSetStrategy
}
