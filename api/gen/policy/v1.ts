// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Requests the deletion of a pod, as far as disruption budgets allow. */
export type Eviction = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name and namespace of the pod. */
  metadata: metaV1.ObjectMeta
  /** Options of the deletion. */
  deleteOptions?: metaV1.DeleteOptions
}

/** How many of a set of pods may be evicted at a time. */
export type PodDisruptionBudget = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The pods and the limit. */
  spec: PodDisruptionBudgetSpec
  /** How many may be evicted now. */
  status: PodDisruptionBudgetStatus
}

/** A list of PodDisruptionBudget objects. */
export type PodDisruptionBudgetList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: PodDisruptionBudget[]
}

/** Pods, and how many of them may be missing. */
export type PodDisruptionBudgetSpec = {
  /** Pods, by number or share, that must stay available; excludes maxUnavailable. */
  minAvailable?: number | string
  /** Selects the pods: none when unset, all of the namespace when empty. */
  selector?: metaV1.LabelSelector
  /** Pods, by number or share, that may be missing; excludes minAvailable. */
  maxUnavailable?: number | string
  /** When pods that are not ready may be evicted: IfHealthyBudget (the default) or AlwaysAllow. */
  unhealthyPodEvictionPolicy?: string
}

/** Updated whenever pods change. */
export type PodDisruptionBudgetStatus = {
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** Pods whose eviction was granted but is not observed yet, and when it was. */
  disruptedPods?: Record<string, string>
  /** How many pods may be evicted now. */
  disruptionsAllowed: number
  /** Pods that are healthy. */
  currentHealthy: number
  /** Healthy pods that are needed. */
  desiredHealthy: number
  /** Pods that the budget is for. */
  expectedPods: number
  /** Aspects of the budget's state, such as DisruptionAllowed. */
  conditions?: metaV1.Condition[]
}
