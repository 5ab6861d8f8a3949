import assert from 'node:assert/strict'
import { createFakeClock, createSeededRandom, silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import { RequestError, type Transport } from '../../../lib/client/index.ts'
import { defaultControllerSettings, type Manager, startControllers } from '../../../lib/controller/index.ts'
import { garbagecollector } from '../../../lib/controllers/garbagecollector/index.ts'

/** Lets promises settle that wait for nothing but each other. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => void setImmediate(resolve))
}

describe('the discovery of the garbage collector', () => {
  const clock = createFakeClock()
  let isServing = false
  let asked = 0
  let watches = 0
  let manager: Manager
  const verbs = ['delete', 'list', 'watch']
  const broken = { name: 'broken.example.com', versions: [{ groupVersion: 'broken.example.com/v1' }] }
  const documents: Record<string, unknown> = {
    '/apis': { groups: [] },
    '/api/v1': { resources: [{ name: 'configmaps', kind: 'ConfigMap', namespaced: true, verbs }] },
  }
  const transport: Transport = {
    async send({ url }) {
      if (url === '/apis') asked++
      if (!isServing || documents[url] === undefined) throw new RequestError('no server is there')
      return await Promise.resolve(documents[url])
    },
    watch() {
      watches++
      return { close() {} }
    },
    close() {},
  }
  before(async () => {
    const dependencies = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics }
    const options = { settings: defaultControllerSettings }
    const given = { ...dependencies, connect: () => transport, gate: () => true }
    manager = await startControllers(given, [garbagecollector], options)
    clock.advance(0)
    await settled()
  })
  after(async () => {
    await manager.close()
  })

  it('is tried again soon, and then less and less often, while it fails at first', async () => {
    assert.equal(asked, 1)
    for (const [afterMs, expected] of [
      [1000, 2],
      [1000, 2],
      [1000, 3],
      [4000, 4],
    ] as const) {
      // biome-ignore format: one line
      clock.advance(afterMs)
      await settled()
      assert.equal(asked, expected)
    }
    assert.equal(watches, 0)
  })

  it('follows the resources as soon as it succeeds', async () => {
    isServing = true
    clock.advance(8000)
    await settled()
    assert.deepEqual([asked, watches], [5, 1])
  })

  it('is tried again soon while a group was never answered, five times', async () => {
    documents['/apis'] = { groups: [broken] }
    for (const [afterMs, expected] of [
      // Until then the informers of the first round have time to sync.
      [30_000, 5],
      [30_000, 6],
      [1000, 7],
      [2000, 8],
      [4000, 9],
      [8000, 10],
    ] as const) {
      clock.advance(afterMs)
      await settled()
      assert.equal(asked, expected)
    }
    const verbsOfBroken = { resources: [{ name: 'things', kind: 'Thing', namespaced: true, verbs }] }
    documents['/apis/broken.example.com/v1'] = verbsOfBroken
    clock.advance(16_000)
    await settled()
    assert.equal(watches, 2)
    const before = asked
    clock.advance(10_000)
    await settled()
    assert.equal(asked, before)
  })
})
