import { posix } from 'node:path'
import type { Call } from '../request/index.ts'

/** Segments before a proxy's own path: resource, name, `proxy`. */
const segmentsBefore = 3

/** The path behind `…/proxy` with a slash before it, decoded; '' for none. */
export function pathBehindProxy({ info: { parts, path } }: Call): string {
  const rest = parts.slice(segmentsBefore).join('/')
  const isFolder = path.endsWith('/')
  if (rest === '') return isFolder ? '/' : ''
  const joined = posix.normalize(`/${rest}`)
  return isFolder && !joined.endsWith('/') ? `${joined}/` : joined
}

/** The path of a proxy itself, `/api/v1/namespaces/default/services/web/proxy`, for links of its pages. */
export function pathOfProxy({ info }: Call): string {
  const { namespaced, namespace, resource, parts } = info
  const scope = namespaced ? ['namespaces', namespace] : []
  return `/${['api', 'v1', ...scope, resource, parts[1] ?? '', 'proxy'].map(escapeSegment).join('/')}`
}

/** Encodes a decoded path. */
export function escapePath(path: string): string {
  return path.split('/').map(escapeSegment).join('/')
}

/** Colons and the like are not escaped, as in Go's URLs. */
function escapeSegment(segment: string): string {
  return encodeURIComponent(segment)
    .replaceAll(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, decodeURIComponent)
    .replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The original query, with its question mark; '' without one. */
export function queryOf({ url }: Call): string {
  const mark = url.indexOf('?')
  return mark < 0 ? '' : url.slice(mark)
}
