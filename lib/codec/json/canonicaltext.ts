import { isUtf8 } from 'node:buffer'

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const depthMax = 64
const keysMax = 256

/** Bytes that our JSON strings contain unescaped, besides those of longer characters. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) => {
  const escaped = byte < 0x20 || byte === quote || byte === backslash
  return escaped || byte === 0x3c || byte === 0x3e || byte === 0x26 || byte >= 0x80 ? 0 : 1
})

/**
 * True when parsing the text and writing it again is known to give the same bytes: no white space, only the escapes of
 * `writeJson`, no repeated key, no number in another notation. Answers false where the proof would take long.
 * `null` alone is false as well: it means no value.
 */
export function isCanonicalJson(bytes: Uint8Array, from: number, to: number): boolean {
  if (bytes[from] === 0x6e) return false
  const text = new CanonicalText(bytes, to)
  return text.value(from, 0) === to && (!text.longCharacters || isUtf8(bytes.subarray(from, to)))
}

/**
 * Reads a text once. Methods answer the position behind what they read, or -1 where the text is not known to be
 * canonical.
 */
export class CanonicalText {
  readonly bytes: Uint8Array
  readonly end: number
  longCharacters = false
  /** Position behind the last backslash that was read. */
  lastEscape = -1

  constructor(bytes: Uint8Array, end: number) {
    this.bytes = bytes
    this.end = end
  }

  value(at: number, depth: number): number {
    if (at >= this.end || depth > depthMax) return -1
    const byte = this.bytes[at]
    if (byte === openBrace) return this.object(at + 1, depth + 1)
    if (byte === quote) return this.string(at + 1)
    if (byte === openBracket) return this.#array(at + 1, depth + 1)
    if (byte === 0x74) return this.literal(at, 'true')
    if (byte === 0x66) return this.literal(at, 'false')
    if (byte === 0x6e) return this.literal(at, 'null')
    return this.#number(at)
  }

  object(from: number, depth: number): number {
    const bytes = this.bytes
    if (bytes[from] === closeBrace) return from + 1 <= this.end ? from + 1 : -1
    let at = from
    let keyFrom = 0
    let keyTo = 0
    for (let keys = 0; ; keys++) {
      if (at >= this.end || bytes[at] !== quote) return -1
      const first = bytes[at + 1] ?? 0
      // JavaScript moves keys that look like numbers to the front.
      if (first >= 0x30 && first <= 0x39) return -1
      const behind = this.string(at + 1)
      if (behind < 0 || bytes[behind] !== colon) return -1
      // A key greater than all before is new. In `{"b":…,"a":…,"b":…}` the last one isn't greater, and is searched for.
      if (keys === 0 || this.#isAfter(at, behind, keyFrom, keyTo)) {
        keyFrom = at
        keyTo = behind
      } else if (keys > keysMax || this.#isKnown(from, at, behind, keys)) return -1
      at = this.value(behind + 1, depth)
      if (at < 0 || at >= this.end) return -1
      if (bytes[at] === closeBrace) return at + 1
      if (bytes[at] !== comma) return -1
      at++
    }
  }

  /** Whether one of the `count` keys of the object that begins at `from` equals that between `keyFrom` and `keyTo`. */
  #isKnown(from: number, keyFrom: number, keyTo: number, count: number): boolean {
    const bytes = this.bytes
    let at = from
    for (let i = 0; i < count; i++) {
      const behind = this.string(at + 1)
      if (behind - at === keyTo - keyFrom && isSame(bytes, at, keyFrom, behind - at)) return true
      at = this.#skip(behind + 1) + 1
    }
    return false
  }

