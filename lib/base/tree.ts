import { assert } from './assert.ts'

/**
 * Maximum number of items of a leaf and children of a branch. Small, as a change after a clone copies one node a level.
 */
const widthMax = 32
/** A smaller node is merged with a neighbour when both fit into one. */
const widthMin = 12

interface Keyed {
  readonly key: string
}

interface Leaf<Item> {
  /** The tree that may change this node in place; any other copies it first. */
  owner: object
  readonly children: undefined
  /** Undefined: they are not made yet. */
  items: Item[] | undefined
  count: number
  /** Where its items come from. All trees that share the leaf share the items, once they are made. */
  from: { readonly loading: Loading<Item>; readonly index: number } | undefined
}

interface Loading<Item> {
  /** Undefined: all items are made. */
  source: ItemSource<Item> | undefined
  /** Leaves whose items are not made. */
  leavesLeft: number
}

interface Branch<Item> {
  owner: object
  children: Node<Item>[]
  /** keys[i]: no key below child i is smaller, and all below child i-1 are. keys[0] is unused. */
  keys: string[]
  /** Items below. */
  count: number
}

type Node<Item> = Leaf<Item> | Branch<Item>

/** Items of unique keys in their order, which are made when they are first looked at. */
export interface ItemSource<Item> {
  readonly size: number
  keyAt(index: number): string
  /** Makes the items from an index inclusive to another one exclusive. Called once for each. */
  make(from: number, to: number): Item[]
}

/**
 * A sorted set of items with unique keys, as a B+tree with counts. A clone costs O(1) and shares nodes until either side
 * changes; `rank` costs O(log n). Keys compare as strings.
 */
export interface Tree<Item extends Keyed> {
  readonly size: number
  /** False: some items of the source are not made yet. */
  readonly isMade: boolean
  get(key: string): Item | undefined
  /** Stores `item`, and returns the previous item with its key. */
  set(item: Item): Item | undefined
  /** Removes the item with `key`, and returns it. */
  delete(key: string): Item | undefined
  /** A copy of this state; both may be changed afterwards. */
  clone(): Tree<Item>
  /** Number of items whose key is smaller. */
  rank(key: string): number
  /** Items from `start` inclusive to `end` exclusive in order, at most `limit`. */
  slice(start: string, end: string, limit?: number): Item[]
  /** Calls `visit` for these items in order until it returns false. */
  visit(start: string, end: string, visit: (item: Item) => boolean): void
  /** Calls `visit` for the items that are made, in order. */
  visitMade(visit: (item: Item) => void): void
}

export function createTree<Item extends Keyed>(): Tree<Item> {
  return new CountedTree<Item>(newLeaf([], {}), undefined)
}

/** A tree of all items of the source. Makes none of them. */
export function createTreeOf<Item extends Keyed>(source: ItemSource<Item>): Tree<Item> {
  const owner = {}
  const loading: Loading<Item> = { source, leavesLeft: Math.ceil(source.size / widthMax) }
  let nodes: { node: Node<Item>; key: string }[] = []
  for (let index = 0; index < source.size; index += widthMax) {
    const count = Math.min(widthMax, source.size - index)
    const node = { owner, children: undefined, items: undefined, count, from: { loading, index } }
    nodes.push({ node, key: source.keyAt(index) })
  }
  while (nodes.length > 1) {
    const above: typeof nodes = []
    for (let at = 0; at < nodes.length; at += widthMax) {
      const below = nodes.slice(at, at + widthMax)
      const children = below.map(({ node }) => node)
      const keys = below.map(({ key }) => key)
      above.push({ node: { owner, children, keys, count: countOf(children) }, key: keys[0] ?? '' })
    }
    nodes = above
  }
  return new CountedTree<Item>(nodes[0]?.node ?? newLeaf([], owner), loading)
}

class CountedTree<Item extends Keyed> implements Tree<Item> {
  #root: Node<Item>
  #owner: object = {}
  readonly #loading: Loading<Item> | undefined

  constructor(root: Node<Item>, loading: Loading<Item> | undefined) {
    this.#root = root
    this.#loading = loading
  }

  get isMade(): boolean {
    return this.#loading === undefined || this.#loading.leavesLeft === 0
  }

