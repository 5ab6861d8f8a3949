import assert from 'node:assert/strict'
import { createFakeClock } from '../../../lib/base/index.ts'
import { createWorkQueue, selectControllers } from '../../../lib/controller/index.ts'

describe('controller: work queue', () => {
  const open = () => {
    const clock = createFakeClock()
    return { clock, queue: createWorkQueue({ clock }, { name: 'test', firstMs: 10, maxMs: 35 }) }
  }

  it('holds a key once, in the order of arrival', () => {
    const { queue } = open()
    for (const key of ['a', 'b', 'a']) queue.add(key)
    assert.deepEqual([queue.take(), queue.take(), queue.take()], ['a', 'b', undefined])
  })

  it('returns a key that was added during its work only afterwards', () => {
    const { queue } = open()
    queue.add('a')
    assert.equal(queue.take(), 'a')
    queue.add('a')
    assert.equal(queue.take(), undefined)
    queue.done('a')
    assert.equal(queue.take(), 'a')
  })

  it('reports when it can next be taken from', () => {
    const { clock, queue } = open()
    const seen = [queue.nextMs()]
    queue.addAfter('later', 50)
    queue.addAfter('a', 20)
    clock.advance(5)
    seen.push(queue.nextMs())
    queue.add('a')
    seen.push(queue.nextMs())
    queue.take()
    seen.push(queue.nextMs())
    queue.done('a')
    clock.advance(15)
    queue.done(queue.take() ?? '')
    seen.push(queue.nextMs())
    assert.deepEqual(seen, [Number.POSITIVE_INFINITY, 15, 0, 0, 30])
  })

  it('doubles the pause with each failure up to its limit, and forgets failures', () => {
    const { clock, queue } = open()
    for (const pauseMs of [10, 20, 35, 35]) {
      queue.addRateLimited('a')
      clock.advance(pauseMs - 1)
      assert.equal(queue.take(), undefined)
      clock.advance(1)
      assert.equal(queue.take(), 'a')
      queue.done('a')
    }
    queue.forget('a')
    queue.addRateLimited('a')
    clock.advance(10)
    assert.equal(queue.take(), 'a')
  })

  it('takes the earliest of several times', () => {
    const { clock, queue } = open()
    queue.addAfter('a', 100)
    queue.addAfter('a', 50)
    queue.addAfter('a', 80)
    clock.advance(50)
    assert.equal(queue.take(), 'a')
    queue.done('a')
    clock.advance(1000)
    assert.equal(queue.take(), undefined)
  })

  it('accepts nothing more once it is closed', () => {
    const { clock, queue } = open()
    queue.addAfter('a', 10)
    queue.add('b')
    queue.close()
    queue.add('c')
    clock.advance(10)
    assert.equal(queue.take(), undefined)
  })
})

describe('controller: --controllers', () => {
  const all = [
    { name: 'a-controller', aliases: ['a'], account: 'a', start() {} },
    { name: 'b-controller', account: 'b', byDefault: false, start() {} },
  ]
  const names = (wanted: readonly string[]) => selectControllers(all, wanted).map(({ name }) => name)

  it('applies the first entry for a controller', () => {
    assert.deepEqual(names(['*']), ['a-controller'])
    assert.deepEqual(names(['*', 'b-controller']), ['a-controller', 'b-controller'])
    assert.deepEqual(names(['-a', '*', 'a']), [])
    assert.deepEqual(names(['b-controller']), ['b-controller'])
    assert.deepEqual(names([]), [])
  })

  it('refuses unknown names', () => {
    assert.throws(() => names(['nothing']), /"nothing" is no controller/)
  })
})
