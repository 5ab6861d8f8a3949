import assert from 'node:assert/strict'
import { Pauses, systemClock, TurnQueue } from '../../../lib/base/index.ts'

/** A queue whose rounds the test runs by hand. */
function byHand() {
  const rounds: (() => void)[] = []
  const queue = new TurnQueue((run) => void rounds.push(run))
  const round = (): void => {
    for (const run of rounds.splice(0)) run()
  }
  return { queue, round }
}

describe('a queue of turns', () => {
  it('runs one turn a round, that of the earliest work first', () => {
    const { queue, round } = byHand()
    const seen: string[] = []
    queue.take(2, () => seen.push('second'))
    queue.take(1, () => seen.push('first'))
    queue.take(2, () => seen.push('third'))
    const after: number[] = []
    for (let rounds = 0; rounds < 4; rounds++) {
      round()
      after.push(seen.length)
    }
    assert.deepEqual(seen, ['first', 'second', 'third'])
    assert.deepEqual(after, [1, 2, 3, 3])
  })

  it('serves a turn that was asked for within a turn in a later round', () => {
    const { queue, round } = byHand()
    const seen: string[] = []
    queue.take(1, () => {
      seen.push('a')
      queue.take(1, () => seen.push('b'))
    })
    round()
    assert.deepEqual(seen, ['a'])
    round()
    assert.deepEqual(seen, ['a', 'b'])
  })

  it('skips turns that were cancelled', () => {
    const { queue, round } = byHand()
    const seen: string[] = []
    void queue.take(1, () => seen.push('given up')).close()
    queue.take(2, () => seen.push('next'))
    round()
    assert.deepEqual(seen, ['next'])
  })

  it('lets the I/O of others run between the slices of any number of large works', async () => {
    let rounds = 0
    const counting = setInterval(() => rounds++, 0)
    let most = 0
    let sinceRound = 0
    let last = 0
    const work = async (): Promise<void> => {
      const pauses = new Pauses(systemClock)
      for (let slice = 0; slice < 5; slice++) {
        await pauses.pause()
        sinceRound = rounds === last ? sinceRound + 1 : 1
        last = rounds
        most = Math.max(most, sinceRound)
        const until = performance.now() + 2
        while (performance.now() < until);
      }
    }
    await Promise.all(Array.from({ length: 20 }, work))
    clearInterval(counting)
    assert(most <= 2, `${most} slices between two timers`)
  })

  it('finishes work in the order in which it began, but sends the longest behind the rest', async () => {
    const done: string[] = []
    const work = async (name: string, slices: number): Promise<void> => {
      const pauses = new Pauses(systemClock)
      for (let slice = 0; slice < slices; slice++) await pauses.pause()
      done.push(name)
    }
    await Promise.all([work('longest', 600), work('first', 200), work('second', 100)])
    assert.deepEqual(done, ['first', 'second', 'longest'])
  })
})
