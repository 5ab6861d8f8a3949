import { deepEqual, equal, throws } from 'node:assert/strict'
import { createBudgets } from '../../../lib/cache/state/budgets.ts'
import { CacheEvent } from '../../../lib/cache/state/cacheevent.ts'
import { CacheEntry } from '../../../lib/cache/state/entry.ts'
import { History } from '../../../lib/cache/state/history.ts'
import { asRevision, noRevision } from '../../../lib/object/index.ts'
import { resourceOptions } from '../../support/cachekit.ts'

const budgets = createBudgets({ entryBytesMax: 0, objectBytesMax: 0, frameBytesMax: 0, selectedBytesMin: 0 })
const limits = { historyEventsMin: 4, historyEventsMax: 16, historyFreshMs: 1_000, historyBytesMax: 100_000 }

/** A creation, or with `replacedBytes` the change of an object that was so large. */
function change(number: number, atMs = 0, { bytes = 0, replacedBytes = -1 } = {}): CacheEvent {
  const revision = asRevision(number)
  const { decode, labels, fields } = resourceOptions()
  const entry = (size: number): CacheEntry => {
    const from = { key: `k${number}`, stored: new Uint8Array(size), revision, createRevision: revision }
    return new CacheEntry({ budgets, decode, labels, fields }, from)
  }
  const previous = replacedBytes < 0 ? undefined : entry(replacedBytes)
  return new CacheEvent(budgets, { revision, atMs, previous, current: entry(bytes) })
}

function revisions(history: History): number[] {
  return Array.from({ length: history.next - history.first }, (_, index) => history.at(history.first + index).revision)
}

describe('history', () => {
  it('answers where a watch resumes, and undefined once that is dropped', () => {
    const history = new History(asRevision(7), limits)
    for (const revision of [9, 12, 12, 15]) history.append(change(revision))
    const cases: [number, number | undefined][] = [
      [6, undefined],
      [7, 0],
      [8, 0],
      [9, 1],
      [11, 1],
      [12, 3],
      [15, 4],
      [99, 4],
    ]
    for (const [after, sequence] of cases) equal(history.after(asRevision(after)), sequence, `after ${after}`)
  })

  it('grows while its changes are fresh, up to its maximum, and shrinks when they no longer are', () => {
    const resizes: string[] = []
    const history = new History(noRevision, limits, (direction, capacity) => resizes.push(`${direction} ${capacity}`))
    for (let revision = 1; revision <= 20; revision++) history.append(change(revision, revision))
    deepEqual([revisions(history).length, history.floor], [16, 4])
    history.expire(1_019)
    deepEqual([revisions(history), history.floor], [[17, 18, 19, 20], 16])
    history.expire(100_000)
    deepEqual(revisions(history), [17, 18, 19, 20])
    history.append(change(21, 100_000))
    deepEqual(revisions(history), [17, 18, 19, 20, 21])
    deepEqual(resizes, ['increase 8', 'increase 16', 'decrease 8'])
  })

  it('keeps no more bytes than allowed', () => {
    const history = new History(noRevision, limits)
    for (let revision = 1; revision <= 10; revision++) history.append(change(revision, 0, { replacedBytes: 20_000 }))
    deepEqual(revisions(history), [7, 8, 9, 10])
    history.append(change(11, 0, { replacedBytes: 200_000 }))
    deepEqual([revisions(history), history.floor], [[11], 10])
  })

  it('counts only the bytes that it keeps in memory alone: of a new object only the change', () => {
    const history = new History(noRevision, { ...limits, historyBytesMax: 10_000 })
    for (let revision = 1; revision <= 10; revision++) history.append(change(revision, 0, { bytes: 20_000 }))
    equal(revisions(history).length, 10)
  })

  it('accepts changes in order only', () => {
    const history = new History(asRevision(7), limits)
    throws(() => history.append(change(6)), { name: 'AssertionError' })
  })
})
