import { deepEqual, equal } from 'node:assert/strict'
import { createTree } from '../../../lib/base/index.ts'
import { defaultCacheOptions } from '../../../lib/cache/options.ts'
import { createBudgets } from '../../../lib/cache/state/budgets.ts'
import { CacheEvent } from '../../../lib/cache/state/cacheevent.ts'
import { CacheEntry } from '../../../lib/cache/state/entry.ts'
import { History } from '../../../lib/cache/state/history.ts'
import { Snapshots } from '../../../lib/cache/state/snapshots.ts'
import { asRevision, noRevision } from '../../../lib/object/index.ts'
import { resourceOptions } from '../../support/cachekit.ts'

const budgets = createBudgets({ entryBytesMax: 0, objectBytesMax: 0, frameBytesMax: 0, selectedBytesMin: 0 })

/** A state that grows by the key of each revision, and its snapshots. */
function createGrowing(limits: Partial<typeof defaultCacheOptions>) {
  const options = { ...defaultCacheOptions, snapshotEveryEvents: 4, ...limits }
  const tree = createTree<CacheEntry>()
  const history = new History(noRevision, options)
  const snapshots = new Snapshots(history, options)
  snapshots.changed(tree, noRevision, 0)
  return {
    tree,
    snapshots,
    grow(to: number, atMs: number): void {
      for (let number = tree.size + 1; number <= to; number++) {
        const revision = asRevision(number)
        const { decode, labels, fields } = resourceOptions()
        const from = { key: `k${number}`, stored: new Uint8Array(), revision, createRevision: revision }
        const current = new CacheEntry({ budgets, decode, labels, fields }, from)
        tree.set(current)
        history.append(new CacheEvent(budgets, { revision, atMs, previous: undefined, current }))
        snapshots.changed(tree, revision, atMs)
      }
      history.expire(atMs)
      snapshots.expire(atMs)
    },
    sizeAt: (revision: number) => snapshots.at(asRevision(revision), tree)?.size,
  }
}

describe('snapshots', () => {
  it('answer for every revision of the time kept, and no longer', () => {
    const growing = createGrowing({ historyEventsMin: 4, historyFreshMs: 75_000, snapshotKeepMs: 75_000 })
    growing.grow(50, 1_000)
    growing.grow(100, 60_000)
    for (let revision = 0; revision <= 100; revision++) equal(growing.sizeAt(revision), revision)
    growing.grow(150, 100_000)
    deepEqual([growing.sizeAt(20), growing.sizeAt(75), growing.sizeAt(150)], [undefined, 75, 150])
  })

  it('do not outlive the history that bounds their memory', () => {
    const growing = createGrowing({ historyEventsMin: 4, historyEventsMax: 16 })
    growing.grow(1_000, 0)
    equal(growing.snapshots.count <= 5, true, `${growing.snapshots.count} snapshots`)
    deepEqual([growing.sizeAt(983), growing.sizeAt(990)], [undefined, 990])
  })

  it('are limited in number, however many revisions are requested', () => {
    const growing = createGrowing({ snapshotsMax: 10 })
    growing.grow(1_000, 0)
    for (let revision = 1; revision <= 1_000; revision++) growing.sizeAt(revision)
    equal(growing.snapshots.count <= 10, true, `${growing.snapshots.count} snapshots`)
  })
})
