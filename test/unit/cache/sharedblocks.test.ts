import { deepEqual, equal } from 'node:assert/strict'
import { createFakeClock, silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import { createFeed } from '../../../lib/cache/index.ts'
import { SharedBlocks } from '../../../lib/cache/state/sharedblocks.ts'
import type { RangeOptions, StoredValue } from '../../../lib/storage/index.ts'
import { allPods, any, encodeObject, resourceOptions } from '../../support/cachekit.ts'
import { createTinyStore } from '../../support/tinystore.ts'

describe('Blocks of memory that entries share', () => {
  /** Ten values in a block of a thousand bytes. */
  function block(): Uint8Array[] {
    const memory = new ArrayBuffer(1000)
    return Array.from({ length: 10 }, (_, at) => new Uint8Array(memory, at * 100, 100))
  }

  function freed(blocks: SharedBlocks): string[] {
    const ranges: string[] = []
    blocks.free((first, last) => ranges.push(`${first}-${last}`))
    return ranges
  }

  it('are freed once less than half of one is in use, and once only', () => {
    const blocks = new SharedBlocks()
    const values = block()
    for (const [at, value] of values.entries()) blocks.add(`k${at}`, value)
    blocks.loaded()
    for (const value of values.slice(0, 5)) blocks.release(value)
    deepEqual(freed(blocks), [])
    blocks.release(values[5]!)
    deepEqual(freed(blocks), ['k0-k9'])
    blocks.release(values[6]!)
    deepEqual(freed(blocks), [])
  })

  it('are freed after a load that uses few of their values', () => {
    const blocks = new SharedBlocks()
    for (const [at, value] of block().slice(0, 3).entries()) blocks.add(`k${at}`, value)
    blocks.loaded()
    deepEqual(freed(blocks), ['k0-k2'])
  })

  it('do not concern values in memory of their own', () => {
    const blocks = new SharedBlocks()
    const own = new Uint8Array(10)
    blocks.add('k', own)
    blocks.loaded()
    blocks.release(own)
    deepEqual(freed(blocks), [])
  })

  it('are freed some at a time', () => {
    const blocks = new SharedBlocks()
    for (let at = 0; at < 40; at++) blocks.add(`k${at}`, block()[0]!)
    blocks.loaded()
    deepEqual([freed(blocks).length, freed(blocks).length, freed(blocks).length], [16, 16, 8])
  })

  it('are left by the entries of a cache whose neighbours have changed, and by replaced entries', async () => {
    const clock = createFakeClock()
    const tiny = createTinyStore()
    for (let at = 0; at < 10; at++) tiny.put(`/registry/pods/a/p${at}`, encodeObject({ at: String(at) }))
    // As etcd's client does, all values of a range are in one block.
    const store: typeof tiny = Object.assign(Object.create(tiny) as typeof tiny, {
      async range(options: RangeOptions) {
        const result = await tiny.range(options)
        const memory = Buffer.concat(result.values.map(({ value }) => value))
        let at = 0
        const shared = (value: StoredValue): StoredValue => {
          at += value.value.byteLength
          return { ...value, value: memory.subarray(at - value.value.byteLength, at) }
        }
        return { ...result, values: result.values.map(shared) }
      },
    })
    const feed = createFeed(
      { store, clock, log: silentLogger, metrics: silentMetrics },
      { prefix: '/registry/', resumeRevisions: 0 },
    )
    const pods = feed.attach(resourceOptions())
    await feed.start()
    const entries = async () => (await pods.list({ ...allPods, at: any })).entries
    const shared = async () =>
      (await entries()).filter(({ stored }) => stored.byteLength < stored.buffer.byteLength).length
    equal(await shared(), 10)
    const [first] = await entries()
    for (let at = 0; at < 6; at++) tiny.put(`/registry/pods/a/p${at}`, encodeObject({ at: `new ${at}` }))
    equal(await shared(), 4)
    equal(first!.stored.byteLength, first!.stored.buffer.byteLength)
    clock.advance(1_000)
    equal(await shared(), 0)
    deepEqual(
      (await entries()).map((entry) => entry.labels()['at']),
      ['new 0', 'new 1', 'new 2', 'new 3', 'new 4', 'new 5', '6', '7', '8', '9'],
    )
    await feed.close()
  })
})
