import assert from 'node:assert/strict'
import { concurrentRequestsMax, settleConcurrently } from '../../../lib/controllers/shared/settleconcurrently.ts'
import { slowStart } from '../../../lib/controllers/shared/slowstart.ts'

/** Work that says how much of it was under way at once. */
function counted(fails: (call: number) => boolean = () => false) {
  const seen = { calls: 0, most: 0 }
  let running = 0
  const work = async (): Promise<void> => {
    const call = seen.calls++
    seen.most = Math.max(seen.most, ++running)
    await new Promise((resolve) => void setImmediate(resolve))
    running--
    if (fails(call)) throw new Error(`call ${call}`)
  }
  return { seen, work }
}

describe('many requests of one controller', () => {
  it('are made several at a time, and report the outcome of each', async () => {
    const { seen, work } = counted((call) => call === 7)
    const all = Array.from({ length: 200 }, (_, index) => index)
    const results = await settleConcurrently(all, work)
    assert.deepEqual([seen.calls, seen.most], [200, concurrentRequestsMax])
    assert.deepEqual(
      results.map(({ status }, index) => (status === 'rejected' ? index : -1)).filter((index) => index >= 0),
      [7],
    )
    assert.deepEqual(await settleConcurrently([], work), [])
  })

  it('begin slowly, and never get more than that', async () => {
    const { seen, work } = counted()
    assert.deepEqual(await slowStart(500, work), { succeeded: 500, failed: 0, error: undefined })
    assert.deepEqual([seen.calls, seen.most], [500, concurrentRequestsMax])
  })

  it('end with the batch in which one fails', async () => {
    const { seen, work } = counted((call) => call === 4)
    const { succeeded, failed, error } = await slowStart(500, work)
    assert.deepEqual([succeeded, failed, seen.calls], [6, 1, 7])
    assert.equal((error as Error).message, 'call 4')
  })
})
