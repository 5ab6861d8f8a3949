import { deepEqual, equal } from 'node:assert/strict'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import { loadPrefix } from '../../../lib/cache/feed/load.ts'
import { createMemoryStore, type RangeOptions, type Store } from '../../../lib/storage/index.ts'

describe('The load of a resource', () => {
  const signal = new AbortController().signal
  let store: Store

  beforeEach(async () => {
    store = createMemoryStore({ clock: systemClock, log: silentLogger }, { compactionIntervalMs: 0 })
    for (let index = 0; index < 50; index++)
      await store.create(`/registry/pods/${String(index).padStart(3, '0')}`, new Uint8Array(100))
  })

  afterEach(() => store.close())

  async function limitsOf(sizes: { loadPageKeys: number; loadPageKeysMax: number; loadPageBytes: number }) {
    const asked: RangeOptions[] = []
    const recording = {
      range(options: RangeOptions) {
        asked.push(options)
        return store.range(options)
      },
    }
    const { values } = await loadPrefix(recording, '/registry/pods/', undefined, { sizes, signal })
    deepEqual(
      values.map(({ key }) => Number(key.slice(-3))),
      Array.from({ length: 50 }, (_, index) => index),
    )
    equal(new Set(asked.slice(1).map(({ revision }) => revision)).size, asked.length > 1 ? 1 : 0)
    return asked.map(({ limit }) => limit)
  }

  it('has pages after the first of as many keys as fit into the bytes', async () => {
    deepEqual(await limitsOf({ loadPageKeys: 5, loadPageKeysMax: 1000, loadPageBytes: 2000 }), [5, 20, 20, 20])
  })

  it('has pages of the maximum number of keys where values are small', async () => {
    deepEqual(await limitsOf({ loadPageKeys: 5, loadPageKeysMax: 15, loadPageBytes: 2000 }), [5, 15, 15, 15])
  })

  it('has pages of the first size where values are large', async () => {
    deepEqual(await limitsOf({ loadPageKeys: 20, loadPageKeysMax: 1000, loadPageBytes: 100 }), [20, 20, 20])
  })
})
