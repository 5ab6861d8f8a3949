import assert from 'node:assert/strict'
import {
  type Clock,
  createFakeClock,
  createSeededRandom,
  silentLogger,
  silentMetrics,
} from '../../../lib/base/index.ts'
import type { Transport } from '../../../lib/client/index.ts'
import { defaultControllerSettings, startControllers } from '../../../lib/controller/index.ts'
import { podgc } from '../../../lib/controllers/podgc/index.ts'
import { StatusError } from '../../../lib/object/index.ts'

/** Lets promises settle that wait for nothing but each other. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => void setImmediate(resolve))
}

/** A server with one pod, on a node that is gone. */
function createServer() {
  const deleted: string[] = []
  const metadata = { namespace: 'default', name: 'web-0', uid: 'u', resourceVersion: '5' }
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata, spec: { nodeName: 'gone' }, status: { phase: 'Running' } }
  const annotations = { 'k8s.io/initial-events-end': 'true' }
  const end = { apiVersion: 'v1', kind: 'Pod', metadata: { resourceVersion: '9', annotations } }
  const transport: Transport = {
    async send({ method, url }) {
      if (method === 'GET') throw new StatusError(404, 'NotFound', 'no such node')
      if (method === 'DELETE') deleted.push(url.split('?', 1)[0] ?? '')
      return await Promise.resolve(pod)
    },
    watch({ type }, sink) {
      const added = type?.resource === 'pods' ? [{ type: 'ADDED' as const, object: pod }] : []
      queueMicrotask(() => sink.onEvents([...added, { type: 'BOOKMARK', object: end }]))
      return { close() {} }
    },
    close() {},
  }
  return { transport, deleted }
}

describe('the quarantine of nodes that are missing', () => {
  for (const jumpMs of [-3_600_000, 3_600_000])
    it(`lasts forty seconds, though the wall clock is set by ${jumpMs / 60_000} minutes`, async () => {
      const fake = createFakeClock(10 ** 12)
      let skewMs = 0
      const clock: Clock = { ...fake, now: () => fake.now() + skewMs }
      const { transport, deleted } = createServer()
      const given = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics }
      const manager = await startControllers({ ...given, connect: () => transport, gate: () => true }, [podgc], {
        settings: defaultControllerSettings,
      })
      await settled()
      fake.advance(20_000)
      await settled()
      skewMs = jumpMs
      fake.advance(20_000)
      await settled()
      assert.deepEqual(deleted, [])
      fake.advance(20_000)
      await settled()
      assert.deepEqual(deleted, ['/api/v1/namespaces/default/pods/web-0'])
      await manager.close()
    })
})
