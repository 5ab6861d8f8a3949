import type { Encoding } from '../../cache/index.ts'
import { formatGroupVersion } from '../../object/index.ts'
import type { ResourceRegistry, Written } from '../../registry/index.ts'
import type { Endpoint } from '../endpoint.ts'

/**
 * The written object as readers will see it: a custom object that is written through one version and stored in another
 * loses fields that the stored version does not have. Throws ConversionNeeded.
 */
export function readBack(endpoint: Endpoint, written: Written): Written {
  const { codec } = endpoint.main ?? endpoint
  if (!codec.afterWrite) return written
  return { ...written, object: codec.afterWrite(written.object, written.stored) }
}

/** Gives the cache a written object, where reading it back from the store would give the same version. */
export function adoptWritten(
  { capabilities, registry }: Endpoint,
  written: Written,
  item?: { readonly encoding: Encoding; readonly bytes: Uint8Array },
): void {
  const { apiVersion } = written.object
  if (capabilities.convertsOnRead && apiVersion !== formatGroupVersion(registry.definition.gvk)) return
  adoptStored(registry, written, item)
}

/** The same for an object in the registry's own version. */
export function adoptStored(
  { cache }: Pick<ResourceRegistry, 'cache'>,
  { object, key, revision, stored }: Written,
  item?: { readonly encoding: Encoding; readonly bytes: Uint8Array },
): void {
  if (stored) cache.adopt({ key, revision, object, ...(item ? { bytes: [item] } : {}) })
}
