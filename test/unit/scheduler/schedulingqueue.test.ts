import assert from 'node:assert/strict'
import { createFakeClock } from '../../../lib/base/index.ts'
import { SchedulingQueue } from '../../../lib/scheduler/schedulingqueue.ts'

describe('queue of pods that wait for a node', () => {
  it('gives important pods first, and of equals those that wait longest', () => {
    const queue = new SchedulingQueue(createFakeClock())
    for (const [key, priority] of [
      ['a', 0],
      ['b', 10],
      ['c', 0],
      ['d', 10],
    ] as const)
      queue.add(key, priority)
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(() => queue.take()),
      ['b', 'd', 'a', 'c', undefined],
    )
  })

  it('gives a pod that has failed only after a change, and after its backoff', () => {
    const clock = createFakeClock()
    const queue = new SchedulingQueue(clock)
    queue.add('a', 0)
    queue.take()
    queue.failed('a')
    clock.advance(5000)
    assert.equal(queue.take(), undefined)
    queue.changed('NodeAdd')
    assert.equal(queue.take(), 'a')
    queue.failed('a')
    queue.changed('NodeAdd')
    assert.deepEqual([queue.take(), queue.nextMs()], [undefined, 2000])
    clock.advance(2000)
    assert.equal(queue.take(), 'a')
  })

  it('gives a pod again after its backoff where something changed during its attempt', () => {
    const clock = createFakeClock()
    const queue = new SchedulingQueue(clock)
    queue.add('a', 0)
    queue.take()
    queue.changed('NodeAdd')
    queue.failed('a')
    clock.advance(1000)
    assert.equal(queue.take(), 'a')
  })

  it('gives a pod again after five minutes though nothing has changed', () => {
    const clock = createFakeClock()
    const queue = new SchedulingQueue(clock)
    queue.add('a', 0)
    queue.take()
    queue.failed('a')
    assert.equal(queue.nextMs(), 300_000)
    clock.advance(300_000)
    assert.equal(queue.take(), 'a')
  })

  it('lets a pod wait ten seconds at most', () => {
    const clock = createFakeClock()
    const queue = new SchedulingQueue(clock)
    queue.add('a', 0)
    for (let attempt = 0; attempt < 8; attempt++) {
      clock.advance(10_000)
      assert.equal(queue.take(), 'a')
      queue.failed('a', { isRetried: true })
    }
    assert.equal(queue.nextMs(), 10_000)
  })

  it('forgets a pod that is removed, wherever it waits', () => {
    const queue = new SchedulingQueue(createFakeClock())
    queue.add('a', 0)
    queue.add('b', 0)
    queue.remove('a')
    assert.equal(queue.take(), 'b')
    queue.remove('b')
    queue.failed('b')
    assert.deepEqual([queue.take(), queue.nextMs(), queue.size], [undefined, undefined, 0])
  })
})
