import assert from 'node:assert/strict'
import {
  createFakeClock,
  createSeededRandom,
  type FakeClock,
  silentLogger,
  silentMetrics,
} from '../../../lib/base/index.ts'
import type { Transport, WatchSink } from '../../../lib/client/index.ts'
import { defaultControllerSettings, startControllers } from '../../../lib/controller/index.ts'
import { tainteviction } from '../../../lib/controllers/tainteviction/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'

/** Moves time on, and lets promises settle that wait for nothing but each other. */
async function pass(clock: FakeClock, ms: number): Promise<void> {
  for (const step of [ms, 0]) {
    clock.advance(step)
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => void setImmediate(resolve))
  }
}

function nodeWith(taints: readonly object[], resourceVersion: string): ApiObject {
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1', resourceVersion }, spec: { taints } } as ApiObject
}

/** A server with one node, and a pod on it that reports reads of its tolerations. */
function createServer(taints: readonly object[]) {
  const deleted: string[] = []
  const sinks = new Map<string, WatchSink<ApiObject>>()
  let reads = 0
  const pod = (resourceVersion: string, phase: string): ApiObject => {
    const spec = {
      nodeName: 'n1',
      get tolerations() {
        reads++
        return [{ operator: 'Exists', tolerationSeconds: 60 }]
      },
    }
    const metadata = { namespace: 'default', name: 'web-0', uid: 'u', resourceVersion }
    return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: { phase } } as ApiObject
  }
  const transport: Transport = {
    async send({ method, url }) {
      if (method === 'DELETE') deleted.push(url.split('?', 1)[0] ?? '')
      return await Promise.resolve(pod('10', 'Running'))
    },
    watch({ type }, sink) {
      const resource = type?.resource ?? ''
      sinks.set(resource, sink)
      const object = resource === 'pods' ? pod('5', 'Pending') : nodeWith(taints, '4')
      const annotations = { 'k8s.io/initial-events-end': 'true' }
      const end = { apiVersion: 'v1', kind: object.kind, metadata: { resourceVersion: '9', annotations } }
      queueMicrotask(() =>
        sink.onEvents([
          { type: 'ADDED', object },
          { type: 'BOOKMARK', object: end },
        ]),
      )
      return { close() {} }
    },
    close() {},
  }
  const tell = (resource: string, type: 'MODIFIED' | 'DELETED', object: ApiObject): void => {
    sinks.get(resource)?.onEvents([{ type, object }])
  }
  return { transport, deleted, pod, tell, reads: () => reads }
}

async function start(taints: readonly object[]) {
  const clock = createFakeClock(10 ** 12)
  const server = createServer(taints)
  const given = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics }
  const settings = defaultControllerSettings
  const connect = (): Transport => server.transport
  const manager = await startControllers({ ...given, connect, gate: () => true }, [tainteviction], { settings })
  await pass(clock, 0)
  return { ...server, clock, manager }
}

describe('eviction by taints', () => {
  const executing = [{ key: 'gone', effect: 'NoExecute' }]

  it('checks no pod whose node has no NoExecute taint', async () => {
    const { tell, pod, clock, reads, deleted, manager } = await start([{ key: 'full', effect: 'NoSchedule' }])
    tell('pods', 'MODIFIED', pod('10', 'Running'))
    tell('pods', 'DELETED', pod('11', 'Running'))
    await pass(clock, 0)
    assert.equal(reads(), 0)
    assert.deepEqual(deleted, [])
    await manager.close()
  })

  it('evicts the pods that are on a node when it gets its taint, once their toleration is over', async () => {
    const { tell, pod, clock, deleted, manager } = await start([])
    tell('pods', 'MODIFIED', pod('10', 'Running'))
    tell('nodes', 'MODIFIED', nodeWith(executing, '11'))
    await pass(clock, 0)
    await pass(clock, 59_000)
    assert.deepEqual(deleted, [])
    await pass(clock, 2000)
    assert.deepEqual(deleted, ['/api/v1/namespaces/default/pods/web-0'])
    await manager.close()
  })

  it('forgets a pod that is deleted before its toleration is over', async () => {
    const { tell, pod, clock, deleted, manager } = await start(executing)
    tell('pods', 'DELETED', pod('10', 'Running'))
    await pass(clock, 0)
    await pass(clock, 120_000)
    assert.deepEqual(deleted, [])
    await manager.close()
  })
})
