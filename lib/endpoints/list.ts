import { Breather, type Clock } from '../base/index.ts'
import type { Entry, ListResult } from '../cache/index.ts'
import { indentJson, yamlFromJson } from '../codec/index.ts'
import {
  formatGroupVersion,
  type ListMeta,
  noRevision,
  StatusError,
  statusErrors,
  toResourceVersion,
} from '../object/index.ts'
import {
  type Call,
  formatMediaTypes,
  type ListOptions,
  type Negotiated,
  type ObjectList,
  parseListOptions,
} from '../request/index.ts'
import type { ItemParts } from '../scheme/index.ts'
import { consistencyOfList } from './readconsistency.ts'
import { decodeContinue, encodeContinue } from './continuetoken.ts'
import { finishInSlices, mapInSlices } from './mapinslices.ts'
import { type Endpoint, itemParts } from './endpoint.ts'
import { largeItem } from './largeitem.ts'
import { listChunks } from './listchunks.ts'
import { send, sendChunks, shownEntry, wantsPretty } from './respond.ts'
import { type Scope, scopeOf } from './scope.ts'
import type { Services } from './services.ts'
import { inSerializationSpan, step } from './spans.ts'
import { parseIncludeObject, rowEncoder, rowSourceOfEntry, tableBody, tableItem } from './table.ts'
import { transformedGvk } from './transformed.ts'
import { withConverted } from './withconverted.ts'

/** GET of a collection. */
export async function list(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const negotiated = endpoint.negotiator.response(call.headers['accept'])
  const options = parseListOptions(call.query, services)
  const scope = scopeOf(call, endpoint, options, '')
  step(call, services, 'About to List from storage')
  const result = await readCollection(endpoint, options, scope)
  step(call, services, 'Listing from storage done', { count: result.entries.length })
  const metadata = listMetadata(result, options, scope)
  return withConverted(endpoint, result.entries, () =>
    inSerializationSpan(call, services, negotiated, () =>
      answer(call, endpoint, services, negotiated, result, metadata),
    ),
  )
}

async function answer(
  call: Call,
  endpoint: Endpoint,
  services: Services,
  negotiated: Negotiated,
  result: ListResult,
  metadata: ListMeta,
): Promise<void> {
  if (call.objects)
    return call.objects.answerList(200, await objectList(endpoint, services, negotiated, result, metadata))
  const chunks = await listChunks(call, endpoint, services, negotiated, result, metadata)
  if (chunks) return sendChunks(call, 200, negotiated.mediaType, chunks)
  const body = await encodeCollection(call, endpoint, services, negotiated, result, metadata)
  return send(call, 200, negotiated.mediaType, body)
}

const expiredContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

/** Throws 400 for a bad token or version, 410 for what is no longer known (with a token that goes on all the same). */
export async function readCollection(endpoint: Endpoint, options: ListOptions, scope: Scope): Promise<ListResult> {
  const { cache } = endpoint.registry
  const { predicate } = scope.selection
  const limit = Math.max(0, options.limit)
  const common = { end: scope.end, limit, ...(predicate ? { predicate } : {}) }
  if (options.continue === '') return cache.list({ ...common, start: scope.start, at: consistencyOfList(options) })

  const token = decodeContinue(options.continue, scope.prefix)
  if (options.resourceVersion !== '' && options.resourceVersion !== '0')
    throw statusErrors.badRequest('specifying resource version is not allowed when using continue')
  const start = token.start > scope.start ? token.start : scope.start
  if (token.revision === undefined) return cache.list({ ...common, start, at: { kind: 'latest' } })
  try {
    return await cache.list({ ...common, start, at: { kind: 'exact', revision: token.revision } })
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 410)) throw error
    const lastKey = token.start.endsWith('\0') ? token.start.slice(0, -1) : token.start
    throw statusErrors.expired(expiredContinue, { continue: encodeContinue(lastKey, scope.prefix, undefined) })
  }
}

export function listMetadata(result: ListResult, options: ListOptions, scope: Scope): ListMeta {
  // Computed objects have no resource version.
  const metadata: ListMeta =
    result.revision === noRevision ? {} : { resourceVersion: toResourceVersion(result.revision) }
  if (result.more && result.lastKey !== undefined) {
    metadata.continue = encodeContinue(result.lastKey, scope.prefix, result.revision)
    const selected = options.labelSelector !== '' || options.fieldSelector !== ''
    if (!selected && result.remaining !== undefined && result.remaining > 0)
      metadata.remainingItemCount = result.remaining
  }
  return metadata
}

/** A collection for a client in this process: the cache's own objects. */
export async function objectList(
  endpoint: Endpoint,
  { clock }: Services,
  negotiated: Negotiated,
  { entries }: ListResult,
  metadata: ListMeta,
): Promise<ObjectList> {
  const { transform } = negotiated
  const gvk = transform ? transformedGvk('PartialObjectMetadataList', transform.version) : endpoint.listGvk
  const items = await mapInSlices(entries, (entry) => shownEntry(endpoint, negotiated, entry), clock)
  return { apiVersion: formatGroupVersion(gvk), kind: gvk.kind, metadata, items }
}

/** A collection in the form asked for. Throws 406 for a form that only single objects have. */
export async function encodeCollection(
  call: Call,
  endpoint: Endpoint,
  { scheme, clock }: Services,
  negotiated: Negotiated,
  result: ListResult,
  metadata: ListMeta,
): Promise<Uint8Array | readonly Uint8Array[]> {
  const { transform, mediaType, format } = negotiated
  if (transform?.kind === 'Table') {
    const request = { version: transform.version, includeObject: parseIncludeObject(call.query), columns: true }
    const encodeRow = rowEncoder(endpoint, request, clock.now())
    const encode = (entry: Entry): Uint8Array => encodeRow(rowSourceOfEntry(endpoint, entry))
    const rows = await mapInSlices(result.entries, encode, clock, { itemsPerLook: 1 })
    const item = tableItem(endpoint, metadata, request, rows)
    if (format === 'yaml') {
      const json = tableBody(scheme, transform.version, item, formatMediaTypes.json)
      return await finishInSlices(yamlFromJson(json), clock)
    }
    return await indentedList(call, negotiated, tableBody(scheme, transform.version, item, mediaType), clock)
  }
  if (transform?.kind === 'PartialObjectMetadata')
    throw statusErrors.notAcceptable(
      `you requested PartialObjectMetadata, but the requested object is a list (${endpoint.listGvk.kind})`,
    )
  const listGvk = transform ? transformedGvk(transform.kind, transform.version) : endpoint.listGvk
  const encoding = transform ? endpoint.partial(format, transform.version) : endpoint.item(format)
  const breather = new Breather(clock)
  const made = (entry: Entry): ItemParts | Promise<ItemParts> =>
    (transform ? undefined : largeItem(endpoint, entry, format, breather)) ?? itemParts(entry, encoding)
  const items = await mapInSlices(result.entries, made, clock)
  const parts = await finishInSlices(scheme.encodeListFromItems(listGvk, metadata, items, mediaType), clock)
  return await indentedList(call, negotiated, parts, clock)
}

/** A large list takes long to indent: others get their turn meanwhile. */
async function indentedList(
  call: Call,
  negotiated: Negotiated,
  parts: readonly Uint8Array[],
  clock: Clock,
): Promise<readonly Uint8Array[]> {
  return wantsPretty(call, negotiated) ? await finishInSlices(indentJson(parts), clock) : parts
}
