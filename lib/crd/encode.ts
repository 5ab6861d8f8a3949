import { decodeUntyped, encodeUntyped, encodeUntypedCbor, encodeYaml } from '../codec/index.ts'
import { type ApiObject, copyObject, jsonOf, statusErrors } from '../object/index.ts'
import type { MediaType, WatchFramer } from '../scheme/index.ts'

/** The whole body of an object that has no item. */
export function encodeBody(object: ApiObject, mediaType: MediaType, pretty: boolean): Uint8Array {
  switch (mediaType) {
    case 'application/yaml':
      return encodeYaml(copyObject(object))
    case 'application/cbor':
      return encodeUntypedCbor(object)
    default: {
      refuseProtobuf(mediaType)
      const json = encodeUntyped(jsonOf(object), { pretty })
      return pretty ? json : withLine(json)
    }
  }
}

/** An object's item: in CBOR without the self-described tag. */
export function encodeCustomItem(object: ApiObject, mediaType: MediaType): Uint8Array {
  if (mediaType === 'application/cbor') return encodeUntypedCbor(object, { item: true })
  refuseProtobuf(mediaType)
  return encodeUntyped(jsonOf(object))
}

/** The body of a get, from the item. */
export function bodyOfItem(item: Uint8Array, mediaType: MediaType): Uint8Array {
  switch (mediaType) {
    case 'application/yaml':
      return encodeYaml(decodeUntyped(item).value)
    case 'application/cbor':
      return Buffer.concat([selfDescribedCbor, item])
    default:
      refuseProtobuf(mediaType)
      return withLine(item)
  }
}

/** Frames events around items. */
export function createCustomFramer(mediaType: MediaType): WatchFramer {
  refuseProtobuf(mediaType)
  const heads = new Map<string, Uint8Array>()
  const isCbor = mediaType === 'application/cbor'
  const headOf = (type: string): Uint8Array => {
    let head = heads.get(type)
    if (!head) heads.set(type, (head = isCbor ? cborHead(type) : Buffer.from(`{"type":"${type}","object":`)))
    return head
  }
  if (isCbor) return (type, item) => [headOf(type), item]
  return Object.assign((type: string, item: Uint8Array) => [headOf(type), item, frameEnd], {
    ofParts: (type: string, item: readonly Uint8Array[]) => [headOf(type), ...item, frameEnd],
  })
}

const frameEnd = Buffer.from('}\n')
const lineEnd = Buffer.from('\n')
const selfDescribedCbor = Uint8Array.of(0xd9, 0xd9, 0xf7)

/** The head of `{type, object}`, up to the object itself. */
function cborHead(type: string): Uint8Array {
  const whole = encodeUntypedCbor({ type, object: null })
  return whole.subarray(0, -1)
}

function withLine(json: Uint8Array): Uint8Array {
  return Buffer.concat([json, lineEnd])
}

/** Throws 406 for protobuf. */
function refuseProtobuf(mediaType: MediaType): void {
  if (mediaType === 'application/vnd.kubernetes.protobuf')
    throw statusErrors.notAcceptable('custom resources have no protobuf form')
}
