import { badValue, singleHeaders, trimmed } from '../requestheaders.ts'
import { MalformedRequest, malformed } from './malformedrequest.ts'

export interface RequestHead {
  readonly method: string
  /** As sent: a path with its query, `*`, an absolute URL, or the authority of a CONNECT. */
  readonly target: string
  /** HTTP/1.0: no chunks, no interim answers. */
  readonly isOld: boolean
  /** Names in lower case, without a prototype; a repeated header is joined as Node does it. */
  readonly headers: Record<string, string | undefined>
  /** Alternating names and values as sent. */
  readonly raw: readonly string[]
  /** Bytes of the body; undefined for a chunked one. */
  readonly bodyBytes: number | undefined
  /** The connection may serve another request behind this one. */
  readonly keepsAlive: boolean
  /** The protocol that the client asks for; '' for none. */
  readonly upgrade: string
  /** The client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean
}

export interface HeadLimits {
  readonly headerBytesMax: number
  readonly headerCountMax: number
}

/** How to treat a header, depending on its name only. */
type Rule = 'joined' | 'single' | 'once' | 'cookie'

interface Name {
  readonly lower: string
  readonly rule: Rule
}

/** Must not be repeated (RFC 9112, sections 3.2 and 6.3): a proxy in front may have used the other one. */
const onces = ['host', 'content-length']
const usual =
  'accept accept-encoding accept-language cache-control connection expect keep-alive origin transfer-encoding upgrade ' +
  'x-forwarded-for'

const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ...usual.split(' ').map((name) => [name, 'joined'] as const),
  ...singleHeaders.map((name) => [name, 'single'] as const),
  ...onces.map((name) => [name, 'once'] as const),
  ['cookie', 'cookie'],
])
/** In the usual spellings: `content-type` and `Content-Type`. */
const names: ReadonlyMap<string, Name> = new Map(
  [...rules].flatMap(([lower, rule]) =>
    [lower, lower.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())].map((name) => [name, { lower, rule }]),
  ),
)

/**
 * The methods that Node's parser knows, which proxied servers may serve. Others are answered 405 before they reach the
 * filters.
 */
const methods: ReadonlySet<string> = new Set(
  (
    'GET POST PUT PATCH DELETE HEAD OPTIONS CONNECT ACL BIND CHECKOUT COPY LINK LOCK M-SEARCH MERGE MKACTIVITY ' +
    'MKCALENDAR MKCOL MOVE NOTIFY PROPFIND PROPPATCH PURGE QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND ' +
    'UNLINK UNLOCK UNSUBSCRIBE'
  ).split(' '),
)
/** Longer ones are not recognized as methods. */
export const methodCharactersMax = 31
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** Origin form, absolute form and asterisk form (RFC 9112, section 3.2). */
const usualTarget = /^(?:\/[!-~]*|[A-Za-z]+:\/\/[!-~]+|\*)$/
const authority = /^[!-~]+$/
const digits = /^\d{1,15}$/
const versionCharacters = ' HTTP/1.x'.length

/**
 * Reads a request's head by RFC 9112, sections 2 to 6, without the empty line at its end. `text` has a character for each
 * byte. Throws MalformedRequest for all that another reader could understand differently.
 */
