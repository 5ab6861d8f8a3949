import type { ApiObject } from '../../../lib/object/index.ts'

export const valid: ApiObject = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'vv7-x', namespace: 'default' },
  spec: {
    schedule: '*/1 * * * *',
    timeZone: 'Etc/UTC',
    concurrencyPolicy: 'Allow',
    startingDeadlineSeconds: 10,
    successfulJobsHistoryLimit: 1,
    failedJobsHistoryLimit: 1,
    jobTemplate: { spec: { template: { spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Never' } } } },
  },
}
