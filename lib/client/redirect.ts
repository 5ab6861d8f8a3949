import type { EndpointAnswer } from './exchange.ts'

/** Servers that a request may be sent to, one after the other, as by Go's client. */
export const redirectsMax = 10

/**
 * Where the answer to a request for `url` asks to send the same request again: 307 and 308 keep its method and body.
 * Undefined for any other answer, and for a place at another server, which no configuration has named: stock servers go
 * there, with all that the request holds.
 */
export function redirection(url: string, { status, headers: { location } }: EndpointAnswer): string | undefined {
  if ((status !== 307 && status !== 308) || typeof location !== 'string') return undefined
  const next = URL.parse(location, url)
  return next !== null && next.origin === URL.parse(url)?.origin ? next.href : undefined
}
