import { RE2JS } from 're2js'
import type { ServerFilter } from '../chain.ts'
import type { ServerOptions } from '../options.ts'

const allowed = [
  'access-control-allow-methods',
  'POST, GET, OPTIONS, PUT, DELETE, PATCH',
  'access-control-allow-headers',
  'Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, Authorization, X-Requested-With, If-Modified-Since',
  'access-control-expose-headers',
  'Date',
  'access-control-allow-credentials',
  'true',
]

/**
 * Allows pages of the configured origins (regular expressions) to read answers; undefined where none are configured.
 */
export function cors(options: ServerOptions): ServerFilter | undefined {
  if (options.corsAllowedOrigins.length === 0) return undefined
  const isAllowed = allowedOrigins(options)
  return (call, next) => {
    const origin = call.headerValue('origin')
    if (origin === '' || !isAllowed(origin)) return next(call)
    call.responseHeaders.push('access-control-allow-origin', origin, ...allowed)
    // A preflight only asks for these headers.
    if (call.method === 'OPTIONS') return call.responder.send(204, {})
    return next(call)
  }
}

/** Whether the configured expressions match an origin. */
export function allowedOrigins({ corsAllowedOrigins }: ServerOptions): (origin: string) => boolean {
  const patterns = corsAllowedOrigins.map((pattern) => RE2JS.compile(pattern))
  return (origin) => patterns.some((pattern) => pattern.matcher(origin).find())
}
