/** An object by its identity, and the identities of its owners. */
export interface Owned {
  readonly uid: string
  readonly owners: readonly string[]
}

export interface OwnedNode<T extends Owned> {
  readonly object: T
  readonly children: readonly OwnedNode<T>[]
}

/** Depth of a tree; owners may form a circle. */
const depthMax = 10

/** What is owned by the object with `uid`, and by that, and so on. */
export function ownedBy<T extends Owned>(uid: string, all: readonly T[], depth = 0): OwnedNode<T>[] {
  if (depth >= depthMax) return []
  return all
    .filter((object) => object.owners.includes(uid))
    .map((object) => ({ object, children: ownedBy(object.uid, all, depth + 1) }))
}
