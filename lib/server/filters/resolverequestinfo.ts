import type { RequestInfo } from '../../request/index.ts'
import type { ServerFilter } from '../chain.ts'
import type { ServerDependencies } from '../contract.ts'

const longRunningSubresources = new Set(['attach', 'exec', 'proxy', 'log', 'portforward'])

/** Watches, proxies, and streams of a pod; profiles, since a client chooses how long they take. */
export function isLongRunning(info: RequestInfo): boolean {
  if (info.verb === 'watch' || info.verb === 'proxy') return true
  if (info.isResource) return info.subresource !== '' && longRunningSubresources.has(info.subresource)
  return info.path.startsWith('/debug/pprof/')
}

/** Parses the URL into the request's verb, resource and name. */
export function resolveRequestInfo(dependencies: ServerDependencies): ServerFilter {
  const longRunning = dependencies.isLongRunning ?? isLongRunning
  return (call, next) => {
    call.info = dependencies.parseRequestInfo(call.method, call.path, call.query)
    call.longRunning = longRunning(call.info)
    return next(call)
  }
}
