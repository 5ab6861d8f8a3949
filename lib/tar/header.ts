// Headers of tar archives (POSIX.1-2017, pax, "ustar Interchange Format"), for servers and browsers alike.

export const blockBytes = 512
/** Bytes of a name in a header; longer ones have an entry of their own. */
export const nameBytesMax = 100
/** Bytes of an entry that holds the name of the next one: a long name, or the records of pax. */
export const extensionBytesMax = 64 * 1024

export interface TarHeader {
  readonly name: string
  /** `0`, `\0` or `7`: a file; `5`: a folder; `L`, `x`: the name of the next entry. */
  readonly type: string
  /** The content has so many bytes. */
  readonly bytes: number
}

/** A wrong sum, a field without a number, or a number in base 256: it is negative, or of 8 GiB and more. */
type HeaderProblem = 'sum' | 'number' | 'large'

/** The block of a header; `name`: at most `nameBytesMax` bytes. */
export function writeHeader(
  name: Uint8Array,
  { type, bytes, modifiedMs }: { readonly type: string; readonly bytes: number; readonly modifiedMs: number },
): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(blockBytes)
  const put = (at: number, text: string): void => block.set(new TextEncoder().encode(text), at)
  const octal = (value: number, digits: number): string => `${Math.floor(value).toString(8).padStart(digits, '0')}\0`
  block.set(name)
  put(100, octal(type === '5' ? 0o755 : 0o644, 7))
  put(108, octal(0, 7))
  put(116, octal(0, 7))
  put(124, octal(bytes, 11))
  put(136, octal(Math.max(0, modifiedMs / 1000), 11))
  put(156, type)
  put(257, 'ustar\x0000')
  put(148, `${checksumOf(block).toString(8).padStart(6, '0')}\0 `)
  return block
}

export function readHeader(block: Uint8Array): TarHeader | HeaderProblem {
  const sum = octalOf(block.subarray(148, 156))
  if (typeof sum === 'string') return sum
  if (sum !== checksumOf(block)) return 'sum'
  const bytes = octalOf(block.subarray(124, 136))
  if (typeof bytes === 'string') return bytes
  // GNU's own form has other fields in the place of the prefix.
  const isUstar = textOf(block.subarray(257, 265)) === 'ustar'
  const prefix = isUstar ? textOf(block.subarray(345, 500)) : ''
  const name = textOf(block.subarray(0, nameBytesMax))
  return { name: prefix === '' ? name : `${prefix}/${name}`, type: String.fromCharCode(block[156] ?? 0), bytes }
}

/** Bytes that fill the last block of a content. */
export function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes
}

/** A field's text, up to its first null. */
export function textOf(field: Uint8Array): string {
  const end = field.indexOf(0)
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end))
}

/** The records of pax, `LENGTH KEY=VALUE\n` each; undefined where they are broken. */
export function readRecords(bytes: Uint8Array): ReadonlyMap<string, string> | undefined {
  const records = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const digits = /^(\d{1,5}) /.exec(textOf(bytes.subarray(at, at + 6)))?.[1]
    const length = Number(digits)
    const record = digits === undefined ? '' : textOf(bytes.subarray(at + digits.length + 1, at + length))
    const [, key, value] = /^([^=]+)=(.*)\n$/s.exec(record) ?? []
    if (key === undefined || value === undefined || at + length > bytes.length) return undefined
    records.set(key, value)
    at += length
  }
  return records
}

/** The sum of a header's bytes, its own field taken as spaces. */
function checksumOf(block: Uint8Array): number {
  return block.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0)
}

function octalOf(field: Uint8Array): number | 'number' | 'large' {
  if (((field[0] ?? 0) & 0x80) !== 0) return 'large'
  const digits = /^ *([0-7]+)[ \0]*$/.exec(String.fromCharCode(...field))?.[1]
  return digits === undefined ? 'number' : Number.parseInt(digits, 8)
}
