import type { Encoding, Entry, FrameEncoding } from '../../cache/index.ts'
import { encodeUntypedCbor, parseOwnJson } from '../../codec/index.ts'
import { formatGroupVersion, type GroupVersionKind, type ObjectMeta, toResourceVersion } from '../../object/index.ts'
import { type Format, formatMediaTypes, type MediaTypeName, type Transform } from '../../request/index.ts'
import type { KindCodec, ObjectCodec, StoredEncoder, StoredReader } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { bookmarkObject } from './bookmarkobject.ts'
import type { EncodingIds } from './encodingids.ts'
import { itemParts } from './itemparts.ts'
import { encodePartialItem, partialFramer, partialGvk, partialPartsFramer } from './partialitem.ts'

const statusGvk: GroupVersionKind = { group: '', version: 'v1', kind: 'Status' }

type Encodings = Pick<Endpoint, 'item' | 'body' | 'partial' | 'frame' | 'partialFrame'>

/** `codec` encodes the objects, `kindCodec` their tables and metadata. */
interface Encoders {
  readonly codec: ObjectCodec
  readonly kindCodec: KindCodec
  /** Encodes stored objects without decoding them; undefined where the served form is not the stored one. */
  readonly stored: StoredReader | undefined
  /** Undefined: no conversion by a webhook. */
  readonly converted: ConvertedElsewhere | undefined
  metadataOf(entry: Entry): ObjectMeta
}

/** Webhook conversions, which a codec caches for a while: no bytes made from them are kept with the entry. */
interface ConvertedElsewhere {
  includes(entry: Entry): boolean
  /** JSON; undefined: not converted yet. */
  item(entry: Entry): Uint8Array | undefined
}

export function convertedOf({ codec, gvk }: Pick<Endpoint, 'codec' | 'gvk'>): ConvertedElsewhere | undefined {
  if (!codec.isConverted) return undefined
  return {
    includes: (entry) => codec.isConverted?.(entry, gvk) === true,
    item: (entry) => codec.convertedItem?.(entry, gvk),
  }
}

export function createEncodings(
  gvk: GroupVersionKind,
  toServed: Endpoint['toServed'],
  { codec, kindCodec, stored: reader, converted, metadataOf }: Encoders,
  encodingIds: EncodingIds,
): Encodings {
  const apiVersion = formatGroupVersion(gvk)
  const item = byFormat((format): Encoding => {
    const stored = itemFormat(format)
    const mediaType = formatMediaTypes[stored]
    return {
      id: encodingIds.encoding(`item ${apiVersion} ${stored}`),
      ...orConverted(
        converted,
        fromStored(reader?.item(gvk, mediaType), (entry) => codec.encodeItem(toServed(entry.object()), mediaType)),
        reader === undefined ? undefined : mediaType,
      ),
    }
  })
  const body = byFormat(
    (format): Encoding => ({
      id: encodingIds.encoding(`body ${apiVersion} ${format}`),
      ...orConverted(converted, {
        // Only the body is kept, not the item from which it is made.
        encode(entry) {
          const bytes = entry.keptBytes(item(format)) ?? item(format).encode(entry)
          return codec.encodeFromItem(gvk, bytes, formatMediaTypes[format])
        },
      }),
    }),
  )
  const partialItem = byFormat((format): Encoding => {
    const stored = itemFormat(format)
    const mediaType = formatMediaTypes[stored]
    return {
      id: encodingIds.encoding(`partial item ${apiVersion} ${stored}`),
      ...orConverted(
        converted,
        fromStored(reader?.metadata(mediaType), (entry) => encodePartialItem(kindCodec, metadataOf(entry), mediaType)),
      ),
    }
  })
  const partialOf = (version: Transform['version']): ((format: Format) => Encoding) =>
    byFormat((format) => {
      const stored = itemFormat(format)
      const { encode, isCheap, parts, partsBytes, transcodes, transcode } = partialItem(format)
      const framed = partialFramer(kindCodec, version, formatMediaTypes[stored])
      const framedParts = partialPartsFramer(kindCodec, version)
      return {
        id: encodingIds.encoding(`partial ${version} ${apiVersion} ${stored}`),
        // Only the result is kept, not the item from which it is made.
        encode: (entry) => framed(encode(entry)),
        ...(isCheap && parts
          ? {
              isCheap,
              ...(stored === 'json' ? { parts: (entry) => framedParts(parts(entry)) } : { parts, partsBytes }),
            }
          : {}),
        ...(transcodes && transcode ? { transcodes, transcode: (entry) => framedParts(transcode(entry)) } : {}),
      }
    })
  const partials = { v1: partialOf('v1'), v1beta1: partialOf('v1beta1') }
  const frameOf = (purpose: string, kind: GroupVersionKind, encoding: (format: Format) => Encoding, framed: Framed) =>
    byFormat(
      (format): FrameEncoding => ({
        id: encodingIds.frame(`${purpose} ${apiVersion} ${gvk.kind} ${format}`),
        encode: frameEncoder({ codec: framed, kindCodec }, kind, encoding(format), format),
      }),
    )
  const partialFrames = {
    v1: frameOf('partial v1', partialGvk('v1'), partialItem, kindCodec),
    v1beta1: frameOf('partial v1beta1', partialGvk('v1beta1'), partialItem, kindCodec),
  }
  return {
    item,
    body,
    partial: (format, version) => partials[version](format),
    frame: frameOf('frame', gvk, item, codec),
    partialFrame: (format, version) => partialFrames[version](format),
  }
}

