import { managerFromUserAgent } from '../apply/index.ts'
import type { ApiObject, GroupVersionKind } from '../object/index.ts'
import type { StructType } from '../schema/index.ts'

/** Whose change it is, and to what. */
export interface OwnershipContext {
  readonly manager: string
  readonly subresource: string
  readonly gvk: GroupVersionKind
  readonly struct: StructType
  /** Paths that this endpoint resets, which hence nobody owns. */
  readonly resetFields: readonly string[]
  /** Paths that are all that this endpoint takes; empty: it takes everything that it does not reset. */
  readonly onlyFields: readonly string[]
  readonly nowMs: number
}

/**
 * Who owns which field (`metadata.managedFields`). Objects are in the version that the request speaks; `live` is shared
 * and must not be changed, `object` may be.
 */
export interface Ownership {
  onCreate(object: ApiObject, context: OwnershipContext): ApiObject
  onUpdate(live: ApiObject, object: ApiObject, context: OwnershipContext): ApiObject
  /** The object that an apply configuration makes of `live` (undefined: of nothing). Throws 409 on conflicts. */
  onApply(
    live: ApiObject | undefined,
    configuration: ApiObject,
    context: OwnershipContext & { readonly force: boolean },
  ): ApiObject
}

/** The manager of a request that names none: what stands before the first slash of its User-Agent. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  return fieldManager === '' ? managerFromUserAgent(userAgent) : fieldManager
}
