import type { Entry } from '../cache/index.ts'
import { hasManyValues, largeBytesMin } from '../codec/index.ts'
import type { Call, Format } from '../request/index.ts'
import { UnreadableObject } from '../storage/index.ts'
import type { Endpoint } from './endpoint.ts'

/** Processes large objects in threads of its own, so that the event loop never walks one. */
export interface LargeWork {
  /** Answers the request like the handler of its verb. `entry`: its object; default: the current one in the cache. */
  handle(call: Call, endpoint: Endpoint, entry?: Entry): Promise<void>
  /** The item of a stored object, like `entry.bytes(endpoint.item(format))`. Rejects with that call's errors. */
  item(endpoint: Endpoint, entry: Entry, format: Format): Promise<Uint8Array>
}

/** The event loop also processes objects with few values, such as a file in a ConfigMap. */
const largeValuesMin = 2000

/** Whether these bytes of a body or of a stored object are those of a large object. */
export function isLarge(bytes: Uint8Array): boolean {
  return bytes.length >= largeBytesMin && hasManyValues(bytes, largeValuesMin)
}

/** Whether the request is about a large object: the one that it sends, creates, or changes. */
export async function isLargeRequest(call: Call, { registry, codec, gvk }: Endpoint): Promise<boolean> {
  // The object of a client in this process was never encoded.
  if (call.objects?.object) return false
  if (isLarge(await call.body()) || codec.hasLargeDefaults?.(gvk.version)) return true
  const { namespace, name, verb } = call.info
  if (verb === 'create') return false
  return isLargeEntry(registry.cache.peek(registry.target(namespace, name).key))
}

export function isLargeEntry(entry: Entry | undefined): boolean {
  try {
    return entry !== undefined && isLarge(entry.stored)
  } catch (error) {
    // The handler answers this error.
    if (error instanceof UnreadableObject) return false
    throw error
  }
}
