import { TooLongHere } from '../base/index.ts'
import { type ApiObject, type FieldError, StatusError, statusErrors } from '../object/index.ts'
import type { ResourceParts, WriteContext } from './context.ts'

/**
 * Settles an allocation: when the write is stored, keeps what was allocated and releases what it replaces; else the
 * other way round. Not called when the write's outcome is unknown.
 */
export type Settle = (isStored: boolean) => void | Promise<void>

/** Work beyond the object itself that writes of a resource bring: addresses, ports, counts. Installed with `ResourceRegistry.hook`. */
export interface ResourceHooks {
  /**
   * Sets aside what `object` needs and writes it into it: after the kind's preparation, before its validation. `old`
   * undefined: the object is new. Throws StatusError when there is nothing left, or what is wanted is taken. In a dry run
   * nothing is set aside. Undefined: there is nothing to settle.
   */
  allocate?(object: ApiObject, old: ApiObject | undefined, context: WriteContext): Promise<Settle | undefined>
  /**
   * The faults of an object, valid in itself, that its author may not write: it refers to what he may not read, or hands out
   * what he does not have. `old` undefined: the object is new. For updates of subresources, too.
   */
  authorize?(object: ApiObject, old: ApiObject | undefined, context: WriteContext): Promise<FieldError[]>
  /** An update, also of a subresource, is stored. Never in a dry run. */
  afterUpdate?(object: ApiObject, old: ApiObject): void
  /** The object is gone from the store. Never in a dry run. */
  afterDelete?(object: ApiObject, context: WriteContext): Promise<void>
}

/**
 * Runs `write` with everything that `object` needs allocated. When the store fails, the write's outcome is unknown:
 * then all stays allocated, both new and former, and the allocator's repair finds what no object has.
 */
export async function withAllocated<Result>(
  parts: ResourceParts,
  object: ApiObject,
  old: ApiObject | undefined,
  context: WriteContext,
  write: () => Promise<Result>,
  isStored: (result: Result) => boolean,
): Promise<Result> {
  const settle = await parts.hooks()?.allocate?.(object, old, context)
  if (!settle) return write()
  let result: Result
  try {
    result = await write()
  } catch (error) {
    if (error instanceof StatusError || error instanceof TooLongHere) await settle(false)
    throw error
  }
  await settle(isStored(result))
  return result
}

/** Throws 422 for an object, valid in itself, that its author may not write; undefined where the kind has no such rule. */
export function checkAuthorized(
  parts: ResourceParts,
  object: ApiObject,
  old: ApiObject | undefined,
  context: WriteContext,
): Promise<void> | undefined {
  const found = parts.hooks()?.authorize?.(object, old, context)
  return found?.then((errors) => {
    if (errors.length > 0) throw statusErrors.invalid(parts.definition.gvk, object.metadata.name ?? '', errors)
  })
}
