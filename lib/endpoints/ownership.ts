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

const managerBytesMax = 128

/** The manager of a request that names none: what stands before the first slash of its User-Agent. */
export function managerOf(fieldManager: string, userAgent: string | undefined): string {
  if (fieldManager !== '') return fieldManager
  const prefix = (userAgent ?? '').split('/', 1)[0] ?? ''
  let manager = ''
  for (const character of prefix) {
    if (Buffer.byteLength(manager) + Buffer.byteLength(character) > managerBytesMax) break
    manager += character
  }
  return manager === '' ? 'unknown' : manager
}
