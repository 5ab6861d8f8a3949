import { deepEqual, equal } from 'node:assert/strict'
import { createSeededRandom, createTree, type Tree } from '../../../lib/base/index.ts'

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

describe('tree', () => {
  for (const [title, span, steps] of [
    ['few keys, many replacements and deletions', 200, 20_000],
    ['many keys', 20_000, 30_000],
  ] as const)
    it(`equals a sorted map: ${title}`, () => {
      const random = createSeededRandom(span)
      const tree = createTree<Item>()
      const model = new Map<string, Item>()
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

  it('stops a visit when its visitor answers so', () => {
    const tree = createTree<Item>()
    for (let number = 0; number < 1_000; number++) tree.set({ key: keyOf(number), value: number })
    const seen: number[] = []
    tree.visit(keyOf(990), '\uffff', (item) => seen.push(item.value) < 3)
    deepEqual(seen, [990, 991, 992])
  })
})
