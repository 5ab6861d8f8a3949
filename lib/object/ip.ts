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

const widths = { IPv4: 32, IPv6: 128 } as const

/** Undefined for what is no address. Parts of an IPv4 address may begin with zeros, as older fields allow. */
export function parseIp(text: string): Ip | undefined {
  const plain = text.includes(':') ? text : text.replace(/(^|\.)0+(?=\d)/g, '$1')
  if (isIPv4(plain)) return { family: 'IPv4', value: dottedValue(plain) }
  if (!isIPv6(plain) || plain.includes('%')) return undefined
  const value = colonValue(plain)
  // An IPv4 address within an IPv6 one has always counted as IPv4.
  return value >> 32n === 0xffffn ? { family: 'IPv4', value: value & 0xffffffffn } : { family: 'IPv6', value }
}

function dottedValue(text: string): bigint {
  return text.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n)
}

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
  return groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}

/** In the canonical form (RFC 5952 for IPv6). */
export function formatIp({ family, value }: Ip): string {
  if (family === 'IPv4') return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  const groups = Array.from({ length: 8 }, (_, index) => Number((value >> BigInt(112 - index * 16)) & 0xffffn))
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

/** Undefined for what is no block; bits behind the prefix are dropped. */
export function parseCidr(text: string): Cidr | undefined {
  const match = /^([^/]+)\/(\d{1,3})$/.exec(text)
  const ip = parseIp(match?.[1] ?? '')
  const bits = Number(match?.[2])
  if (!ip || match?.[1]?.includes(':') !== (ip.family === 'IPv6')) return undefined
  const width = widths[ip.family]
  if (bits > width) return undefined
  const size = 1n << BigInt(width - bits)
  return { family: ip.family, base: ip.value - (ip.value % size), bits, size }
}

export function formatCidr({ family, base, bits }: Cidr): string {
  return `${formatIp({ family, value: base })}/${bits}`
}

export function cidrContains(cidr: Cidr, ip: Ip): boolean {
  return ip.family === cidr.family && ip.value >= cidr.base && ip.value < cidr.base + cidr.size
}
