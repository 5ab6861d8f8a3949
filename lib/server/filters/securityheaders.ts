import type { ServerFilter } from '../chain.ts'
import type { ServerOptions } from '../options.ts'

/** Headers of every answer: shared caches must not store it; HSTS where it is configured. */
export function securityHeaders(options: ServerOptions): ServerFilter {
  const headers = ['cache-control', 'no-cache, private']
  if (options.strictTransportSecurityDirectives.length > 0) {
    headers.push('strict-transport-security', options.strictTransportSecurityDirectives.join('; '))
  }
  return (call, next) => {
    call.responseHeaders.push(...headers)
    return next(call)
  }
}
