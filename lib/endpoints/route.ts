import { TooLongHere } from '../base/index.ts'
import { statusErrors } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import { inHandlerSpan } from './answer/spans.ts'
import { explainUnreadable } from './answer/unreadable.ts'
import type { Endpoint } from './endpoint.ts'
import type { EndpointServices } from './endpointservices.ts'
import { isLargeRequest } from './largework.ts'
import { create } from './verbs/create.ts'
import { remove } from './verbs/delete.ts'
import { removeCollection } from './verbs/deletecollection.ts'
import { get } from './verbs/get.ts'
import { list } from './verbs/list.ts'
import { patch } from './verbs/patch.ts'
import { update } from './verbs/update.ts'
import { watch } from './verbs/watch.ts'

/**
 * Calls the verb of a stored resource by the request's info. Throws 404 where the resource has no such path, 405 where
 * the path doesn't allow the verb or the method.
 */
export function route(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const { tracer } = services
  const handled = tracer
    ? inHandlerSpan(call, tracer, () => routeVerb(call, endpoint, services))
    : routeVerb(call, endpoint, services)
  return explainUnreadable(handled, call, endpoint, services)
}

function routeVerb(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const { verb, parts, namespaced, namespace } = call.info
  if (verb === 'proxy' || parts.length > 3) throw statusErrors.noSuchResource()
  const named = parts.length > 1
  // A namespace inside of a namespace, `namespaces/a/namespaces/b`, is authorized in `a`: it must not be served.
  if (namespaced && !endpoint.namespaced) throw statusErrors.noSuchResource()
  const scoped = namespaced && namespace !== ''
  if (named && (scoped !== endpoint.namespaced || parts[1] === '')) throw statusErrors.noSuchResource()
  if (verb === 'watch') return routeWatch(call, endpoint, services, named ? (parts[1] ?? '') : '')
  if (parts.length === 3) return routeSubresource(call, endpoint, services)
  return named ? routeObject(call, endpoint, services) : routeCollection(call, endpoint, services, scoped)
}

function routeWatch(call: Call, endpoint: Endpoint, services: EndpointServices, pathName: string): Promise<void> {
  if (call.info.parts.length > 2) throw statusErrors.noSuchResource()
  if (call.info.method !== 'GET') throw statusErrors.methodNotAllowed()
  requireVerb(call, endpoint.table.verbs)
  return watch(call, endpoint, services, pathName)
}

function routeCollection(call: Call, endpoint: Endpoint, services: EndpointServices, scoped: boolean): Promise<void> {
  // Across all namespaces only reads are allowed.
  if (endpoint.namespaced && !scoped && call.info.verb !== 'list') throw statusErrors.methodNotAllowed()
  requireVerb(call, endpoint.table.verbs)
  switch (call.info.verb) {
    case 'list':
      return list(call, endpoint, services)
    case 'create':
      return write(create, call, endpoint, services)
    case 'deletecollection':
      return removeCollection(call, endpoint, services)
    default:
      throw statusErrors.methodNotAllowed()
  }
}

function routeObject(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  requireVerb(call, endpoint.table.verbs)
  switch (call.info.verb) {
    case 'get':
      return get(call, endpoint, services)
    case 'update':
      return write(update, call, endpoint, services)
    case 'patch':
      return write(patch, call, endpoint, services)
    case 'delete':
      return write(remove, call, endpoint, services)
    default:
      throw statusErrors.methodNotAllowed()
  }
}

/** Routes subresources that are a part of the object itself, such as its status. */
function routeSubresource(call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const { subresource, verb } = call.info
  const { subresources } = endpoint.table
  const table = subresources && Object.hasOwn(subresources, subresource) ? subresources[subresource] : undefined
  const view = endpoint.subresourceViews.get(subresource) ?? endpoint
  if (!table || (view === endpoint && !endpoint.registry.kind.subresources?.[subresource]))
    throw statusErrors.noSuchResource()
  requireVerb(call, table.verbs)
  switch (verb) {
    case 'get':
      return get(call, view, services)
    case 'update':
      return write(update, call, view, services)
    case 'patch':
      return write(patch, call, view, services)
    default:
      throw statusErrors.methodNotAllowed()
  }
}

type Verb = (call: Call, endpoint: Endpoint, services: EndpointServices) => Promise<void>

/** Calls the verb here, or in a thread where the request is about a large object. */
async function write(verb: Verb, call: Call, endpoint: Endpoint, services: EndpointServices): Promise<void> {
  const { largeWork } = services
  if (!largeWork) return verb(call, endpoint, services)
  if (await isLargeRequest(call, endpoint)) return largeWork.handle(call, endpoint)
  try {
    return await verb(call, endpoint, services)
  } catch (error) {
    if (!(error instanceof TooLongHere)) throw error
    return largeWork.handle(call, endpoint)
  }
}

/** HEAD is authorized as a get, but no stored resource serves it. */
function requireVerb({ info }: Call, verbs: readonly string[]): void {
  if (info.method === 'HEAD' || !verbs.includes(info.verb)) throw statusErrors.methodNotAllowed()
}
