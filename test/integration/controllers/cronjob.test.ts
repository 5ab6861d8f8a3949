import assert from 'node:assert/strict'
import type { CronJob } from '../../../api/gen/batch/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { createKubelet } from '../../support/kubelet.ts'

const { cronjobs, jobs } = resources.batch.v1

describe('cronjob controller against the API', () => {
  let plane: ControlPlane
  const kubelet = createKubelet(() => plane)
  const at = (name: string) => ({ namespace: 'default', name })
  before(async () => {
    plane = await startControlPlane({ controllers: ['cronjob-controller'] })
  })
  after(async () => {
    await plane.stop()
  })

  const cronjobOf = (name: string, more: Partial<CronJob['spec']>): CronJob => ({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { namespace: 'default', name },
    spec: {
      schedule: '@every 1s',
      jobTemplate: {
        metadata: { labels: { from: name } },
        spec: {
          template: {
            metadata: {},
            spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'one', resources: {} }] },
          },
        },
      },
      ...more,
    },
    status: {},
  })

  it('starts a job when it is due, and records it in the status', async () => {
    await plane.client.resource(cronjobs).create(cronjobOf('forbid', { concurrencyPolicy: 'Forbid' }))
    const made = async () => (await plane.client.resource(jobs).list({ labelSelector: 'from=forbid' })).items
    const get = () => plane.client.resource(cronjobs).get(at('forbid'))
    await eventuallyEquals(async () => (await get()).status.active?.length, 1, 'the job')
    await eventually(async () => (await kubelet.reasons('forbid')).includes('SuccessfulCreate'), 'the event')
    const [job, ...others] = await made()
    assert.deepEqual(others, [])
    assert.equal(job?.metadata.ownerReferences?.[0]?.kind, 'CronJob')
    const { status } = await get()
    assert.equal(status.active?.[0]?.uid, job?.metadata.uid)
    assert.ok(status.lastScheduleTime)
    await plane.client.resource(cronjobs).patch(at('forbid'), 'merge', { spec: { suspend: true } })
  })

  it('writes nothing before a run is due', async () => {
    await plane.client.resource(cronjobs).create(cronjobOf('rare', { schedule: '0 0 1 1 *' }))
    const read = async () => String((await plane.client.resource(cronjobs).get(at('rare'))).metadata.resourceVersion)
    assert.equal(await kubelet.writesAfter(300, read), false)
  })
})
