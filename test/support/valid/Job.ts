import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    parallelism: 2,
    completions: 2,
    completionMode: 'Indexed',
    activeDeadlineSeconds: 10,
    backoffLimitPerIndex: 1,
    maxFailedIndexes: 1,
    ttlSecondsAfterFinished: 10,
    managedBy: 'a.b/c',
    podReplacementPolicy: 'Failed',
    podFailurePolicy: {
      rules: [
        { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [1] } },
        { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      ],
    },
    successPolicy: { rules: [{ succeededIndexes: '0', succeededCount: 1 }] },
    template: { metadata: { labels: {} }, spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } },
  },
}
