import { isRecord } from '../../base/index.ts'
import { createStructCodecs, decodeMessage, readEnvelope } from '../../codec/index.ts'
import {
  type ApiObject,
  type Frozen,
  formatGroupVersionKind,
  type GroupVersionKind,
  parseGroupVersion,
  parseJsonText,
} from '../../object/index.ts'
import type { Scheme } from '../../scheme/index.ts'

/** A format of requests and answers. */
export interface ClientEncoding {
  /** The media type of the objects in requests. */
  readonly mediaType: string
  /** The Accept header; `partial`: for metadata alone. */
  accept(use: 'answer' | 'watch', partial: 'object' | 'list' | undefined): string
  encode(object: Frozen<ApiObject>): string | Uint8Array
  /** An object or a list of this format or JSON. */
  decode(contentType: string, body: Buffer): unknown
}

/** The format of the kinds that it knows. Transports of one process share it: it keeps codecs and parts of objects. */
export interface ProtobufEncoding extends ClientEncoding {
  knows(kind: GroupVersionKind): boolean
}

const jsonType = 'application/json'
export const protobufType = 'application/vnd.kubernetes.protobuf'

const metadataName = 'meta/v1.ObjectMeta'

const partialKinds = { object: 'PartialObjectMetadata', list: 'PartialObjectMetadataList' } as const

function partialOf(mediaType: string, form: 'object' | 'list' | undefined): string {
  return form === undefined ? mediaType : `${mediaType};as=${partialKinds[form]};g=meta.k8s.io;v=v1`
}

export const jsonEncoding: ClientEncoding = {
  mediaType: jsonType,
  accept: (_use, partial) => partialOf(jsonType, partial),
  encode: (object) => JSON.stringify(object),
  decode: (_contentType, body) => completed(parseJsonText(body.toString())),
}

/**
 * Smaller than JSON, and cheaper to both sides. JSON is accepted, too: custom resources have no other form. Without
 * `managedFields`, those of objects in protobuf are not read: they are often half of an object, and few clients use them. An
 * update that is sent without managed fields leaves the stored ones unchanged.
 */
export function createProtobufEncoding(
  scheme: Scheme,
  { managedFields = true }: { readonly managedFields?: boolean } = {},
): ProtobufEncoding {
  const codecOf = createStructCodecs({
    leftOut: (struct, { name }) => !managedFields && name === 'managedFields' && struct.name === metadataName,
    // Callers share the results of a client, and do not change them.
    sharesParts: true,
  })

  function decode(body: Uint8Array): unknown {
    const { apiVersion, kind, raw } = readEnvelope(body)
    const groupVersion = parseGroupVersion(apiVersion)
    const gvk = groupVersion && { ...groupVersion, kind }
    const struct = gvk && scheme.kind(gvk)?.struct
    if (!struct) throw new Error(`the answer is of an unknown kind: ${apiVersion} ${kind}`)
    return completed({ ...decodeMessage(raw, codecOf(struct)), apiVersion, kind })
  }

  return {
    mediaType: protobufType,
    knows: (kind) => scheme.kind(kind) !== undefined,
    accept(use, partial) {
      const own = use === 'watch' ? `${protobufType};stream=watch` : protobufType
      return `${partialOf(own, partial)},${partialOf(jsonType, partial)}`
    },
    encode(object) {
      const groupVersion = parseGroupVersion(object.apiVersion)
      const gvk = groupVersion && { ...groupVersion, kind: object.kind }
      if (!gvk || !scheme.kind(gvk)) throw new TypeError(`no kind ${gvk ? formatGroupVersionKind(gvk) : object.kind}`)
      // Encoding doesn't change the object.
      return scheme.objects.encodeObject(object as ApiObject, { mediaType: protobufType })
    },
    decode: (contentType, body) =>
      contentType.startsWith(protobufType) ? decode(body) : jsonEncoding.decode(contentType, body),
  }
}

/** Items of lists leave out their kind, and an empty list may leave out its items. */
function completed(answer: unknown): unknown {
  if (!isRecord(answer)) return answer
  const { items, kind: listKind, apiVersion } = answer
  if (typeof listKind !== 'string' || !listKind.endsWith('List')) return answer
  if (!Array.isArray(items)) return { ...answer, items: [] }
  const kind = listKind.slice(0, -'List'.length)
  return { ...answer, items: items.map((item: object) => ({ apiVersion, kind, ...item })) }
}
