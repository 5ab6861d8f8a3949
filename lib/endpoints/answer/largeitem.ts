import type { Entry } from '../../cache/index.ts'
import type { Format } from '../../request/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { isLarge } from '../largework.ts'

/**
 * The item of a large object that is not stored in its served form: made in a thread, and kept by the entry. Undefined
 * where the entry makes it at once.
 */
export function largeItem(
  endpoint: Endpoint,
  entry: Entry,
  format: Format,
  { largeWork }: Pick<EndpointServices, 'largeWork'>,
): Promise<Uint8Array> | undefined {
  // A scale is small, and threads make only the item of the object itself.
  if (endpoint.main) return undefined
  const encoding = endpoint.item(format)
  if (!largeWork || entry.keptBytes(encoding) || encoding.isCheap?.(entry) || encoding.transcodes?.(entry))
    return undefined
  if (!isLarge(entry.stored) && endpoint.codec.hasLargeDefaults?.(endpoint.gvk.version) !== true) return undefined
  return largeWork.item(endpoint, entry, format).then((bytes) => {
    endpoint.registry.cache.adopt({ key: entry.key, revision: entry.revision, bytes: [{ encoding, bytes }] })
    return bytes
  })
}
