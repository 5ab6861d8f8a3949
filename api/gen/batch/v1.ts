// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Creates jobs repeatedly, by a schedule. */
export type CronJob = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The jobs, and their schedule. */
  spec: CronJobSpec
  /** State of the runs. */
  status: CronJobStatus
}

/** A list of CronJob objects. */
export type CronJobList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CronJob[]
}

/** Each run is a separate job, made from the template. */
export type CronJobSpec = {
  /** When to run, in cron's five fields. */
  schedule: string
  /** Time zone of the schedule, such as Europe/Paris; that of the controller when unset. */
  timeZone?: string
  /** Seconds that a run may be late; after that it is skipped. Unset is no limit. */
  startingDeadlineSeconds?: number
  /** When the previous run is not finished: Allow both (the default), Forbid the new, or Replace the old. */
  concurrencyPolicy?: string
  /** Starts no more runs; running jobs are not affected. Defaults to false. */
  suspend?: boolean
  /** Template of the jobs. */
  jobTemplate: JobTemplateSpec
  /** How many successful jobs are kept. Defaults to 3. */
  successfulJobsHistoryLimit?: number
  /** How many failed jobs are kept. Defaults to 1. */
  failedJobsHistoryLimit?: number
}

/** The jobs themselves have their results. */
export type CronJobStatus = {
  /** Running jobs. */
  active?: coreV1.ObjectReference[]
  /** When a job was last due and created. */
  lastScheduleTime?: string
  /** When a job last succeeded. */
  lastSuccessfulTime?: string
}

/** Runs pods until enough of them have succeeded. */
export type Job = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Pods of the job, and its conditions of success. */
  spec: JobSpec
  /** State of the job. */
  status: JobStatus
}

/** One aspect of a job, such as Complete, Failed or Suspended. */
export type JobCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the condition was last checked. */
  lastProbeTime?: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of Job objects. */
export type JobList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Job[]
}

/** Creates pods until completions of them have succeeded or too many have failed. */
export type JobSpec = {
  /** Maximum number of running pods. Defaults to 1. */
  parallelism?: number
  /** Required successes; when unset, one success completes the job and the other pods may finish. */
  completions?: number
  /** Seconds after which the job fails; suspending it restarts the count. */
  activeDeadlineSeconds?: number
  /** Treatment of failed pods, by exit code or condition; when unset, they count against backoffLimit. */
  podFailurePolicy?: PodFailurePolicy
  /** Rules by which an Indexed job succeeds before all of its indexes have. */
  successPolicy?: SuccessPolicy
  /** Failures of pods after which the job has failed. Defaults to 6. */
  backoffLimit?: number
  /** Failures of pods after which an index has failed. Only for Indexed. Cannot be changed. */
  backoffLimitPerIndex?: number
  /** Failed indexes after which the job has failed; needs backoffLimitPerIndex. */
  maxFailedIndexes?: number
  /** Selects the pods of the job; normally generated. */
  selector?: metaV1.LabelSelector
  /** Allows a selector and labels from the client; the job may then match pods of others. */
  manualSelector?: boolean
  /** Template of the pods; their restartPolicy must be Never or OnFailure. */
  template: coreV1.PodTemplateSpec
  /** Seconds after which the finished job is deleted; unset is never. */
  ttlSecondsAfterFinished?: number
  /** NonIndexed (the default) counts successes; Indexed requires one of each index from 0 to completions - 1. */
  completionMode?: string
  /** Creates no pods, and deletes running ones, while true. Defaults to false. */
  suspend?: boolean
  /** When a pod is replaced: when it is terminating (TerminatingOrFailed) or when it has Failed. */
  podReplacementPolicy?: string
  /** Controller that runs the job; the built-in one when unset. Cannot be changed. */
  managedBy?: string
}

/** Counts of the pods, and the result of the job. */
export type JobStatus = {
  /** Aspects of the job's state; at most one of Complete and Failed is True. */
  conditions?: JobCondition[]
  /** When the job started; reset when it is resumed. */
  startTime?: string
  /** When the job succeeded. */
  completionTime?: string
  /** Pods that are pending or running. */
  active?: number
  /** Pods that have succeeded. */
  succeeded?: number
  /** Pods that have failed. */
  failed?: number
  /** Pods that are being deleted. */
  terminating?: number
  /** Indexes that have succeeded, such as 1,3-5,7. */
  completedIndexes?: string
  /** Indexes that have failed, such as 1,3-5,7. */
  failedIndexes?: string
  /** Pods that have ended but are not in the counts yet. */
  uncountedTerminatedPods?: UncountedTerminatedPods
  /** Active pods that are ready and not being deleted. */
  ready?: number
}

/** Jobs that a cron job makes. */
export type JobTemplateSpec = {
  /** Labels, annotations and other metadata of the jobs. */
  metadata: metaV1.ObjectMeta
  /** Pods of the jobs. */
  spec: JobSpec
}

/** Treatment of failed pods. */
export type PodFailurePolicy = {
  /** Rules; the first that matches decides; otherwise the failure counts against backoffLimit. */
  rules?: PodFailurePolicyRule[]
}

/** A set of exit codes of failed containers. */
export type PodFailurePolicyOnExitCodesRequirement = {
  /** Checks only this container; all when unset. */
  containerName?: string
  /** In or NotIn. */
  operator: string
  /** The exit codes, ascending and without duplicates; 0 is not allowed for In. */
  values?: number[]
}

/** A condition that a failed pod may have. */
export type PodFailurePolicyOnPodConditionsPattern = {
  /** Type of the condition. */
  type: string
  /** Status of the condition. Defaults to True. */
  status: string
}

/** A rule about failed pods; exactly one of onExitCodes and onPodConditions is set. */
export type PodFailurePolicyRule = {
  /** FailJob, FailIndex, Ignore the failure, or Count it as usual. */
  action: string
  /** Exit codes that the rule is for. */
  onExitCodes?: PodFailurePolicyOnExitCodesRequirement
  /** Conditions that the rule is for; any one of them suffices. */
  onPodConditions?: PodFailurePolicyOnPodConditionsPattern[]
}

/** Rules for early success of a job. */
export type SuccessPolicy = {
  /** Rules; any one suffices. */
  rules?: SuccessPolicyRule[]
}

/** Indexes that suffice for success; at least one of the fields is set. */
export type SuccessPolicyRule = {
  /** Indexes that must all succeed, or among which succeededCount are counted, such as 1,3-5,7. */
  succeededIndexes?: string
  /** How many indexes must succeed. */
  succeededCount?: number
}

/** Pods that the controller is counting, so that none counts twice. */
export type UncountedTerminatedPods = {
  /** UIDs of those that succeeded. */
  succeeded?: string[]
  /** UIDs of those that failed. */
  failed?: string[]
}
