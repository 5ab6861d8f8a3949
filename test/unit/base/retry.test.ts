import assert from 'node:assert/strict'
import {
  createFakeClock,
  createSeededRandom,
  type FakeClock,
  type Logger,
  retry,
  silentLogger,
} from '../../../lib/base/index.ts'

describe('retry', () => {
  let clock: FakeClock
  let attempts: number[]
  let logged: string[]
  const log: Logger = {
    ...silentLogger,
    warn: (message) => void logged.push(message),
    info: (message) => void logged.push(message),
  }
  const exact = { name: 'work', firstMs: 100, spread: [1, 1] } as const

  beforeEach(() => {
    clock = createFakeClock()
    attempts = []
    logged = []
  })

  /** Fails so many times, then succeeds. */
  const failing = (times: number) => async (): Promise<string> => {
    attempts.push(clock.now())
    if (attempts.length <= times) throw new Error(String(attempts.length))
    return 'done'
  }

  async function outcome<T>(promise: Promise<T>): Promise<T | Error> {
    let settled: T | Error | undefined
    promise.then(
      (result) => (settled = result),
      (error: Error) => (settled = error),
    )
    for (let step = 0; settled === undefined && step < 10_000; step++) {
      await new Promise(setImmediate)
      clock.advance(settled === undefined ? 10 : 0)
    }
    assert.ok(settled !== undefined, 'it never ends')
    return settled
  }

  it('makes attempts until one succeeds, after pauses that grow by the factor up to the maximum', async () => {
    const options = { ...exact, factor: 3, maxMs: 500 }
    assert.equal(await outcome(retry({ clock, log }, options, failing(4))), 'done')
    assert.deepEqual(attempts, [0, 100, 400, 900, 1400])
    assert.deepEqual(logged, ['work failed and is tried again', 'work succeeded again'])
  })

  it('spreads its pauses at random', async () => {
    const random = createSeededRandom(3)
    const options = { firstMs: 1000, factor: 1, spread: [0.5, 1] } as const
    await outcome(retry({ clock, random }, options, failing(8)))
    const gaps = attempts.slice(1).map((at, index) => at - (attempts[index] ?? 0))
    assert.ok(
      gaps.every((gap) => gap >= 500 && gap <= 1010),
      String(gaps),
    )
    assert.ok(new Set(gaps).size > 3, String(gaps))
  })

  it('rejects with the last failure after its last attempt', async () => {
    const error = await outcome(retry({ clock }, { ...exact, tries: 3 }, failing(10)))
    assert.equal(String(error), 'Error: 3')
    assert.equal(attempts.length, 3)
  })

  it('rejects at once with a failure that is not transient', async () => {
    const isTransient = (error: unknown): boolean => String(error) !== 'Error: 2'
    const error = await outcome(retry({ clock }, { ...exact, isTransient }, failing(10)))
    assert.equal(String(error), 'Error: 2')
    assert.equal(attempts.length, 2)
  })

  it('stops in a pause when its signal aborts', async () => {
    const aborter = new AbortController()
    const retried = outcome(retry({ clock }, { ...exact, firstMs: 5000, signal: aborter.signal }, failing(10)))
    await new Promise(setImmediate)
    aborter.abort(new Error('stopped'))
    assert.equal(String(await retried), 'Error: stopped')
    assert.equal(attempts.length, 1)
  })
})
