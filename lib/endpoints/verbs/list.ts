import type { ListResult } from '../../cache/index.ts'
import { type ListMeta, noRevision, StatusError, statusErrors, toResourceVersion } from '../../object/index.ts'
import { type Call, type ListRequestOptions, parseListOptions } from '../../request/index.ts'
import { type Collection, listSelected } from '../answer/listselected.ts'
import { renderingOf } from '../answer/renderingof.ts'
import { step } from '../answer/spans.ts'
import { withConverted } from '../answer/withconverted.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'
import { type CollectionScope, scopeOf } from '../request/collectionscope.ts'
import { decodeContinue, encodeContinue } from '../request/continuetoken.ts'
import { consistencyOfList } from '../request/readconsistency.ts'

/** GET of a collection. */
export async function list(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const rendering = renderingOf(call, endpoint, services)
  const options = parseListOptions(call.query, services)
  const scope = scopeOf(call, endpoint, options, '')
  step(call, services, 'About to List from storage')
  const result = await readCollection(endpoint, options, scope, services)
  step(call, services, 'Listing from storage done', { count: result.entries.length })
  const metadata = listMetadata(result, options, scope)
  return withCollection(endpoint, result, () => rendering.list(result, metadata))
}

const expiredContinue =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'

/** Throws 400 for an invalid token or version, 410 for an expired one (with a token to continue inconsistently). */
export async function readCollection(
  endpoint: Endpoint,
  options: ListRequestOptions,
  scope: CollectionScope,
  { clock }: EndpointServices,
): Promise<Collection> {
  const { predicate } = scope.selection
  const limit = Math.max(0, options.limit)
  const common = { end: scope.end, limit, predicate }
  if (options.continue === '')
    return listSelected(endpoint, { ...common, start: scope.start, at: consistencyOfList(options) }, clock)

  const token = decodeContinue(options.continue, scope.prefix)
  if (options.resourceVersion !== '' && options.resourceVersion !== '0')
    throw statusErrors.badRequest('specifying resource version is not allowed when using continue')
  const start = token.start > scope.start ? token.start : scope.start
  if (token.revision === undefined) return listSelected(endpoint, { ...common, start, at: { kind: 'latest' } }, clock)
  try {
    return await listSelected(endpoint, { ...common, start, at: { kind: 'exact', revision: token.revision } }, clock)
  } catch (error) {
    if (!(error instanceof StatusError && error.code === 410)) throw error
    const lastKey = token.start.endsWith('\0') ? token.start.slice(0, -1) : token.start
    throw statusErrors.expired(expiredContinue, { continue: encodeContinue(lastKey, scope.prefix, undefined) })
  }
}

/** Runs `run` while the webhook-converted forms of a collection's entries are held. */
export async function withCollection<Result>(
  endpoint: Endpoint,
  { entries, held }: Collection,
  run: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await withConverted(endpoint, entries, run)
  } finally {
    held?.release()
  }
}

export function listMetadata(result: ListResult, options: ListRequestOptions, scope: CollectionScope): ListMeta {
  // Computed objects have no resource version.
  const metadata: ListMeta =
    result.revision === noRevision ? {} : { resourceVersion: toResourceVersion(result.revision) }
  if (result.more && result.lastKey !== undefined) {
    metadata.continue = encodeContinue(result.lastKey, scope.prefix, result.revision)
    const selected = options.labelSelector !== '' || options.fieldSelector !== '' || options.shardSelector !== ''
    if (!selected && result.remaining !== undefined && result.remaining > 0)
      metadata.remainingItemCount = result.remaining
  }
  if (options.shardSelector !== '') metadata.shardInfo = { selector: options.shardSelector }
  return metadata
}
