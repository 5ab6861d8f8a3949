import { statusErrors } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import { create } from './create.ts'
import { remove } from './delete.ts'
import { removeCollection } from './deletecollection.ts'
import type { Endpoint } from './endpoint.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { patch } from './patch.ts'
import type { Services } from './services.ts'
import { update } from './update.ts'
import { watch } from './watch.ts'

/**
 * Which verb a request to a stored resource comes to. Throws 404 for paths that the resource does not have, 405 for
 * methods that a path does not take.
 */
export function route(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const { verb, parts, namespace, resource } = call.info
  if (verb === 'proxy' || parts.length > 3) throw statusErrors.noSuchResource()
  const named = parts.length > 1
  // `namespaces/{name}` reads like the namespace of something.
  const scoped = namespace !== '' && !(resource === 'namespaces' && named)
  if (scoped !== endpoint.namespaced && (scoped || named)) throw statusErrors.noSuchResource()
  if (verb === 'watch') return routeWatch(call, endpoint, services, named ? (parts[1] ?? '') : '')
  if (parts.length === 3) return routeSubresource(call, endpoint, services)
  return named ? routeObject(call, endpoint, services) : routeCollection(call, endpoint, services, scoped)
}

function routeWatch(call: Call, endpoint: Endpoint, services: Services, pathName: string): Promise<void> {
  if (call.info.parts.length > 2) throw statusErrors.noSuchResource()
  if (call.method !== 'GET') throw statusErrors.methodNotAllowed()
  requireVerb(call, endpoint.table.verbs)
  return watch(call, endpoint, services, pathName)
}

function routeCollection(call: Call, endpoint: Endpoint, services: Services, scoped: boolean): Promise<void> {
  const { verbs } = endpoint.table
  // Across all namespaces there is only reading.
  if (endpoint.namespaced && !scoped && call.info.verb !== 'list') throw statusErrors.methodNotAllowed()
  switch (call.info.verb) {
    case 'list':
      requireVerb(call, verbs)
      return list(call, endpoint, services)
    case 'create':
      requireVerb(call, verbs)
      return create(call, endpoint, services)
    case 'deletecollection':
      requireVerb(call, verbs)
      return removeCollection(call, endpoint, services)
    default:
      throw statusErrors.methodNotAllowed()
  }
}

function routeObject(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
  const { verbs } = endpoint.table
  const { verb } = call.info
  switch (verb) {
    case 'get':
      requireVerb(call, verbs)
      return get(call, endpoint, services)
    case 'update':
      requireVerb(call, verbs)
      return update(call, endpoint, services)
    case 'patch':
      requireVerb(call, verbs)
      return patch(call, endpoint, services)
    case 'delete':
      requireVerb(call, verbs)
      return remove(call, endpoint, services)
    default:
      throw statusErrors.methodNotAllowed()
  }
}

/** Subresources that are a part of the object itself, such as its status. */
function routeSubresource(call: Call, endpoint: Endpoint, services: Services): Promise<void> {
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
      return update(call, view, services)
    case 'patch':
      return patch(call, view, services)
    default:
      throw statusErrors.methodNotAllowed()
  }
}

/** HEAD reads like GET to authorization, but no path takes it. */
function requireVerb({ method, info }: Call, verbs: readonly string[]): void {
  if (method === 'HEAD' || !verbs.includes(info.verb)) throw statusErrors.methodNotAllowed()
}
