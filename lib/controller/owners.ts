import type { ApiObject, Frozen, OwnerReference } from '../object/index.ts'

type Owned = Frozen<Pick<ApiObject, 'metadata'>>

/** The owner that controls an object, if there is one. */
export function controllerOf({ metadata: { ownerReferences } }: Owned): Frozen<OwnerReference> | undefined {
  if (ownerReferences === undefined) return undefined
  for (const owner of ownerReferences) if (owner.controller === true) return owner
  return undefined
}

export function isControlledBy(object: Owned, owner: Owned): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid
}

/** The owner reference of objects that a controller creates for `owner`. */
export function controllerReference(owner: Frozen<ApiObject>): OwnerReference {
  const { apiVersion, kind, metadata } = owner
  return {
    apiVersion,
    kind,
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  }
}
