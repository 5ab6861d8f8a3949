import type { Slices } from '../../base/index.ts'
import { parseJsonText } from '../../object/index.ts'
import { scanParts } from './scanparts.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const [braceOpen, braceClose, bracketOpen, bracketClose] = [0x7b, 0x7d, 0x5b, 0x5d]

/** The text of one field of an object; of a list the texts of its items, one by one. */
export type TopField = { readonly name: string } & (
  | { readonly text: Uint8Array; readonly items?: undefined }
  | { readonly items: readonly Uint8Array[] }
)

/**
 * Takes a JSON object apart that is put together already and stands in parts, for what handles a long list item by item.
 * Yields now and then, so that others get their turn.
 */
export function* topFields(parts: readonly Uint8Array[]): Slices<readonly TopField[]> {
  const splitter = new Splitter()
  yield* scanParts(parts, (bytes, from, to) => splitter.add(bytes, from, to))
  return splitter.fields
}

/** Takes a text in pieces that may end anywhere. */
class Splitter {
  readonly fields: TopField[] = []
  #depth = 0
  #inText = false
  #isEscaped = false
  /** The bytes of the key or value that is being read, but for those since `add` was called. */
  #held: Uint8Array[] = []
  #name = ''
  /** The items so far, while the field is a list. */
  #items: Uint8Array[] | undefined

  add(bytes: Uint8Array, from: number, to: number): void {
    /** Where the value that is being read begins in these bytes. */
    let start = from
    const take = (end: number): Uint8Array => {
      const last = bytes.subarray(start, end)
      if (this.#held.length === 0) return last
      const whole = Buffer.concat([...this.#held, last])
      this.#held = []
      return whole
    }
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (byte === backslash) this.#isEscaped = true
        else if (byte === quote) this.#inText = false
        continue
      }
      if (byte === quote) this.#inText = true
      else if (byte === braceOpen || byte === bracketOpen) {
        this.#depth++
        if (this.#depth === 1) start = at + 1
        if (this.#depth === 2 && byte === bracketOpen) {
          this.#items = []
          this.#held = []
          start = at + 1
        }
      } else if (byte === colon && this.#depth === 1) {
        this.#name = String(parseJsonText(Buffer.from(take(at)).toString()))
        start = at + 1
      } else if (byte === comma && this.#depth === (this.#items ? 2 : 1)) {
        this.#end(take(at))
        start = at + 1
      } else if (byte === braceClose || byte === bracketClose) {
        this.#depth--
        if (this.#depth === 1 && this.#items) {
          this.#end(take(at))
          this.fields.push({ name: this.#name, items: this.#items })
          this.#items = undefined
          this.#name = ''
          start = at + 1
        } else if (this.#depth === 0) this.#end(take(at))
      }
    }
    if (start < to) this.#held.push(bytes.subarray(start, to))
  }

  #end(text: Uint8Array): void {
    // Behind a list, and in one that is empty, there is nothing.
    if (text.length === 0) return
    if (this.#items) this.#items.push(text)
    else this.fields.push({ name: this.#name, text })
  }
}
