import { DecodeError, nestingMax } from '../error.ts'

interface JsonScan {
  /** Keys of all objects, duplicates counted as often as they stand there. */
  readonly keys: number
  /**
   * JSON.parse would lose something: a number has a fraction, an exponent or 16 digits or more, or a string has escaped
   * surrogates.
   */
  readonly inexact: boolean
}

const [quote, backslash, colon, open, close, openList, closeList] = [0x22, 0x5c, 0x3a, 0x7b, 0x7d, 0x5b, 0x5d]
const exactDigitsMax = 15

/** One pass over the bytes of a JSON text that may be malformed. Throws when it nests too deep. */
export function scanJson(bytes: Uint8Array, depthMax = nestingMax): JsonScan {
  let keys = 0
  let inexact = false
  let depth = 0
  let digits = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === quote) {
      for (i++; i < bytes.length && bytes[i] !== quote; i++) {
        if (bytes[i] !== backslash) continue
        i++
        if (bytes[i] === 0x75 && ((bytes[i + 1] ?? 0) | 0x20) === 0x64) inexact = true
      }
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
