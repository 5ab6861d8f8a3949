/** When a JSON Web Token ends, ms since the epoch; undefined for one that names no end, or is none. */
export function tokenEndMs(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    const end = typeof claims === 'object' && claims !== null && 'exp' in claims ? claims.exp : undefined
    return typeof end === 'number' ? end * 1000 : undefined
  } catch {
    return undefined
  }
}

/** Tags of DER (ITU-T X.690). */
const sequence = 0x30
const version = 0xa0
const utcTime = 0x17

interface Element {
  readonly tag: number
  /** Of its contents. */
  readonly start: number
  readonly end: number
}

/**
 * When the first certificate of a PEM text ends, ms since the epoch (RFC 5280, 4.1: the second time of the validity, which
 * follows version, serial number, algorithm and issuer); undefined where there is none.
 */
export function certificateEndMs(pem: string): number | undefined {
  const body = /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END/.exec(pem)?.[1]
  if (body === undefined) return undefined
  const bytes = Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0))
  const certificate = elementAt(bytes, 0)
  const signed = certificate && elementAt(bytes, certificate.start)
  if (signed?.tag !== sequence) return undefined
  const first = elementAt(bytes, signed.start)
  let at = first?.tag === version ? first.end : signed.start
  for (const _ of ['serial number', 'algorithm', 'issuer']) at = elementAt(bytes, at)?.end ?? bytes.length
  const validity = elementAt(bytes, at)
  const begin = validity && elementAt(bytes, validity.start)
  const end = begin && elementAt(bytes, begin.end)
  return end && timeMs(end.tag, String.fromCharCode(...bytes.subarray(end.start, end.end)))
}

function elementAt(bytes: Uint8Array, at: number): Element | undefined {
  const tag = bytes[at]
  const length = bytes[at + 1]
  if (tag === undefined || length === undefined) return undefined
  if (length < 0x80) return bounded(tag, at + 2, length, bytes)
  const count = length & 0x7f
  if (count > 4) return undefined
  let long = 0
  for (let index = 0; index < count; index++) long = long * 256 + (bytes[at + 2 + index] ?? 0)
  return bounded(tag, at + 2 + count, long, bytes)
}

function bounded(tag: number, start: number, length: number, bytes: Uint8Array): Element | undefined {
  return start + length <= bytes.length ? { tag, start, end: start + length } : undefined
}

/** UTCTime has two digits of the year, those from 50 on of the last century. */
function timeMs(tag: number, text: string): number | undefined {
  const full = tag === utcTime ? `${Number(text.slice(0, 2)) >= 50 ? '19' : '20'}${text}` : text
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(full)
  if (!found) return undefined
  const [, year, month, day, hour, minute, second] = found.map(Number)
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second)
}
