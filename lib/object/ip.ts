import { isIPv4, isIPv6 } from 'node:net'

export type IpFamily = 'IPv4' | 'IPv6'

/** An address as a number: 32 or 128 bits. */
export interface Ip {
  readonly family: IpFamily
  readonly value: bigint
}

/** A block of addresses. */
export interface Cidr {
  readonly family: IpFamily
  /** First address. */
  readonly base: bigint
  /** Length of the prefix in bits. */
  readonly bits: number
  /** Number of addresses. */
  readonly size: bigint
}

/** Bits of an address. */
export const ipWidths = { IPv4: 32, IPv6: 128 } as const

/** An address and how it is written: an IPv4 address within an IPv6 one (`::ffff:10.0.0.1`) has IPv6's form. */
interface WrittenIp {
  readonly form: IpFamily
  readonly value: bigint
  /** Decimal parts begin with zeros. */
  readonly leadingZeros: boolean
}

/** Undefined for other texts. Parts may begin with more zeros than the strict form allows, as in older fields. */
export function readIp(text: string): WrittenIp | undefined {
  if (isIPv4(text)) return { form: 'IPv4', value: dottedValue(text), leadingZeros: false }
  const plain = excessZeros.test(text) ? withoutExcessZeros(text) : text
  const leadingZeros = plain !== text
  if (isIPv4(plain)) return { form: 'IPv4', value: dottedValue(plain), leadingZeros }
  if (!isIPv6(plain) || plain.includes('%')) return undefined
  return { form: 'IPv6', value: colonValue(plain), leadingZeros }
}

/** Zeros before a decimal part, or before the four digits of a group. */
const excessZeros = /(?:^|\.)0\d|:0\d+\.|(?:^|:)0[0-9a-f]{4}/i

function withoutExcessZeros(text: string): string {
  const dotted = text.includes('.') ? text.lastIndexOf(':') + 1 : text.length
  const groups = text.slice(0, dotted).replaceAll(/(^|:)0+(?=[0-9a-f]{4}(?::|$))/gi, '$1')
  return groups + text.slice(dotted).replaceAll(/(^|\.)0+(?=\d+(?:\.|$))/g, '$1')
}

/** An IPv4 address within an IPv6 one. */
export function isMapped({ form, value }: WrittenIp): boolean {
  return form === 'IPv6' && value >> 32n === 0xffffn
}

/** Undefined for other texts, as readIp. A mapped address has always counted as IPv4. */
export function parseIp(text: string): Ip | undefined {
  const written = readIp(text)
  if (!written) return undefined
  return isMapped(written)
    ? { family: 'IPv4', value: written.value & 0xffffffffn }
    : { family: written.form, value: written.value }
}

/** The family of `parseIp`, without the number. */
export function ipFamilyOf(text: string): IpFamily | undefined {
  return isIPv4(text) ? 'IPv4' : parseIp(text)?.family
}

/** Whether the address belongs to the machine itself. */
export function isLoopback({ family, value }: Ip): boolean {
  return family === 'IPv4' ? value >> 24n === 127n : value === 1n
}

function dottedValue(text: string): bigint {
  let [value, part] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code !== dotCode) part = part * 10 + code - zeroCode
    else [value, part] = [value * 256 + part, 0]
  }
  return BigInt(value * 256 + part)
}

const [dotCode, zeroCode] = [0x2e, 0x30]

function colonValue(text: string): bigint {
  const dotted = /[^:]+\.[^:]+$/.exec(text)?.[0]
  const low = dotted === undefined ? 0n : dottedValue(dotted)
  const hex =
    dotted === undefined
      ? text
      : `${text.slice(0, -dotted.length)}${(low >> 16n).toString(16)}:${(low & 0xffffn).toString(16)}`
  const [head = '', tail] = hex.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after]
  return BigInt(`0x${groups.map((group) => group.padStart(4, '0')).join('')}`)
}

/** In the canonical form (RFC 5952 for IPv6). */
export function formatIp({ family, value }: Ip): string {
  if (family === 'IPv4') {
    const number = Number(value)
    return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`
  }
  const digits = value.toString(16).padStart(32, '0')
  const groups = Array.from({ length: 8 }, (_, index) => Number.parseInt(digits.slice(index * 4, index * 4 + 4), 16))
  const { start, length } = longestZeros(groups)
  const hex = (some: readonly number[]): string => some.map((group) => group.toString(16)).join(':')
  return length < 2 ? hex(groups) : `${hex(groups.slice(0, start))}::${hex(groups.slice(start + length))}`
}

function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let best = { start: 0, length: 0 }
  for (let start = 0; start < groups.length; start++) {
    let length = 0
    while (groups[start + length] === 0) length++
    if (length > best.length) best = { start, length }
  }
  return best
}

/** A block and how it is written. */
interface WrittenCidr extends WrittenIp {
  readonly bits: number
  /** Number of addresses. */
  readonly size: bigint
}

/** Undefined for other texts. */
export function readCidr(text: string): WrittenCidr | undefined {
  const [, address = '', length = ''] = /^([^/]+)\/([0-9]+)$/.exec(text) ?? []
  const written = readIp(address)
  const bits = Number(length)
  if (!written || bits > ipWidths[written.form]) return undefined
  const leadingZeros = written.leadingZeros || (length.length > 1 && length.startsWith('0'))
  return { ...written, leadingZeros, bits, size: 1n << BigInt(ipWidths[written.form] - bits) }
}

/** Undefined for other texts, and for blocks of mapped addresses; bits after the prefix are dropped. */
export function parseCidr(text: string): Cidr | undefined {
  const written = readCidr(text)
  if (!written || isMapped(written)) return undefined
  const { form, value, bits, size } = written
  return { family: form, base: value - (value % size), bits, size }
}

export function formatCidr({ family, base, bits }: Cidr): string {
  return `${formatIp({ family, value: base })}/${bits}`
}

export function cidrContains(cidr: Cidr, ip: Ip): boolean {
  return ip.family === cidr.family && ip.value >= cidr.base && ip.value < cidr.base + cidr.size
}
