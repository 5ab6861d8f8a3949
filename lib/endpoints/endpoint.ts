import type { Encoding, Entry, FrameEncoding, WatchEvent } from '../cache/index.ts'
import { encodeUntypedCbor, parseOwnJson } from '../codec/index.ts'
import type { Column, KindDefinition } from '../kinds/index.ts'
import { defaultColumnReads, defaultColumns } from '../kinds/index.ts'
import {
  type ApiObject,
  formatGroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  type ObjectMeta,
  toResourceVersion,
} from '../object/index.ts'
import type { ResourceRegistry } from '../registry/index.ts'
import type { Format, MediaTypeName, Negotiator, Transform } from '../request/index.ts'
import { formatMediaTypes } from '../request/index.ts'
import type { ResourceTable } from '../schema/index.ts'
import type { ItemParts, ObjectCodec, Scheme, StoredEncoder, StoredReader } from '../scheme/index.ts'
import type { Deprecation } from './answer/deprecation.ts'
import type { EncodingIds } from './answer/encodingids.ts'
import { createMetadataViews, createObjectViews } from './answer/objectview.ts'
import { encodePartialItem, partialFramer, partialGvk, partialPartsFramer } from './answer/partialitem.ts'
import { createSelections, type Selections } from './request/selections.ts'
import { scaleView } from './verbs/scale.ts'

/** One stored resource in one version, ready to serve. */
export interface Endpoint {
  readonly gvr: GroupVersionResource
  readonly gvk: GroupVersionKind
  readonly listGvk: GroupVersionKind
  readonly namespaced: boolean
  /** As served: without subresources that are off. */
  readonly table: ResourceTable
  readonly registry: ResourceRegistry
  /** The way between the objects and bytes. */
  readonly codec: ObjectCodec
  readonly negotiator: Negotiator
  readonly columns: readonly Column[]
  /** An entry's object with as much of it as the columns read: in the hub version, of a custom one in that served. */
  readRow(entry: Entry): ApiObject
  /** An entry's object in the version that is served, for clients in this process. */
  view(entry: Entry): ApiObject
  viewMetadata(entry: Entry): ObjectMeta
  readonly deprecation: Deprecation | undefined
  /**
   * True for a custom resource: no protobuf, no strategic merge, and no hub version. Its registry takes objects in the
   * version that the request speaks and answers stored objects in whatever version they are stored in.
   */
  readonly custom: boolean
  /** The stored definition of a custom resource, as it is now. */
  readonly definedBy: (() => Entry) | undefined
  readonly selections: Selections
  /** The fields that selectors see of an object in the version that is served, besides those of its metadata. */
  readonly selectableFields: KindDefinition['selectableFields']
  /** To the version that is served; the object itself when it is in it already. Shares with `object`, changes nothing. */
  fromHub(object: ApiObject): ApiObject
  /** Throws for an object that is not to be shown so: a scale without replicas. */
  checkShown?(object: ApiObject): void
  /** `existing`: the stored object that it replaces, in the hub version. */
  toHub(object: ApiObject, existing?: ApiObject): ApiObject
  /** For a subresource view such as `scale`: the endpoint of the objects themselves. Undefined for that endpoint. */
  readonly main: Endpoint | undefined
  /** Views of the same objects as another kind, by subresource (`scale`). */
  readonly subresourceViews: ReadonlyMap<string, Endpoint>
  /** An object's bytes without kind and apiVersion. */
  item(format: Format): Encoding
  /** The body of a get. */
  body(format: Format): Encoding
  /** As PartialObjectMetadata; in JSON with kind and apiVersion, as such stand in lists, too. */
  partial(format: Format, version: Transform['version']): Encoding
  frame(format: Format): FrameEncoding
  partialFrame(format: Format, version: Transform['version']): FrameEncoding
}

const statusGvk: GroupVersionKind = { group: '', version: 'v1', kind: 'Status' }

