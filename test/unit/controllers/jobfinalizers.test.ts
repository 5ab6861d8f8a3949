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

describe('job controller: pods that are held until they are counted', () => {
  const lagging = async (live: Partial<ApiObject> | undefined, shown: unknown = pod): Promise<string[]> => {
    const sent: string[] = []
    const clock = createFakeClock()
    const connect = (): Transport =>
      transportOf(({ url, type }) => {
        const isList = !/\/(jobs|pods)\/[jp]/.test(url)
        if (isList) return { metadata: { resourceVersion: '5' }, items: type?.resource === 'pods' ? [shown] : [] }
        if (type?.resource === 'pods') return pod
        if (live) return live
        throw new StatusError(404, 'NotFound', 'no such job')
      }, sent)
    const services = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics, connect }
    const manager = await startControllers({ ...services, gate: () => true }, [job], {
      settings: defaultControllerSettings,
    })
    for (let turn = 0; turn < 20; turn++) {
      await new Promise(setImmediate)
      clock.advance(200)
    }
    await manager.close()
    return sent.filter((each) => each !== 'GET undefined')
  }

  it('keeps a pod whose job it has not seen yet, but which is there', async () => {
    const sent = await lagging({ apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', uid: 'j1' } })
    assert.ok(sent.filter((each) => each === 'GET jobs').length > 1, 'it did not ask for the job')
    assert.ok(!sent.includes('PATCH pods'), 'it let the pod go')
  })

  for (const [what, live] of [
    ['is gone', undefined],
    ['is another one of the same name', { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j', uid: 'j2' } }],
  ] as const)
    it(`lets go of a pod whose job ${what}`, async () => {
      assert.ok((await lagging(live)).includes('PATCH pods'))
    })

  it('lets go of a pod that was left behind without its job', async () => {
    const { ownerReferences: _, ...metadata } = pod.metadata
    assert.ok((await lagging(undefined, { ...pod, metadata })).includes('PATCH pods'))
  })

  const refused = (uid: string): Promise<void> => {
    const client = createClient(
      transportOf(({ method }) => {
        if (method === 'PATCH') throw new StatusError(409, 'Conflict', 'the object has been modified')
        return { ...pod, metadata: { ...pod.metadata, uid } }
      }, []),
    )
    return release(pod as never, client)
  }

  it('comes again when a conflict kept it from letting go', async () => {
    await assert.rejects(refused('p1'), (error) => error instanceof StatusError && error.code === 409)
  })

  it('leaves another pod that has the name by now alone', async () => {
    await refused('p2')
  })
})
