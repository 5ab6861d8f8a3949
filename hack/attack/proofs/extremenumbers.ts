import { setTimeout as sleep } from 'node:timers/promises'
import type { AttackClient } from '../client.ts'
import { checkControllers } from '../liveness.ts'
import { type Proof, unless, unlessFree } from '../proof.ts'

const most = 2_147_483_647
const selector = { matchLabels: { app: 'most' } }
const template = { metadata: { labels: { app: 'most' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
const jobTemplate = { metadata: { labels: selector.matchLabels }, spec: { ...template.spec, restartPolicy: 'Never' } }
const namespace = '/namespaces/crowd'

/** Objects with the largest numbers that their fields allow. */
const extremes: readonly (readonly [path: string, body: object])[] = [
  [`/apis/apps/v1${namespace}/statefulsets`, { spec: { replicas: most, serviceName: 's', selector, template } }],
  [
    `/apis/apps/v1${namespace}/statefulsets`,
    {
      spec: {
        replicas: most,
        serviceName: 's',
        ordinals: { start: most },
        podManagementPolicy: 'Parallel',
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: most } },
        revisionHistoryLimit: most,
        minReadySeconds: most,
        selector,
        template,
      },
    },
  ],
  [`/apis/apps/v1${namespace}/replicasets`, { spec: { replicas: most, minReadySeconds: most, selector, template } }],
  [
    `/apis/apps/v1${namespace}/deployments`,
    {
      spec: {
        replicas: most,
        revisionHistoryLimit: most,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: most, maxUnavailable: most } },
        selector,
        template,
      },
    },
  ],
  [
    `/api/v1${namespace}/replicationcontrollers`,
    { spec: { replicas: most, selector: selector.matchLabels, template } },
  ],
  [
    `/apis/batch/v1${namespace}/jobs`,
    { spec: { parallelism: most, completions: most, backoffLimit: most, template: jobTemplate } },
  ],
  [
    `/apis/batch/v1${namespace}/jobs`,
    {
      spec: {
        completionMode: 'Indexed',
        parallelism: 100_000,
        completions: most,
        backoffLimitPerIndex: most,
        maxFailedIndexes: 100_000,
        template: jobTemplate,
      },
    },
  ],
  [
    `/apis/autoscaling/v2${namespace}/horizontalpodautoscalers`,
    {
      spec: {
        minReplicas: 1,
        maxReplicas: most,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'most' },
      },
    },
  ],
  [`/apis/policy/v1${namespace}/poddisruptionbudgets`, { spec: { minAvailable: most, selector } }],
  [
    `/apis/batch/v1${namespace}/cronjobs`,
    {
      spec: {
        schedule: '* * * * *',
        startingDeadlineSeconds: most,
        successfulJobsHistoryLimit: most,
        failedJobsHistoryLimit: most,
        jobTemplate: { spec: { template: jobTemplate } },
      },
    },
  ],
]

export const extremeNumbers: Proof = {
  title: 'objects with the largest numbers hold nobody up, and controllers go on with their work',
  async run(around) {
    const admin = around.plane.as('admin')
    const left = [...(await makeCrowd(admin))]
    const before = around.watchdog.memoryMb()
    await around.watchdog.loop()
    for (const [index, [path, body]] of extremes.entries()) {
      const name = `most-${index}`
      const made = await admin.ask('POST', path, { metadata: { name }, ...body })
      left.push(...unless([201, 422], path, made))
      await sleep(300)
      left.push(...(await unlessFree(around, `${path} ${name}`)))
    }
    left.push(...(await checkControllers(around)), ...(await unlessFree(around, 'all of them')))
    const grown = around.watchdog.memoryMb() - before
    if (grown > memoryMbMax) left.push(`the server took ${grown} MB more, of ${memoryMbMax} allowed`)
    await admin.ask('DELETE', `/api/v1${namespace}`)
    return left
  },
}

const memoryMbMax = 300

/** A namespace that allows ten pods: no server can store all that are requested. */
async function makeCrowd(admin: AttackClient): Promise<string[]> {
  const hard = { pods: '10', 'count/controllerrevisions.apps': '20', 'count/jobs.batch': '5' }
  return [
    ...unless([201], 'the namespace', await admin.ask('POST', '/api/v1/namespaces', { metadata: { name: 'crowd' } })),
    ...unless(
      [201],
      'its quota',
      await admin.ask('POST', `/api/v1${namespace}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } }),
    ),
  ]
}
