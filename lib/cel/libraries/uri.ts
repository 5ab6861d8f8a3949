import { isIPv4, isIPv6 } from 'node:net'
import { quote } from '../../object/index.ts'

export interface RequestUri {
  readonly scheme: string
  /** With port and brackets. */
  readonly host: string
  readonly escapedPath: string
  readonly query: ReadonlyMap<string, readonly string[]>
}

/**
 * Parses an absolute URI or an absolute path, as a request line may hold it; for other texts returns what is wrong, in
 * the words of the stock server's URL library.
 */
export function parseRequestUri(text: string): RequestUri | string {
  const refuse = (why: string): string => `parse ${quote(text)}: ${why}`
  // oxlint-disable-next-line eslint/no-control-regex
  if (/[\x00-\x1f\x7f]/.test(text)) return refuse('net/url: invalid control character in URL')
  if (text === '') return refuse('empty url')
  if (text === '*') return { scheme: '', host: '', escapedPath: '*', query: new Map() }
  if (text.startsWith(':')) return refuse('missing protocol scheme')
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1] ?? ''
  let rest = scheme === '' ? text : text.slice(scheme.length + 1)
  const mark = rest.indexOf('?')
  const rawQuery = mark < 0 ? '' : rest.slice(mark + 1)
  if (mark >= 0) rest = rest.slice(0, mark)
  const query = parseQuery(rawQuery)
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { scheme: scheme.toLowerCase(), host: '', escapedPath: '', query }
    return refuse('invalid URI for request')
  }
  let host = ''
  if (rest.startsWith('//') && scheme !== '') {
    const slash = rest.indexOf('/', 2)
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
    rest = slash < 0 ? '' : rest.slice(slash)
    const parsed = parseAuthority(scheme.toLowerCase(), authority)
    if ('refused' in parsed) return refuse(parsed.refused)
    host = parsed.host
  }
  const path = unescape(rest)
  if (path === undefined) return refuse(`invalid URL escape ${quote(badEscape(rest))}`)
  return { scheme: scheme.toLowerCase(), host, escapedPath: escapePath(rest, path), query }
}

type ParsedHost = { readonly host: string } | { readonly refused: string }

function parseAuthority(scheme: string, authority: string): ParsedHost {
  const at = authority.lastIndexOf('@')
  const parsed = parseHost(scheme, authority.slice(at + 1))
  if (at < 0 || 'refused' in parsed) return parsed
  const user = authority.slice(0, at)
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return { refused: 'net/url: invalid userinfo' }
  if (unescape(user) === undefined) return { refused: `invalid URL escape ${quote(badEscape(user))}` }
  return parsed
}

function parseHost(scheme: string, host: string): ParsedHost {
  const bracket = host.lastIndexOf('[')
  if (bracket > 0) return { refused: 'invalid IP-literal' }
  if (bracket === 0) return parseIpLiteral(host)
  // The hosts of a list, as in URLs of databases, may each have a port.
  const isSingle = scheme === 'http' || scheme === 'https'
  const colon = isSingle ? host.indexOf(':') : host.lastIndexOf(':')
  const port = colon < 0 ? '' : host.slice(colon)
  if (!optionalPort.test(port)) return { refused: `invalid port ${quote(port)} after host` }
  return unescapeHost(host)
}

const optionalPort = /^(?::[0-9]*)?$/

/** `[2001:db8::1]:80`, with the zone of an address after `%25`. */
function parseIpLiteral(host: string): ParsedHost {
  const end = host.lastIndexOf(']')
  if (end < 0) return { refused: "missing ']' in host" }
  const port = host.slice(end + 1)
  if (!optionalPort.test(port)) return { refused: `invalid port ${quote(port)} after host` }
  const literal = host.slice(1, end)
  const zoneAt = literal.indexOf('%25')
  const address = unescapeHost(zoneAt < 0 ? literal : literal.slice(0, zoneAt))
  if ('refused' in address) return address
  const zone = unescapeHost(zoneAt < 0 ? '' : literal.slice(zoneAt), true)
  if ('refused' in zone) return zone
  const name = address.host + zone.host
  if (isIPv4(name)) return { refused: 'invalid IP-literal' }
  const percent = name.indexOf('%')
  if (!isIPv6(percent < 0 ? name : name.slice(0, percent)) || percent === name.length - 1)
    return { refused: `invalid host: ParseAddr(${quote(name)}): unable to parse IP` }
  return { host: `[${name}]${port}` }
}

/**
 * A host may only have escapes of bytes beyond ASCII and of the percent sign; a zone also of characters that hosts may
 * hold, and of spaces.
 */
function unescapeHost(host: string, isZone = false): ParsedHost {
  for (const [part] of host.matchAll(/%[^]{0,2}|[^%]/gu)) {
    if (part.startsWith('%')) {
      const byte = /^%[0-9A-Fa-f]{2}$/.test(part) ? Number.parseInt(part.slice(1), 16) : -1
      const isFine = isZone
        ? byte === 0x25 || byte === 0x20 || (byte < 0x80 && hostCharacter.test(String.fromCharCode(byte)))
        : byte === 0x25 || byte >= 0x80
      if (byte < 0 || !isFine) return { refused: `invalid URL escape ${quote(part)}` }
    } else if (part < '\u0080' && !hostCharacter.test(part))
      return { refused: `invalid character ${quote(part)} in host name` }
  }
  return { host: unescape(host) ?? host }
}

const hostCharacter = /^[A-Za-z0-9!"$&'()*+,\-.:;<=>[\]_~]$/

/** Decodes percent escapes by byte; undefined when one is malformed. */
function unescape(text: string): string | undefined {
  if (!text.includes('%')) return text
  if (/%(?![0-9A-Fa-f]{2})/.test(text)) return undefined
  const bytes: Buffer[] = []
  for (const [part] of text.matchAll(/(?:%[0-9A-Fa-f]{2})+|[^%]+/g)) {
    bytes.push(part.startsWith('%') ? Buffer.from(part.replaceAll('%', ''), 'hex') : Buffer.from(part, 'utf8'))
  }
  return Buffer.concat(bytes).toString('utf8')
}

function badEscape(text: string): string {
  return /%(?![0-9A-Fa-f]{2}).{0,2}/.exec(text)?.[0] ?? '%'
}

/** The original path when it is a valid escaped form, else the path escaped again. */
function escapePath(raw: string, path: string): string {
  if (/^(?:[A-Za-z0-9\-_.~!$&'()*+,;=:@[\]/]|%[0-9A-Fa-f]{2})*$/.test(raw)) return raw
  return Array.from(Buffer.from(path, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte)
    if (byte < 0x80 && /[A-Za-z0-9\-_.~$&+,/:;=@]/.test(character)) return character
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }).join('')
}

function parseQuery(raw: string): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>()
  for (const pair of raw.split('&')) {
    if (pair === '' || pair.includes(';')) continue
    const equals = pair.indexOf('=')
    const key = unescape((equals < 0 ? pair : pair.slice(0, equals)).replaceAll('+', ' '))
    const value = unescape((equals < 0 ? '' : pair.slice(equals + 1)).replaceAll('+', ' '))
    if (key === undefined || value === undefined) continue
    const values = query.get(key)
    if (values) values.push(value)
    else query.set(key, [value])
  }
  return query
}