interface EndpointParts {
  readonly gvr: GroupVersionResource
  readonly gvk: GroupVersionKind
  readonly table: ResourceTable
  readonly registry: ResourceRegistry
  readonly codec: ObjectCodec
  /** Columns, scale and selectable fields, as the version has them. */
  readonly kind: KindDefinition
  readonly negotiator: Negotiator
  readonly deprecation: Deprecation | undefined
  readonly custom: boolean
  readonly definedBy: (() => Entry) | undefined
}

export function createEndpoint(parts: EndpointParts, scheme: Scheme, encodingIds: EncodingIds): Endpoint {
  const { gvr, gvk, table, registry, codec, kind } = parts
  const conversion = conversionOf(parts)
  const subresourceViews = new Map<string, Endpoint>()
  const endpoint: Endpoint = {
    gvr,
    gvk,
    listGvk: { ...gvk, kind: table.listKind ?? `${gvk.kind}List` },
    namespaced: table.namespaced,
    table,
    registry,
    codec,
    negotiator: parts.negotiator,
    deprecation: parts.deprecation,
    custom: parts.custom,
    definedBy: parts.definedBy,
    columns: kind.columns ?? defaultColumns,
    readRow: rowReader(parts),
    ...viewsOf(parts, conversion.fromHub),
    selections: createSelections({ gvk, table, kind }),
    selectableFields: kind.selectableFields,
    main: undefined,
    subresourceViews,
    ...conversion,
    ...createEncodings(
      gvk,
      conversion.fromHub,
      { codec, scheme, stored: codec.stored, converted: convertedOf(parts), metadataOf: metadataReader(parts) },
      encodingIds,
    ),
  }
  const { scale } = kind
  if (scale && table.subresources?.['scale']) {
    const view = scaleView(scale, gvr, parts.custom ? conversion.fromHub : undefined)
    // A scale is of a built-in kind, whatever it is the scale of.
    const scaleCodec = scheme.codec(gvr)
    subresourceViews.set('scale', {
      ...endpoint,
      ...view,
      codec: scaleCodec,
      main: endpoint,
      ...createEncodings(
        view.gvk,
        view.fromHub,
        {
          codec: scaleCodec,
          scheme,
          stored: undefined,
          converted: convertedOf(parts),
          metadataOf: (entry) => entry.object().metadata,
        },
        encodingIds,
      ),
    })
  }
  return endpoint
}

/** Defaults change nothing in a canonical object, so that its other fields need not be decoded. */
function rowReader(parts: EndpointParts): Endpoint['readRow'] {
  const { kind, registry, codec, gvk, custom } = parts
  const whole = (entry: Entry): ApiObject =>
    custom ? (shownFrom(parts, entry) ?? codec.convert(entry.object(), gvk)) : entry.object()
  const columnReads = kind.columnReads ?? (kind.columns || kind.rowConditions ? undefined : defaultColumnReads)
  if (!columnReads) return whole
  const read = registry.fieldReader(columnReads)
  const fits = custom ? codec.stored?.item(gvk, formatMediaTypes.json)?.fits : undefined
  return (entry) => (entry.canonical && fits?.(entry.stored) !== false ? read(entry) : whole(entry))
}

function viewsOf(parts: EndpointParts, fromHub: Endpoint['fromHub']): Pick<Endpoint, 'view' | 'viewMetadata'> {
  const { gvk, registry, codec, kind, custom } = parts
  const isHub = gvk.version === registry.definition.gvk.version && gvk.group === registry.definition.gvk.group
  const isViewable = codec.stored !== undefined && !custom
  return {
    view:
      isViewable && isHub && kind.heldFields
        ? createObjectViews(registry, kind.heldFields)
        : (entry) => shownFrom(parts, entry) ?? fromHub(entry.object()),
    viewMetadata: isViewable
      ? createMetadataViews(registry)
      : (entry) => (shownFrom(parts, entry) ?? entry.object()).metadata,
  }
}

/** An entry's object as it was converted elsewhere. */
function shownFrom({ codec, gvk }: EndpointParts, entry: Entry): ApiObject | undefined {
  const item = codec.convertedItem?.(entry, gvk)
  // The item is an object's.
  return item && (parseOwnJson(item) as unknown as ApiObject)
}

