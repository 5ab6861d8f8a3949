import { type Breather, largeBytesMin } from '../../base/index.ts'
import type { Entry } from '../../cache/index.ts'
import { type ApiObject, toResourceVersion } from '../../object/index.ts'
import { type Format, formatMediaTypes } from '../../request/index.ts'
import { withConversions } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'

/**
 * The item of a custom object whose bytes have to be written anew, and are many: made with pauses, and kept as the
 * entry's own. Undefined where the entry has its bytes at hand, or soon.
 */
export function largeItem(
  endpoint: Endpoint,
  entry: Entry,
  format: Format,
  breather: Breather,
): Promise<Uint8Array> | undefined {
  const encoding = endpoint.item(format)
  if (!endpoint.custom || entry.keptBytes(encoding) || encoding.isCheap?.(entry)) return undefined
  const isLarge = entry.stored.length >= largeBytesMin || endpoint.codec.isGrown?.(entry.object()) === true
  return isLarge ? write(endpoint, entry, format, breather) : undefined
}

async function write(endpoint: Endpoint, entry: Entry, format: Format, breather: Breather): Promise<Uint8Array> {
  const { codec, registry } = endpoint
  const encoding = endpoint.item(format)
  const mediaType = formatMediaTypes[format === 'yaml' ? 'json' : format]
  const object = await readObject(endpoint, entry, breather)
  await breather.pause()
  const shown = await withConversions(() => endpoint.fromHub(object))
  await breather.pause()
  const slices = codec.encodeItemInSlices?.(shown, mediaType)
  const bytes = slices ? await breather.runWithPauses(slices) : codec.encodeItem(shown, mediaType)
  registry.cache.adopt({ key: entry.key, revision: entry.revision, object, bytes: [{ encoding, bytes }] })
  return bytes
}

async function readObject({ codec }: Endpoint, entry: Entry, breather: Breather): Promise<ApiObject> {
  const slices = entry.isDecoded
    ? undefined
    : codec.decodeFromStorageInSlices?.(entry.stored, toResourceVersion(entry.revision))
  if (!slices) return entry.object()
  try {
    return await breather.runWithPauses(slices)
  } catch {
    // The entry says why it can't be read.
    return entry.object()
  }
}
