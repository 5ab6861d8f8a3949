// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Makes a job again and again, by a schedule. */
export type CronJob = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** What to run when. */
  spec: CronJobSpec
  /** What was run. */
  status: CronJobStatus
}

/** A list of CronJob objects. */
export type CronJobList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CronJob[]
}

/** Each run is a job of its own, made from the template. */
export type CronJobSpec = {
  /** When to run, in cron's five fields. */
  schedule: string
  /** Time zone of the schedule, such as Europe/Paris; that of the controller when unset. */
  timeZone?: string
  /** Seconds that a run may be late; after that it is skipped. Unset is no limit. */
  startingDeadlineSeconds?: number
  /** When a run is due and the last goes on: Allow (the default) both, Forbid the new, or Replace the old. */
  concurrencyPolicy?: string
  /** Starts no more runs; those that go on are left alone. Defaults to false. */
  suspend?: boolean
  /** The jobs to make. */
  jobTemplate: JobTemplateSpec
  /** How many successful jobs are kept. Defaults to 3. */
  successfulJobsHistoryLimit?: number
  /** How many failed jobs are kept. Defaults to 1. */
  failedJobsHistoryLimit?: number
}

/** The jobs themselves tell how they went. */
export type CronJobStatus = {
  /** Jobs that are going on. */
  active?: coreV1.ObjectReference[]
  /** When a job was last due and made. */
  lastScheduleTime?: string
  /** When a job last succeeded. */
  lastSuccessfulTime?: string
}

/** Runs pods until enough of them have succeeded. */
export type Job = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** What to run. */
  spec: JobSpec
  /** How far it is. */
  status: JobStatus
}

/** One aspect of a job, such as Complete, Failed or Suspended. */
export type JobCondition = {
  /** What the condition is about, in CamelCase; one condition a type. */
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
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Job[]
}

/** Pods are made until completions of them have succeeded or too many have failed. */
export type JobSpec = {
  /** Most pods to run at a time. Defaults to 1. */
  parallelism?: number
  /** Successes that are needed; unset, one success ends the job and other pods are let finish. */
  completions?: number
  /** Seconds that the job may take before it is failed; suspending it restarts the count. */
  activeDeadlineSeconds?: number
  /** What to do about failed pods, by exit code or condition; unset, they count against backoffLimit. */
  podFailurePolicy?: PodFailurePolicy
  /** When an Indexed job has succeeded before all of its indexes have. */
  successPolicy?: SuccessPolicy
  /** Failures of pods after which the job has failed. Defaults to 6. */
  backoffLimit?: number
  /** Failures of pods after which an index has failed. Only for Indexed. Cannot be changed. */
  backoffLimitPerIndex?: number
  /** Failed indexes after which the job has failed; needs backoffLimitPerIndex. */
  maxFailedIndexes?: number
  /** Selects the pods of the job; normally generated. */
  selector?: metaV1.LabelSelector
  /** Lets selector and its labels be chosen by hand; pods of others may then be taken for the job's. */
  manualSelector?: boolean
  /** The pods to make; their restartPolicy must be Never or OnFailure. */
  template: coreV1.PodTemplateSpec
  /** Seconds after which the finished job is deleted; unset is never. */
  ttlSecondsAfterFinished?: number
  /** NonIndexed (the default) counts successes; Indexed needs one of each index from 0 to completions - 1. */
  completionMode?: string
  /** Makes no pods, and deletes those that run, while true. Defaults to false. */
  suspend?: boolean
  /** When a pod is replaced: once it is terminating (TerminatingOrFailed) or once it has Failed. */
  podReplacementPolicy?: string
  /** Controller that runs the job; the built-in one when unset. Cannot be changed. */
  managedBy?: string
}

/** Counts of the pods, and how the job ended. */
export type JobStatus = {
  /** Aspects of the job's state; at most one of Complete and Failed is True. */
  conditions?: JobCondition[]
  /** When the job began; reset when it is resumed. */
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
  /** What the jobs run. */
  spec: JobSpec
}

/** What to do about failed pods. */
export type PodFailurePolicy = {
  /** Rules, of which the first that matches decides; otherwise the failure counts against backoffLimit. */
  rules?: PodFailurePolicyRule[]
}

/** A set of exit codes of failed containers. */
export type PodFailurePolicyOnExitCodesRequirement = {
  /** Looks only at this container; at all when unset. */
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

/** When a job has succeeded early. */
export type SuccessPolicy = {
  /** Rules, of which any one suffices. */
  rules?: SuccessPolicyRule[]
}

/** Indexes that suffice for success; at least one of the fields is set. */
export type SuccessPolicyRule = {
  /** Indexes that must all succeed, or among which succeededCount are counted, such as 1,3-5,7. */
  succeededIndexes?: string
  /** How many indexes must succeed. */
  succeededCount?: number
}

/** The controller's memory while it counts them, so that none counts twice. */
export type UncountedTerminatedPods = {
  /** UIDs of those that succeeded. */
  succeeded?: string[]
  /** UIDs of those that failed. */
  failed?: string[]
}