/** The metadata of a canonical object are stored as they are shown, but for their resourceVersion. */
function metadataReader(parts: EndpointParts): Encoders['metadataOf'] {
  const { codec, registry } = parts
  if (!codec.stored) return (entry) => entry.object().metadata
  const read = registry.fieldReader(['metadata'])
  const ofStored = (entry: Entry): ObjectMeta =>
    entry.canonical
      ? { ...read(entry).metadata, resourceVersion: toResourceVersion(entry.revision) }
      : entry.object().metadata
  return codec.convertedItem ? (entry) => shownFrom(parts, entry)?.metadata ?? ofStored(entry) : ofStored
}

type Encodings = Pick<Endpoint, 'item' | 'body' | 'partial' | 'frame' | 'partialFrame'>

/** `codec` encodes the objects, `scheme` what they are turned into. */
interface Encoders {
  readonly codec: ObjectCodec
  readonly scheme: Scheme
  /** Encodes stored objects without decoding them; undefined where what is served is not what is stored. */
  readonly stored: StoredReader | undefined
  /** Undefined: nothing is converted elsewhere. */
  readonly converted: ConvertedElsewhere | undefined
  metadataOf(entry: Entry): ObjectMeta
}

/** Conversions that a codec remembers for a while: nothing that is made of them is kept with the entry. */
interface ConvertedElsewhere {
  includes(entry: Entry): boolean
  /** JSON; undefined: it is not known. */
  item(entry: Entry): Uint8Array | undefined
}

function convertedOf({ codec, gvk }: EndpointParts): ConvertedElsewhere | undefined {
  if (!codec.isConverted) return undefined
  return {
    includes: (entry) => codec.isConverted?.(entry, gvk) === true,
    item: (entry) => codec.convertedItem?.(entry, gvk),
  }
}

function createEncodings(
  gvk: GroupVersionKind,
  fromHub: Endpoint['fromHub'],
  { codec, scheme, stored: reader, converted, metadataOf }: Encoders,
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
        fromStored(reader?.item(gvk, mediaType), (entry) => codec.encodeItem(fromHub(entry.object()), mediaType)),
        reader === undefined ? undefined : mediaType,
      ),
    }
  })
  const body = byFormat(
    (format): Encoding => ({
      id: encodingIds.encoding(`body ${apiVersion} ${format}`),
      ...orConverted(converted, {
        // Only the body is kept, not the item that it is made from.
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
        fromStored(reader?.metadata(mediaType), (entry) => encodePartialItem(scheme, metadataOf(entry), mediaType)),
      ),
    }
  })
  const partialOf = (version: Transform['version']): ((format: Format) => Encoding) =>
    byFormat((format) => {
      const stored = itemFormat(format)
      const { encode, isCheap, parts, transcodes, transcode } = partialItem(format)
      const framed = partialFramer(scheme, version, formatMediaTypes[stored])
      const framedParts = partialPartsFramer(scheme, version)
      return {
        id: encodingIds.encoding(`partial ${version} ${apiVersion} ${stored}`),
        // Only the result is kept, not the item that it is made from.
        encode: (entry) => framed(encode(entry)),
        ...(isCheap && parts
          ? { isCheap, parts: stored === 'json' ? (entry) => framedParts(parts(entry)) : parts }
          : {}),
        ...(transcodes && transcode ? { transcodes, transcode: (entry) => framedParts(transcode(entry)) } : {}),
      }
    })
  const partials = { v1: partialOf('v1'), v1beta1: partialOf('v1beta1') }
  const frameOf = (purpose: string, kind: GroupVersionKind, encoding: (format: Format) => Encoding, framed: Framed) =>
    byFormat(
      (format): FrameEncoding => ({
        id: encodingIds.frame(`${purpose} ${apiVersion} ${gvk.kind} ${format}`),
        encode: frameEncoder({ codec: framed, scheme }, kind, encoding(format), format),
      }),
    )
  const partialFrames = {
    v1: frameOf('partial v1', partialGvk('v1'), partialItem, scheme),
    v1beta1: frameOf('partial v1beta1', partialGvk('v1beta1'), partialItem, scheme),
  }
  return {
    item,
    body,
    partial: (format, version) => partials[version](format),
    frame: frameOf('frame', gvk, item, codec),
    partialFrame: (format, version) => partialFrames[version](format),
  }
}

