import { type ApiObject, StatusError } from '../object/index.ts'
import type { ResourceParts, WriteContext } from './context.ts'

/**
 * Keeps what was set aside for good and gives back what it replaces (the write is stored), or the other way round. Not
 * called when nobody knows.
 */
export type Settle = (isStored: boolean) => void | Promise<void>

/**
 * What a resource has beyond its own object: addresses, ports, whatever can be handed out only once. Installed with
 * `Registry.hook`.
 */
export interface ResourceHooks {
  /**
   * Sets aside what `object` needs and writes it into it: after the kind's preparation, before its validation. `old`
   * undefined: the object is new. Throws StatusError when there is nothing left, or what is wanted is taken. In a dry run
   * nothing is set aside. Undefined: there is nothing to settle.
   */
  allocate(object: ApiObject, old: ApiObject | undefined, context: WriteContext): Promise<Settle | undefined>
  /** The object is gone from the store. Never in a dry run. */
  afterDelete(object: ApiObject, context: WriteContext): Promise<void>
}

/**
 * Runs `write` with everything that `object` needs set aside. After a failure of the store nobody knows whether the write
 * happened: then all is kept, what it sets aside and what it gives up, and whoever hands it out finds by itself what nobody
 * has.
 */
export async function withAllocated<Result>(
  parts: ResourceParts,
  object: ApiObject,
  old: ApiObject | undefined,
  context: WriteContext,
  write: () => Promise<Result>,
  isStored: (result: Result) => boolean,
): Promise<Result> {
  const settle = await parts.hooks()?.allocate(object, old, context)
  if (!settle) return write()
  let result: Result
  try {
    result = await write()
  } catch (error) {
    if (error instanceof StatusError) await settle(false)
    throw error
  }
  await settle(isStored(result))
  return result
}
