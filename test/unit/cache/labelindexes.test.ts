import { deepEqual, equal, ok } from 'node:assert/strict'
import { createTree } from '../../../lib/base/index.ts'
import type { Predicate } from '../../../lib/cache/index.ts'
import { Allotment } from '../../../lib/cache/state/allotment.ts'
import { createBudgets } from '../../../lib/cache/state/budgets.ts'
import { CacheEntry } from '../../../lib/cache/state/entry.ts'
import { LabelIndexes } from '../../../lib/cache/state/labelindexes.ts'
import { TextSets } from '../../../lib/cache/state/textsets.ts'
import { asRevision } from '../../../lib/object/index.ts'
import {
  allPods,
  any,
  encodeObject,
  type Kit,
  labelled,
  nameOf,
  resourceOptions,
  startKit,
} from '../../support/cachekit.ts'

const budgetsOf = (selectedBytesMin: number) =>
  createBudgets({ entryBytesMax: 0, objectBytesMax: 0, frameBytesMax: 0, selectedBytesMin })

function entryOf(name: string, labels: Record<string, string>, budgets = budgetsOf(100_000)): CacheEntry {
  const revision = asRevision(2)
  const from = { key: `/registry/pods/a/${name}`, stored: encodeObject(labels), revision, createRevision: revision }
  return new CacheEntry({ ...resourceOptions(), budgets }, from)
}

/** Indexes over entries that the test puts into `tree`. */
function createIndexes(bytesMax = 1_000_000) {
  const tree = createTree<CacheEntry>()
  const allotment = new Allotment(bytesMax)
  const options = { labelIndexesMax: 4, labelIndexAsksMin: 2, labelIndexPeriodMs: 60_000 }
  const indexes = new LabelIndexes({ ticker: { want() {} }, allotment, tree: () => tree }, options)
  const askOften = (key: string, times: number): void => {
    for (let time = 0; time < times; time++) indexes.ask(key)
  }
  const put = (name: string, labels: Record<string, string>): void => {
    const entry = entryOf(name, labels)
    const previous = tree.set(entry)
    if (previous) indexes.remove(previous)
    indexes.add(entry)
  }
  const complete = (): void => {
    while (indexes.work(() => false)) continue
  }
  const names = (key: string, value: string): string[] | undefined =>
    indexes.ask(key)?.entriesOf(value).slice('', '\uffff').map(nameOf)
  return { indexes, allotment, askOften, put, complete, names }
}