/** Encodes what is stored where that is canonical, else the object. Messages are spliced, which costs less than keeping them. */
function fromStored(stored: StoredEncoder | undefined, fromObject: Encoding['encode']): Omit<Encoding, 'id'> {
  if (!stored) return { encode: fromObject }
  const { parts, transcode } = stored
  const fits = (entry: Entry): boolean => entry.canonical && stored.fits?.(entry.stored) !== false
  return {
    encode: (entry) =>
      fits(entry) ? stored.encode(entry.stored, toResourceVersion(entry.revision)) : fromObject(entry),
    ...(parts
      ? {
          isCheap: fits,
          parts: (entry) => parts(entry.stored, toResourceVersion(entry.revision)),
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
 * As `encoding`; nothing is kept of entries that are converted elsewhere. `mediaType`: the bytes are those of the converted
 * object itself, in this form.
 */
function orConverted(
  converted: ConvertedElsewhere | undefined,
  encoding: Omit<Encoding, 'id'>,
  mediaType?: MediaTypeName,
): Omit<Encoding, 'id'> {
  if (!converted) return encoding
  const { encode, isCheap, parts } = encoding
  const own = (entry: Entry): Uint8Array => {
    const item = mediaType && converted.includes(entry) ? converted.item(entry) : undefined
    if (!item) return encode(entry)
    return mediaType === 'application/cbor' ? encodeUntypedCbor(parseOwnJson(item) as object, { item: true }) : item
  }
  return {
    ...encoding,
    encode: own,
    isCheap: (entry) => isCheap?.(entry) === true || converted.includes(entry),
    parts: (entry) => (parts && isCheap?.(entry) ? parts(entry) : [own(entry)]),
  }
}

/** An entry's bytes for a body or frame that is put together at once. */
export function itemParts(entry: Entry, encoding: Encoding): ItemParts {
  return encoding.parts && encoding.isCheap?.(entry) ? encoding.parts(entry) : entry.bytes(encoding)
}

/** Makes each format's value when it is first asked for. */
function byFormat<Value>(make: (format: Format) => Value): (format: Format) => Value {
  const made: Partial<Record<Format, Value>> = {}
  return (format) => (made[format] ??= make(format))
}

function conversionOf({ gvk, registry, codec, custom }: EndpointParts): Pick<Endpoint, 'fromHub' | 'toHub'> {
  if (custom) return { fromHub: (object) => codec.convert(object, gvk), toHub: (object) => object }
  const hub = registry.definition.gvk
  if (gvk.version === hub.version && gvk.group === hub.group)
    return { fromHub: (object) => object, toHub: (object) => object }
  return { fromHub: (object) => codec.convert(object, gvk), toHub: (object) => codec.convert(object, hub) }
}

/** Items of YAML answers are kept as JSON. */
function itemFormat(format: Format): Format {
  return format === 'yaml' ? 'json' : format
}

/** The parts of a codec that frame events of objects. */
type Framed = Pick<ObjectCodec, 'encodeItem' | 'watchFramer'>

function frameEncoder(
  { codec, scheme }: { readonly codec: Framed; readonly scheme: Scheme },
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
    const status = event.error.toStatus() as unknown as ApiObject
    return scheme.watchFramer(statusGvk, formatMediaTypes[format])(event.type, scheme.encodeItem(status, mediaType))
  }
}

/** An object that says nothing but how far the watch has come. */
export function bookmarkObject(event: WatchEvent, gvk: GroupVersionKind): ApiObject {
  return {
    apiVersion: formatGroupVersion(gvk),
    kind: gvk.kind,
    metadata: {
      resourceVersion: String(event.revision),
      ...(event.initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
    },
  }
}
