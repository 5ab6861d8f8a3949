import { DecodeError, nestingMax } from './error.ts'

/**
 * Maximum number of fields and items of a body, all together. A server spends some 5 µs on each of them, and the
 * largest stored objects (1.5 MB) have some ten thousand.
 */
export const valuesMax = 100_000

/** A body holds more than valuesMax. */
export class TooManyValues extends DecodeError {
  constructor() {
    super(`the object has more than ${valuesMax} fields and items`)
  }
}

/** Minimum number of bytes of a text for each value: `1,`. */
const valueBytesMin = 2
const [quote, backslash, comma, open, close, openList, closeList] = [0x22, 0x5c, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d]

/** Whether a text of this length may have more than valuesMax. */
export function mayExceedValues(bytes: number): boolean {
  return bytes > valuesMax * valueBytesMin
}

/** Throws for a JSON text with more than valuesMax; texts that are too short for that are not scanned. */
export function checkValues(text: Uint8Array): void {
  if (!mayExceedValues(text.length)) return
  let values = 0
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    const byte = text[i]
    if (byte === quote) {
      for (i++; i < text.length && text[i] !== quote; i++) if (text[i] === backslash) i++
    } else if (byte === comma || byte === open || byte === openList) {
      if (++values > valuesMax) throw new TooManyValues()
      // The decoder refuses deeper nesting.
      if (byte !== comma && ++depth > nestingMax) return
    } else if (byte === close || byte === closeList) depth--
  }
}
