import { DecodeError, nestingMax } from '../error.ts'

interface JsonScan {
  /** Number of keys of all objects, duplicates included. */
  readonly keys: number
  /**
   * JSON.parse would lose something (a number has a fraction, an exponent or 16 digits or more, a string has escaped
   * surrogates), in this text or a later one: once it has read a key with a backslash, V8 of Node 26 mistakes other
   * keys with escapes for that one (`a"`, written `a\\"`, for `a\\`). JSON.parse is therefore never given keys with a
   * backslash.
   */
  readonly inexact: boolean
}

const [quote, backslash, colon, open, close, openList, closeList] = [0x22, 0x5c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d]
const exactDigitsMax = 15

/** Scans the bytes of a JSON text once; the text may be malformed. Throws when it nests too deep. */
export function scanJson(bytes: Uint8Array, depthMax = nestingMax): JsonScan {
  let keys = 0
  let inexact = false
  let depth = 0
  let digits = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === quote) {
      let hasBackslash = false
      for (i++; i < bytes.length && bytes[i] !== quote; i++) {
        if (bytes[i] !== backslash) continue
        i++
        if (bytes[i] === backslash) hasBackslash = true
        if (bytes[i] !== 0x75) continue
        if (((bytes[i + 1] ?? 0) | 0x20) === 0x64) inexact = true
        else if (bytes[i + 1] === 0x30 && bytes[i + 3] === 0x35) hasBackslash = true
      }
      if (hasBackslash && isKeyEnd(bytes, i)) inexact = true
      continue
    }
    if (byte !== undefined && byte >= 0x30 && byte <= 0x39) {
      if (++digits > exactDigitsMax) inexact = true
      continue
    }
    if (digits > 0 && (byte === 0x2e || byte === 0x65 || byte === 0x45)) inexact = true
    digits = 0
    if (byte === colon) keys++
    else if (byte === open || byte === openList) {
      if (++depth > depthMax) throw new DecodeError('exceeded max depth')
    } else if (byte === close || byte === closeList) depth--
  }
  return { keys, inexact }
}

/** Whether the string that ends at the closing quote is a key. */
function isKeyEnd(bytes: Uint8Array, closing: number): boolean {
  let at = closing + 1
  while (bytes[at] === 0x20 || bytes[at] === 0x0a || bytes[at] === 0x0d || bytes[at] === 0x09) at++
  return bytes[at] === colon
}