  get size(): number {
    return this.#root.count
  }

  get(key: string): Item | undefined {
    let node = this.#root
    while (node.children) node = at(node.children, childIndex(node.keys, key))
    const items = itemsOf(node)
    const item = items[itemIndex(items, key)]
    return item !== undefined && item.key === key ? item : undefined
  }

  set(item: Item): Item | undefined {
    this.#root = owned(this.#root, this.#owner)
    const before = put(this.#root, item, this.#owner)
    if (width(this.#root) > widthMax) {
      const left = this.#root
      const { right, key } = split(left, this.#owner, item.key)
      this.#root = { owner: this.#owner, children: [left, right], keys: ['', key], count: left.count + right.count }
    }
    return before
  }

  delete(key: string): Item | undefined {
    const item = this.get(key)
    if (item === undefined) return undefined
    this.#root = owned(this.#root, this.#owner)
    remove(this.#root, key, this.#owner)
    while (this.#root.children && this.#root.children.length === 1) this.#root = at(this.#root.children, 0)
    return item
  }

  clone(): Tree<Item> {
    this.#owner = {}
    return new CountedTree<Item>(this.#root, this.#loading)
  }

  rank(key: string): number {
    let node = this.#root
    let before = 0
    while (node.children) {
      const index = childIndex(node.keys, key)
      for (let i = 0; i < index; i++) before += at(node.children, i).count
      node = at(node.children, index)
    }
    return before + itemIndex(itemsOf(node), key)
  }

  slice(start: string, end: string, limit = Number.POSITIVE_INFINITY): Item[] {
    const items: Item[] = []
    if (start < end && limit > 0)
      walk(this.#root, start, end, (leaf, from, to) => {
        const stop = Math.min(to, from + limit - items.length)
        for (let index = from; index < stop; index++) items.push(at(leaf, index))
        return items.length < limit
      })
    return items
  }

  visit(start: string, end: string, visit: (item: Item) => boolean): void {
    if (start < end)
      walk(this.#root, start, end, (leaf, from, to) => {
        for (let index = from; index < to; index++) if (!visit(at(leaf, index))) return false
        return true
      })
  }

  visitMade(visit: (item: Item) => void): void {
    visitMadeBelow(this.#root, visit)
  }
}

function newLeaf<Item>(items: Item[], owner: object): Leaf<Item> {
  return { owner, children: undefined, items, count: items.length, from: undefined }
}

function itemsOf<Item>(leaf: Leaf<Item>): Item[] {
  return leaf.items ?? makeItems(leaf)
}

function makeItems<Item>(leaf: Leaf<Item>): Item[] {
  const { from, count } = leaf
  const source = from?.loading.source
  assert(from && source, 'tree: a leaf without items')
  const { loading, index } = from
  const items = source.make(index, index + count)
  assert(items.length === count, 'tree: the source has made other items')
  leaf.items = items
  leaf.from = undefined
  if (--loading.leavesLeft === 0) loading.source = undefined
  return items
}

function visitMadeBelow<Item>(node: Node<Item>, visit: (item: Item) => void): void {
  if (node.children) for (const child of node.children) visitMadeBelow(child, visit)
  else for (const item of node.items ?? []) visit(item)
}

function at<T>(list: readonly T[], index: number): T {
  const value = list[index]
  assert(value !== undefined, 'tree: index out of range')
  return value
}

/** Index of the child that covers `key`. */
function childIndex(keys: readonly string[], key: string): number {
  let low = 1
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(keys, middle) <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Index of `key`, or where it would be. */
function itemIndex(items: readonly Keyed[], key: string): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(items, middle).key < key) low = middle + 1
    else high = middle
  }
  return low
}

function width<Item>(node: Node<Item>): number {
  return node.children ? node.children.length : node.count
}

/** The node itself when this tree owns it, else a copy that it owns. */
function owned<Item>(node: Node<Item>, owner: object): Node<Item> {
  if (node.owner === owner) return node
  if (!node.children) return newLeaf(itemsOf(node).slice(), owner)
  return { owner, children: node.children.slice(), keys: node.keys.slice(), count: node.count }
}

function ownedChild<Item>(branch: Branch<Item>, index: number, owner: object): Node<Item> {
  const child = owned(at(branch.children, index), owner)
  branch.children[index] = child
  return child
}

/** Inserts into an owned node; it may grow one beyond widthMax, and the caller splits it then. */
function put<Item extends Keyed>(node: Node<Item>, item: Item, owner: object): Item | undefined {
  if (!node.children) {
    const items = itemsOf(node)
    const index = itemIndex(items, item.key)
    const before = items[index]
    if (before !== undefined && before.key === item.key) {
      items[index] = item
      return before
    }
    items.splice(index, 0, item)
    node.count++
    return undefined
  }
  const index = childIndex(node.keys, item.key)
  const child = ownedChild(node, index, owner)
  const before = put(child, item, owner)
  if (before === undefined) node.count++
  if (width(child) > widthMax) {
    const { right, key } = split(child, owner, item.key)
    node.children.splice(index + 1, 0, right)
    node.keys.splice(index + 1, 0, key)
  }
  return before
}

/**
 * Splits an owned node in two. When the newest key is the last, the left half stays full: keys that arrive in order, as
 * in a load, fill every node.
 */
function split<Item extends Keyed>(
  node: Node<Item>,
  owner: object,
  newest: string,
): { right: Node<Item>; key: string } {
  const half = (width(node) + 1) >>> 1
  if (!node.children) {
    const items = itemsOf(node)
    const from = at(items, items.length - 1).key === newest ? items.length - 1 : half
    const beyond = items.splice(from)
    node.items = items.slice() // frees the capacity beyond its length
    node.count = node.items.length
    return { right: newLeaf(beyond, owner), key: at(beyond, 0).key }
  }
  const from = at(node.keys, node.keys.length - 1) <= newest ? node.children.length - 2 : half
  const children = node.children.splice(from)
  const keys = node.keys.splice(from)
  const count = countOf(children)
  node.count -= count
  return { right: { owner, children, keys, count }, key: at(keys, 0) }
}

function countOf<Item>(children: readonly Node<Item>[]): number {
  let count = 0
  for (const child of children) count += child.count
  return count
}

/** Removes an existing key from an owned node. */
function remove<Item extends Keyed>(node: Node<Item>, key: string, owner: object): void {
  node.count--
  if (!node.children) {
    const items = itemsOf(node)
    items.splice(itemIndex(items, key), 1)
    return
  }
  const index = childIndex(node.keys, key)
  const child = ownedChild(node, index, owner)
  remove(child, key, owner)
  if (width(child) < widthMin) merge(node, index, owner)
}

/** Merges the small child `index` with a neighbour if both fit into one; drops it when it is empty. */
function merge<Item>(branch: Branch<Item>, index: number, owner: object): void {
  if (width(at(branch.children, index)) === 0) {
    branch.children.splice(index, 1)
    branch.keys.splice(index, 1)
    return
  }
  const leftIndex = index > 0 ? index - 1 : index
  const right = branch.children[leftIndex + 1]
  if (!right || width(at(branch.children, leftIndex)) + width(right) > widthMax) return
  const left = ownedChild(branch, leftIndex, owner)
  if (left.children && right.children) {
    left.keys.push(at(branch.keys, leftIndex + 1), ...right.keys.slice(1))
    left.children.push(...right.children)
  } else if (!left.children && !right.children) itemsOf(left).push(...itemsOf(right))
  left.count += right.count
  branch.children.splice(leftIndex + 1, 1)
  branch.keys.splice(leftIndex + 1, 1)
}

/** Calls `visit` for each leaf's part of the range; false when it stops. */
function walk<Item extends Keyed>(
  node: Node<Item>,
  start: string,
  end: string,
  visit: (items: readonly Item[], from: number, to: number) => boolean,
): boolean {
  if (!node.children) {
    const items = itemsOf(node)
    const last = items[items.length - 1]
    if (last === undefined) return true
    const beyond = last.key >= end
    const from = itemIndex(items, start)
    const to = beyond ? itemIndex(items, end) : items.length
    return (from >= to || visit(items, from, to)) && !beyond
  }
  for (let index = childIndex(node.keys, start); index < node.children.length; index++)
    if (!walk(at(node.children, index), start, end, visit)) return false
  return true
}
