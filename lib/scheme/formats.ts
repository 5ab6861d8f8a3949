import type { PausableWork } from '../base/index.ts'
import {
  cborFrames,
  encodeCbor,
  encodeCborItem,
  encodeJson,
  encodeKeptJson,
  encodeYaml,
  jsonFrames,
  MessageWriter,
  parseOwnJson,
  protobufFrames,
  type StructCodec,
  yamlListChunks,
} from '../codec/index.ts'
import { type ApiObject, type JsonObject, statusErrors } from '../object/index.ts'
import type { ItemBytes, ItemParts, MediaType, WatchFramer } from './kindcodec.ts'

/** Encodes objects in one format, and assembles items to bodies. */
export interface FormatEncoder {
  object(object: ApiObject, codec: StructCodec, pretty: boolean): Uint8Array
  item(object: ApiObject, codec: StructCodec): ItemBytes
  /** `line`: in a format of text lines, with the line's end. */
  frameObject(apiVersion: string, kind: string, item: ItemBytes, line?: boolean): Uint8Array
  /** `metadata` is encoded as an item. */
  frameList(
    apiVersion: string,
    kind: string,
    metadata: Uint8Array,
    items: readonly ItemParts[],
  ): PausableWork<Uint8Array[]>
  /** Undefined: watches don't support the format. */
  readonly watchFramer: ((apiVersion: string, kind: string) => WatchFramer) | undefined
}

export function createFormats(): Readonly<Record<MediaType, FormatEncoder>> {
  const writer = new MessageWriter()
  const { frameList, watchFramer, listFrame, createObjectFramer } = jsonFrames
  const frameObject = createObjectFramer()
  const json: FormatEncoder = {
    frameObject,
    frameList,
    watchFramer,
    object: (object, codec, pretty) => encodeJson(object, codec, { pretty, line: !pretty }),
    item: (object, codec) => encodeKeptJson(withoutTypeMeta(object), codec),
  }
  const toYaml = (parts: readonly Uint8Array[]): Uint8Array => encodeYaml(parseOwnJson(Buffer.concat(parts)))
  return {
    'application/json': json,
    'application/yaml': {
      object: (object, codec) => toYaml([encodeJson(object, codec)]),
      item: json.item,
      frameObject: (apiVersion, kind, item) => toYaml([frameObject(apiVersion, kind, item)]),
      *frameList(apiVersion, kind, metadata, items) {
        const frame = listFrame(apiVersion, kind, metadata)
        const chunks: Uint8Array[] = []
        for (const chunk of yamlListChunks(frame, 'items', items.map(wholeItem))) {
          chunks.push(chunk)
          yield undefined
        }
        return chunks
      },
      watchFramer: undefined,
    },
    'application/vnd.kubernetes.protobuf': {
      ...protobufFrames,
      object: (object, codec) => writer.envelope(object, withMessage(codec)),
      item: (object, codec) => writer.message(object, withMessage(codec)),
    },
    'application/cbor': {
      ...cborFrames,
      *frameList(apiVersion, kind, metadata, items) {
        yield undefined
        return cborFrames.frameList(apiVersion, kind, metadata, items.map(wholeItem))
      },
      object: (object, codec) => encodeCbor(object, codec),
      item: (object, codec) => encodeCborItem(withoutTypeMeta(object), codec),
    },
  }
}

/** The value that the text of a JSON item has; undefined where a parsed text differs: large integers, keys like 10. */
export function jsonItemValue(object: ApiObject, codec: StructCodec): JsonObject | undefined {
  const context = { ordered: false }
  const value = codec.canonical(withoutTypeMeta(object), context)
  return context.ordered ? undefined : (value as JsonObject) // a struct's
}

function wholeItem(item: ItemParts): ItemBytes {
  return item instanceof Uint8Array ? item : Buffer.concat(item)
}

/** A Table, for example, has no protobuf form. */
function withMessage(codec: StructCodec): StructCodec {
  const { name, fields, message } = codec.struct
  const isBare = message.length === 0 && fields.some((field) => field.inlinedFrom === undefined)
  if (!isBare) return codec
  const goName = name.slice(name.lastIndexOf('/') + 1)
  throw statusErrors.notAcceptable(
    `object *${goName} does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message`,
  )
}

function withoutTypeMeta(object: ApiObject): object {
  return { ...object, kind: undefined, apiVersion: undefined }
}
