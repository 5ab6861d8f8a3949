// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type BasicSchedulingPolicy = {}

export type GangSchedulingPolicy = {
  minCount: number
}

export type PodGroup = {
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: PodGroupSpec
  status: PodGroupStatus
}

export type PodGroupList = {
  kind: string
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
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: WorkloadSpec
}

export type WorkloadList = {
  kind: string
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
