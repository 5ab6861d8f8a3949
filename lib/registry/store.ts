import type { ApiObject } from '../object/index.ts'
import { withConversions } from '../scheme/index.ts'
import { StoreError, type StoreWriteOptions, type WriteResult } from '../storage/index.ts'
import { type ResourceParts, ttlOf, type WriteContext } from './context.ts'

/**
 * Encodes `object`, unless it is `given` as bytes, and stores it with `write`. An object that is too large is tried
 * again without its managedFields, which the server owns and can do without.
 */
export async function storeObject(
  parts: ResourceParts,
  object: ApiObject,
  context: WriteContext,
  write: (bytes: Uint8Array, options: StoreWriteOptions) => Promise<WriteResult>,
  given?: Uint8Array,
): Promise<WriteResult> {
  const encoded = given ?? (await withConversions(() => parts.codec.encodeForStorage(object)))
  const ttlSeconds = ttlOf(parts, object)
  const options: StoreWriteOptions = {
    ...(context.signal ? { signal: context.signal } : {}),
    ttlSeconds,
  }
  try {
    return await write(encoded, options)
  } catch (error) {
    const tooLarge = error instanceof StoreError && error.code === 'too-large'
    if (!tooLarge || context.isApply || object.metadata.managedFields === undefined) throw error
    delete object.metadata.managedFields
    return write(await withConversions(() => parts.codec.encodeForStorage(object)), options)
  }
}
