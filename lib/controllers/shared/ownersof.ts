import { controllerOf, type Identified, joinKey, keyOf, namespaceOf } from '../../controller/index.ts'
import type { ApiObject, Frozen, LabelSelector } from '../../object/index.ts'

/** Owners of one kind, and which pods each of them would take. */
interface Owners<T> {
  readonly kind: string
  in(namespace: string): Iterable<T>
  selectorOf(owner: T): LabelSelector
}

type Metadata = Frozen<Pick<ApiObject, 'metadata'>>

/** Keys of the owners that an object has or had; for one that nothing controls, of those that would take it. */
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

/** A selector that can't be read selects nothing: it must not keep other owners from hearing of the object. */
export function selects(selectorOf: () => LabelSelector, { metadata }: Metadata): boolean {
  try {
    return selectorOf().matches(metadata.labels ?? {})
  } catch {
    return false
  }
}
