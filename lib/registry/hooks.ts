import { TooLongHere } from '../base/index.ts'
import { type ApiObject, type FieldError, StatusError, statusErrors } from '../object/index.ts'
import type { ResourceParts, WriteContext } from './context.ts'

/**
 * Ends an allocation: if the write is stored, keeps the new values and releases the replaced ones; else the other way
 * round. Not called when the write's outcome is unknown.
 */
export type EndAllocation = (isStored: boolean) => void | Promise<void>

/**
 * Effects of a resource's writes beyond the object itself: addresses, ports, counts. Installed with
 * `ResourceRegistry.hook`.
 */
export interface ResourceHooks {
  /**
   * Allocates what `object` needs and writes it into it: after the kind's preparation, before its validation. `old`
   * undefined: the object is new. Throws StatusError when nothing is left, or the requested value is taken. A dry run
   * allocates nothing. Undefined: there is nothing to end.
   */
  allocate?(object: ApiObject, old: ApiObject | undefined, context: WriteContext): Promise<EndAllocation | undefined>
  /**
   * The errors of a valid object that its author may not write: it refers to an object that the author may not read, or
   * grants permissions that the author lacks. `old` undefined: the object is new. Called for updates of subresources,
   * too.
   */
  authorize?(object: ApiObject, old: ApiObject | undefined, context: WriteContext): Promise<FieldError[]>
  /** Called when an update, also of a subresource, is stored. Not in a dry run. */
  afterUpdate?(object: ApiObject, old: ApiObject): void
  /** Called when the object is deleted from the store. Not in a dry run. */
  afterDelete?(object: ApiObject, context: WriteContext): Promise<void>
}

/**
 * Runs `write` with everything allocated that `object` needs. When the store fails, the write's outcome is unknown:
 * then all values stay allocated, new and former, and the allocator's repair finds those without an object.
 */
export async function withAllocated<Result>(
  parts: ResourceParts,
  object: ApiObject,
  old: ApiObject | undefined,
  context: WriteContext,
  write: () => Promise<Result>,
  isStored: (result: Result) => boolean,
): Promise<Result> {
  const endAllocation = await parts.hooks()?.allocate?.(object, old, context)
  if (!endAllocation) return write()
  let result: Result
  try {
    result = await write()
  } catch (error) {
    if (error instanceof StatusError || error instanceof TooLongHere) await endAllocation(false)
    throw error
  }
  await endAllocation(isStored(result))
  return result
}

/** Throws 422 for a valid object that its author may not write; undefined when the kind has no such rule. */
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
