import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom, silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import { createClient, type Transport } from '../../../lib/client/index.ts'
import { defaultControllerSettings, startControllers } from '../../../lib/controller/index.ts'
import { job } from '../../../lib/controllers/job/index.ts'
import { release } from '../../../lib/controllers/job/perform.ts'
import { trackingFinalizer } from '../../../lib/controllers/job/pod.ts'
import { type ApiObject, StatusError } from '../../../lib/object/index.ts'

type Request = Parameters<Transport['send']>[0]

const ownerReferences = [
  { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid: 'j1', controller: true, blockOwnerDeletion: true },
]
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { namespace: 'a', name: 'p', uid: 'p1', ownerReferences, finalizers: [trackingFinalizer] },
  spec: {},
  status: { phase: 'Running' },
}

/** An API of one pod; watches show nothing more. */
function transportOf(answer: (request: Request) => unknown, sent: string[]): Transport {
  return {
    async send(request) {
      sent.push(`${request.method} ${request.type?.resource}`)
      return await answer(request)
    },
    watch(request, sink) {
      if (request.url.includes('sendInitialEvents'))
        queueMicrotask(() => sink.onEnd(new StatusError(422, 'Invalid', 'no streams')))
      return { close: () => sink.onEnd() }
    },
    close() {},
  }
}

/** Runs the controller for four seconds, or for twenty times the step. */
async function run(connect: () => Transport, stepMs = 200): Promise<void> {
  const clock = createFakeClock()
  const services = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics, connect }
  const manager = await startControllers({ ...services, gate: () => true }, [job], {
    settings: defaultControllerSettings,
  })
  for (let turn = 0; turn < 20; turn++) {
    await new Promise(setImmediate)
    clock.advance(stepMs)
  }
  await manager.close()
}

describe('job controller: pods that are held until they are counted', () => {
  const lagging = async (live: Partial<ApiObject> | undefined, shown: unknown = pod): Promise<string[]> => {
    const sent: string[] = []
    const connect = (): Transport =>
      transportOf(({ url, type }) => {
        const isList = !/\/(jobs|pods)\/[jp]/.test(url)
        if (isList) return { metadata: { resourceVersion: '5' }, items: type?.resource === 'pods' ? [shown] : [] }
        if (type?.resource === 'pods') return pod
        if (live) return live
        throw new StatusError(404, 'NotFound', 'no such job')
      }, sent)
    await run(connect)
    return sent.filter((each) => each !== 'GET undefined')
  }

  it('keeps a pod whose existing job the informer does not show yet', async () => {
    const sent = await lagging({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', uid: 'j1' } })
    assert.ok(sent.filter((each) => each === 'GET jobs').length > 1, 'it did not ask for the job')
    assert.ok(!sent.includes('PATCH pods'), 'it let the pod go')
  })

  for (const [what, live] of [
    ['is gone', undefined],
    ['is another one of the same name', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', uid: 'j2' } }],
  ] as const)
    it(`removes the finalizer of a pod whose job ${what}`, async () => {
      assert.ok((await lagging(live)).includes('PATCH pods'))
    })

  it('removes the finalizer of a pod that was left behind without its job', async () => {
    const { ownerReferences: _, ...metadata } = pod.metadata
    assert.ok((await lagging(undefined, { ...pod, metadata })).includes('PATCH pods'))
  })

  it('does not drop a pod of a suspended job that has changed meanwhile: it may have ended, and would be lost', async () => {
    const metadata = { namespace: 'a', name: 'j', uid: 'j1', resourceVersion: '4' }
    const spec = {
      suspend: true,
      parallelism: 1,
      completions: 1,
      selector: { matchLabels: { app: 'j' } },
      template: { spec: {} },
    }
    const suspended = { apiVersion: 'batch/v1', kind: 'Job', metadata, spec, status: {} }
    const shown = { ...pod, metadata: { ...pod.metadata, resourceVersion: '5', labels: { app: 'j' } } }
    const changed: string[] = []
    const connect = (): Transport =>
      transportOf(({ method, url, type, body }) => {
        const isPod = url.includes('/pods/p')
        if (method === 'PATCH' && isPod) {
          const { metadata: guard } = (body?.value ?? {}) as { metadata?: { resourceVersion?: string } }
          if (guard?.resourceVersion === '5') throw new StatusError(409, 'Conflict', 'the object has been modified')
        }
        if (method !== 'GET' && isPod) changed.push(method)
        if (isPod) return { ...shown, metadata: { ...shown.metadata, resourceVersion: '6' } }
        if (method !== 'GET') return suspended
        const items = type?.resource === 'pods' ? [shown] : type?.resource === 'jobs' ? [suspended] : []
        return { metadata: { resourceVersion: '5' }, items }
      }, sent)
    const sent: string[] = []
    await run(connect)
    assert.ok(sent.includes('PATCH pods'), 'it did not try to let the pod go')
    assert.deepEqual(changed, [])
  })

  it('asks no more than once a second for a deleted pod that the informer still shows', async () => {
    const metadata = { namespace: 'a', name: 'j', uid: 'j1', resourceVersion: '4' }
    const selector = { matchLabels: { app: 'j' } }
    const running = {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata,
      spec: { selector, template: { spec: {} } },
      status: {},
    }
    const shown = { ...pod, metadata: { ...pod.metadata, labels: { app: 'j' } }, status: { phase: 'Succeeded' } }
    const sent: string[] = []
    const connect = (): Transport =>
      transportOf(({ method, url, type }) => {
        if (url.includes('/pods/p')) throw new StatusError(404, 'NotFound', 'pods "p" not found')
        if (method !== 'GET') return running
        const items = type?.resource === 'pods' ? [shown] : type?.resource === 'jobs' ? [running] : []
        return { metadata: { resourceVersion: '5' }, items }
      }, sent)
    await run(connect, 1)
    const tries = sent.filter((each) => each === 'PATCH pods').length
    assert.ok(tries > 0 && tries < 5, `${tries} tries`)
  })

  const refused = (uid: string): Promise<boolean> => {
    const client = createClient(
      transportOf(({ method }) => {
        if (method === 'PATCH') throw new StatusError(409, 'Conflict', 'the object has been modified')
        return { ...pod, metadata: { ...pod.metadata, uid } }
      }, []),
    )
    return release(pod as never, client)
  }

  it('retries after a conflict', async () => {
    await assert.rejects(refused('p1'), (error) => error instanceof StatusError && error.code === 409)
  })

  it('leaves another pod of the same name alone', async () => {
    await refused('p2')
  })
})
