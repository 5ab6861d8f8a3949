import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const batchV1: GroupVersionTable = {
  group: 'batch',
  version: 'v1',
  protoPackage: 'k8s.io.api.batch.v1',
  types: {
    CronJob: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'CronJobSpec', required: true },
        status: { n: 3, type: 'CronJobStatus' },
      },
    },
    CronJobList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]CronJob', omit: 'never', required: true },
      },
    },
    CronJobSpec: {
      fields: {
        schedule: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'] },
        timeZone: { n: 8, type: '*string' },
        startingDeadlineSeconds: { n: 2, type: '*int64', format: 'int64' },
        concurrencyPolicy: { n: 3, type: 'string', alias: 'ConcurrencyPolicy', enum: ['Allow', 'Forbid', 'Replace'] },
        suspend: { n: 4, type: '*bool' },
        jobTemplate: { n: 5, type: 'JobTemplateSpec', omit: 'never', required: true },
        successfulJobsHistoryLimit: { n: 6, type: '*int32', format: 'int32' },
        failedJobsHistoryLimit: { n: 7, type: '*int32', format: 'int32' },
      },
    },
    CronJobStatus: {
      fields: {
        active: { n: 1, type: '[]core/v1.ObjectReference', list: 'atomic' },
        lastScheduleTime: { n: 4, type: '*Time' },
        lastSuccessfulTime: { n: 5, type: '*Time' },
      },
    },
    Job: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'JobSpec' },
        status: { n: 3, type: 'JobStatus' },
      },
    },
    JobCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'JobConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        lastProbeTime: { n: 3, type: 'Time' },
        lastTransitionTime: { n: 4, type: 'Time' },
        reason: { n: 5, type: 'string' },
        message: { n: 6, type: 'string' },
      },
    },
    JobList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]Job', omit: 'never', required: true },
      },
    },
    JobSpec: {
      fields: {
        parallelism: { n: 1, type: '*int32', format: 'int32' },
        completions: { n: 2, type: '*int32', format: 'int32' },
        activeDeadlineSeconds: { n: 3, type: '*int64', format: 'int64' },
        podFailurePolicy: { n: 11, type: '*PodFailurePolicy' },
        successPolicy: { n: 16, type: '*SuccessPolicy' },
        backoffLimit: { n: 7, type: '*int32', format: 'int32' },
        backoffLimitPerIndex: { n: 12, type: '*int32', format: 'int32' },
        maxFailedIndexes: { n: 13, type: '*int32', format: 'int32' },
        selector: { n: 4, type: '*meta/v1.LabelSelector' },
        manualSelector: { n: 5, type: '*bool' },
        template: { n: 6, type: 'core/v1.PodTemplateSpec', omit: 'never', required: true },
        ttlSecondsAfterFinished: { n: 8, type: '*int32', format: 'int32' },
        completionMode: { n: 9, type: '*string', alias: 'CompletionMode', enum: ['Indexed', 'NonIndexed'] },
        suspend: { n: 10, type: '*bool' },
        podReplacementPolicy: { n: 14, type: '*string', alias: 'PodReplacementPolicy', enum: ['Failed', 'TerminatingOrFailed'] },
        managedBy: { n: 15, type: '*string' },
      },
    },
    JobStatus: {
      fields: {
        conditions: { n: 1, type: '[]JobCondition', list: 'atomic', patch: 'merge', patchKey: 'type' },
        startTime: { n: 2, type: '*Time' },
        completionTime: { n: 3, type: '*Time' },
        active: { n: 4, type: 'int32', format: 'int32' },
        succeeded: { n: 5, type: 'int32', format: 'int32' },
        failed: { n: 6, type: 'int32', format: 'int32' },
        terminating: { n: 11, type: '*int32', format: 'int32' },
        completedIndexes: { n: 7, type: 'string' },
        failedIndexes: { n: 10, type: '*string' },
        uncountedTerminatedPods: { n: 8, type: '*UncountedTerminatedPods' },
        ready: { n: 9, type: '*int32', format: 'int32' },
      },
    },
    JobTemplateSpec: {
      fields: {
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'JobSpec' },
      },
    },
    PodFailurePolicy: {
      fields: {
        rules: { n: 1, type: '[]PodFailurePolicyRule', omit: 'never', required: true, list: 'atomic' },
      },
    },
    PodFailurePolicyOnExitCodesRequirement: {
      fields: {
        containerName: { n: 1, type: '*string' },
        operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'PodFailurePolicyOnExitCodesOperator', enum: ['In', 'NotIn'] },
        values: { n: 3, type: '[]int32', omit: 'never', required: true, list: 'set', itemFormat: 'int32' },
      },
    },
    PodFailurePolicyOnPodConditionsPattern: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PodConditionType' },
        status: { n: 2, type: 'string', omit: 'never', default: '', alias: 'ConditionStatus' },
      },
    },
    PodFailurePolicyRule: {
      fields: {
        action: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PodFailurePolicyAction', enum: ['Count', 'FailIndex', 'FailJob', 'Ignore'] },
        onExitCodes: { n: 2, type: '*PodFailurePolicyOnExitCodesRequirement' },
        onPodConditions: { n: 3, type: '[]PodFailurePolicyOnPodConditionsPattern', list: 'atomic' },
      },
    },
    SuccessPolicy: {
      fields: {
        rules: { n: 1, type: '[]SuccessPolicyRule', omit: 'never', required: true, list: 'atomic' },
      },
    },
    SuccessPolicyRule: {
      fields: {
        succeededIndexes: { n: 1, type: '*string' },
        succeededCount: { n: 2, type: '*int32', format: 'int32' },
      },
    },
    UncountedTerminatedPods: {
      fields: {
        succeeded: { n: 1, type: '[]string', list: 'set', alias: 'UID' },
        failed: { n: 2, type: '[]string', list: 'set', alias: 'UID' },
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
      orphanByDefault: true,
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
