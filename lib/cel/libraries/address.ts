import { quote } from '../../object/index.ts'

/** The bytes of an IP address: 4 or 16. */
export type AddressBytes = readonly number[]

/** The address in a text; for other texts, what is wrong with them. Zones and mapped IPv4 are refused. */
export function parseAddress(text: string): AddressBytes | string {
  if (text.includes('%')) return 'IP address with zone value is not allowed'
  if (!text.includes(':')) return parseV4(text) ?? unparsed(text)
  const address = parseV6(text)
  if (!address) return unparsed(text)
  const mapped = address.slice(0, 10).every((byte) => byte === 0) && address[10] === 0xff && address[11] === 0xff
  return mapped ? 'IPv4-mapped IPv6 address is not allowed' : address
}

function unparsed(text: string): string {
  return `ParseAddr(${quote(text)}): unable to parse IP`
}

function parseV4(text: string): number[] | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  if (!match) return undefined
  const parts = match.slice(1)
  if (parts.some((part) => Number(part) > 255 || (part.length > 1 && part.startsWith('0')))) return undefined
  return parts.map(Number)
}

function parseV6(text: string): number[] | undefined {
  const halves = text.split('::')
  if (halves.length > 2 || text.length > 64) return undefined
  const [head, tail] = halves.map(groups)
  if (head === undefined) return undefined
  if (halves.length === 1) return head.length === 16 ? head : undefined
  if (tail === undefined || head.length + tail.length > 14) return undefined
  return [...head, ...Array.from({ length: 16 - head.length - tail.length }, () => 0), ...tail]
}

/** `a:b:1.2.3.4` as bytes; an IPv4 ending counts as two groups. */
function groups(text: string): number[] | undefined {
  if (text === '') return []
  const bytes: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const v4 = parseV4(part)
      if (!v4) return undefined
      bytes.push(...v4)
    } else {
      if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined
      const value = Number.parseInt(part, 16)
      bytes.push(value >> 8, value & 0xff)
    }
  }
  return bytes
}

/** Canonical text: for IPv6 lower case, the longest run of zero groups (two or more) as `::`. */
export function formatAddress(address: AddressBytes): string {
  if (address.length === 4) return address.join('.')
  const words = Array.from(
    { length: 8 },
    (_, index) => ((address[2 * index] ?? 0) << 8) | (address[2 * index + 1] ?? 0),
  )
  let [start, length] = [-1, 1]
  for (let at = 0; at < 8; at++) {
    let end = at
    while (end < 8 && words[end] === 0) end++
    if (end - at > length) [start, length] = [at, end - at]
  }
  const hex = (part: readonly number[]): string => part.map((word) => word.toString(16)).join(':')
  return start < 0 ? hex(words) : `${hex(words.slice(0, start))}::${hex(words.slice(start + length))}`
}

/** `address/bits`, without leading zeros in bits. */
export function parsePrefix(text: string): { address: AddressBytes; bits: number } | undefined {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return undefined
  const address = parseAddress(text.slice(0, slash))
  const length = text.slice(slash + 1)
  if (typeof address === 'string' || !/^(?:0|[1-9]\d{0,2})$/.test(length)) return undefined
  const bits = Number(length)
  return bits > address.length * 8 ? undefined : { address, bits }
}

/** The address with all bits beyond the first `bits` cleared. */
export function masked(address: AddressBytes, bits: number): AddressBytes {
  return address.map((byte, index) => {
    const kept = Math.max(0, Math.min(8, bits - index * 8))
    return byte & (0xff << (8 - kept)) & 0xff
  })
}

export function isWithin(address: AddressBytes, network: AddressBytes, bits: number): boolean {
  if (address.length !== network.length) return false
  const [a, b] = [masked(address, bits), masked(network, bits)]
  return a.every((byte, index) => byte === b[index])
}
