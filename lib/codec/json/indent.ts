const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const space = 0x20
const lineFeed = 0x0a
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d]

const chunkBytes = 64 * 1024
/** Size of the input of one step; at 64 levels it becomes up to 130 times as large. */
const inputBytes = 4 * 1024
/** Maximum number of bytes for one byte of input, without the indentation of a line. */
const spare = 4
/**
 * Deeper values stay on one line: indenting 100,000 of them at a thousand levels would take 200 MB. Real objects nest
 * to some forty levels, in the schemas of definitions.
 */
const levelsMax = 64

/**
 * Indents JSON by two spaces a level, like `JSON.stringify(value, undefined, 2)` down to `levelsMax`. Takes the text in
 * chunks and yields chunks of some 64 KiB; numbers and strings are copied as they are written.
 */
export function* indentJson(chunks: Iterable<Uint8Array>): Generator<Uint8Array> {
  const indenter = new Indenter()
  for (const chunk of chunks)
    for (let from = 0; from < chunk.length; from += inputBytes) {
      indenter.add(chunk, from, Math.min(chunk.length, from + inputBytes))
      yield* indenter.take()
    }
  yield indenter.rest()
}

/** Indents a text in pieces that may end anywhere. */
class Indenter {
  #full: Uint8Array[] = []
  #chunk = Buffer.allocUnsafeSlow(chunkBytes)
  #used = 0
  #depth = 0
  #inText = false
  #isEscaped = false
  /** The last byte was an opening bracket: an empty object or list stays on its line. */
  #isOpened = false

  /** One loop over local variables, for speed: it runs for each byte. */
  add(bytes: Uint8Array, from: number, to: number): void {
    let chunk = this.#chunk
    let used = this.#used
    let inText = this.#inText
    let isEscaped = this.#isEscaped
    let isOpened = this.#isOpened
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      if (used + spare > chunkBytes) {
        this.#flush(used)
        chunk = this.#chunk
        used = 0
      }
      if (inText) {
        chunk[used++] = byte
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) inText = false
        continue
      }
      if (byte <= space) continue
      const closes = byte === braceClose || byte === bracketClose
      const hasLines = this.#depth <= levelsMax
      if (closes) this.#depth--
      if (isOpened !== closes && hasLines) {
        used = this.#line(used)
        chunk = this.#chunk
      }
      chunk[used++] = byte
      isOpened = byte === braceOpen || byte === bracketOpen
      if (isOpened) this.#depth++
      else if (byte === quote) inText = true
      else if (byte === colon) chunk[used++] = space
      else if (byte === comma && hasLines) {
        used = this.#line(used)
        chunk = this.#chunk
      }
    }
    this.#used = used
    this.#inText = inText
    this.#isEscaped = isEscaped
    this.#isOpened = isOpened
  }

  /** Removes and answers the full chunks. */
  take(): readonly Uint8Array[] {
    const full = this.#full
    if (full.length > 0) this.#full = []
    return full
  }

  /** Removes and answers the last chunk. */
  rest(): Uint8Array {
    return this.#chunk.subarray(0, this.#used)
  }

  /** Begins a line; answers the position behind its indentation. Leaves room for `spare` bytes. */
  #line(used: number): number {
    this.#chunk[used++] = lineFeed
    for (let left = 2 * this.#depth; left > 0; left--) {
      if (used + spare > chunkBytes) {
        this.#flush(used)
        used = 0
      }
      this.#chunk[used++] = space
    }
    if (used + spare <= chunkBytes) return used
    this.#flush(used)
    return 0
  }

  #flush(used: number): void {
    this.#full.push(this.#chunk.subarray(0, used))
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes)
  }
}