export function parseRequestHead(text: string, limits: HeadLimits): RequestHead {
  const found = text.indexOf('\r\n')
  const lineEnd = found < 0 ? text.length : found
  const isOld = isOldVersion(text, lineEnd)
  const space = text.indexOf(' ')
  const method = text.slice(0, space)
  const target = text.slice(space + 1, lineEnd - versionCharacters)
  const isKnown = methods.has(method)
  if (!isKnown && (method.length > methodCharactersMax || !token.test(method)))
    throw malformed('the method is no token')
  if (!(method === 'CONNECT' ? authority : usualTarget).test(target)) throw malformed('the target is none')
  const headers = Object.create(null) as Record<string, string | undefined> // no prototype
  const raw: string[] = []
  readFields(text, lineEnd + 2, limits.headerCountMax, (name, value) => {
    raw.push(name, value)
    addHeader(headers, name, value)
  })
  const bodyBytes = bodyBytesOf(headers, isOld)
  if (!isOld && headers['host'] === undefined) throw malformed('no Host')
  if (!isKnown) throw new MalformedRequest(405, 'a method that nobody knows')
  const isBodiless = bodyBytes === 0
  const connection = headers['connection']
  return {
    method,
    target,
    isOld,
    headers,
    raw,
    bodyBytes,
    keepsAlive: method !== 'CONNECT' && (isOld ? hasToken(connection, 'keep-alive') : !hasToken(connection, 'close')),
    // A request with a body is served as if it had not asked to upgrade.
    upgrade: !isOld && isBodiless && hasToken(connection, 'upgrade') ? (headers['upgrade'] ?? '') : '',
    expectsContinue: !isOld && expectsContinue(headers['expect']) && !isBodiless,
  }
}

/** Passes the fields of a head or of trailers from `start` on to `onField`. Throws MalformedRequest. */
export function readFields(
  text: string,
  start: number,
  countMax: number,
  onField: (name: string, value: string) => void,
): void {
  let count = 0
  for (let at = start; at < text.length; ) {
    const found = text.indexOf('\r\n', at)
    const end = found < 0 ? text.length : found
    const colon = text.indexOf(':', at)
    if (colon <= at || colon > end) throw malformed('a header without a name')
    if (++count > countMax) throw new MalformedRequest(431, 'too many headers')
    const name = text.slice(at, colon)
    // Blanks around a name are not allowed: a proxy may have ignored such a header.
    if (!names.has(name) && !token.test(name)) throw malformed('the name of a header is no token')
    const value = trimmed(text, colon + 1, end)
    // Among them line ends that are not CRLF.
    if (badValue.test(value)) throw malformed('control characters in a header')
    onField(name, value)
    at = end + 2
  }
}

function addHeader(headers: Record<string, string | undefined>, name: string, value: string): void {
  const { lower, rule } = names.get(name) ?? nameOf(name)
  const known = headers[lower]
  if (known === undefined) headers[lower] = value
  else if (rule === 'once') throw malformed(`several ${lower}`)
  else if (rule === 'cookie') headers[lower] = `${known}; ${value}`
  else if (rule === 'joined') headers[lower] = `${known}, ${value}`
}

function nameOf(name: string): Name {
  const lower = name.toLowerCase()
  return { lower, rule: rules.get(lower) ?? 'joined' }
}

function isOldVersion(text: string, end: number): boolean {
  if (text.startsWith(' HTTP/1.1', end - versionCharacters)) return false
  if (text.startsWith(' HTTP/1.0', end - versionCharacters)) return true
  throw malformed('no version 1.1 or 1.0 of HTTP')
}

function bodyBytesOf(headers: Record<string, string | undefined>, isOld: boolean): number | undefined {
  const length = headers['content-length']
  const coding = headers['transfer-encoding']
  if (coding !== undefined) {
    if (length !== undefined || isOld) throw malformed('the length of the body is ambiguous')
    if (coding.toLowerCase() !== 'chunked') throw new MalformedRequest(501, 'a transfer coding that nobody knows')
    return undefined
  }
  if (length === undefined) return 0
  if (!digits.test(length)) throw malformed('Content-Length is no number')
  return Number(length)
}

function expectsContinue(expectation: string | undefined): boolean {
  if (expectation === undefined) return false
  if (expectation.toLowerCase() !== '100-continue') throw new MalformedRequest(417, 'an unknown expectation')
  return true
}

function hasToken(list: string | undefined, wanted: string): boolean {
  if (list === undefined) return false
  if (list === wanted) return true
  return list.split(',').some((each) => each.trim().toLowerCase() === wanted)
}
