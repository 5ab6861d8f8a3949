const bytesMax = 48
/** A power of two. */
const slots = 1024

/**
 * Strings of recent messages, so that equal ones are one string: `Always` and `default-scheduler` of every pod. Comparing a short
 * text with its bytes takes less time than making it. Keeps at most `slots` strings of `bytesMax` bytes.
 */
export class RecentStrings {
  readonly #strings = Array<string>(slots).fill('')

  /** The known string of these bytes. */
  find(bytes: Uint8Array, from: number, to: number): string | undefined {
    if (to - from > bytesMax) return undefined
    const known = this.#strings[slotOf(bytes, from, to)] ?? ''
    if (known.length !== to - from) return undefined
    for (let at = 0; at < known.length; at++) {
      const byte = bytes[from + at] ?? 0
      if (byte > 0x7f || known.charCodeAt(at) !== byte) return undefined
    }
    return known
  }

  /** Keeps the string of these bytes. Texts beyond ASCII are not found again. */
  keep(bytes: Uint8Array, from: number, to: number, made: string): string {
    if (to - from <= bytesMax) this.#strings[slotOf(bytes, from, to)] = made
    return made
  }
}

/** By the length and four of the bytes. */
function slotOf(bytes: Uint8Array, from: number, to: number): number {
  const length = to - from
  const middle = from + (length >> 1)
  let hash = length
  hash = Math.imul(hash ^ (bytes[from] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (bytes[middle] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (bytes[middle + (length >> 2)] ?? 0), 0x01000193)
  hash = Math.imul(hash ^ (bytes[to - 1] ?? 0), 0x01000193)
  return (hash >>> 12) & (slots - 1)
}
