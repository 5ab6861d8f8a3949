import { isUtf8 } from 'node:buffer'
import { isCanonicalJson } from '../json/canonicaltext.ts'

// Checks of single values in a message, for generated code: would our own writer have written these bytes? Positions
// are absolute; functions that read a value answer the position behind it, or -1.

/**
 * The number of further bytes of a length varint, of a length above 127 whose first byte is `first`; -1 when it is not
 * minimal.
 */
export function longLength(bytes: Uint8Array, at: number, first: number): number {
  let value = first & 0x7f
  for (let shift = 7; shift < 28; shift += 7) {
    const byte = bytes[at++]
    if (byte === undefined) return -1
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return byte === 0 ? -1 : value
  }
  return -1
}

/** The number of bytes of the varint of `length` beyond the first. */
export function lengthRest(length: number): number {
  return length < 0x80 ? 0 : length < 0x4000 ? 1 : length < 0x200000 ? 2 : 3
}

/** From this length on the platform's own check is faster than a loop, its view of the bytes included. */
const longTextBytes = 96

export function isText(bytes: Uint8Array, from: number, to: number): boolean {
  if (to - from >= longTextBytes) return isUtf8(bytes.subarray(from, to))
  let bits = 0
  for (let at = from; at < to; at++) bits |= bytes[at] ?? 0
  return bits < 0x80 || isUtf8(bytes.subarray(from, to))
}

const varintBytesMax = 10
const int32BytesMax = 5

export function skipInt32(bytes: Uint8Array, from: number, end: number): number {
  const to = skipVarint(bytes, from, end)
  if (to < 0) return -1
  const length = to - from
  const last = bytes[to - 1] ?? 0
  if (length < int32BytesMax) return to
  if (length === int32BytesMax) return last <= 0x07 ? to : -1
  // A negative number has ten bytes, its sign in all upper bits.
  if (length !== varintBytesMax || last !== 1) return -1
  if (((bytes[from + 4] ?? 0) & 0x78) !== 0x78) return -1
  for (let at = from + 5; at < to - 1; at++) if (bytes[at] !== 0xff) return -1
  return to
}

export function skipInt64(bytes: Uint8Array, from: number, end: number): number {
  const to = skipVarint(bytes, from, end)
  return to - from === varintBytesMax && bytes[to - 1] !== 1 ? -1 : to
}

/** Skips a varint in its shortest form. */
function skipVarint(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end && at - from < varintBytesMax; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) return byte === 0 && at > from ? -1 : at + 1
  }
  return -1
}

export function isDouble(bytes: Uint8Array, from: number): boolean {
  const value = new DataView(bytes.buffer, bytes.byteOffset + from, 8).getFloat64(0, true)
  return Number.isFinite(value) && !Object.is(value, -0)
}

/** The last second of the year 9999: later ones have no canonical text. */
const secondsMax = 253_402_300_799

/** Seconds and nanoseconds of a Time (whole seconds only) or a MicroTime; not the empty message. */
export function isTime(bytes: Uint8Array, from: number, to: number, micro: boolean): boolean {
  if (bytes[from] !== 0x08) return false
  const behind = skipInt64(bytes, from + 1, to)
  // Five bytes hold less than 2^35 seconds. Almost all times are whole seconds of this form.
  if (behind > 0 && behind - from <= 6 && behind + 2 === to && bytes[behind] === 0x10 && bytes[behind + 1] === 0)
    return true
  if (behind < 0 || behind >= to || bytes[behind] !== 0x10) return false
  if (skipInt32(bytes, behind + 1, to) !== to) return false
  if (behind - from > 7 || varintOf(bytes, from + 1, behind) > secondsMax) return false
  if (to - behind > 6) return false
  const nanos = varintOf(bytes, behind + 1, to)
  return micro ? nanos < 1e9 && nanos % 1000 === 0 : nanos === 0
}

/** Reads a varint of at most seven bytes. */
export function varintOf(bytes: Uint8Array, from: number, to: number): number {
  let value = 0
  for (let at = to - 1; at >= from; at--) value = value * 128 + ((bytes[at] ?? 0) & 0x7f)
  return value
}

export function isDuration(bytes: Uint8Array, from: number, to: number): boolean {
  // Leaves negative durations to the decoder: they are rare, and the smallest has no text of its own.
  return bytes[from] === 0x08 && to - from < varintBytesMax && skipInt64(bytes, from + 1, to) === to
}

export function isQuantity(bytes: Uint8Array, from: number, to: number): boolean {
  return bytes[from] === 0x0a && isLastText(bytes, from + 1, to)
}

export function isIntOrString(bytes: Uint8Array, from: number, to: number): boolean {
  const isString = bytes[from + 1] === 1
  if (bytes[from] !== 0x08 || (!isString && bytes[from + 1] !== 0) || bytes[from + 2] !== 0x10) return false
  const behind = skipInt32(bytes, from + 3, to)
  if (behind < 0 || bytes[behind] !== 0x1a || !isLastText(bytes, behind + 1, to)) return false
  return isString ? behind === from + 4 && bytes[from + 3] === 0 : to === behind + 2
}

/** A length and its text, which ends at `to`. */
function isLastText(bytes: Uint8Array, from: number, to: number): boolean {
  let length = bytes[from] ?? -1
  if (from >= to) return false
  if (length >= 0x80) length = longLength(bytes, from + 1, length)
  const start = from + 1 + lengthRest(length)
  return length >= 0 && start + length === to && isText(bytes, start, to)
}

/** {raw=1} with a JSON text that encoding would not change. */
export function isEmbedded(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] !== 0x0a || from + 1 >= to) return false
  let length = bytes[from + 1] ?? -1
  if (length >= 0x80) length = longLength(bytes, from + 2, length)
  const start = from + 2 + lengthRest(length)
  return length >= 0 && start + length === to && isCanonicalJson(bytes, start, to)
}

/** Whether the bytes of one key sort before those of another. */
export function isBefore(bytes: Uint8Array, from: number, to: number, otherFrom: number, otherTo: number): boolean {
  const length = Math.min(to - from, otherTo - otherFrom)
  for (let i = 0; i < length; i++) {
    const a = bytes[from + i] ?? 0
    const b = bytes[otherFrom + i] ?? 0
    if (a !== b) return a < b
  }
  return to - from < otherTo - otherFrom
}
