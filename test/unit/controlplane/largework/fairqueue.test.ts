import assert from 'node:assert/strict'
import { FairQueue } from '../../../../lib/controlplane/largework/fairqueue.ts'

describe('the queue for large work', () => {
  it('serves the users in turns, whatever their number of requests', () => {
    const queue = new FairQueue<string>(10)
    for (const work of ['a1', 'a2', 'a3']) queue.add('a', work)
    queue.add('b', 'b1')
    const taken = Array.from({ length: 5 }, () => queue.take())
    assert.deepEqual(taken, ['a1', 'b1', 'a2', 'a3', undefined])
  })

  it('is full at its maximum, and has room again when work leaves', () => {
    const queue = new FairQueue<string>(2)
    const leave = queue.add('a', 'a1')
    queue.add('b', 'b1')
    assert.equal(queue.add('c', 'c1'), undefined)
    leave?.()
    leave?.()
    assert.equal(queue.size, 1)
    assert(queue.add('c', 'c1'))
    assert.deepEqual([queue.take(), queue.take(), queue.take()], ['b1', 'c1', undefined])
  })
})
