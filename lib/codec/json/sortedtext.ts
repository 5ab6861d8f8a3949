import { isUtf8 } from 'node:buffer'
import { compareBytes } from '../typed/sortedmap.ts'
import { CanonicalText } from './canonicaltext.ts'

const [quote, backslash, comma, colon, closeBrace] = [0x22, 0x5c, 0x2c, 0x3a, 0x7d]
/** Length of the longest escape without its last byte: an escape that begins earlier has ended. */
const escapeBytesBefore = 5

/**
 * Reads the text of a custom resource: parsing it and writing it again gives the same bytes as long as no method has
 * answered -1 and `isUtf8` holds. Besides CanonicalText's rules, the keys of every object ascend by their UTF-8 bytes.
 */
export class SortedText extends CanonicalText {
  /** Whether all characters beyond ASCII are valid UTF-8. Valid at the end only. */
  get isUtf8(): boolean {
    return !this.longCharacters || isUtf8(this.bytes.subarray(0, this.end))
  }

  override object(from: number, depth: number): number {
    const { bytes } = this
    if (bytes[from] === closeBrace) return from + 1
    let keyFrom = -1
    let keyTo = -1
    for (let at = from; ; at++) {
      const behind = this.key(at, keyFrom, keyTo)
      if (behind < 0) return -1
      keyFrom = at
      keyTo = behind
      at = this.value(behind + 1, depth)
      if (at < 0 || bytes[at] === closeBrace) return at < 0 ? -1 : at + 1
      if (bytes[at] !== comma) return -1
    }
  }

  /**
   * Reads from the opening quote of a key to behind its closing one, at the colon. The other two positions enclose the
   * previous key; -1 for the first.
   */
  key(from: number, previousFrom: number, previousTo: number): number {
    const { bytes } = this
    if (bytes[from] !== quote) return -1
    const first = bytes[from + 1] ?? 0
    // JavaScript moves keys that look like numbers to the front.
    if (first >= 0x30 && first <= 0x39) return -1
    const behind = this.string(from + 1)
    if (behind < 0 || bytes[behind] !== colon) return -1
    if (first === 0x5f && this.isText(from, behind, protoKey)) return -1
    return previousFrom < 0 || this.#ascends(previousFrom, previousTo, from, behind) ? behind : -1
  }

  /** True when the string between the positions, quotes included, is `text`, quotes included. */
  isText(from: number, to: number, text: Uint8Array): boolean {
    if (to - from !== text.length) return false
    for (let i = 0; i < text.length; i++) if (this.bytes[from + i] !== text[i]) return false
    return true
  }

  #ascends(from: number, to: number, nextFrom: number, nextTo: number): boolean {
    const { bytes } = this
    // Without the closing quotes, which equal no other character.
    const length = Math.min(to - from, nextTo - nextFrom) - 1
    for (let i = 1; i < length; i++) {
      const difference = (bytes[nextFrom + i] ?? 0) - (bytes[from + i] ?? 0)
      if (difference === 0) continue
      if (this.lastEscape > from && this.#mayBeEscaped(from, nextFrom, i))
        return compareBytes(this.#textOf(from, to), this.#textOf(nextFrom, nextTo)) < 0
      return difference > 0
    }
    return nextTo - nextFrom > to - from
  }

  /** Whether the first different bytes, `at` bytes after the beginning, may belong to escapes. */
  #mayBeEscaped(from: number, nextFrom: number, at: number): boolean {
    const { bytes } = this
    if (bytes[from + at] === backslash || bytes[nextFrom + at] === backslash) return true
    for (let i = at - 1; i > 0 && i >= at - escapeBytesBefore; i--)
      if (bytes[from + i] === backslash) return i === at - 1 || bytes[from + i + 1] === 0x75
    return false
  }

  #textOf(from: number, to: number): string {
    return String(JSON.parse(Buffer.from(this.bytes.subarray(from, to)).toString('utf8')))
  }
}

const protoKey = Buffer.from('"__proto__"')
