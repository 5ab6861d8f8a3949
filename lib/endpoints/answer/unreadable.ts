import { type AuthorizationAttributes, type AuthorizationResult, forbiddenMessage } from '../../authz/index.ts'
import { nextTurn } from '../../base/index.ts'
import { fieldErrors, formatGroupResource, type StatusCause, StatusError, statusErrors } from '../../object/index.ts'
import type { Call, DeleteRequestOptions } from '../../request/index.ts'
import { UnreadableObject, untransformable } from '../../storage/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'

/** Maximum number of objects that one list names. */
const namedMax = 100
const entriesPerPause = 100
const unsafeVerb = 'unsafe-delete-ignore-read-errors'
const option = 'ignoreStoreReadErrorWithClusterBreakingPotential'

/** Runs `served`; its errors get the stock server's text for stored objects that can't be read. */
export async function explainUnreadable(
  served: Promise<void>,
  call: Call,
  endpoint: Endpoint,
  services: EndpointServices,
): Promise<void> {
  try {
    await served
  } catch (error) {
    if (!(error instanceof UnreadableObject)) throw error
    const isList = call.info.verb === 'list' || call.info.verb === 'deletecollection'
    if (services.unsafeDeletion)
      throw isList ? await namingAll(call, endpoint, services, error) : corrupt(endpoint, error)
    if (!isList || error.transformation === undefined) throw error
    throw statusErrors.internal(untransformable(error.key, error.transformation), error)
  }
}

/** The error behind the gate AllowUnsafeMalformedObjectDeletion. */
function corrupt(endpoint: Endpoint, error: UnreadableObject): StatusError {
  return statusErrors.internal(corruptText(error, error.key.slice(rootLength(endpoint)), 0), error)
}

function corruptText(error: UnreadableObject, key: string, revision: number): string {
  const { transformation } = error
  const why =
    transformation === undefined
      ? `object not decodable revision=${error.revision}: the stored bytes are no object of this kind`
      : `data from the storage is not transformable revision=0: ${transformation}`
  return `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: ${revision}, AdditionalErrorMsg: ${why}`
}

/** Length of a key's part before the resource's own: `/registry`. */
function rootLength({ registry }: Endpoint): number {
  return registry.cache.prefix.length - (registry.definition.storage?.prefix.length ?? 0) - 2
}

/** Combines all unreadable objects of a list into one error. */
async function namingAll(
  call: Call,
  endpoint: Endpoint,
  services: EndpointServices,
  first: UnreadableObject,
): Promise<StatusError> {
  const { resource, group } = endpoint.gvr
  const causes: StatusCause[] = []
  for await (const error of unreadableIn(call, endpoint, services)) {
    if (causes.length === namedMax) {
      causes.push({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' })
      break
    }
    causes.push(causeOf(error))
  }
  if (causes.length === 0) causes.push(causeOf(first))
  const message = `failed to read one or more ${formatGroupResource({ resource, group })} from the storage`
  const details = { name: 'list', ...(group === '' ? {} : { group }), kind: resource, causes }
  return new StatusError(500, 'StorageReadError', message, { details, cause: first })
}

function causeOf(error: UnreadableObject): StatusCause {
  const message = corruptText(error, error.key, error.revision)
  return { reason: 'UnexpectedServerResponse', field: error.key, message }
}

/** Checks all objects of the scope, with pauses. */
async function* unreadableIn(
  call: Call,
  endpoint: Endpoint,
  { clock }: EndpointServices,
): AsyncIterable<UnreadableObject> {
  const { namespace } = call.info
  const { start, end } = endpoint.registry.range(namespace)
  const { entries } = await endpoint.registry.cache.list({ start, end, at: { kind: 'any' } })
  for (const [at, entry] of entries.entries()) {
    if (at % entriesPerPause === entriesPerPause - 1) await nextTurn(clock)
    try {
      entry.object()
    } catch (error) {
      if (error instanceof UnreadableObject) yield error
    }
  }
}

/** Deleting an unreadable object needs a verb of its own. Throws 403. */
export async function requireUnsafeDeletion(
  call: Call,
  endpoint: Endpoint,
  { authorizer }: EndpointServices,
  { ignoreStoreReadError }: DeleteRequestOptions,
): Promise<void> {
  if (!ignoreStoreReadError) return
  call.audit.annotate('apiserver.k8s.io/unsafe-delete-ignore-read-error', '')
  const { isResource, path, group, version, resource, subresource, namespace, name } = call.info
  if (!isResource || subresource !== '') {
    const why = `${option} delete option is not allowed on a subresource or non-resource request`
    throw statusErrors.forbidden(endpoint.gvr, name, why)
  }
  const where = { isResource, path, group, version, resource, subresource, namespace, name }
  const attributes: AuthorizationAttributes = { user: call.user, verb: unsafeVerb, ...where }
  const { decision, reason, error }: AuthorizationResult = await authorizer.authorize(attributes, call)
  if (decision === 'allow') return
  if (error !== undefined) throw statusErrors.internal('authorization could not be decided', error)
  const why = reason === '' ? forbiddenMessage(attributes, reason) : reason
  throw statusErrors.forbidden(endpoint.gvr, name, `not permitted to do "${unsafeVerb}", reason: ${why}`)
}

/** Refuses to delete a collection unread. Throws 422. */
export function refuseUnsafeCollection({ ignoreStoreReadError }: DeleteRequestOptions): void {
  if (!ignoreStoreReadError) return
  const why = 'is not allowed with DELETECOLLECTION, try again after removing the option'
  throw statusErrors.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    fieldErrors.invalid(option, true, why),
  ])
}
