import assert from 'node:assert/strict'
import fc from 'fast-check'
import { tables } from '../../../api/index.ts'
import { createAddressMaps, createNodePorts, createPortMetrics } from '../../../lib/allocation/index.ts'
import { PlaceSet } from '../../../lib/allocation/placeset.ts'
import { createSeededRandom, silentLogger, silentMetrics, systemClock } from '../../../lib/base/index.ts'
import { parseCidr } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { createMemoryStore, type Store } from '../../../lib/storage/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'
import { heldMsBound } from '../../support/holdmeter.ts'

const scheme = createScheme({ tables })
const key = '/registry/ranges/servicenodeports'
const emptyMap = { apiVersion: 'v1', kind: 'RangeAllocation', metadata: { uid: 'u' }, range: '10.0.0.0/12', data: '' }

function portsOn(store: Store, seed: number, range = { base: 30000, size: 100 }): ReturnType<typeof createNodePorts> {
  const parts = { store, scheme, random: createSeededRandom(seed), metrics: createPortMetrics(silentMetrics) }
  return createNodePorts(parts, { range, key })
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

  it('only one of two replicas on a store takes a place', async () => {
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    const taken = await Promise.all([1, 2, 3, 4].map((seed) => portsOn(store, seed).take(30007)))
    assert.deepEqual(taken.sort(), ['ok', 'taken', 'taken', 'taken'])
    await store.close()
  })

  it('all ports of all numbers are taken, repaired and released without a copy of the map for each', async () => {
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    const ports = portsOn(store, 1, { base: 1, size: 65_535 })
    const all = Array.from({ length: 65_535 }, (_, index) => index + 1)
    const began = threadCpuMs()
    assert.deepEqual(await ports.repair(new Set(all.slice(1))), { added: 65_534, dropped: 0 })
    assert.equal(await ports.takeAny(), 1)
    assert.equal(await ports.takeAny(), undefined)
    await ports.release(all.slice(7))
    assert.deepEqual([await ports.isTaken(7), await ports.isTaken(8)], [true, false])
    assert.ok(threadCpuMs() - began < heldMsBound())
    await store.close()
  })

  it('addresses of the widest range that servers allow are repaired in one pass over the map', async () => {
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    const blocks = [parseCidr('10.0.0.0/12')].filter((block) => block !== undefined)
    const parts = { store, scheme, random: createSeededRandom(1) }
    await store.create('/registry/ranges/serviceips', scheme.objects.encodeForStorage(emptyMap))
    const maps = createAddressMaps(parts, { blocks, prefix: '/registry' })
    const used = Array.from({ length: 10_000 }, (_, index) => `10.15.${index >> 8}.${index & 255}`)
    const began = threadCpuMs()
    await maps.repair(new Set(used))
    assert.ok(threadCpuMs() - began < heldMsBound())
    assert.deepEqual([await maps.take('10.15.0.7'), await maps.take('10.15.200.7')], [false, true])
    await store.close()
  })
})

describe('allocation: a set of places', () => {
  it('has the bits of its number, whatever is added and deleted', () => {
    const step = fc.record({ add: fc.boolean(), place: fc.nat(20) })
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 21n) - 1n), fc.array(step), (bits, steps) => {
        const set = new PlaceSet(21, bits | (1n << 30n))
        let model = bits
        for (const { add, place } of steps) {
          if (add) set.add(place)
          else set.delete(place)
          model = add ? model | (1n << BigInt(place)) : model & ~(1n << BigInt(place))
          assert.equal(set.has(place), add)
        }
        assert.equal(set.bits, model)
      }),
    )
  })
})
