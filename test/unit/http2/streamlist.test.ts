import assert from 'node:assert/strict'
import { StreamList } from '../../../lib/http2/index.ts'

describe('the open streams of a connection', () => {
  it('are found by id, in whatever order they end', () => {
    const open = new StreamList<{ readonly id: number }>()
    for (let id = 1; id <= 41; id += 2) open.add({ id })
    assert.equal(open.size, 21)
    for (const id of [21, 1, 41, 3, 39]) {
      assert.equal(open.get(id)?.id, id)
      open.delete(id)
      open.delete(id)
      assert.equal(open.get(id), undefined)
    }
    assert.equal(open.size, 16)
    assert.deepEqual([open.get(0), open.get(2), open.get(43)], [undefined, undefined, undefined])
    for (const { id } of open.values()) assert.equal(open.get(id)?.id, id)
  })

  it('are none after the end, and a stream that never opened is no other', () => {
    const open = new StreamList<{ readonly id: number }>()
    open.add({ id: 1 })
    open.delete(0)
    assert.equal(open.size, 1)
    open.clear()
    assert.equal(open.get(1), undefined)
  })
})
