import { deepEqual, equal, ok } from 'node:assert/strict'
import { createSeededRandom, createTree, createTreeOf, type Tree } from '../../../lib/base/index.ts'

interface Item {
  readonly key: string
  readonly value: number
}

function keyOf(number: number): string {
  return `k${String(number).padStart(6, '0')}`
}

function all(tree: Tree<Item>): Item[] {
  return tree.slice('', '\uffff')
}

function sorted(model: Map<string, Item>): Item[] {
  return [...model.values()].sort((a, b) => (a.key < b.key ? -1 : 1))
}

/** A tree of items that are made when they are looked at, with the items and the number of those that were made. */
function loaded(numbers: readonly number[]): { tree: Tree<Item>; model: Map<string, Item>; made(): number } {
  const items = numbers.map((number) => ({ key: keyOf(number), value: -number }))
  const made = new Set<number>()
  const tree = createTreeOf<Item>({
    size: items.length,
    keyAt: (index) => keyOf(numbers[index]!),
    make(from, to) {
      for (let index = from; index < to; index++) {
        ok(!made.has(index), `${index} was made twice`)
        made.add(index)
      }
      return items.slice(from, to)
    },
  })
  return { tree, model: new Map(items.map((item) => [item.key, item])), made: () => made.size }
}

const everyThird = (span: number): number[] => Array.from({ length: Math.ceil(span / 3) }, (_, index) => index * 3)

describe('tree', () => {
  for (const [title, span, steps, isLoaded] of [
    ['few keys, many replacements and deletions', 200, 20_000, false],
    ['many keys', 20_000, 30_000, false],
    ['few keys of a source', 200, 2_000, true],
    ['many keys of a source', 20_000, 10_000, true],
  ] as const)
    it(`equals a sorted map: ${title}`, () => {
      const random = createSeededRandom(span)
      const { tree, model } = isLoaded ? loaded(everyThird(span)) : { tree: createTree<Item>(), model: new Map() }
      for (let step = 0; step < steps; step++) {
        const key = keyOf(random.below(span))
        if (random.below(3) > 0) {
          const item = { key, value: step }
          equal(tree.set(item), model.get(key))
          model.set(key, item)
        } else {
          equal(tree.delete(key), model.get(key))
          model.delete(key)
        }
        equal(tree.size, model.size)
      }
      const expected = sorted(model)
      deepEqual(all(tree), expected)
      for (let probe = 0; probe < 200; probe++) {
        const [a, b] = [keyOf(random.below(span)), keyOf(random.below(span))]
        equal(tree.get(a), model.get(a))
        equal(tree.rank(a), expected.filter((item) => item.key < a).length)
        const limit = random.below(50)
        deepEqual(tree.slice(a, b, limit), expected.filter((item) => item.key >= a && item.key < b).slice(0, limit))
      }
      for (const { key } of expected) tree.delete(key)
      deepEqual([tree.size, all(tree)], [0, []])
    })

  it('keeps each clone as it was, whichever side is changed', () => {
    const random = createSeededRandom(7)
    const trees: { tree: Tree<Item>; model: Map<string, Item> }[] = [{ tree: createTree<Item>(), model: new Map() }]
    for (let step = 0; step < 4_000; step++) {
      const { tree, model } = trees[random.below(trees.length)]!
      const key = keyOf(random.below(500))
      if (random.below(3) > 0) {
        const item = { key, value: step }
        tree.set(item)
        model.set(key, item)
      } else {
        tree.delete(key)
        model.delete(key)
      }
      if (step % 100 === 0) trees.push({ tree: tree.clone(), model: new Map(model) })
    }
    for (const { tree, model } of trees) deepEqual(all(tree), sorted(model))
  })

  it('keeps each clone of a source as it was, and makes each item once for all', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createSeededRandom(seed)
      const first = loaded(everyThird(600))
      const trees: { tree: Tree<Item>; model: Map<string, Item> }[] = [first]
      for (let step = 0; step < 200; step++) {
        const { tree, model } = trees[random.below(trees.length)]!
        const key = keyOf(random.below(600))
        const item = { key, value: step }
        if (random.below(3) > 0) equal(tree.set(item), model.get(key))
        else equal(tree.delete(key), model.get(key))
        if (tree.get(key) === item) model.set(key, item)
        else model.delete(key)
        if (step % 20 === 0) trees.push({ tree: tree.clone(), model: new Map(model) })
      }
      for (const { tree, model } of trees) deepEqual(all(tree), sorted(model))
      equal(first.made(), 200)
      ok(trees.every(({ tree }) => tree.isMade))
    }
  })

  it('makes the items of a source near those that are looked at, and no others', () => {
    const { tree, model, made } = loaded(everyThird(3_000))
    equal(tree.size, 1_000)
    equal(made(), 0)
    equal(tree.get(keyOf(1_500)), model.get(keyOf(1_500)))
    equal(tree.get(keyOf(1_501)), undefined)
    equal(tree.clone().rank(keyOf(1_502)), 501)
    deepEqual([made() <= 64, tree.isMade], [true, false])
    const seen: Item[] = []
    tree.visitMade((item) => void seen.push(item))
    equal(seen.length, made())
    deepEqual(all(tree), sorted(model))
    deepEqual([made(), tree.isMade], [1_000, true])
    const none = createTreeOf<Item>({ size: 0, keyAt: keyOf, make: () => [] })
    deepEqual([none.size, none.isMade, all(none)], [0, true, []])
  })

  it('stops a visit when its visitor answers so', () => {
    const tree = createTree<Item>()
    for (let number = 0; number < 1_000; number++) tree.set({ key: keyOf(number), value: number })
    const seen: number[] = []
    tree.visit(keyOf(990), '\uffff', (item) => seen.push(item.value) < 3)
    deepEqual(seen, [990, 991, 992])
  })
})
