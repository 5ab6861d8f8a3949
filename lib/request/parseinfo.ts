import { parseFieldSelector, statusErrors } from '../object/index.ts'
import { noRequestInfo, type RequestInfo } from './info.ts'
import type { QueryParameters } from './query.ts'

const methodVerbs: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
}
/** Segments after `namespaces/{name}` that are subresources of the namespace itself. */
const namespaceSubresources = new Set(['status', 'finalize'])

/**
 * The path of a URL, percent-decoded as routing sees it (so `a%2Fb` is two segments). Throws 400 for escapes that are
 * not UTF-8.
 */
export function decodePath(rawPath: string): string {
  if (!rawPath.includes('%')) return rawPath
  try {
    return decodeURIComponent(rawPath)
  } catch (cause) {
    throw statusErrors.badRequest('the path of the request is not properly escaped', cause)
  }
}

/**
 * Parses what a request asks for. `path` comes from decodePath; `query` is read only where the verb or the name depends
 * on it. Throws 500 where nothing follows the prefix `watch` or `proxy`, as the stock server does. The result is as
 * permissive as the stock server's: `namespaces/A/namespaces/B` is the namespace B inside of A, and the prefix `watch`
 * makes a watch of any method. That is what authorization sees; the endpoints serve a request only when they support
 * its whole shape (see `route` and `VirtualHandler`).
 */
export function parseRequestInfo(method: string, path: string, query: QueryParameters): RequestInfo {
  const parts = split(path)
  const first = parts[0]
  const legacy = first === 'api'
  if (parts.length < (legacy ? 3 : 4) || (!legacy && first !== 'apis')) return nonResource(method, path)
  let at = legacy ? 1 : 2
  const group = legacy ? '' : segment(parts, 1)
  const version = segment(parts, at++)

  let verb = methodVerbs[method] ?? ''
  let byPrefix = false
  const special = parts[at]
  if (special === 'watch' || special === 'proxy') {
    if (parts.length - at < 2) throw statusErrors.internal(`unable to determine kind and namespace from url, ${path}`)
    verb = special
    byPrefix = true
    at++
  }

  let namespace = ''
  let namespaced = false
  if (parts[at] === 'namespaces' && parts.length > at + 1) {
    namespace = segment(parts, at + 1)
    if (parts.length > at + 2 && !namespaceSubresources.has(segment(parts, at + 2))) {
      namespaced = true
      at += 2
    }
  }
  const rest = parts.slice(at)
  let name = rest[1] ?? ''
  if (name === '') {
    if (verb === 'get') {
      verb = isTrue(query.get('watch')) ? 'watch' : 'list'
      name = nameOfSelector(query)
    } else if (verb === 'delete') verb = 'deletecollection'
  }
  return Object.freeze({
    isResource: true,
    path,
    method,
    verb,
    apiPrefix: legacy ? 'api' : 'apis',
    group,
    version,
    namespaced,
    namespace,
    resource: rest[0] ?? '',
    subresource: verb === 'proxy' ? '' : (rest[2] ?? ''),
    name,
    selects: !byPrefix && (verb === 'list' || verb === 'watch' || verb === 'deletecollection'),
    parts: Object.freeze(rest),
  })
}

function nonResource(method: string, path: string): RequestInfo {
  return Object.freeze({ ...noRequestInfo, path, method, verb: method.toLowerCase() })
}

/** The segments between slashes, without those at both ends; empty for an empty path. */
function split(path: string): string[] {
  let start = 0
  let end = path.length
  while (start < end && path.charCodeAt(start) === 47) start++
  while (end > start && path.charCodeAt(end - 1) === 47) end--
  const segments: string[] = []
  if (start === end) return segments
  // For strings as short as these a loop of searches costs a third of String.split.
  for (let slash = path.indexOf('/', start); slash >= 0 && slash < end; slash = path.indexOf('/', start)) {
    segments.push(path.slice(start, slash))
    start = slash + 1
  }
  segments.push(path.slice(start, end))
  return segments
}

function segment(parts: readonly string[], index: number): string {
  return parts[index] ?? ''
}

/** A boolean query parameter: false only when absent, `false` or `0`. */
export function isTrue(value: string | null): boolean {
  return value !== null && value !== '0' && value.toLowerCase() !== 'false'
}

/**
 * The name that the field selector of a list or watch requires, so that authorization by name covers it; a
 * deletecollection is never allowed by a name. '' for a malformed selector, which the endpoint refuses.
 */
function nameOfSelector(query: QueryParameters): string {
  const selector = query.get('fieldSelector')
  if (selector === null || !selector.includes('metadata.name')) return ''
  try {
    const name = parseFieldSelector(selector).exactMatch('metadata.name') ?? ''
    return isPathSegment(name) ? name : ''
  } catch {
    return ''
  }
}

function isPathSegment(name: string): boolean {
  return name !== '.' && name !== '..' && !/[/%]/.test(name)
}
