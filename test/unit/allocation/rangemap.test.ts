import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { createSeededRandom, silentLogger, silentMetrics, systemClock } from '../../../lib/base/index.ts'
import { createNodePorts, createPortMetrics } from '../../../lib/allocation/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { createMemoryStore, type Store } from '../../../lib/storage/index.ts'

const scheme = createScheme({ tables })
const key = '/registry/ranges/servicenodeports'

function portsOn(store: Store, seed: number): ReturnType<typeof createNodePorts> {
  const parts = { store, scheme, random: createSeededRandom(seed), metrics: createPortMetrics(silentMetrics) }
  return createNodePorts(parts, { range: { base: 30000, size: 100 }, key })
}

describe('allocation: range map', () => {
  it('two replicas that take the same place at once write different bytes', async () => {
    const written = await Promise.all(
      [1, 2].map(async (seed) => {
        const store = createMemoryStore({ clock: systemClock, log: silentLogger })
        assert.equal(await portsOn(store, seed).take(30007), 'ok')
        const { value } = await store.get(key)
        await store.close()
        return Buffer.from(value?.value ?? []).toString('latin1')
      }),
    )
    assert.notEqual(written[0], '')
    assert.notEqual(written[0], written[1])
  })

  it('of two replicas on one store one takes a place', async () => {
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    const taken = await Promise.all([1, 2, 3, 4].map((seed) => portsOn(store, seed).take(30007)))
    assert.deepEqual(taken.sort(), ['ok', 'taken', 'taken', 'taken'])
    await store.close()
  })
})
