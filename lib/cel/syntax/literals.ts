import { Bytes } from '../run/values.ts'

const int64Max = 0x7fffffffffffffffn
const uint64Max = 0xffffffffffffffffn

/** The value of an int literal (decimal or 0x), with its sign; undefined when it does not fit 64 bits. */
export function parseIntLiteral(text: string, negative: boolean): bigint | undefined {
  const value = negative ? -BigInt(text) : BigInt(text)
  return value > int64Max || value < -int64Max - 1n ? undefined : value
}

/** The value of a uint literal (with its `u`). */
export function parseUintLiteral(text: string): bigint | undefined {
  const value = BigInt(text.slice(0, -1))
  return value > uint64Max ? undefined : value
}

/** The value of a double literal; undefined when it does not fit. */
export function parseDoubleLiteral(text: string): number | undefined {
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

const simpleEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
}

/** The value of a string literal with its quotes; undefined: an invalid escape. */
export function parseStringLiteral(text: string): string | undefined {
  const { raw, body } = strip(text)
  if (raw || !body.includes('\\')) return body
  let out = ''
  for (const part of unescape(body)) {
    if (typeof part === 'string') {
      out += part
      continue
    }
    if (part.code > 0x10ffff || (part.code >= 0xd800 && part.code <= 0xdfff)) return undefined
    out += String.fromCodePoint(part.code)
  }
  return out
}

/**
 * The value of a bytes literal: text as UTF-8, octal and \x escapes as single bytes; undefined: it has \u or another
 * invalid escape.
 */
export function parseBytesLiteral(text: string): Bytes | undefined {
  const { raw, body } = strip(text)
  const encoder = new TextEncoder()
  if (raw || !body.includes('\\')) return new Bytes(encoder.encode(body))
  const out: number[] = []
  for (const part of unescape(body)) {
    if (typeof part === 'string') for (const byte of encoder.encode(part)) out.push(byte)
    else if (part.unicode) return undefined
    else out.push(part.code)
  }
  return new Bytes(Uint8Array.from(out))
}

function strip(text: string): { raw: boolean; body: string } {
  const prefix = /^[rRbB]*/.exec(text)?.[0] ?? ''
  const quotes = /^(?:"""|'''|"|')/.exec(text.slice(prefix.length))?.[0] ?? ''
  const body = text.slice(prefix.length + quotes.length, text.length - quotes.length)
  // Line ends within a text count as \n, however they are stored.
  return { raw: /[rR]/.test(prefix), body: body.replace(/\r\n?/g, '\n') }
}

function* unescape(body: string): Generator<string | { code: number; unicode: boolean }> {
  let at = 0
  for (;;) {
    const slash = body.indexOf('\\', at)
    if (slash < 0) {
      yield body.slice(at)
      return
    }
    yield body.slice(at, slash)
    const letter = body.charAt(slash + 1)
    const simple = simpleEscapes[letter]
    if (simple !== undefined) {
      yield { code: simple, unicode: false }
      at = slash + 2
    } else if (/[0-7]/.test(letter)) {
      yield { code: Number.parseInt(body.slice(slash + 1, slash + 4), 8), unicode: false }
      at = slash + 4
    } else if (/[xXuU]/.test(letter)) {
      const digits = letter === 'u' ? 4 : letter === 'U' ? 8 : 2
      const code = Number.parseInt(body.slice(slash + 2, slash + 2 + digits), 16)
      yield { code, unicode: letter === 'u' || letter === 'U' }
      at = slash + 2 + digits
    } else {
      yield { code: letter.charCodeAt(0), unicode: false }
      at = slash + 2
    }
  }
}
