import assert from 'node:assert/strict'
import type { Job } from '../../../api/gen/batch/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { Manager } from '../../../lib/controller/index.ts'
import { job } from '../../../lib/controllers/job/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { createKubelet } from '../../support/kubelet.ts'
import { runControllers } from '../../support/runcontrollers.ts'

const { jobs } = resources.batch.v1
const { pods } = resources.core.v1

function jobOf(name: string, more: Partial<Job['spec']> = {}): Job {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace: 'default', name },
    spec: {
      template: {
        metadata: { labels: { app: name } },
        spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'one', resources: {} }] },
      },
      ...more,
    },
    status: {},
  }
}

describe('job controller against the API', () => {
  let plane: ControlPlane
  const kubelet = createKubelet(() => plane)
  const all = () => plane.client.resource(jobs)
  const at = (name: string) => ({ namespace: 'default', name })
  before(async () => {
    plane = await startControlPlane({ controllers: ['job-controller'] })
  })
  after(async () => {
    await plane.stop()
  })

  const isOver = async (name: string, type: string): Promise<boolean> => {
    const { status } = await all().get(at(name))
    return status.conditions?.some((each) => each.type === type && each.status === 'True') ?? false
  }

  it('runs pods until enough have succeeded, counts each once, and releases them', async () => {
    await all().create(jobOf('count', { parallelism: 2, completions: 3 }))
    await eventually(async () => {
      for (const pod of await kubelet.podsOf('count'))
        if (pod.status.phase === 'Pending') await kubelet.finish(pod, 'Succeeded')
      return await isOver('count', 'Complete')
    }, 'the end')
    const { status } = await all().get(at('count'))
    assert.equal(status.succeeded, 3)
    assert.equal(status.failed ?? 0, 0)
    assert.ok(status.completionTime)
    const made = await kubelet.podsOf('count')
    assert.equal(made.length, 3)
    for (const { metadata } of made) assert.deepEqual(metadata.finalizers ?? [], [])
    await eventually(async () => (await kubelet.reasons('count')).includes('Completed'), 'the event')
    const read = async () => String((await all().get(at('count'))).metadata.resourceVersion)
    assert.equal(await kubelet.writesAfter(1300, read), false)
  })

  it('continues after it was suspended while it ran, and resumed', async () => {
    const suspend = (is: boolean) => all().patch(at('pause'), 'merge', { spec: { suspend: is } })
    const active = async (): Promise<number> =>
      (await kubelet.podsOf('pause')).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length
    await all().create(jobOf('pause', { completions: 1 }))
    await eventuallyEquals(() => active(), 1, 'a pod')
    await suspend(true)
    await eventually(async () => (await all().get(at('pause'))).status.startTime === undefined, 'the suspension')
    await suspend(false)
    await eventuallyEquals(() => active(), 1, 'another pod')
    await eventually(async () => {
      for (const pod of await kubelet.podsOf('pause'))
        if (pod.status.phase === 'Pending') await kubelet.finish(pod, 'Succeeded')
      return await isOver('pause', 'Complete')
    }, 'the end')
    assert.equal((await all().get(at('pause'))).status.succeeded, 1)
  })

  it('gives indexed pods their numbers and host names', async () => {
    await all().create(jobOf('index', { parallelism: 3, completions: 3, completionMode: 'Indexed' }))
    await eventuallyEquals(async () => (await kubelet.podsOf('index')).length, 3, 'three pods')
    const made = await kubelet.podsOf('index')
    assert.deepEqual(new Set(made.map(({ spec }) => spec.hostname)), new Set(['index-0', 'index-1', 'index-2']))
    for (const { metadata, spec } of made) {
      const index = metadata.labels?.['batch.kubernetes.io/job-completion-index']
      assert.equal(metadata.annotations?.['batch.kubernetes.io/job-completion-index'], index)
      assert.ok(metadata.name?.startsWith(`index-${index}-`))
      assert.equal(spec.containers?.[0]?.env?.[0]?.name, 'JOB_COMPLETION_INDEX')
    }
    for (const pod of made) await kubelet.finish(pod, 'Succeeded')
    await eventually(() => isOver('index', 'Complete'), 'the end')
    assert.equal((await all().get(at('index'))).status.completedIndexes, '0-2')
  })

  it('a job beyond its backoff limit fails, and deletes and counts its remaining pods', async () => {
    await all().create(jobOf('fails', { parallelism: 2, completions: 2, backoffLimit: 0 }))
    await eventuallyEquals(async () => (await kubelet.podsOf('fails')).length, 2, 'two pods')
    const [pod] = await kubelet.podsOf('fails')
    if (pod) await kubelet.finish(pod, 'Failed')
    await eventually(() => isOver('fails', 'Failed'), 'the end')
    const { status } = await all().get(at('fails'))
    assert.equal(status.failed, 2)
    const reasons = status.conditions?.map(({ type, reason }) => `${type} ${reason}`)
    assert.deepEqual(reasons, ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded'])
  })

  it('a suspended job has no pods; a resumed one has', async () => {
    await all().create(jobOf('later', { suspend: true }))
    await eventually(() => isOver('later', 'Suspended'), 'the condition')
    assert.deepEqual(await kubelet.podsOf('later'), [])
    await all().patch(at('later'), 'merge', { spec: { suspend: false } })
    await eventuallyEquals(async () => (await kubelet.podsOf('later')).length, 1, 'a pod')
    await all().patch(at('later'), 'merge', { spec: { suspend: true } })
    await eventuallyEquals(async () => (await kubelet.podsOf('later')).length, 0, 'no pod')
    assert.equal((await all().get(at('later'))).status.failed ?? 0, 0)
  })

  it('pods of a deleted job lose their finalizer', async () => {
    await all().create(jobOf('gone'))
    await eventuallyEquals(async () => (await kubelet.podsOf('gone')).length, 1, 'a pod')
    await all().delete(at('gone'), { propagationPolicy: 'Background' })
    await eventually(async () => {
      const [pod] = await kubelet.podsOf('gone')
      return !pod || (pod.metadata.finalizers ?? []).length === 0
    }, 'the finalizer to go')
    for (const { metadata } of await kubelet.podsOf('gone')) await plane.client.resource(pods).delete(metadata)
  })
})

describe('metrics of the job controller', () => {
  let plane: ControlPlane
  let manager: Manager
  const metrics = createMetrics()
  const kubelet = createKubelet(() => plane)
  before(async () => {
    plane = await startControlPlane({ controllers: [] })
    manager = await runControllers(plane, [job], {}, { metrics })
    await manager.whenSynced()
  })
  after(async () => {
    await manager.close()
    await plane.stop()
  })

  it('count jobs, pods and indexes once, and name what was done', async () => {
    const all = plane.client.resource(jobs)
    const rules = [{ action: 'Ignore', onExitCodes: { operator: 'In', values: [42] } }]
    const spec = { completions: 2, parallelism: 1, completionMode: 'Indexed', podFailurePolicy: { rules } }
    await all.create(jobOf('measured', spec as Partial<Job['spec']>))
    await all.create(jobOf('foreign', { managedBy: 'example.com/other' }))
    let hasFailed = false
    await eventually(async () => {
      for (const pod of await kubelet.podsOf('measured')) {
        if (pod.status.phase !== 'Pending') continue
        await (hasFailed ? kubelet.finish(pod, 'Succeeded') : kubelet.finish(pod, 'Failed', 42))
        hasFailed = true
      }
      const { status } = await all.get({ namespace: 'default', name: 'measured' })
      return status.conditions?.some(({ type }) => type === 'Complete') ?? false
    }, 'the end')
    const counted = [
      'job_finished_indexes_total{backoffLimit="global",status="succeeded"} 2',
      'job_pods_creation_total{reason="new",status="succeeded"} 3',
      'job_pods_finished_total{completion_mode="Indexed",result="succeeded"} 2',
      'jobs_by_external_controller_total{controller_name="example.com/other"} 1',
      'jobs_finished_total{completion_mode="Indexed",reason="CompletionsReached",result="succeeded"} 1',
      'pod_failures_handled_by_failure_policy_total{action="Ignore"} 1',
      'terminated_pods_tracking_finalizer_total{event="add"} 3',
      'terminated_pods_tracking_finalizer_total{event="delete"} 3',
    ]
    const seen = async (): Promise<string[]> =>
      (await metrics.exposition()).body
        .split('\n')
        // How often a turn is put off for a lagging informer depends on the moment.
        .filter((line) => /^job_controller_(?!job_sync|stale_sync)/.test(line))
        .map((line) => line.replace('job_controller_', ''))
        .sort()
    await eventuallyEquals(async () => (await seen()).length, counted.length, 'all are counted')
    assert.deepEqual(await seen(), counted)
    const { body } = await metrics.exposition('text', ['job_controller_job_syncs_total'])
    assert.match(body, /action="pods_created",completion_mode="Indexed",result="success"\} 3/)
    assert.match(body, /action="tracking",completion_mode="Indexed",result="success"\}/)
  })
})
