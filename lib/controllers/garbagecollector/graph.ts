import { LRUCache } from 'lru-cache'
import type { PartialObject } from '../../client/index.ts'
import type { Frozen, OwnerReference, ResourceType } from '../../object/index.ts'

/** The place of an object. An owner is assumed to be in its dependent's namespace. */
interface Identity {
  readonly apiVersion: string
  readonly kind: string
  /** '' for none. */
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** An object with its owners and dependents. */
export interface Node {
  identity: Identity
  /** Undefined: the object is known from references only. */
  seen: { readonly object: Frozen<PartialObject>; readonly type: ResourceType } | undefined
  owners: readonly Frozen<OwnerReference>[]
  readonly dependents: Set<Node>
  /** It is being deleted in the foreground: its dependents are deleted first. */
  deletingDependents: boolean
}

/** Receives the graph's requests after a change. */
interface GraphSink {
  /** `soon`: after a moment, in which the expected event may arrive. */
  check(uid: string, soon?: boolean): void
  orphan(uid: string): void
  /** A reference names an owner of another namespace. */
  invalidNamespace(dependent: Node, reference: Frozen<OwnerReference>): void
}

/** Objects by uid, linked by their owner references. */
export interface Graph {
  readonly size: number
  get(uid: string): Node | undefined
  all(): Iterable<Node>
  put(object: Frozen<PartialObject>, type: ResourceType): void
  /** The object was deleted. */
  remove(uid: string): void
  /** The newest version of an object that it has seen. */
  readonly newest: number
  /** A live read did not find the object at its identity; it began when `newest` was `asOf`. */
  absent(node: Node, asOf: number): void
  /**
   * True: a live read or a deletion event has shown that this owner does not exist. That is not believed of an owner of
   * an object that was written later: a store that was brought back to an earlier state has both again.
   */
  isAbsent(identity: Identity, dependent: Frozen<PartialObject>): boolean
  noteAbsent(identity: Identity, asOf: number): void
}

const absentMax = 500

export const foregroundFinalizer = 'foregroundDeletion'
export const orphanFinalizer = 'orphan'

export function createGraph(sink: GraphSink): Graph {
  const nodes = new Map<string, Node>()
  /** Owners that don't exist, each with the newest version when that was found. */
  const gone = new LRUCache<string, number>({ max: absentMax })
  let newest = 0

  function link(node: Node, reference: Frozen<OwnerReference>): void {
    const known = nodes.get(reference.uid)
    if (known) {
      known.dependents.add(node)
      if (known.seen) checkReference(node, reference, known)
      return
    }
    const identity = identityOf(reference, node.identity.namespace)
    const owner: Node = {
      identity,
      seen: undefined,
      owners: [],
      dependents: new Set([node]),
      deletingDependents: false,
    }
    nodes.set(reference.uid, owner)
    sink.check(reference.uid, true)
  }

  function checkReference(node: Node, reference: Frozen<OwnerReference>, owner: Node): void {
    const isElsewhere = owner.identity.namespace !== '' && owner.identity.namespace !== node.identity.namespace
    if (isElsewhere) sink.invalidNamespace(node, reference)
    if (isElsewhere || !isSameOwner(reference, owner.identity)) sink.check(node.identity.uid)
  }

  function unlink(node: Node, uid: string): void {
    const owner = nodes.get(uid)
    if (!owner?.dependents.delete(node)) return
    if (owner.seen === undefined && owner.dependents.size === 0) nodes.delete(uid)
    else if (owner.deletingDependents) sink.check(uid)
  }

  function relink(node: Node, before: readonly Frozen<OwnerReference>[]): void {
    const kept = new Map(node.owners.map((reference) => [reference.uid, reference]))
    const known = new Map(before.map((reference) => [reference.uid, reference]))
    for (const [uid, reference] of known) {
      const now = kept.get(uid)
      if (!now) unlink(node, uid)
      else if (reference.blockOwnerDeletion && !now.blockOwnerDeletion) sink.check(uid)
    }
    let added = false
    for (const [uid, reference] of kept)
      if (!known.has(uid)) {
        added = true
        link(node, reference)
      } else if (!isSameReference(known.get(uid), reference)) sink.check(node.identity.uid)
    // No further event comes from an owner that is known not to exist.
    if (added && node.owners.some((reference) => isGone(reference, node))) sink.check(node.identity.uid)
  }

  function isAbsent(identity: Identity, dependent: Frozen<PartialObject>): boolean {
    return (gone.get(keyOf(identity)) ?? -1) >= versionOf(dependent)
  }

  function isGone(reference: Frozen<OwnerReference>, { identity, seen }: Node): boolean {
    if (!seen) return false
    const { object } = seen
    return isAbsent(identityOf(reference, identity.namespace), object) || isAbsent(identityOf(reference, ''), object)
  }

  function drop(node: Node): void {
    nodes.delete(node.identity.uid)
    for (const { uid } of node.owners) unlink(node, uid)
    for (const { identity } of node.dependents) sink.check(identity.uid)
  }

  return {
    get size() {
      return nodes.size
    },
    get newest() {
      return newest
    },
    get: (uid) => nodes.get(uid),
    all: () => nodes.values(),
    put(object, type) {
      const { metadata } = object
      const uid = metadata.uid ?? ''
      newest = Math.max(newest, versionOf(object))
      let node = nodes.get(uid)
      const first = node?.seen === undefined
      const identity = identityOfObject(object, type)
      if (!node)
        nodes.set(
          uid,
          (node = { identity, seen: undefined, owners: [], dependents: new Set(), deletingDependents: false }),
        )
      const before = { owners: node.owners, metadata: node.seen?.object.metadata }
      node.identity = identity
      node.seen = { object, type }
      node.owners = metadata.ownerReferences ?? []
      relink(node, before.owners)
      if (first)
        for (const dependent of node.dependents)
          for (const reference of dependent.owners)
            if (reference.uid === uid) checkReference(dependent, reference, node)
      if (isDeletedWith(metadata, orphanFinalizer) && !isDeletedWith(before.metadata, orphanFinalizer)) sink.orphan(uid)
      if (isDeletedWith(metadata, foregroundFinalizer) && !node.deletingDependents) {
        node.deletingDependents = true
        for (const dependent of node.dependents) sink.check(dependent.identity.uid)
        sink.check(uid)
      }
    },
    remove(uid) {
      const node = nodes.get(uid)
      if (!node) return
      if (node.dependents.size > 0) gone.set(keyOf(node.identity), newest)
      drop(node)
    },
    absent(node, asOf) {
      if (nodes.get(node.identity.uid) !== node) return
      gone.set(keyOf(node.identity), asOf)
      const other = node.seen === undefined ? alternative(node) : undefined
      if (!other) return drop(node)
      for (const dependent of node.dependents)
        if (references(dependent, node.identity)) sink.check(dependent.identity.uid)
      node.identity = other
      sink.check(other.uid)
    },
    isAbsent,
    noteAbsent: (identity, asOf) => void gone.set(keyOf(identity), asOf),
  }

  /**
   * Another identity in the dependents' references to an object that was never seen; each is proposed until it is
   * known not to exist.
   */
  function alternative(node: Node): Identity | undefined {
    const found = new Map<string, Identity>()
    for (const dependent of node.dependents)
      for (const reference of dependent.owners) {
        if (reference.uid !== node.identity.uid) continue
        const identity = identityOf(reference, dependent.identity.namespace)
        if (!gone.has(keyOf(identity))) found.set(keyOf(identity), identity)
      }
    const first = [...found.keys()].sort()[0]
    return first === undefined ? undefined : found.get(first)
  }
}

/** The identity of an owner in a reference. */
export function identityOf({ apiVersion, kind, name, uid }: Frozen<OwnerReference>, namespace: string): Identity {
  return { apiVersion, kind, name, uid, namespace }
}

function identityOfObject({ metadata }: Frozen<PartialObject>, { group, version, kind }: ResourceType): Identity {
  const { namespace = '', name = '', uid = '' } = metadata
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, namespace, name, uid }
}

function references(dependent: Node, owner: Identity): boolean {
  if (owner.namespace !== dependent.identity.namespace) return false
  return dependent.owners.some((reference) => reference.uid === owner.uid && isSameReference(reference, owner))
}

/** Ignores the version: objects are served in several versions. */
function isSameOwner(reference: Frozen<OwnerReference>, { apiVersion, kind, name }: Identity): boolean {
  return groupOf(reference.apiVersion) === groupOf(apiVersion) && reference.kind === kind && reference.name === name
}

function isSameReference(
  left: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'> | undefined,
  right: Pick<OwnerReference, 'apiVersion' | 'kind' | 'name'>,
): boolean {
  return left?.apiVersion === right.apiVersion && left.kind === right.kind && left.name === right.name
}

export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/')
  return slash < 0 ? '' : apiVersion.slice(0, slash)
}

export function isDeletedWith(metadata: Frozen<PartialObject>['metadata'] | undefined, finalizer: string): boolean {
  return metadata?.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false)
}

function keyOf({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return `${kind}\n${apiVersion}\n${namespace}\n${name}\n${uid}`
}

function versionOf({ metadata: { resourceVersion } }: Frozen<PartialObject>): number {
  return Number(resourceVersion ?? 0)
}
