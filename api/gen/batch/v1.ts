// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type CronJob = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: CronJobSpec
  status: CronJobStatus
}

export type CronJobList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: CronJob[]
}

export type CronJobSpec = {
  schedule: string
  timeZone?: string
  startingDeadlineSeconds?: number
  concurrencyPolicy?: string
  suspend?: boolean
  jobTemplate: JobTemplateSpec
  successfulJobsHistoryLimit?: number
  failedJobsHistoryLimit?: number
}

export type CronJobStatus = {
  active?: coreV1.ObjectReference[]
  lastScheduleTime?: string
  lastSuccessfulTime?: string
}

export type Job = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: JobSpec
  status: JobStatus
}

export type JobCondition = {
  type: string
  status: string
  lastProbeTime?: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type JobList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Job[]
}

export type JobSpec = {
  parallelism?: number
  completions?: number
  activeDeadlineSeconds?: number
  podFailurePolicy?: PodFailurePolicy
  successPolicy?: SuccessPolicy
  backoffLimit?: number
  backoffLimitPerIndex?: number
  maxFailedIndexes?: number
  selector?: metaV1.LabelSelector
  manualSelector?: boolean
  template: coreV1.PodTemplateSpec
  ttlSecondsAfterFinished?: number
  completionMode?: string
  suspend?: boolean
  podReplacementPolicy?: string
  managedBy?: string
}

export type JobStatus = {
  conditions?: JobCondition[]
  startTime?: string
  completionTime?: string
  active?: number
  succeeded?: number
  failed?: number
  terminating?: number
  completedIndexes?: string
  failedIndexes?: string
  uncountedTerminatedPods?: UncountedTerminatedPods
  ready?: number
}

export type JobTemplateSpec = {
  metadata: metaV1.ObjectMeta
  spec: JobSpec
}

export type PodFailurePolicy = {
  rules?: PodFailurePolicyRule[]
}

export type PodFailurePolicyOnExitCodesRequirement = {
  containerName?: string
  operator: string
  values?: number[]
}

export type PodFailurePolicyOnPodConditionsPattern = {
  type: string
  status: string
}

export type PodFailurePolicyRule = {
  action: string
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[]
}

export type SuccessPolicy = {
  rules?: SuccessPolicyRule[]
}

export type SuccessPolicyRule = {
  succeededIndexes?: string
  succeededCount?: number
}

export type UncountedTerminatedPods = {
  succeeded?: string[]
  failed?: string[]
}
