// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Pods of the group are scheduled one by one. */
export type BasicSchedulingPolicy = {}

/** Prevents that some pods hold nodes while others find none. */
export type GangSchedulingPolicy = {
  /** Number of pods that must fit at once before any is scheduled. */
  minCount: number
}

/** A group of pods that are scheduled together. */
export type PodGroup = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** How the group is scheduled. */
  spec: PodGroupSpec
  /** State of scheduling. */
  status: PodGroupStatus
}

/** A list of PodGroup objects. */
export type PodGroupList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: PodGroup[]
}

/** A claim of devices that the pods of a group share; one of the two sources is set. */
export type PodGroupResourceClaim = {
  /** Name of the claim within the group. */
  name: string
  /** Name of a claim that exists in the namespace. */
  resourceClaimName?: string
  /** Template of a claim for this group; the claim is deleted with the group. */
  resourceClaimTemplateName?: string
}

/** The claim that was made for one of a group's resource claims. */
export type PodGroupResourceClaimStatus = {
  /** Name of the entry in spec.resourceClaims. */
  name: string
  /** Name of the claim; unset when none was needed. */
  resourceClaimName?: string
}

/** All of them must be met. */
export type PodGroupSchedulingConstraints = {
  /** Topology domains that must hold all pods of the group. */
  topology?: TopologyConstraint[]
}

/** How a group is scheduled; exactly one of the fields is set. */
export type PodGroupSchedulingPolicy = {
  /** One by one, as without a group. */
  basic?: BasicSchedulingPolicy
  /** Together or not at all. */
  gang?: GangSchedulingPolicy
}

/** Immutable. */
export type PodGroupSpec = {
  /** Template that the group was made from. */
  podGroupTemplateRef?: PodGroupTemplateReference
  /** Whether the pods are scheduled one by one or together. */
  schedulingPolicy: PodGroupSchedulingPolicy
  /** Where the pods may be placed. */
  schedulingConstraints?: PodGroupSchedulingConstraints
  /** Claims of devices that the pods share. */
  resourceClaims?: PodGroupResourceClaim[]
  /** Unit of preemption: a single Pod (the default) or the whole PodGroup. */
  disruptionMode?: string
  /** Priority class of the group. */
  priorityClassName?: string
  /** Priority of the group; set from the class. */
  priority?: number
}

/** Reported by the scheduler. */
export type PodGroupStatus = {
  /** Aspects of the group's state, such as PodGroupScheduled. */
  conditions?: metaV1.Condition[]
  /** Claims that were made from templates for this group. */
  resourceClaimStatuses?: PodGroupResourceClaimStatus[]
}

/** A template of pod groups. */
export type PodGroupTemplate = {
  /** Name of the template, unique in the workload. */
  name: string
  /** Whether the pods are scheduled one by one or together. */
  schedulingPolicy: PodGroupSchedulingPolicy
  /** Where the pods may be placed. */
  schedulingConstraints?: PodGroupSchedulingConstraints
  /** Claims of devices that the pods share. */
  resourceClaims?: PodGroupResourceClaim[]
  /** Unit of preemption: a single Pod (the default) or the whole PodGroup. */
  disruptionMode?: string
  /** Priority class of the group. */
  priorityClassName?: string
  /** Priority of the group; set from the class. */
  priority?: number
}

/** For information: later changes of the template do not affect the group. */
export type PodGroupTemplateReference = {
  /** A template of a workload. */
  workload?: WorkloadPodGroupTemplateReference
}

/** A topology domain that must hold all pods of a group. */
export type TopologyConstraint = {
  /** Node label; nodes with the same value are one domain. */
  key: string
}

/** Names an object of any kind in the same namespace. */
export type TypedLocalObjectReference = {
  /** API group of the object; empty is core. */
  apiGroup?: string
  /** Kind of the object. */
  kind: string
  /** Name of the object. */
  name: string
}

/** Groups of pods that belong together, as templates for scheduling them. */
export type Workload = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The groups. */
  spec: WorkloadSpec
}

/** A list of Workload objects. */
export type WorkloadList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Workload[]
}

/** The workload is in the namespace of the group. */
export type WorkloadPodGroupTemplateReference = {
  /** Name of the workload. */
  workloadName: string
  /** Name of the template within it. */
  podGroupTemplateName: string
}

/** Each template can be used for any number of groups. */
export type WorkloadSpec = {
  /** The object that the workload is for, such as a job; for information. */
  controllerRef?: TypedLocalObjectReference
  /** Templates of the groups. Cannot be changed. */
  podGroupTemplates?: PodGroupTemplate[]
}
