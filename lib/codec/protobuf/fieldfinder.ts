import { lengthRest, longLength } from './wire.ts'

/** Finds the content of fields in canonical messages, whose tags ascend, without reading others. */
export class FieldFinder {
  /** Content of the field that was found last. */
  from = 0
  to = 0

  /** The first field with this tag, of a content with a length, between two positions; false: there is none. */
  find(tag: number, bytes: Uint8Array, from: number, to: number): boolean {
    let at = from
    while (at < to) {
      let here = bytes[at++] ?? 0
      if (here > 0x7f) here = (here & 0x7f) | ((bytes[at++] ?? 0) << 7)
      if (here > tag) return false
      const wire = here & 7
      if (wire === 2) {
        let length = bytes[at++] ?? 0
        if (length > 0x7f) {
          length = longLength(bytes, at, length)
          at += lengthRest(length)
        }
        if (here === tag) {
          this.from = at
          this.to = at + length
          return true
        }
        at += length
      } else if (wire === 1) at += 8
      else while ((bytes[at++] ?? 0) > 0x7f);
    }
    return false
  }
}
