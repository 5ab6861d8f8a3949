import { jsonFrames, protobufFrames } from '../codec/index.ts'
import { formatGroupResource, formatGroupVersion, type GroupResource, type GroupVersionKind } from '../object/index.ts'
import { decodeOptions } from './body.ts'
import { type Converter, createConverter, groupVersionKindOf } from './convert.ts'
import { jsonItemValue } from './formats.ts'
import type { Codec, KindCodec } from './kindcodec.ts'
import { KindCoder } from './kindcoder.ts'
import type { CodecCapabilities, ObjectCodec } from './objectcodec.ts'
import type { Scheme, SchemeOptions } from './scheme.ts'
import { StoredCoder } from './storedcoder.ts'
import { createTypeRegistry, type TypeRegistry } from './typeregistry.ts'

/** Registers tables; types are compiled at their first use. */
export function createScheme(options: SchemeOptions): Scheme {
  const registry = createTypeRegistry(options.tables, options.order)
  const converter = createConverter(registry, options.kinds ?? (() => undefined))
  const kinds = new KindCoder(registry, converter, options)
  const stored = new StoredCoder(registry, converter, kinds, options)
  const codec = codecOf(registry, kinds, stored, converter)
  const hubOf = (resource: GroupResource): GroupVersionKind => {
    const hub = registry.hub(resource)
    if (!hub) throw new Error(`${formatGroupResource(resource)} is not registered`)
    return hub.gvk
  }
  return {
    ...registry,
    objects: kindCodecOf(kinds, codec),
    codec(resource): ObjectCodec {
      let hub: GroupVersionKind | undefined
      return {
        ...codec,
        capabilities,
        decodeFromStorage: (bytes, resourceVersion) =>
          stored.decodeFromStorage(bytes, (hub ??= hubOf(resource)), resourceVersion),
        fieldReader: (paths) => stored.fieldReader(resource, paths),
        itemValue: (object) => jsonItemValue(object, kinds.codec(groupVersionKindOf(object))),
        get stored() {
          return stored.storedReader(resource)
        },
      }
    },
  }
}

const capabilities: CodecCapabilities = {
  mediaTypes: ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor'],
  strategicMerge: true,
  convertsOnRead: false,
}

function codecOf({ kind }: TypeRegistry, kinds: KindCoder, stored: StoredCoder, { convert }: Converter): Codec {
  return {
    kind,
    convert,
    applyDefaults: (object) => kinds.applyDefaults(object, groupVersionKindOf(object)),
    decodeObject: (body, decoding) => kinds.decode(body, decoding),
    encodeObject: (object, { mediaType, pretty = false }) =>
      kinds.format(mediaType).object(object, kinds.codec(groupVersionKindOf(object)), pretty),
    encodeForStorage: (object) => stored.encodeForStorage(object),
    encodeItem: (object, mediaType) => kinds.format(mediaType).item(object, kinds.codec(groupVersionKindOf(object))),
    encodeFromItem: (gvk, item, mediaType) =>
      kinds.format(mediaType).frameObject(formatGroupVersion(gvk), gvk.kind, item, true),
    encodeWithin: (gvk, item, mediaType) =>
      kinds.format(mediaType).frameObject(formatGroupVersion(gvk), gvk.kind, item),
    watchFramer: (gvk, mediaType) => {
      const { watchFramer } = kinds.format(mediaType)
      if (watchFramer === undefined) throw new Error(`watches do not speak ${mediaType}`)
      return watchFramer(formatGroupVersion(gvk), gvk.kind)
    },
  }
}

function kindCodecOf(kinds: KindCoder, codec: Codec): KindCodec {
  return {
    ...codec,
    decodeOptions: (body, { mediaType, kind }) => {
      const expected = { group: '', version: 'v1', kind }
      return decodeOptions(body, { mediaType, expected, codec: kinds.codec(expected) })
    },
    encodeListFromItems: (listKind, metadata, items, mediaType) => {
      const encoded = kinds.encodeListMeta(metadata, mediaType)
      return kinds.format(mediaType).frameList(formatGroupVersion(listKind), listKind.kind, encoded, items)
    },
    jsonListFrame: (listKind, metadata) => {
      const encoded = kinds.encodeListMeta(metadata, 'application/json')
      return jsonFrames.listFrame(formatGroupVersion(listKind), listKind.kind, encoded)
    },
    protobufListFrame: (listKind, metadata, itemsBytes) => {
      const encoded = kinds.encodeListMeta(metadata, 'application/vnd.kubernetes.protobuf')
      return protobufFrames.listFrame(formatGroupVersion(listKind), listKind.kind, encoded, itemsBytes)
    },
  }
}
