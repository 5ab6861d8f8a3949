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

/** A server with a pod on each of these nodes, none of which it has. */
function createServer(
  nodes = ['gone'],
  failureOf = (_url: string) => new StatusError(404, 'NotFound', 'no such node'),
) {
  const deleted: string[] = []
  const pods = nodes.map((nodeName, index) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: `web-${index}`, uid: `u${index}`, resourceVersion: '5' },
    spec: { nodeName },
    status: { phase: 'Running' },
  }))
  const annotations = { 'k8s.io/initial-events-end': 'true' }
  const end = { apiVersion: 'v1', kind: 'Pod', metadata: { resourceVersion: '9', annotations } }
  const transport: Transport = {
    async send({ method, url }) {
      if (method === 'GET') throw failureOf(url)
      if (method === 'DELETE') deleted.push(url.split('?', 1)[0] ?? '')
      return await Promise.resolve(pods[0] ?? {})
    },
    watch({ type }, sink) {
      const added = type?.resource === 'pods' ? pods.map((object) => ({ type: 'ADDED' as const, object })) : []
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

describe('a pass over pods without a node', () => {
  it('continues where the server can not answer whether one of the nodes is deleted', async () => {
    const clock = createFakeClock(10 ** 12)
    const { transport, deleted } = createServer(['busy', 'gone'], (url) =>
      url.endsWith('/busy')
        ? new StatusError(500, 'InternalError', 'no answer')
        : new StatusError(404, 'NotFound', 'no such node'),
    )
    const given = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics }
    const manager = await startControllers({ ...given, connect: () => transport, gate: () => true }, [podgc], {
      settings: defaultControllerSettings,
    })
    for (let pass = 0; pass < 3; pass++) {
      await settled()
      clock.advance(20_000)
    }
    await settled()
    assert.deepEqual(deleted, ['/api/v1/namespaces/default/pods/web-1'])
    await manager.close()
  })
})
