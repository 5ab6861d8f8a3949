import assert from 'node:assert/strict'
import { forgetWhenQuiet } from '../../../cmd/forgetstart.ts'
import { createFakeClock } from '../../../lib/base/index.ts'

const mebibyte = 1024 * 1024
const halfMinuteMs = 30_000

describe('garbage of a program that waits', () => {
  let bytes: number
  let cpuMs: number
  let collections: number
  const fake = createFakeClock(0)
  const clock = { ...fake, threadCpuMs: () => cpuMs }
  const heap = {
    bytes: () => bytes,
    collect() {
      collections++
      bytes = 30 * mebibyte
    },
  }
  let forgetting: ReturnType<typeof forgetWhenQuiet>

  /** Half a minute passes in which the heap grows to so many mebibytes, and so much of the CPU is used. */
  function passes(heapMiB: number, usedMs: number): number {
    bytes = heapMiB * mebibyte
    cpuMs += usedMs
    fake.advance(halfMinuteMs)
    return collections
  }

  beforeEach(() => {
    ;[bytes, cpuMs, collections] = [40 * mebibyte, 500, 0]
    forgetting = forgetWhenQuiet(clock, heap)
  })
  afterEach(() => void forgetting.close())

  it('that of the start is collected at once', () => assert.equal(collections, 1))

  it('that of a burst is collected after half a quiet minute, once', () => {
    assert.equal(passes(50, 5000), 1)
    assert.equal(passes(50, 100), 2)
    assert.equal(passes(30, 100), 2)
  })

  it('little of it is left alone', () => assert.equal(passes(35, 0), 1))

  it('a large heap is left alone, as its collection takes long', () => assert.equal(passes(65, 0), 1))

  it('none is collected after the end', () => {
    void forgetting.close()
    assert.equal(passes(50, 0), 1)
  })
})
