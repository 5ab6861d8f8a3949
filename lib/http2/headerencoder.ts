import { assert } from '../base/index.ts'
import { isHeaderName } from './headername.ts'
import { staticNames, staticValues } from './statictable.ts'

/** Maximum number of bytes of a header in addition to its texts: one for the representation, and two lengths. */
const lengthBytesMax = 5
const headerBytesBeyondTexts = 1 + 2 * lengthBytesMax
/** The first entry of each name in the static table; entries of one name follow each other. */
const firstIndexes: ReadonlyMap<string, number> = new Map(
  staticNames.map((name, index) => [name, index] as const).reverse(),
)

/**
 * A header block, pseudo-headers first. It doesn't change the peer's table, so it can be sent repeatedly. Throws
 * TypeError as `writeHeaders` does.
 */
export function encodeHeaders(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  const list = headers.flat()
  // A copy, since blocks are kept.
  const target = Buffer.allocUnsafeSlow(headerBytesMax(list))
  return target.subarray(0, writeHeaders(list, target, 0))
}

/** An upper bound for `writeHeaders`. */
export function headerBytesMax(list: readonly string[]): number {
  let bytes = 0
  for (const text of list) bytes += text.length
  return bytes + (list.length / 2) * headerBytesBeyondTexts
}

/**
 * Writes a header block (RFC 7541) without dynamic table and Huffman code, and returns its end; there must be room for
 * `headerBytesMax`. `list` alternates lower-case names and values, pseudo-headers first, such as [':status', '200'].
 * Throws TypeError for an invalid name, or a value with characters other than tabs, printable ASCII and U+0080 to
 * U+00FF; the bytes written so far must then be ignored.
 */
export function writeHeaders(list: readonly string[], target: Buffer, at: number): number {
  assert(list.length % 2 === 0, 'a header without a value')
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i] ?? ''
    const value = list[i + 1] ?? ''
    const index = firstIndexes.get(name) ?? 0
    const whole = index > 0 ? entryOf(index, name, value) : 0
    if (whole > 0) target[at++] = 0x80 | whole
    else {
      if (index > 0) at = writeInteger(0x0f, index, target, at)
      else {
        target[at++] = 0
        at = writeName(name, target, at)
      }
      at = writeValue(value, target, at)
    }
  }
  // A write beyond a buffer's end is silently lost.
  assert(at <= target.length, 'headers have more room')
  return at
}

/** The entry with this name and value, if any: at `index` or after it. */
function entryOf(index: number, name: string, value: string): number {
  for (; staticNames[index] === name; index++) if (staticValues[index] === value) return index
  return 0
}

function writeName(name: string, target: Buffer, at: number): number {
  // Static names are looked up; other pseudo-headers are those of RFC 8441 and later ones.
  if (!isHeaderName(name, name.startsWith(':') ? 1 : 0))
    throw new TypeError(`not a header's name: ${JSON.stringify(name)}`)
  at = writeInteger(0x7f, name.length, target, at)
  return at + target.write(name, at, 'latin1')
}

function writeValue(value: string, target: Buffer, at: number): number {
  at = writeInteger(0x7f, value.length, target, at)
  for (let i = 0; i < value.length; i++) {
    const character = value.charCodeAt(i)
    if ((character < 0x20 && character !== 9) || character === 0x7f || character > 0xff)
      throw new TypeError(`a header's value has character ${character}`)
    target[at + i] = character
  }
  return at + value.length
}

/** RFC 7541, section 5.1; `most`: the largest value that fits into the first byte. */
function writeInteger(most: number, value: number, target: Buffer, at: number): number {
  if (value < most) {
    target[at] = value
    return at + 1
  }
  target[at++] = most
  let rest = value - most
  for (; rest >= 0x80; rest >>>= 7) target[at++] = 0x80 | (rest & 0x7f)
  target[at] = rest
  return at + 1
}
