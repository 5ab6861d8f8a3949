import { assert } from '../../base/index.ts'
import type { Entry } from '../../cache/index.ts'
import { type ApiObject, formatGroupVersion, statusErrors } from '../../object/index.ts'
import type { Written } from '../../registry/index.ts'
import type { Call, MediaTypeName, Negotiated, ResponseHeaders } from '../../request/index.ts'
import { type ObjectCodec, type Scheme, withConversions } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Services } from '../services.ts'
import { encodePartialItem } from './partial.ts'
import { inSerializationSpan } from './spans.ts'
import { parseIncludeObject, rowEncoder, rowSourceOf, tableFrame } from './table.ts'
import { listText, objectText, textFormOf, wantsPretty } from './textform.ts'
import { transformedGvk } from './transformed.ts'

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

/** Answers what a write left behind, and lets the cache have the bytes. */
export function respondWritten(
  call: Call,
  endpoint: Endpoint,
  services: Services,
  negotiated: Negotiated,
  status: number,
  written: Written,
): void | Promise<void> {
  return inSerializationSpan(call, services, negotiated, () => {
    if (!endpoint.custom) return answerWritten(call, endpoint, services, negotiated, status, written)
    return withConversions(() =>
      answerWritten(call, endpoint, services, negotiated, status, asReadBack(endpoint, written)),
    )
  })
}

/** A custom resource that was written through one version and stored in another loses fields that this does not know. */
function asReadBack(endpoint: Endpoint, written: Written): Written {
  const { codec } = endpoint.main ?? endpoint
  if (!codec.afterWrite) return written
  return { ...written, object: codec.afterWrite(written.object, written.stored) }
}

/** Answers one large object whose item is there; text other than plain JSON is made while it is sent. */
export function respondLargeItem(
  call: Call,
  { codec, gvk }: Endpoint,
  negotiated: Negotiated,
  status: number,
  item: Uint8Array,
): void | Promise<void> {
  const { mediaType } = negotiated
  const form = textFormOf(call, negotiated)
  if (form === undefined || form === 'json')
    return send(call, status, mediaType, codec.encodeFromItem(gvk, item, mediaType))
  const json = codec.encodeFromItem(gvk, item, 'application/json')
  return sendChunks(call, status, mediaType, objectText(form, json))
}

function answerWritten(
  call: Call,
  endpoint: Endpoint,
  { scheme, clock }: Services,
  negotiated: Negotiated,
  status: number,
  written: Written,
): void | Promise<void> {
  const { object, key, revision, stored } = written
  if (call.objects) {
    if (stored && isStoredForm(endpoint, object)) endpoint.registry.cache.adopt({ key, revision, object })
    return call.objects.answer(status, shownObject(endpoint, negotiated, object))
  }
  const encoding = endpoint.item(negotiated.format)
  if (negotiated.transform || wantsPretty(call, negotiated)) {
    if (stored && isStoredForm(endpoint, object)) endpoint.registry.cache.adopt({ key, revision, object })
    return respondObject(call, endpoint, scheme, clock.now(), negotiated, status, object)
  }
  const itemType: MediaTypeName = negotiated.format === 'yaml' ? 'application/json' : negotiated.mediaType
  const item = endpoint.codec.encodeItem(endpoint.fromHub(object), itemType)
  if (stored && isStoredForm(endpoint, object))
    endpoint.registry.cache.adopt({ key, revision, object, bytes: [{ encoding, bytes: item }] })
  return send(
    call,
    status,
    negotiated.mediaType,
    endpoint.codec.encodeFromItem(endpoint.gvk, item, negotiated.mediaType),
  )
}

/** Whether reading the object back from the store gives it in the version that it is in. */
function isStoredForm({ custom, registry }: Endpoint, { apiVersion }: ApiObject): boolean {
  return !custom || apiVersion === formatGroupVersion(registry.definition.gvk)
}

/** Answers one object, given in the hub version, in the form asked for. */
export function respondObject(
  call: Call,
  endpoint: Endpoint,
  scheme: Scheme,
  nowMs: number,
  negotiated: Negotiated,
  status: number,
  object: ApiObject,
): void | Promise<void> {
  if (!endpoint.custom) return answerObject(call, endpoint, scheme, nowMs, negotiated, status, object)
  return withConversions(() => answerObject(call, endpoint, scheme, nowMs, negotiated, status, object))
}

function answerObject(
  call: Call,
  endpoint: Endpoint,
  scheme: Scheme,
  nowMs: number,
  negotiated: Negotiated,
  status: number,
  object: ApiObject,
): void | Promise<void> {
  if (call.objects) return call.objects.answer(status, shownObject(endpoint, negotiated, object))
  const { transform, mediaType } = negotiated
  if (!transform) return sendPlain(call, endpoint.codec, negotiated, status, endpoint.fromHub(object))
  if (transform.kind === 'PartialObjectMetadataList')
    throw statusErrors.notAcceptable(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${endpoint.gvk.kind})`,
    )
  const metadata = shownMetadata(endpoint, object)
  if (transform.kind === 'Table') {
    const { resourceVersion = '' } = metadata
    const request = { version: transform.version, includeObject: parseIncludeObject(call.query), columns: true }
    const row = rowEncoder(endpoint, request, nowMs)(rowSourceOf(scheme, endpoint, object, metadata))
    const form = textFormOf(call, negotiated)
    assert(form, 'tables are negotiated as text only')
    const frame = tableFrame(scheme, endpoint, { resourceVersion }, request)
    return send(call, status, mediaType, Array.from(listText(form, frame, 'rows', [row])))
  }
  const gvk = transformedGvk(transform.kind, transform.version)
  const partial = scheme.encodeFromItem(gvk, encodePartialItem(scheme, metadata, mediaType), mediaType)
  const body = wantsPretty(call, negotiated) ? Array.from(objectText('pretty', partial)) : partial
  return send(call, status, mediaType, body)
}

/** An object of the hub version as a client in this process gets it: whole, or its metadata alone. */
function shownObject(endpoint: Endpoint, { transform }: Negotiated, object: ApiObject): ApiObject {
  if (!transform) return endpoint.fromHub(object)
  if (transform.kind === 'Table') throw statusErrors.notAcceptable('clients in process take no tables')
  const gvk = transformedGvk('PartialObjectMetadata', transform.version)
  return { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, metadata: shownMetadata(endpoint, object) }
}

/** A subresource view shows the part of the metadata that its own kind has, and webhooks convert labels and annotations. */
function shownMetadata(endpoint: Endpoint, object: ApiObject): ApiObject['metadata'] {
  return (endpoint.main || endpoint.custom ? endpoint.fromHub(object) : object).metadata
}

/** An entry's object as a client in this process sees it, who may keep it for long. */
export function shownEntry(endpoint: Endpoint, { transform }: Negotiated, entry: Entry): ApiObject {
  if (!transform) return endpoint.view(entry)
  if (transform.kind === 'Table') throw statusErrors.notAcceptable('clients in process take no tables')
  const gvk = transformedGvk('PartialObjectMetadata', transform.version)
  return { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, metadata: endpoint.viewMetadata(entry) }
}

/** Answers an object as it is. */
export function sendPlain(
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
