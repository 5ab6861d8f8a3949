// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type BasicSchedulingPolicy = {}

export type GangSchedulingPolicy = {
  minCount: number
}

export type PodGroup = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: PodGroupSpec
  status: PodGroupStatus
}

export type PodGroupList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: PodGroup[]
}

export type PodGroupResourceClaim = {
  name: string
  resourceClaimName?: string
  resourceClaimTemplateName?: string
}

export type PodGroupResourceClaimStatus = {
  name: string
  resourceClaimName?: string
}

export type PodGroupSchedulingConstraints = {
  topology?: TopologyConstraint[]
}

export type PodGroupSchedulingPolicy = {
  basic?: BasicSchedulingPolicy
  gang?: GangSchedulingPolicy
}

export type PodGroupSpec = {
  podGroupTemplateRef?: PodGroupTemplateReference
  schedulingPolicy: PodGroupSchedulingPolicy
  schedulingConstraints?: PodGroupSchedulingConstraints
  resourceClaims?: PodGroupResourceClaim[]
  disruptionMode?: string
  priorityClassName?: string
  priority?: number
}

export type PodGroupStatus = {
  conditions?: metaV1.Condition[]
  resourceClaimStatuses?: PodGroupResourceClaimStatus[]
}

export type PodGroupTemplate = {
  name: string
  schedulingPolicy: PodGroupSchedulingPolicy
  schedulingConstraints?: PodGroupSchedulingConstraints
  resourceClaims?: PodGroupResourceClaim[]
  disruptionMode?: string
  priorityClassName?: string
  priority?: number
}

export type PodGroupTemplateReference = {
  workload?: WorkloadPodGroupTemplateReference
}

export type TopologyConstraint = {
  key: string
}

export type TypedLocalObjectReference = {
  apiGroup?: string
  kind: string
  name: string
}

export type Workload = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: WorkloadSpec
}

export type WorkloadList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Workload[]
}

export type WorkloadPodGroupTemplateReference = {
  workloadName: string
  podGroupTemplateName: string
}

export type WorkloadSpec = {
  controllerRef?: TypedLocalObjectReference
  podGroupTemplates?: PodGroupTemplate[]
}
