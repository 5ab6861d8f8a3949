import { type FieldSet, type FieldSetBuilder, hasNoFields, isMember, noFields, self } from './fieldset.ts'

/** The paths that are in either set. Returns an operand itself when it equals the union. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || hasNoFields(b)) return a
  if (hasNoFields(a)) return b
  return unionChildren(a, b)
}

function unionOfNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  if (hasNoFields(b)) return isMember(a) ? a : { [self]: noFields, ...a }
  if (hasNoFields(a)) return isMember(b) ? b : { [self]: noFields, ...b }
  return unionChildren(a, b)
}

function unionChildren(a: FieldSet, b: FieldSet): FieldSet {
  let result: FieldSetBuilder | undefined
  for (const element in b) {
    const mine = a[element]
    const theirs = b[element] ?? noFields
    // The mark of membership has no children.
    const joined = mine === undefined ? theirs : element === self ? mine : unionOfNodes(mine, theirs)
    if (joined !== mine) (result ??= { ...a })[element] = joined
  }
  return result ?? a
}

/** The union of many sets, in pairs: adding them one by one would copy the sum each time. */
export function unionOf(sets: readonly FieldSet[]): FieldSet {
  let round = sets
  while (round.length > 1) {
    const next: FieldSet[] = []
    for (let index = 0; index < round.length; index += 2)
      next.push(union(round[index] ?? noFields, round[index + 1] ?? noFields))
    round = next
  }
  return round[0] ?? noFields
}

/**
 * Tests whether a node has no children. It takes time in proportion to the node's keys, which matters when one large
 * set is compared with many small ones: `isNoFields` is faster for a large set whose leaves are all `noFields`.
 */
export type LeafTest = (node: FieldSet) => boolean

export function isNoFields(node: FieldSet): boolean {
  return node === noFields
}

/**
 * The paths that are in `a` but not in `b`; paths below those of `b` stay. Returns `a` itself when nothing is removed.
 */
export function difference(a: FieldSet, b: FieldSet, isLeaf: LeafTest = hasNoFields): FieldSet {
  if (a === b) return noFields
  let result: FieldSetBuilder | undefined
  for (const element in a) {
    const mine = a[element] ?? noFields
    const theirs = b[element]
    const left = theirs === undefined ? mine : differenceOfNodes(mine, theirs, isLeaf)
    if (result === undefined) {
      if (left === mine) continue
      result = membersBefore(a, element)
    }
    if (left !== undefined) result[element] = left
  }
  return result ?? a
}

/** A copy of the members that come before `end`. */
function membersBefore(set: FieldSet, end: string): FieldSetBuilder {
  const copy: FieldSetBuilder = {}
  for (const element in set) {
    if (element === end) break
    copy[element] = set[element] ?? noFields
  }
  return copy
}

/** Undefined: nothing is left. */
function differenceOfNodes(a: FieldSet, b: FieldSet, isLeaf: LeafTest): FieldSet | undefined {
  if (hasNoFields(a)) return b[self] !== undefined || isLeaf(b) ? undefined : a
  if (isLeaf(b)) return withoutSelf(a)
  return remainderOf(a, difference(a, b, isLeaf))
}

/** The node `a` when a difference leaves `left` of it. Undefined: nothing is left. */
function remainderOf(a: FieldSet, left: FieldSet): FieldSet | undefined {
  if (left === a) return a
  // The children are removed and the node stays a member: `.` alone is written as {}.
  if (isOnlySelf(left)) return noFields
  return hasNoFields(left) ? undefined : left
}

function withoutSelf(node: FieldSet): FieldSet {
  if (node[self] === undefined) return node
  const { [self]: _, ...children } = node
  return children
}

function isOnlySelf(node: FieldSet): boolean {
  for (const element in node) if (element !== self) return false
  return node[self] !== undefined
}

/** The paths of `a` that are neither in `b` nor below a path of `b`. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  let result: FieldSetBuilder | undefined
  for (const element in b) {
    const mine = a[element]
    if (mine === undefined || element === self) continue
    const theirs = b[element] ?? noFields
    let left: FieldSet | undefined = isMember(theirs) ? undefined : recursiveDifference(mine, theirs)
    if (left === mine) continue
    if (left && isOnlySelf(left)) left = noFields
    else if (left && hasNoFields(left)) left = undefined
    result ??= { ...a }
    if (left === undefined) delete result[element]
    else result[element] = left
  }
  return result ?? a
}

/** The paths that are in both sets. */
export function intersection(a: FieldSet, b: FieldSet, isLeaf: LeafTest = hasNoFields): FieldSet {
  if (a === b) return a
  const result: FieldSetBuilder = {}
  for (const element in a) {
    const theirs = b[element]
    if (theirs === undefined || element === self) continue
    const shared = intersectionOfNodes(a[element] ?? noFields, theirs, isLeaf)
    if (shared !== undefined) result[element] = shared
  }
  return result
}

function intersectionOfNodes(a: FieldSet, b: FieldSet, isLeaf: LeafTest): FieldSet | undefined {
  if (a === b) return a
  return sharedNode(a, b, intersection(a, b, isLeaf), isLeaf)
}

/** The intersection of two nodes, whose paths below are `children`. Undefined: it is empty. */
function sharedNode(a: FieldSet, b: FieldSet, children: FieldSet, isLeaf: LeafTest): FieldSet | undefined {
  const member = isMember(a) && (b[self] !== undefined || isLeaf(b))
  if (hasNoFields(children)) return member ? noFields : undefined
  return member ? { [self]: noFields, ...children } : children
}
