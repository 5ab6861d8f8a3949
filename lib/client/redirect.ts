import type { EndpointAnswer } from './exchange.ts'

/** Maximum number of redirects of one request, as in Go's client. */
export const redirectsMax = 10

/**
 * The URL to which the answer to a request for `url` redirects the same request: 307 and 308 keep its method and body.
 * Undefined for any other answer, and for another server, which no configuration has named: stock servers follow there,
 * with everything in the request.
 */
export function redirection(url: string, { status, headers: { location } }: EndpointAnswer): string | undefined {
  if ((status !== 307 && status !== 308) || typeof location !== 'string') return undefined
  const next = URL.parse(location, url)
  return next !== null && next.origin === URL.parse(url)?.origin ? next.href : undefined
}
