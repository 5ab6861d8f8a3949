import { statusErrors } from '../../object/index.ts'
import type { Call, ListRequestOptions } from '../../request/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Selection } from './selections.ts'

/** The keys of a collection request. */
export interface CollectionScope {
  readonly start: string
  readonly end: string
  /** The key prefix that continue tokens omit. */
  readonly prefix: string
  readonly selection: Selection
}

/** `pathName`: a watch of one object by the older path, `/watch/…/{name}`. Throws 400. */
export function scopeOf(
  call: Call,
  endpoint: Endpoint,
  options: ListRequestOptions,
  pathName: string,
): CollectionScope {
  const { namespaced, registry } = endpoint
  const namespace = namespaced ? call.info.namespace : ''
  let selection = endpoint.selections.select(options)
  if (pathName !== '') {
    if (selection.everyField) {
      selection = endpoint.selections.select({ ...options, fieldSelector: `metadata.name=${escapeName(pathName)}` })
    } else if (selection.name !== pathName)
      throw statusErrors.badRequest("fieldSelector metadata.name doesn't match requested name")
  }
  const range = registry.range(namespace)
  const scope = { ...range, prefix: range.start, selection }
  return narrowed(scope, endpoint, namespace)
}

function escapeName(name: string): string {
  return name.replace(/[\\,=]/g, '\\$&')
}

/** The scope of one key, where the selector allows only one name. */
function narrowed(scope: CollectionScope, { registry, namespaced }: Endpoint, namespace: string): CollectionScope {
  const { name } = scope.selection
  const within = namespaced && namespace === '' ? (scope.selection.namespace ?? '') : namespace
  if (name === undefined || name === '' || isNoSegment(name) || (namespaced && (within === '' || isNoSegment(within))))
    return scope
  const { key } = registry.target(within, name)
  return { ...scope, start: key, end: `${key}\0` }
}

/** No key can contain it: the selector selects nothing, which is no error. */
function isNoSegment(name: string): boolean {
  return name === '.' || name === '..' || /[/%]/.test(name)
}
