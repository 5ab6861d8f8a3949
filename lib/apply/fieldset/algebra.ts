import { type FieldSet, type FieldSetBuilder, hasNoFields, isMember, noFields, self } from './fieldset.ts'

/** What is in either. Answers an operand itself when that is all. */
export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || hasNoFields(b)) return a
  if (hasNoFields(a)) return b
  return unionChildren(a, b)
}

function unionNodes(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  if (hasNoFields(a)) return isMember(b) ? b : { [self]: noFields, ...b }
  if (hasNoFields(b)) return isMember(a) ? a : { [self]: noFields, ...a }
  return unionChildren(a, b)
}

function unionChildren(a: FieldSet, b: FieldSet): FieldSet {
  let result: FieldSetBuilder | undefined
  for (const element in b) {
    const mine = a[element]
    const theirs = b[element] ?? noFields
    // The mark of membership has nothing below.
    const joined = mine === undefined ? theirs : element === self ? mine : unionNodes(mine, theirs)
    if (joined !== mine) (result ??= { ...a })[element] = joined
  }
  return result ?? a
}

/** What is in `a` but not in `b`; paths below those of `b` stay. Answers `a` itself when nothing goes. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return noFields
  let result: FieldSetBuilder | undefined
  for (const element in b) {
    const mine = a[element]
    if (mine === undefined) continue
    const left = differenceOfNodes(mine, b[element] ?? noFields)
    if (left === mine) continue
    result ??= { ...a }
    if (left === undefined) delete result[element]
    else result[element] = left
  }
  return result ?? a
}

/** Undefined: nothing is left. */
function differenceOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (hasNoFields(a)) return isMember(b) ? undefined : a
  if (hasNoFields(b)) return withoutSelf(a)
  let left = difference(a, b)
  // The children are gone and the node is a member that stays: `.` alone is written as {}.
  if (left !== a && isOnlySelf(left)) left = noFields
  else if (left !== a && hasNoFields(left)) return undefined
  return left
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

/** What is in `a` and neither in `b` nor below a path of `b`. */
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

/** What is in both. */
export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  const result: FieldSetBuilder = {}
  for (const element in a) {
    const theirs = b[element]
    if (theirs === undefined || element === self) continue
    const shared = intersectionOfNodes(a[element] ?? noFields, theirs)
    if (shared !== undefined) result[element] = shared
  }
  return result
}

function intersectionOfNodes(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (a === b) return a
  const member = isMember(a) && isMember(b)
  const children = intersection(a, b)
  if (hasNoFields(children)) return member ? noFields : undefined
  return member ? { [self]: noFields, ...children } : children
}
