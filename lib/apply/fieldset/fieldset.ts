/**
 * A set of fields of an object, in the form of its FieldsV1 JSON, which is a trie already: a key is a path element
 * (`f:name` a field or map key, `k:{"name":"a"}` a list item by its keys, `v:"x"` a set's item, `i:0` an index), and
 * its value holds the paths below. `{}` below a key: the path is in the set; with `.` among other keys: the path and
 * those below are. Nodes without members don't exist. Sets are immutable and share nodes; encoded sets have their keys
 * in canonical order (see canonical.ts), sets under construction need not.
 *
 * `{ 'f:spec': { 'f:ports': { '.': {}, 'k:{"port":80}': {} } } }` holds .spec.ports and .spec.ports[port=80].
 */
export interface FieldSet {
  readonly [element: string]: FieldSet
}

/** A set under construction. */
export type FieldSetBuilder = Record<string, FieldSet>

/** The empty set and, below an element, the node of a path without children. */
export const noFields: FieldSet = Object.freeze({})

/** The element that marks a node with children as a member of the set. */
export const self = '.'

/** Reading the first key takes time in proportion to the node's keys, hence the checks before it. */
export function hasNoFields(set: FieldSet): boolean {
  if (set === noFields) return true
  if (set[self] !== undefined) return false
  for (const _ in set) return false
  return true
}

/** Whether a node (not the root) is itself in the set. */
export function isMember(node: FieldSet): boolean {
  return node[self] !== undefined || hasNoFields(node)
}

/** Whether the path is in the set. */
export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  const node = below(set, path)
  return path.length > 0 && node !== undefined && isMember(node)
}

/** The node at a path; undefined when the set has neither the path nor any below it. */
function below(set: FieldSet, path: readonly string[]): FieldSet | undefined {
  let node: FieldSet | undefined = set
  for (const element of path) {
    node = node[element]
    if (node === undefined) return undefined
  }
  return node
}

/** Every path of the set: at each node first the members directly below it, then the paths below those. */
export function* paths(set: FieldSet): Generator<readonly string[]> {
  yield* pathsBelow(set, [])
}

function* pathsBelow(node: FieldSet, path: readonly string[]): Generator<readonly string[]> {
  for (const element in node) if (element !== self && isMember(node[element] ?? noFields)) yield [...path, element]
  for (const element in node) if (element !== self) yield* pathsBelow(node[element] ?? noFields, [...path, element])
}

/** How many paths are in the set. */
export function countPaths(set: FieldSet): number {
  let count = 0
  for (const _ of paths(set)) count++
  return count
}

export function equalSets(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  let keys = 0
  for (const element in a) {
    const other = b[element]
    if (other === undefined || !equalSets(a[element] ?? noFields, other)) return false
    keys++
  }
  for (const _ in b) keys--
  return keys === 0
}

/** The set of exactly these paths. */
export function setOfPaths(all: Iterable<readonly string[]>): FieldSet {
  const root: MutableNode = new Map()
  for (const path of all) {
    let node = root
    for (const element of path) {
      let child = node.get(element)
      if (!child) node.set(element, (child = new Map()))
      node = child
    }
    if (path.length > 0) node.set(self, new Map())
  }
  return freezeNode(root)
}

type MutableNode = Map<string, MutableNode>

function freezeNode(node: MutableNode): FieldSet {
  const only = node.size === 1 && node.has(self)
  if (only) return noFields
  return Object.fromEntries([...node].map(([element, child]) => [element, freezeNode(child)]))
}