  /** The position behind a value that has been read before. */
  #skip(from: number): number {
    const bytes = this.bytes
    let depth = 0
    for (let at = from; at < this.end; at++) {
      const byte = bytes[at]
      if (byte === quote) at = this.string(at + 1) - 1
      else if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) {
        if (depth-- === 0) return at
      } else if (byte === comma && depth === 0) return at
    }
    return this.end
  }

  #isAfter(from: number, to: number, otherFrom: number, otherTo: number): boolean {
    const bytes = this.bytes
    const length = Math.min(to - from, otherTo - otherFrom)
    for (let i = 0; i < length; i++) {
      const difference = (bytes[from + i] ?? 0) - (bytes[otherFrom + i] ?? 0)
      if (difference !== 0) return difference > 0
    }
    return false
  }

  #array(from: number, depth: number): number {
    const bytes = this.bytes
    if (bytes[from] === closeBracket) return from + 1 <= this.end ? from + 1 : -1
    for (let at = from; ; at++) {
      at = this.value(at, depth)
      if (at < 0 || at >= this.end) return -1
      if (bytes[at] === closeBracket) return at + 1
      if (bytes[at] !== comma) return -1
    }
  }

  /** Reads from behind the opening quote to behind the closing one. */
  string(from: number): number {
    const bytes = this.bytes
    let at = from
    for (;;) {
      while (plain[bytes[at] ?? 0] === 1) at++
      if (at >= this.end) return -1
      const byte = bytes[at] ?? 0
      if (byte === quote) return at + 1
      if (byte === backslash) {
        at = this.#escape(at + 1)
        if (at < 0) return -1
      } else if (byte >= 0x80) {
        if (isLineSeparator(bytes, at)) return -1
        this.longCharacters = true
        at++
      } else return -1
    }
  }

  #escape(at: number): number {
    this.lastEscape = at
    const byte = this.bytes[at] ?? 0
    if (byte === quote || byte === backslash) return at + 1
    // \b \f \n \r \t
    if (byte === 0x62 || byte === 0x66 || byte === 0x6e || byte === 0x72 || byte === 0x74) return at + 1
    if (byte !== 0x75 || at + 5 > this.end) return -1
    const code = String.fromCharCode(...this.bytes.subarray(at + 1, at + 5))
    return escapedCodes.test(code) ? at + 5 : -1
  }

  literal(at: number, text: string): number {
    if (at + text.length > this.end) return -1
    for (let i = 0; i < text.length; i++) if (this.bytes[at + i] !== text.charCodeAt(i)) return -1
    return at + text.length
  }

  /** A short integer in its canonical notation; -1: something else. */
  integer(from: number, digitsMax = integerDigitsMax): number {
    const { bytes } = this
    const first = bytes[from] === 0x2d ? from + 1 : from
    let to = first
    for (let byte = bytes[to] ?? 0; byte >= 0x30 && byte <= 0x39; byte = bytes[to] ?? 0) to++
    if (to === first || to > this.end || to - first > digitsMax || isOfNumber(bytes[to] ?? 0)) return -1
    if (bytes[first] !== 0x30) return to
    return to - from === 1 ? to : -1
  }

  #number(from: number): number {
    const behind = this.integer(from)
    if (behind > 0) return behind
    let to = from
    while (to < this.end && isOfNumber(this.bytes[to] ?? 0)) to++
    if (to === from || to - from > numberBytesMax) return -1
    const text = String.fromCharCode(...this.bytes.subarray(from, to))
    return JSON.stringify(Number(text)) === text ? to : -1
  }
}

const numberBytesMax = 24
/** Integers of so many digits are exact as JavaScript numbers. */
const integerDigitsMax = 15
/** Control characters without a short escape, and what Go escapes for HTML and JavaScript. */
const escapedCodes = /^(?:00(?:0[0-7bef]|1[0-9a-f]|3c|3e|26)|2028|2029)$/

function isOfNumber(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2b || byte === 0x2e || byte === 0x65
}

/** U+2028 or U+2029, unescaped. */
export function isLineSeparator(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && (bytes[at + 2] === 0xa8 || bytes[at + 2] === 0xa9)
}

function isSame(bytes: Uint8Array, from: number, otherFrom: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[from + i] !== bytes[otherFrom + i]) return false
  return true
}
