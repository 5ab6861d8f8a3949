import { controllerOf, type Identified, joinKey, keyOf, namespaceOf } from '../../controller/index.ts'
import type { ApiObject, Frozen, LabelSelector } from '../../object/index.ts'

/** The owners of one kind, and their selectors. */
interface Owners<T> {
  readonly kind: string
  in(namespace: string): Iterable<T>
  selectorOf(owner: T): LabelSelector
}

type Metadata = Frozen<Pick<ApiObject, 'metadata'>>

/** Keys of an object's present and former owners; for an object without a controller, of those that would adopt it. */
export function ownersOf<T extends Identified>(
  {
    object,
    before,
    deleted,
  }: { readonly object: Metadata; readonly before: Metadata | undefined; readonly deleted: boolean },
  { kind, in: ownersIn, selectorOf }: Owners<T>,
): Set<string> {
  const keys = new Set<string>()
  const namespace = namespaceOf(object)
  for (const state of [object, before]) {
    const owner = state && controllerOf(state)
    if (owner?.kind === kind) keys.add(joinKey(namespace, owner.name))
  }
  if (deleted || controllerOf(object)) return keys
  for (const owner of ownersIn(namespace)) if (selects(() => selectorOf(owner), object)) keys.add(keyOf(owner))
  return keys
}

/** An invalid selector selects nothing: other owners must get the event all the same. */
export function selects(selectorOf: () => LabelSelector, { metadata }: Metadata): boolean {
  try {
    return selectorOf().matches(metadata.labels ?? {})
  } catch {
    return false
  }
}
