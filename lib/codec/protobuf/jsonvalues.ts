import { formatDuration } from '../../object/index.ts'
import { isLineSeparator } from '../json/canonicaltext.ts'
import { formatMicroStamp, formatStamp } from './scalars.ts'
import { lengthRest, longLength, varintOf } from './wire.ts'

// Functions that write single values of a canonical message as JSON: the value is between `from` and `to` in `bytes`,
// the JSON goes into `out` from `at` on, and the answer is the position behind it. Behind the end of `out` they only
// count.

interface FastBuffer extends Buffer {
  latin1Write(text: string, at: number): number
  latin1Slice(start: number, end: number): string
  base64Slice(start: number, end: number): string
}

const [quote, backslash, letterU, zero] = [0x22, 0x5c, 0x75, 0x30]
const hex = '0123456789abcdef'

/**
 * For each byte 0 when a JSON string contains it unescaped; else the letter of its escape, or `u`. Longer characters:
 * 1.
 */
const escapes = Uint8Array.from({ length: 256 }, (_, byte) => {
  const short = { 8: 'b', 9: 't', 10: 'n', 12: 'f', 13: 'r', 34: '"', 92: '\\' }[byte]
  if (short !== undefined) return short.charCodeAt(0)
  if (byte < 0x20 || byte === 0x3c || byte === 0x3e || byte === 0x26) return letterU
  return byte === 0xe2 ? 1 : 0
})

export function writeText(bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
  out[at++] = quote
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0
    if (escapes[byte] !== 0) return writeEscaped(bytes, i, to, out, at)
    out[at++] = byte
  }
  out[at++] = quote
  return at
}

function writeEscaped(bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
  for (let i = from; i < to; i++) {
    const byte = bytes[i] ?? 0
    const escape = escapes[byte] ?? 0
    if (escape === 0 || (escape === 1 && !isLineSeparator(bytes, i))) out[at++] = byte
    else if (escape === 1) {
      at = writeAscii(bytes[i + 2] === 0xa8 ? '\\u2028' : '\\u2029', out, at)
      i += 2
    } else if (escape === letterU) {
      at = writeAscii(`\\u00${hex[byte >>> 4]}${hex[byte & 15]}`, out, at)
    } else {
      out[at++] = backslash
      out[at++] = escape
    }
  }
  out[at++] = quote
  return at
}

function writeAscii(text: string, out: Buffer, at: number): number {
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i)
  return at + text.length
}

function writeQuoted(text: string, out: Buffer, at: number): number {
  out[at] = quote
  const behind = writeAscii(text, out, at + 1)
  out[behind] = quote
  return behind + 1
}

export function writeBytes(bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
  const text = (bytes as FastBuffer).base64Slice(from, to)
  out[at++] = quote
  if (at < out.length) (out as FastBuffer).latin1Write(text, at)
  at += text.length
  out[at++] = quote
  return at
}

const smallBytesMax = 4
const negativeBytes = 10

export function writeInteger(bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
  if (to - from > smallBytesMax) return writeAscii(longInteger(bytes, from, to), out, at)
  let value = varintOf(bytes, from, to)
  let digits = 1
  for (let rest = value; rest >= 10; rest = Math.trunc(rest / 10)) digits++
  for (let i = digits - 1; i >= 0; i--) {
    out[at + i] = zero + (value % 10)
    value = Math.trunc(value / 10)
  }
  return at + digits
}

function longInteger(bytes: Buffer, from: number, to: number): string {
  if (to - from <= 7) return String(varintOf(bytes, from, to))
  let value = 0n
  for (let i = to - 1; i >= from; i--) value = (value << 7n) | BigInt((bytes[i] ?? 0) & 0x7f)
  return String(to - from === negativeBytes ? BigInt.asIntN(64, value) : value)
}

export function writeDouble(bytes: Buffer, from: number, _to: number, out: Buffer, at: number): number {
  return writeAscii(JSON.stringify(bytes.readDoubleLE(from)), out, at)
}

export function writeTime(bytes: Buffer, from: number, to: number, out: Buffer, at: number, micro: boolean): number {
  if (from === to) return writeAscii('null', out, at)
  let behind = from + 1
  while ((bytes[behind++] ?? 0) > 0x7f);
  const seconds = varintOf(bytes, from + 1, behind)
  return writeQuoted(micro ? formatMicroStamp(seconds, varintOf(bytes, behind + 1, to)) : formatStamp(seconds), out, at)
}

export function writeDuration(bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
  return writeQuoted(formatDuration(BigInt(longInteger(bytes, from + 1, to))), out, at)
}

export function writeQuantity(bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
  return writeText(bytes, contentOf(bytes, from + 1), to, out, at)
}

export function writeIntOrString(bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
  let behind = from + 3
  while ((bytes[behind++] ?? 0) > 0x7f);
  if (bytes[from + 1] === 0) return writeInteger(bytes, from + 3, behind, out, at)
  return writeText(bytes, contentOf(bytes, behind + 1), to, out, at)
}

/** An embedded value is JSON text already. */
export function writeEmbedded(bytes: Buffer, from: number, to: number, out: Buffer, at: number): number {
  if (from === to) return writeAscii('null', out, at)
  const start = contentOf(bytes, from + 1)
  bytes.copy(out, Math.min(at, out.length), start, to)
  return at + to - start
}

/** The beginning of the content whose length is at `at`. */
function contentOf(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0
  return first < 0x80 ? at + 1 : at + 1 + lengthRest(longLength(bytes, at + 1, first))
}

export function isZero(bytes: Buffer, from: number): boolean {
  return bytes.readDoubleLE(from) === 0
}
