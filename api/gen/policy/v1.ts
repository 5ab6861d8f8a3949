// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type Eviction = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  deleteOptions?: metaV1.DeleteOptions
}

export type PodDisruptionBudget = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: PodDisruptionBudgetSpec
  status: PodDisruptionBudgetStatus
}

export type PodDisruptionBudgetList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: PodDisruptionBudget[]
}

export type PodDisruptionBudgetSpec = {
  minAvailable?: number | string
  selector?: metaV1.LabelSelector
  maxUnavailable?: number | string
  unhealthyPodEvictionPolicy?: string
}

export type PodDisruptionBudgetStatus = {
  observedGeneration?: number
  disruptedPods?: Record<string, string>
  disruptionsAllowed: number
  currentHealthy: number
  desiredHealthy: number
  expectedPods: number
  conditions?: metaV1.Condition[]
}
