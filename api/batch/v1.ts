import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const batchV1: GroupVersionTable = {
  group: 'batch',
  version: 'v1',
  protoPackage: 'k8s.io.api.batch.v1',
  types: {
    CronJob: {
      doc: 'Creates jobs repeatedly, by a schedule.',
      kind: true,
      earlierVersions: ['v1beta1', 'v2alpha1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'CronJobSpec', required: true, doc: 'The jobs, and their schedule.' },
        status: { n: 3, type: 'CronJobStatus', doc: 'State of the runs.' },
      },
    },
    CronJobList: {
      doc: 'A list of CronJob objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]CronJob', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    CronJobSpec: {
      doc: 'Each run is a separate job, made from the template.',
      fields: {
        schedule: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'], doc: "When to run, in cron's five fields." },
        timeZone: { n: 8, type: '*string', doc: 'Time zone of the schedule, such as Europe/Paris; that of the controller when unset.' },
        startingDeadlineSeconds: { n: 2, type: '*int64', format: 'int64', doc: 'Seconds that a run may be late; after that it is skipped. Unset is no limit.' },
        concurrencyPolicy: { n: 3, type: 'string', alias: 'ConcurrencyPolicy', enum: ['Allow', 'Forbid', 'Replace'], doc: 'When the previous run is not finished: Allow both (the default), Forbid the new, or Replace the old.' },
        suspend: { n: 4, type: '*bool', doc: 'Starts no more runs; running jobs are not affected. Defaults to false.' },
        jobTemplate: { n: 5, type: 'JobTemplateSpec', omit: 'never', required: true, doc: 'Template of the jobs.' },
        successfulJobsHistoryLimit: { n: 6, type: '*int32', format: 'int32', doc: 'How many successful jobs are kept. Defaults to 3.' },
        failedJobsHistoryLimit: { n: 7, type: '*int32', format: 'int32', doc: 'How many failed jobs are kept. Defaults to 1.' },
      },
    },
    CronJobStatus: {
      doc: 'The jobs themselves have their results.',
      fields: {
        active: { n: 1, type: '[]core/v1.ObjectReference', list: 'atomic', doc: 'Running jobs.' },
        lastScheduleTime: { n: 4, type: '*Time', doc: 'When a job was last due and created.' },
        lastSuccessfulTime: { n: 5, type: '*Time', doc: 'When a job last succeeded.' },
      },
    },
    Job: {
      doc: 'Runs pods until enough of them have succeeded.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'JobSpec', doc: 'Pods of the job, and its conditions of success.' },
        status: { n: 3, type: 'JobStatus', doc: 'State of the job.' },
      },
    },
    JobCondition: {
      doc: 'One aspect of a job, such as Complete, Failed or Suspended.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'JobConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        lastProbeTime: { n: 3, type: 'Time', doc: 'When the condition was last checked.' },
        lastTransitionTime: { n: 4, type: 'Time', doc: 'When the status last changed from one value to another.' },
        reason: { n: 5, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 6, type: 'string', doc: 'Details of the last change, for people.' },
      },
    },
    JobList: {
      doc: 'A list of Job objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]Job', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    JobSpec: {
      doc: 'Creates pods until completions of them have succeeded or too many have failed.',
      fields: {
        parallelism: { n: 1, type: '*int32', format: 'int32', doc: 'Maximum number of running pods. Defaults to 1.' },
        completions: { n: 2, type: '*int32', format: 'int32', doc: 'Required successes; when unset, one success completes the job and the other pods may finish.' },
        activeDeadlineSeconds: { n: 3, type: '*int64', format: 'int64', doc: 'Seconds after which the job fails; suspending it restarts the count.' },
        podFailurePolicy: { n: 11, type: '*PodFailurePolicy', doc: 'Treatment of failed pods, by exit code or condition; when unset, they count against backoffLimit.' },
        successPolicy: { n: 16, type: '*SuccessPolicy', doc: 'Rules by which an Indexed job succeeds before all of its indexes have.' },
        backoffLimit: { n: 7, type: '*int32', format: 'int32', doc: 'Failures of pods after which the job has failed. Defaults to 6.' },
        backoffLimitPerIndex: { n: 12, type: '*int32', format: 'int32', doc: 'Failures of pods after which an index has failed. Only for Indexed. Cannot be changed.' },
        maxFailedIndexes: { n: 13, type: '*int32', format: 'int32', doc: 'Failed indexes after which the job has failed; needs backoffLimitPerIndex.' },
        selector: { n: 4, type: '*meta/v1.LabelSelector', doc: 'Selects the pods of the job; normally generated.' },
        manualSelector: { n: 5, type: '*bool', doc: 'Allows a selector and labels from the client; the job may then match pods of others.' },
        template: { n: 6, type: 'core/v1.PodTemplateSpec', omit: 'never', required: true, doc: 'Template of the pods; their restartPolicy must be Never or OnFailure.' },
        ttlSecondsAfterFinished: { n: 8, type: '*int32', format: 'int32', doc: 'Seconds after which the finished job is deleted; unset is never.' },
        completionMode: { n: 9, type: '*string', alias: 'CompletionMode', enum: ['Indexed', 'NonIndexed'], doc: 'NonIndexed (the default) counts successes; Indexed requires one of each index from 0 to completions - 1.' },
        suspend: { n: 10, type: '*bool', doc: 'Creates no pods, and deletes running ones, while true. Defaults to false.' },
        podReplacementPolicy: { n: 14, type: '*string', alias: 'PodReplacementPolicy', enum: ['Failed', 'TerminatingOrFailed'], doc: 'When a pod is replaced: when it is terminating (TerminatingOrFailed) or when it has Failed.' },
        managedBy: { n: 15, type: '*string', doc: 'Controller that runs the job; the built-in one when unset. Cannot be changed.' },
      },
    },
    JobStatus: {
      doc: 'Counts of the pods, and the result of the job.',
      fields: {
        conditions: { n: 1, type: '[]JobCondition', list: 'atomic', patch: 'merge', patchKey: 'type', doc: "Aspects of the job's state; at most one of Complete and Failed is True." },
        startTime: { n: 2, type: '*Time', doc: 'When the job started; reset when it is resumed.' },
        completionTime: { n: 3, type: '*Time', doc: 'When the job succeeded.' },
        active: { n: 4, type: 'int32', format: 'int32', doc: 'Pods that are pending or running.' },
        succeeded: { n: 5, type: 'int32', format: 'int32', doc: 'Pods that have succeeded.' },
        failed: { n: 6, type: 'int32', format: 'int32', doc: 'Pods that have failed.' },
        terminating: { n: 11, type: '*int32', format: 'int32', doc: 'Pods that are being deleted.' },
        completedIndexes: { n: 7, type: 'string', doc: 'Indexes that have succeeded, such as 1,3-5,7.' },
        failedIndexes: { n: 10, type: '*string', doc: 'Indexes that have failed, such as 1,3-5,7.' },
        uncountedTerminatedPods: { n: 8, type: '*UncountedTerminatedPods', doc: 'Pods that have ended but are not in the counts yet.' },
        ready: { n: 9, type: '*int32', format: 'int32', doc: 'Active pods that are ready and not being deleted.' },
      },
    },
    JobTemplateSpec: {
      doc: 'Jobs that a cron job makes.',
      fields: {
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Labels, annotations and other metadata of the jobs.' },
        spec: { n: 2, type: 'JobSpec', doc: 'Pods of the jobs.' },
      },
    },
    PodFailurePolicy: {
      doc: 'Treatment of failed pods.',
      fields: {
        rules: { n: 1, type: '[]PodFailurePolicyRule', omit: 'never', required: true, list: 'atomic', doc: 'Rules; the first that matches decides; otherwise the failure counts against backoffLimit.' },
      },
    },
    PodFailurePolicyOnExitCodesRequirement: {
      doc: 'A set of exit codes of failed containers.',
      fields: {
        containerName: { n: 1, type: '*string', doc: 'Checks only this container; all when unset.' },
        operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'PodFailurePolicyOnExitCodesOperator', enum: ['In', 'NotIn'], doc: 'In or NotIn.' },
        values: { n: 3, type: '[]int32', omit: 'never', required: true, list: 'set', itemFormat: 'int32', doc: 'The exit codes, ascending and without duplicates; 0 is not allowed for In.' },
      },
    },
    PodFailurePolicyOnPodConditionsPattern: {
      doc: 'A condition that a failed pod may have.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PodConditionType', doc: 'Type of the condition.' },
        status: { n: 2, type: 'string', omit: 'never', default: '', alias: 'ConditionStatus', doc: 'Status of the condition. Defaults to True.' },
      },
    },
    PodFailurePolicyRule: {
      doc: 'A rule about failed pods; exactly one of onExitCodes and onPodConditions is set.',
      fields: {
        action: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PodFailurePolicyAction', enum: ['Count', 'FailIndex', 'FailJob', 'Ignore'], doc: 'FailJob, FailIndex, Ignore the failure, or Count it as usual.' },
        onExitCodes: { n: 2, type: '*PodFailurePolicyOnExitCodesRequirement', doc: 'Exit codes that the rule is for.' },
        onPodConditions: { n: 3, type: '[]PodFailurePolicyOnPodConditionsPattern', list: 'atomic', doc: 'Conditions that the rule is for; any one of them suffices.' },
      },
    },
    SuccessPolicy: {
      doc: 'Rules for early success of a job.',
      fields: {
        rules: { n: 1, type: '[]SuccessPolicyRule', omit: 'never', required: true, list: 'atomic', doc: 'Rules; any one suffices.' },
      },
    },
    SuccessPolicyRule: {
      doc: 'Indexes that suffice for success; at least one of the fields is set.',
      fields: {
        succeededIndexes: { n: 1, type: '*string', doc: 'Indexes that must all succeed, or among which succeededCount are counted, such as 1,3-5,7.' },
        succeededCount: { n: 2, type: '*int32', format: 'int32', doc: 'How many indexes must succeed.' },
      },
    },
    UncountedTerminatedPods: {
      doc: 'Pods that the controller is counting, so that none counts twice.',
      fields: {
        succeeded: { n: 1, type: '[]string', list: 'set', alias: 'UID', doc: 'UIDs of those that succeeded.' },
        failed: { n: 2, type: '[]string', list: 'set', alias: 'UID', doc: 'UIDs of those that failed.' },
      },
    },
  },
  resources: {
    cronjobs: {
      kind: 'CronJob',
      singular: 'cronjob',
      listKind: 'CronJobList',
      namespaced: true,
      shortNames: ['cj'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'cronjobs',
      storageVersionHash: 'sd5LIXh4Fjs=',
      introduced: '1.21',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec'] },
      subresources: {
        status: { kind: 'CronJob', verbs: ['get', 'patch', 'update'] },
      },
    },
    jobs: {
      kind: 'Job',
      singular: 'job',
      listKind: 'JobList',
      namespaced: true,
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'jobs',
      storageVersionHash: 'mudhfqk/qZY=',
      introduced: '1.2',
      fieldSelectors: ['metadata.name', 'metadata.namespace', 'status.successful'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec'] },
      orphanByDefault: true,
      subresources: {
        status: { kind: 'Job', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
