import assert from 'node:assert/strict'
import type { Job } from '../../../api/gen/batch/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually } from '../../support/eventually.ts'
import { createKubelet } from '../../support/kubelet.ts'

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

  it('runs pods until enough have succeeded, counts each once, and lets them go', async () => {
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

  it('goes on when it is suspended while it runs, and resumed', async () => {
    const suspend = (is: boolean) => all().patch(at('pause'), 'merge', { spec: { suspend: is } })
    const active = async (): Promise<number> =>
      (await kubelet.podsOf('pause')).filter(({ metadata }) => metadata.deletionTimestamp === undefined).length
    await all().create(jobOf('pause', { completions: 1 }))
    await eventually(async () => (await active()) === 1, 'a pod')
    await suspend(true)
    await eventually(async () => (await all().get(at('pause'))).status.startTime === undefined, 'the suspension')
    await suspend(false)
    await eventually(async () => (await active()) === 1, 'another pod')
    await eventually(async () => {
      for (const pod of await kubelet.podsOf('pause'))
        if (pod.status.phase === 'Pending') await kubelet.finish(pod, 'Succeeded')
      return await isOver('pause', 'Complete')
    }, 'the end')
    assert.equal((await all().get(at('pause'))).status.succeeded, 1)
  })

  it('gives indexed pods their numbers and host names', async () => {
    await all().create(jobOf('index', { parallelism: 3, completions: 3, completionMode: 'Indexed' }))
    await eventually(async () => (await kubelet.podsOf('index')).length === 3, 'three pods')
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

  it('a job beyond its backoff limit fails, and kills and counts what is left', async () => {
    await all().create(jobOf('fails', { parallelism: 2, completions: 2, backoffLimit: 0 }))
    await eventually(async () => (await kubelet.podsOf('fails')).length === 2, 'two pods')
    const [pod] = await kubelet.podsOf('fails')
    if (pod) await kubelet.finish(pod, 'Failed')
    await eventually(() => isOver('fails', 'Failed'), 'the end')
    const { status } = await all().get(at('fails'))
    assert.equal(status.failed, 2)
    const reasons = status.conditions?.map(({ type, reason }) => `${type} ${reason}`)
    assert.deepEqual(reasons, ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded'])
  })

  it('a suspended job has no pods; resumed, it has', async () => {
    await all().create(jobOf('later', { suspend: true }))
    await eventually(() => isOver('later', 'Suspended'), 'the condition')
    assert.deepEqual(await kubelet.podsOf('later'), [])
    await all().patch(at('later'), 'merge', { spec: { suspend: false } })
    await eventually(async () => (await kubelet.podsOf('later')).length === 1, 'a pod')
    await all().patch(at('later'), 'merge', { spec: { suspend: true } })
    await eventually(async () => (await kubelet.podsOf('later')).length === 0, 'no pod')
    assert.equal((await all().get(at('later'))).status.failed ?? 0, 0)
  })

  it('pods of a job that is gone are let go', async () => {
    await all().create(jobOf('gone'))
    await eventually(async () => (await kubelet.podsOf('gone')).length === 1, 'a pod')
    await all().delete(at('gone'), { propagationPolicy: 'Background' })
    await eventually(async () => {
      const [pod] = await kubelet.podsOf('gone')
      return !pod || (pod.metadata.finalizers ?? []).length === 0
    }, 'the finalizer to go')
    for (const { metadata } of await kubelet.podsOf('gone')) await plane.client.resource(pods).delete(metadata)
  })
})
