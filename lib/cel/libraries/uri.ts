import { quoteGo } from '../../object/index.ts'

export interface RequestUri {
  readonly scheme: string
  /** With port and brackets. */
  readonly host: string
  readonly escapedPath: string
  readonly query: ReadonlyMap<string, readonly string[]>
}

/**
 * An absolute URI or an absolute path, as a request line may hold it; a text that is neither is answered by what is wrong
 * with it, in the words of the stock server's URL library.
 */
export function parseRequestUri(text: string): RequestUri | string {
  const refuse = (why: string): string => `parse ${quoteGo(text)}: ${why}`
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
  if (rest.startsWith('//') && (scheme !== '' || !rest.startsWith('///'))) {
    const slash = rest.indexOf('/', 2)
    const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
    rest = slash < 0 ? '' : rest.slice(slash)
    const parsed = parseAuthority(authority)
    if ('refused' in parsed) return refuse(parsed.refused)
    host = parsed.host
  }
  const path = unescape(rest)
  if (path === undefined) return refuse(`invalid URL escape ${quoteGo(badEscape(rest))}`)
  return { scheme: scheme.toLowerCase(), host, escapedPath: escapePath(rest, path), query }
}

function parseAuthority(authority: string): { host: string } | { refused: string } {
  const at = authority.lastIndexOf('@')
  if (at >= 0 && !/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(authority.slice(0, at))) {
    return { refused: 'net/url: invalid userinfo' }
  }
  const host = authority.slice(at + 1)
  if (host.startsWith('[')) {
    const end = host.lastIndexOf(']')
    if (end < 0) return { refused: "missing ']' in host" }
    const port = host.slice(end + 1)
    if (!/^(?::\d*)?$/.test(port)) return { refused: `invalid port ${quoteGo(port)} after host` }
    return { host: host.replace('%25', '%') }
  }
  const colon = host.lastIndexOf(':')
  const port = colon < 0 ? '' : host.slice(colon)
  if (port !== '' && !/^:\d*$/.test(port)) return { refused: `invalid port ${quoteGo(port)} after host` }
  // oxlint-disable-next-line eslint/no-control-regex
  const bad = /[\x00-\x20"\\^`{|}/?#@]/.exec(host.replace(/["]/g, ''))?.[0]
  if (bad !== undefined) return { refused: `invalid character ${quoteGo(bad)} in host name` }
  // Only bytes beyond ASCII may be escaped in a host.
  const ascii = /%(?:[0-7][0-9A-Fa-f]|(?![0-9A-Fa-f]{2}).{0,2})/.exec(host)?.[0]
  if (ascii !== undefined) return { refused: `invalid URL escape ${quoteGo(ascii)}` }
  return { host: unescape(host) ?? host }
}

/** Percent escapes undone, byte-wise; undefined when one is malformed. */
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

/** The path as it was written when that is a valid escaped form, else escaped anew. */
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
