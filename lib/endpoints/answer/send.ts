import type { ApiObject } from '../../object/index.ts'
import type { Call, MediaTypeName, Negotiated, ResponseHeaders } from '../../request/index.ts'
import type { ObjectCodec } from '../../scheme/index.ts'
import { wantsPretty } from './textform.ts'

const headersOf: Readonly<Record<MediaTypeName, ResponseHeaders>> = {
  'application/json': { 'content-type': 'application/json' },
  'application/yaml': { 'content-type': 'application/yaml' },
  'application/vnd.kubernetes.protobuf': { 'content-type': 'application/vnd.kubernetes.protobuf' },
  'application/cbor': { 'content-type': 'application/cbor' },
}

export function send(
  call: Call,
  status: number,
  mediaType: MediaTypeName,
  body: Uint8Array | readonly Uint8Array[],
): void | Promise<void> {
  return call.responder.send(status, headersOf[mediaType], body)
}

export function sendChunks(
  call: Call,
  status: number,
  mediaType: MediaTypeName,
  chunks: Iterable<Uint8Array>,
): void | Promise<void> {
  return call.responder.sendChunks(status, headersOf[mediaType], chunks)
}

/** Answers an object unchanged. */
export function sendObject(
  call: Call,
  codec: Pick<ObjectCodec, 'encodeObject'>,
  negotiated: Negotiated,
  status: number,
  object: ApiObject,
): void | Promise<void> {
  if (call.objects) return call.objects.answer(status, object)
  const { mediaType } = negotiated
  const pretty = wantsPretty(call, negotiated)
  return send(call, status, mediaType, codec.encodeObject(object, { mediaType, pretty }))
}