/**
 * Encodes the stored bytes where they are canonical, else the object. Messages are spliced, which costs less than
 * keeping them.
 */
function fromStored(stored: StoredEncoder | undefined, fromObject: Encoding['encode']): Omit<Encoding, 'id'> {
  if (!stored) return { encode: fromObject }
  const { parts, partsBytes, transcode } = stored
  const fits = (entry: Entry): boolean => entry.canonical && stored.fits?.(entry.stored) !== false
  return {
    encode: (entry) =>
      fits(entry) ? stored.encode(entry.stored, toResourceVersion(entry.revision)) : fromObject(entry),
    ...(parts
      ? {
          isCheap: fits,
          parts: (entry) => parts(entry.stored, toResourceVersion(entry.revision)),
          ...(partsBytes && { partsBytes: (entry) => partsBytes(entry.stored, toResourceVersion(entry.revision)) }),
        }
      : {}),
    ...(transcode
      ? {
          transcodes: fits,
          transcode: (entry) => [transcode(entry.stored, toResourceVersion(entry.revision))],
        }
      : {}),
  }
}

/**
 * Encodes like `encoding`; keeps no bytes of entries that a webhook converts. `mediaType`: the bytes are those of the
 * converted object itself, in this form.
 */
function orConverted(
  converted: ConvertedElsewhere | undefined,
  encoding: Omit<Encoding, 'id'>,
  mediaType?: MediaTypeName,
): Omit<Encoding, 'id'> {
  if (!converted) return encoding
  // The length of converted bytes is not known before they are made.
  const { encode, isCheap, parts, partsBytes: _, ...rest } = encoding
  const own = (entry: Entry): Uint8Array => {
    const item = mediaType && converted.includes(entry) ? converted.item(entry) : undefined
    if (!item) return encode(entry)
    return mediaType === 'application/cbor' ? encodeUntypedCbor(parseOwnJson(item) as object, { item: true }) : item
  }
  return {
    ...rest,
    encode: own,
    isCheap: (entry) => isCheap?.(entry) === true || converted.includes(entry),
    parts: (entry) => (parts && isCheap?.(entry) ? parts(entry) : [own(entry)]),
  }
}

/** Makes each format's value on first use. */
function byFormat<Value>(make: (format: Format) => Value): (format: Format) => Value {
  const made: Partial<Record<Format, Value>> = {}
  return (format) => (made[format] ??= make(format))
}

/** Items of YAML answers are kept as JSON. */
function itemFormat(format: Format): Format {
  return format === 'yaml' ? 'json' : format
}

/** The parts of a codec that frame events of objects. */
type Framed = Pick<ObjectCodec, 'encodeItem' | 'watchFramer'>

function frameEncoder(
  { codec, kindCodec }: { readonly codec: Framed; readonly kindCodec: KindCodec },
  gvk: GroupVersionKind,
  encoding: Encoding,
  format: Format,
): FrameEncoding['encode'] {
  const frame = codec.watchFramer(gvk, formatMediaTypes[format])
  const mediaType = formatMediaTypes[itemFormat(format)]
  return (event) => {
    if (event.entry) {
      const item = itemParts(event.entry, encoding)
      if (item instanceof Uint8Array) return frame(event.type, item)
      return frame.ofParts?.(event.type, item) ?? frame(event.type, Buffer.concat(item))
    }
    if (!event.error) return frame(event.type, codec.encodeItem(bookmarkObject(event, gvk), mediaType))
    const status = event.error.toStatus()
    return kindCodec.watchFramer(statusGvk, formatMediaTypes[format])(
      event.type,
      kindCodec.encodeItem(status, mediaType),
    )
  }
}
