import type { Call, UserInfo } from '../request/index.ts'

/** Headers of one connection (RFC 9110, 7.6.1), which are not forwarded. */
const hopByHop = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** This server's own answers have these headers already. */
const ownHeaders = new Set(['audit-id', 'date', 'x-kubernetes-pf-flowschema-uid', 'x-kubernetes-pf-prioritylevel-uid'])
/** The client's credentials for this server, which other servers must not get. */
const credentials = /^(?:authorization|x-remote-(?:user|uid|group|extra-.*))$/

/** Node's own form: values of one name as one entry. */
export type RequestHeaders = Record<string, string | string[]>

/** Headers by which a server that trusts this one gets the user, who has been authenticated here. */
export function userHeaders({ name, uid, groups, extra }: UserInfo): RequestHeaders {
  const headers: RequestHeaders = { 'x-remote-user': headerValue(name) }
  if (uid !== '') headers['x-remote-uid'] = headerValue(uid)
  if (groups.length > 0) headers['x-remote-group'] = groups.map(headerValue)
  for (const [key, values] of Object.entries(extra))
    headers[`x-remote-extra-${encodeURIComponent(key.toLowerCase()).toLowerCase()}`] = values.map(headerValue)
  return headers
}

/**
 * A header consists of bytes: names beyond ASCII are encoded as UTF-8, one character a byte, and names can't contain
 * line ends.
 */
function headerValue(text: string): string {
  return Buffer.from(text.replaceAll(/[\r\n\0]/g, ' ')).toString('latin1')
}

/**
 * The headers of a client's request for another server, without the client's credentials. `isUserHeader`: headers by
 * which front proxies name users to this server, and possibly this server to the other one: a client's own must not be
 * forwarded.
 */
export function forwardedHeaders(call: Call, isUserHeader: (name: string) => boolean): RequestHeaders {
  const headers: RequestHeaders = {}
  const dropped = connectionHeaders(call.headers['connection'])
  for (const [name, value] of Object.entries(call.headers))
    if (
      value !== undefined &&
      !name.startsWith(':') &&
      !dropped.has(name) &&
      !credentials.test(name) &&
      !isUserHeader(name)
    )
      headers[name] = value
  withoutTokens(headers)
  const before = call.headers['x-forwarded-for']
  const { remoteAddress } = call
  return {
    ...headers,
    'x-forwarded-for': before === undefined || before === '' ? remoteAddress : `${before}, ${remoteAddress}`,
    'x-forwarded-host': call.headers['host'] ?? call.headers[':authority'] ?? '',
    'x-forwarded-proto': 'https',
    'x-forwarded-uri': call.url,
  }
}

/** Browsers put their token among a WebSocket's subprotocols. */
const tokenProtocol = 'base64url.bearer.authorization.k8s.io.'

function withoutTokens(headers: RequestHeaders): void {
  const offered = headers['sec-websocket-protocol']
  if (offered === undefined || !String(offered).includes(tokenProtocol)) return
  const others = String(offered)
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => !protocol.startsWith(tokenProtocol))
  if (others.length === 0) delete headers['sec-websocket-protocol']
  else headers['sec-websocket-protocol'] = others.join(', ')
}

/** The headers of another server's answer for the client. Cookies are sent one by one (RFC 6265, section 3). */
export function answerHeaders(
  given: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string | string[]> {
  const dropped = connectionHeaders(given['connection'])
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !name.startsWith(':') && !dropped.has(name) && !ownHeaders.has(name))
      headers[name] = Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : value
  return headers
}

function connectionHeaders(connection: string | string[] | undefined): ReadonlySet<string> {
  if (connection === undefined) return hopByHop
  const named = String(connection)
    .split(',')
    .map((name) => name.trim().toLowerCase())
  return new Set([...hopByHop, ...named])
}
