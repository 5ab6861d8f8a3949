import { deepEqual, equal, ok } from 'node:assert/strict'
import { createFakeClock, type FakeClock } from '../../../lib/base/index.ts'
import { type Flow, QueuedRequest, QueueSet, type Refusal } from '../../../lib/fairness/queueset.ts'
import { oneSeat, type Width } from '../../../lib/fairness/width.ts'

const silent = { enqueued() {}, dispatched() {}, refused() {}, sampled() {}, noAccommodation() {} }
const flowOf = (hand: readonly number[], name = 'f'): Flow => ({ schema: 's', distinguisher: name, hand })
const wide = (initialSeats: number): Width => ({ ...oneSeat, initialSeats })

describe('the queues of a level', () => {
  let clock: FakeClock
  let set: QueueSet
  beforeEach(() => {
    clock = createFakeClock()
    set = new QueueSet(clock, silent)
    set.configure({ queues: 4, handSize: 2, queueLengthLimit: 3 }, false)
    set.setSeats(2)
  })

  function arrive(hand: readonly number[] = [0, 1], width: Width = oneSeat): QueuedRequest {
    const request = new QueuedRequest(flowOf(hand), width, clock.monotonicMs(), undefined)
    set.start(request)
    return request
  }

  it('execute while there are seats, then wait, and go on in order of arrival', () => {
    const requests = Array.from({ length: 4 }, () => arrive([0]))
    deepEqual(
      requests.map(({ state }) => state),
      ['executing', 'executing', 'waiting', 'waiting'],
    )
    const [first, , third, fourth] = requests
    if (first) set.finish(first)
    deepEqual([third?.state, fourth?.state], ['executing', 'waiting'])
    equal(set.seatsInUse, 2)
    equal(set.waiting, 1)
  })

  it('refuse requests whose shortest queue is full', () => {
    for (let filled = 0; filled < 2 + 3; filled++) arrive([0])
    const refused = new QueuedRequest(flowOf([0]), oneSeat, clock.monotonicMs(), undefined)
    equal(set.start(refused), 'queue-full')
    equal(refused.state, 'over')
    equal(arrive([0, 1]).state, 'waiting', 'another queue of the hand has room')
  })

  it('refuse at once where no request may wait', () => {
    set.configure({ queues: 0, handSize: 0, queueLengthLimit: 0 }, false)
    arrive([])
    arrive([])
    equal(set.start(new QueuedRequest(flowOf([]), oneSeat, clock.monotonicMs(), undefined)), 'concurrency-limit')
  })

  it('never hold an exempt request', () => {
    set.configure({ queues: 0, handSize: 0, queueLengthLimit: 0 }, true)
    set.setSeats(0)
    for (let each = 0; each < 50; each++) equal(arrive([]).state, 'executing')
  })

  it('run a request alone that is wider than all seats', () => {
    const small = arrive([0])
    const giant = arrive([1], wide(9))
    equal(giant.state, 'waiting')
    set.finish(small)
    equal(giant.state, 'executing')
    equal(arrive([2]).state, 'waiting')
    set.finish(giant)
    equal(set.waiting, 0)
  })

  it('keep narrow requests behind a wide one whose turn it is', () => {
    arrive([0])
    const both = arrive([1], wide(2))
    clock.advance(20)
    const narrow = arrive([2])
    deepEqual([both.state, narrow.state], ['waiting', 'waiting'])
  })

  it('remove a request that is cancelled, and serve those that it blocked', () => {
    const first = arrive([0])
    const both = arrive([1], wide(2))
    clock.advance(20)
    const narrow = arrive([2])
    const told: (Refusal | undefined)[] = []
    both.onDecided = (why) => told.push(why)
    set.giveUp(both, 'time-out')
    deepEqual([both.state, narrow.state, told], ['over', 'executing', ['time-out']])
    set.giveUp(both, 'cancelled')
    set.finish(both)
    set.finish(first)
    set.finish(narrow)
    deepEqual([set.seatsInUse, set.seatsWaiting, set.waiting, set.activeQueues, set.isIdle], [0, 0, 0, 0, true])
  })

  it('hold the seats of a write until watches have its events', () => {
    const write = arrive([0], { initialSeats: 1, finalSeats: 2, extraLatencyMs: 10 })
    const next = arrive([1])
    equal(next.state, 'waiting', 'the write holds as many seats as it will')
    set.finish(write)
    clock.advance(9)
    equal(next.state, 'waiting')
    clock.advance(1)
    equal(next.state, 'executing')
  })

  it('serve more when there are more seats, and drain queues that are removed', () => {
    const requests = [0, 1, 2, 3].flatMap((queue) => [arrive([queue]), arrive([queue])])
    set.configure({ queues: 1, handSize: 1, queueLengthLimit: 3 }, false)
    set.setSeats(100)
    ok(requests.every(({ state }) => state === 'executing'))
    for (const request of requests) set.finish(request)
    ok(set.isIdle)
  })

  it('hold a level of ten million queues in no more memory than its requests need', () => {
    set.configure({ queues: 10_000_000, handSize: 2, queueLengthLimit: 3 }, false)
    const request = arrive([9_999_999, 5])
    equal(request.state, 'executing')
    equal(set.activeQueues, 1)
  })
})
