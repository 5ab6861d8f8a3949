import { Pace, type Slices, sortInSlices } from '../../base/index.ts'
import { differenceOfNodes, intersectionOfNodes, type LeafTest, settled, sharedNode } from '../fieldset/algebra.ts'
import { compareElements, compareOrdered, withOrder } from '../fieldset/canonical.ts'
import { type FieldSet, type FieldSetBuilder, hasNoFields, isMember, noFields, self } from '../fieldset/fieldset.ts'

// The operations of sets as in ../fieldset, with pauses, for sets of many fields.

export function* unionInSlices(a: FieldSet, b: FieldSet, pace = new Pace()): Slices<FieldSet> {
  if (a === b || hasNoFields(b)) return a
  if (hasNoFields(a)) return b
  const changes: [element: string, node: FieldSet][] = []
  for (const element of Object.keys(b)) {
    if (pace.isDue()) yield
    const mine = a[element]
    const theirs = b[element] ?? noFields
    const joined = mine === undefined ? theirs : yield* unionOfTwo(element, mine, theirs, pace)
    if (joined !== mine) changes.push([element, joined])
  }
  if (changes.length === 0) return a
  const result: FieldSetBuilder = {}
  for (const element of Object.keys(a)) {
    if (pace.isDue()) yield
    result[element] = a[element] ?? noFields
  }
  for (const [element, node] of changes) {
    if (pace.isDue()) yield
    result[element] = node
  }
  return result
}

function* unionOfTwo(element: string, mine: FieldSet, theirs: FieldSet, pace: Pace): Slices<FieldSet> {
  if (element === self || mine === theirs) return mine
  const isLeaf = !isNested(theirs)
  if (!isLeaf && isNested(mine)) return yield* unionInSlices(mine, theirs, pace)
  // One of them is the node itself, without anything below.
  const other = isLeaf ? mine : theirs
  return isMember(other) ? other : yield* withSelf(other, pace)
}

function* withSelf(node: FieldSet, pace: Pace): Slices<FieldSet> {
  const result: FieldSetBuilder = { [self]: noFields }
  for (const element of Object.keys(node)) {
    if (pace.isDue()) yield
    result[element] = node[element] ?? noFields
  }
  return result
}

export function* unionOfInSlices(sets: readonly FieldSet[]): Slices<FieldSet> {
  let all = noFields
  for (const set of sets) all = yield* unionInSlices(all, set)
  return all
}

export function* differenceInSlices(
  a: FieldSet,
  b: FieldSet,
  isLeaf: LeafTest = hasNoFields,
  pace = new Pace(),
): Slices<FieldSet> {
  if (a === b) return noFields
  const result: FieldSetBuilder = {}
  let isChanged = false
  for (const element of Object.keys(a)) {
    if (pace.isDue()) yield
    const mine = a[element] ?? noFields
    const theirs = b[element]
    let left: FieldSet | undefined = mine
    if (theirs !== undefined)
      left =
        isNested(mine) && isNested(theirs)
          ? settled(mine, yield* differenceInSlices(mine, theirs, isLeaf, pace))
          : differenceOfNodes(mine, theirs, isLeaf)
    if (left !== mine) isChanged = true
    if (left !== undefined) result[element] = left
  }
  return isChanged ? result : a
}

export function* intersectionInSlices(
  a: FieldSet,
  b: FieldSet,
  isLeaf: LeafTest = hasNoFields,
  pace = new Pace(),
): Slices<FieldSet> {
  if (a === b) return a
  const result: FieldSetBuilder = {}
  for (const element of Object.keys(a)) {
    if (pace.isDue()) yield
    const mine = a[element] ?? noFields
    const theirs = b[element]
    if (theirs === undefined || element === self) continue
    const shared =
      mine !== theirs && isNested(mine) && isNested(theirs)
        ? sharedNode(mine, theirs, yield* intersectionInSlices(mine, theirs, isLeaf, pace), isLeaf)
        : intersectionOfNodes(mine, theirs, isLeaf)
    if (shared !== undefined) result[element] = shared
  }
  return result
}

export function* equalSetsInSlices(a: FieldSet, b: FieldSet, pace = new Pace()): Slices<boolean> {
  if (a === b) return true
  const elements = Object.keys(a)
  if (elements.length !== Object.keys(b).length) return false
  for (const element of elements) {
    if (pace.isDue()) yield
    const theirs = b[element]
    if (theirs === undefined || !(yield* equalSetsInSlices(a[element] ?? noFields, theirs, pace))) return false
  }
  return true
}

export function* canonicalInSlices(set: FieldSet, pace = new Pace()): Slices<FieldSet> {
  const elements = Object.keys(set)
  const changes = new Map<string, FieldSet>()
  let isSorted = true
  let previous: string | undefined
  for (const element of elements) {
    if (pace.isDue()) yield
    const child = set[element] ?? noFields
    const ordered = child === noFields ? child : yield* canonicalInSlices(child, pace)
    if (ordered !== child) changes.set(element, ordered)
    if (isSorted && previous !== undefined && compareElements(previous, element) > 0) isSorted = false
    previous = element
  }
  if (isSorted && changes.size === 0) return set
  const result: FieldSetBuilder = {}
  for (const element of isSorted ? elements : yield* inOrder(elements, pace)) {
    if (pace.isDue()) yield
    result[element] = changes.get(element) ?? set[element] ?? noFields
  }
  return result
}

function* inOrder(elements: readonly string[], pace: Pace): Slices<readonly string[]> {
  const keyed: ReturnType<typeof withOrder>[] = []
  for (const element of elements) {
    if (pace.isDue()) yield
    keyed.push(withOrder(element))
  }
  return (yield* sortInSlices(keyed, compareOrdered)).map(({ element }) => element)
}

function isNested(node: FieldSet): boolean {
  return node !== noFields && !hasNoFields(node)
}