describe('indexes of labels', () => {
  let kit: Kit | undefined
  afterEach(() => kit?.feed.close())

  it('let lists examine the matches alone, once a key was asked for twice, before and after changes', async () => {
    kit = await startKit()
    for (let number = 100; number < 300; number++) kit.put(`pods/a/p${number}`, { app: `a${number % 100}` })
    let looked = 0
    const by = (app: string): Predicate => {
      const predicate = labelled('app', app, 'label')
      return { ...predicate, matches: (entry) => (looked++, predicate.matches(entry)) }
    }
    const { pods, settle } = kit
    const names = async (app: string): Promise<string[]> => {
      looked = 0
      return (await pods.list({ ...allPods, at: any, predicate: by(app) })).entries.map(nameOf)
    }
    for (let round = 0; round < 2; round++) deepEqual([await names('a7'), looked], [['p107', 'p207'], 200])
    await settle()
    deepEqual([await names('a7'), looked], [['p107', 'p207'], 2])
    kit.put('pods/a/p107', { app: 'a8' })
    kit.put('pods/a/new', { app: 'a7' })
    kit.remove('pods/a/p208')
    deepEqual([await names('a7'), looked], [['new', 'p207'], 2])
    deepEqual([await names('a8'), looked], [['p107', 'p108'], 2])
    deepEqual([await names('nobody'), looked], [[], 0])
    kit.pods.renew()
    deepEqual([await names('a7'), looked], [['new', 'p207'], 200])
  })

  it('show changes that come while they are made', () => {
    const { indexes, askOften, put, complete, names } = createIndexes()
    for (let number = 100; number < 200; number++) put(`p${number}`, { app: number % 2 ? 'odd' : 'even' })
    askOften('app', 2)
    indexes.work(() => true) // one slice: some keys are covered, others are not
    put('p100', { app: 'other' })
    put('p198', { app: 'other' })
    put('p000', { app: 'other' })
    put('p999', { app: 'other' })
    equal(indexes.ask('app'), undefined)
    complete()
    deepEqual(names('app', 'other'), ['p000', 'p100', 'p198', 'p999'])
    equal(names('app', 'even')?.length, 48)
    equal(names('app', 'odd')?.length, 50)
  })

  it('are of a few keys, whichever and how many are asked for', () => {
    const { indexes, askOften } = createIndexes()
    for (let number = 0; number < 100_000; number++) askOften(`key-${number}`, 1)
    equal(indexes.size, 0)
    for (let number = 0; number < 100_000; number++) askOften(`key-${number}`, 2)
    equal(indexes.size, 4)
  })

  it('stay with the keys that are asked for most', () => {
    const { indexes, askOften, complete } = createIndexes()
    for (const key of ['a', 'b', 'c', 'd']) askOften(key, 10)
    complete()
    indexes.second(0)
    askOften('a', 9)
    askOften('b', 9)
    askOften('c', 9)
    askOften('d', 1)
    askOften('often', 20)
    askOften('seldom', 12)
    indexes.second(60_000)
    complete()
    const indexed = ['a', 'b', 'c', 'd', 'often', 'seldom'].filter((key) => indexes.ask(key))
    deepEqual(indexed, ['a', 'b', 'c', 'often'])
  })

  it('are dropped after a period without lists', () => {
    const { indexes, allotment, askOften, put, complete } = createIndexes()
    put('x', { app: 'a' })
    indexes.second(0)
    askOften('app', 2)
    complete()
    ok(allotment.usedBytes > 0)
    indexes.second(59_999)
    indexes.second(60_000)
    equal(indexes.size, 1)
    indexes.second(120_000)
    deepEqual([indexes.size, allotment.usedBytes], [0, 0])
  })

  it('are dropped where they do not fit, and not begun again before the next period', () => {
    const { indexes, allotment, askOften, put, complete } = createIndexes(640)
    for (let number = 10; number < 21; number++) put(`p${number}`, { app: 'x' })
    indexes.second(0)
    for (let round = 0; round < 3; round++) {
      askOften('app', 5)
      complete()
      deepEqual([indexes.size, allotment.usedBytes], [0, 0])
    }
    askOften('other', 2)
    complete()
    equal(indexes.size, 1)
    put('one', { other: '' })
    equal(allotment.usedBytes, 64)
    put('one', {})
    equal(allotment.usedBytes, 0)
  })
})

describe('labels of entries', () => {
  it('are read after a load in the background, and when events come, before anyone asks', async () => {
    let read = 0
    const budgets = budgetsOf(100_000)
    const home = {
      ...resourceOptions(),
      budgets,
      storedLabels: () => (read++, { app: 'x' }),
      labels: (): never => {
        throw new Error('read again')
      },
    }
    const revision = asRevision(2)
    const stored = new Uint8Array()
    const entry = new CacheEntry(home, { key: '/registry/pods/a/x', stored, revision, createRevision: revision })
    entry.readAhead()
    entry.readAhead()
    deepEqual([entry.labels(), read], [{ app: 'x' }, 1])
  })

  it('are one object where they are equal', () => {
    const budgets = budgetsOf(100_000)
    const [one, other] = ['one', 'other'].map((name) => entryOf(name, { app: 'x', tier: 'y' }, budgets).labels())
    equal(one, other)
    const shared = new TextSets(new Allotment(10_000))
    // Texts with any content: no label set is taken for another.
    const sets: Record<string, string>[] = [
      { a: '1', b: '2' },
      { a: '11 1 b2' },
      { a: '1b', '': '2' },
      { a1: '', b: '2' },
      {},
    ]
    deepEqual(
      sets.map((set) => shared.of({ ...set }).texts),
      sets,
    )
  })

  it('that do not fit are read at each look, and those of replaced entries make room', () => {
    const budgets = budgetsOf(500)
    const long = 'v'.repeat(63)
    const entries = Array.from({ length: 100 }, (_, number) => entryOf(`p${number}`, { [`k${number}`]: long }, budgets))
    for (const entry of entries) deepEqual(Object.values(entry.labels()), [long])
    ok(budgets.selected.usedBytes > 300 && budgets.selected.usedBytes <= 500, `${budgets.selected.usedBytes}`)
    const last = entries[99]
    ok(last && last.labels() !== undefined)
    for (const entry of entries.slice(0, 99)) entry.retire()
    equal(budgets.selected.usedBytes, 0)
    equal(last.labels(), last.labels())
    last.fields()
    last.renew()
    equal(budgets.selected.usedBytes, 0)
  })
})
