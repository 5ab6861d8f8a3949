import { deepEqual, equal, notEqual } from 'node:assert/strict'
import fc from 'fast-check'
import { bytesOf, Slabs, type Stretch } from '../../../lib/cache/slabs.ts'
import { after, startKit } from '../../support/cachekit.ts'

const slabBytes = 64 * 1024
const megabyte = 1024 * 1024

/** Bytes that tell by what they hold whose they are. */
const marked = (mark: number, length: number): Uint8Array => new Uint8Array(length).fill(mark % 251)

describe('slabs', () => {
  it('keep copies that share memory, and long bytes as they are', () => {
    const slabs = new Slabs()
    const source = marked(1, 100)
    const [first, second] = [slabs.keep(source), slabs.keep(marked(2, 100))]
    source.fill(9)
    deepEqual(
      [bytesOf(first), bytesOf(second)].map((bytes) => [...new Set(bytes)]),
      [[1], [2]],
    )
    equal(bytesOf(first).buffer, bytesOf(second).buffer)
    const long = new Uint8Array(100_000)
    equal(bytesOf(slabs.keep(long)), long)
    const cut = Buffer.alloc(200_000).subarray(0, 100_000)
    notEqual(bytesOf(slabs.keep(cut)).buffer, cut.buffer)
    equal(bytesOf(slabs.keep(new Uint8Array())).length, 0)
    equal(slabs.liveBytes, 200)
  })

  it('leave what was read of them as it was, whatever happens afterwards', () => {
    const slabs = new Slabs()
    const stretch = slabs.keep(marked(7, 1000))
    const view = bytesOf(stretch)
    slabs.release(stretch)
    slabs.release(stretch)
    for (let number = 0; number < 500; number++) slabs.keep(marked(8, 1000))
    deepEqual([...new Set(view)], [7])
    equal(slabs.liveBytes, 500_000)
  })

  it('waste a third of what counts at most, but for what is little, once those that are sparse are moved', () => {
    const stepOf = fc.record({ length: fc.integer({ min: 0, max: 9000 }), releases: fc.integer({ min: 0, max: 3 }) })
    fc.assert(
      fc.property(fc.array(stepOf, { maxLength: 40 }), fc.infiniteStream(fc.nat()), (steps, picks) => {
        const slabs = new Slabs()
        const kept: { stretch: Stretch; mark: number; length: number }[] = []
        for (let mark = 0; mark < 3000; mark++) {
          const { length, releases } = steps[mark % steps.length] ?? { length: 700, releases: 1 }
          kept.push({ stretch: slabs.keep(marked(mark, length)), mark, length })
          for (let count = 0; count < releases && kept.length > 0; count++) {
            const [gone] = kept.splice(picks.next().value % kept.length, 1)
            if (gone) slabs.release(gone.stretch)
          }
          if (slabs.wasteful) for (const { stretch } of kept) slabs.move(stretch)
          const counted = slabs.liveBytes / 3 + 4 * megabyte + slabBytes
          if (slabs.wasteBytes > counted) throw new Error(`${slabs.wasteBytes} wasted beside ${slabs.liveBytes}`)
        }
        for (const { stretch, mark, length } of kept)
          equal(Buffer.compare(bytesOf(stretch), marked(mark, length)), 0, `${length} bytes`)
        const shared = kept.filter(({ length }) => length <= 8192).reduce((sum, { length }) => sum + length, 0)
        equal(slabs.liveBytes, shared)
        for (const { stretch } of kept) slabs.release(stretch)
        equal(slabs.liveBytes, 0)
        equal(slabs.wasteBytes <= slabBytes, true)
      }),
      { numRuns: 25 },
    )
  })

  it('of a cache are given up when most of what they held has gone, and the rest is whole', async () => {
    const kit = await startKit()
    const name = (number: number): string => `pods/a/p${String(number).padStart(5, '0')}`
    const big = { app: 'x', filler: 'y'.repeat(2000) }
    for (let number = 0; number < 6000; number++) kit.put(name(number), big)
    const before = kit.pods.peek(`/registry/${name(16)}`)?.stored
    for (let number = 0; number < 6000; number++) if (number % 16 !== 0) kit.remove(name(number))
    const memories = (): number => {
      const seen = new Set<ArrayBufferLike>()
      for (let number = 0; number < 6000; number += 16) {
        const stored = kit.pods.peek(`/registry/${name(number)}`)?.stored
        if (stored) seen.add(stored.buffer)
      }
      return seen.size
    }
    const scattered = memories()
    await kit.pass(3000)
    equal(memories() * 4 < scattered, true, `${memories()} of ${scattered}`)
    const entry = kit.pods.peek(`/registry/${name(16)}`)
    deepEqual(entry?.stored, before)
    equal(entry?.labels()['app'], 'x')
    const watcher = await kit.watch({ from: after(5990) })
    kit.put(name(16), { app: 'z' })
    await kit.settle()
    equal(watcher.events.length > 0, true)
    await kit.feed.close()
  })
})
