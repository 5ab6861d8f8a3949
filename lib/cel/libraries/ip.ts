import { quoteGo } from '../../object/index.ts'
import { globalForm, type Library, memberForm, type Overload } from '../check/function.ts'
import { exactly, plus, type Range, scaled } from '../check/range.ts'
import { types } from '../check/types.ts'
import { costs, sizeOf, traversal } from '../run/cost.ts'
import { invalidArgument } from '../run/errors.ts'
import { Opaque, type Value } from '../run/values.ts'
import { type AddressBytes, formatAddress, isWithin, masked, parseAddress, parsePrefix } from './address.ts'

const { string, bool, int } = types
type Estimate = NonNullable<Overload['estimate']>

/** net.IP */
class IpValue extends Opaque {
  readonly address: AddressBytes
  constructor(address: AddressBytes) {
    super()
    this.address = address
  }
  get typeName(): string {
    return 'net.IP'
  }
  equals(other: Opaque): boolean {
    return other instanceof IpValue && same(this.address, other.address)
  }
}

/** net.CIDR */
class CidrValue extends Opaque {
  readonly address: AddressBytes
  readonly bits: number
  constructor(address: AddressBytes, bits: number) {
    super()
    this.address = address
    this.bits = bits
  }
  get typeName(): string {
    return 'net.CIDR'
  }
  equals(other: Opaque): boolean {
    return other instanceof CidrValue && this.bits === other.bits && same(this.address, other.address)
  }
}

const ipType = types.opaque('net.IP')
const cidrType = types.opaque('net.CIDR')

/** The stock server's worst case counts these as one unit, whatever the text. */
const parseCost = { cost: (text: Value) => traversal(sizeOf(text)) }

/** ip, isIP, ip.isCanonical, family, and tests of the kind of address. */
export function ipLibrary(): Library {
  const test = (name: string, call: (address: AddressBytes) => boolean) => ({
    name,
    overloads: [memberForm(`ip_${name}`, [ipType], bool, (ip: IpValue) => call(ip.address))],
  })
  return {
    name: 'ip',
    types: [ipType],
    functions: [
      { name: 'ip', overloads: [globalForm('string_to_ip', [string], ipType, toIp, parseCost)] },
      { name: 'isIP', overloads: [globalForm('is_ip', [string], bool, (t: string) => isAddress(t), parseCost)] },
      {
        name: 'ip.isCanonical',
        overloads: [
          globalForm('ip_is_canonical', [string], bool, (text: string) => formatAddress(toIp(text).address) === text, {
            cost: (text: Value) => Math.ceil(sizeOf(text) * 2 * costs.traversal),
          }),
        ],
      },
      {
        name: 'string',
        overloads: [globalForm('ip_to_string', [ipType], string, (ip: IpValue) => formatAddress(ip.address))],
      },
      {
        name: 'family',
        overloads: [memberForm('ip_family', [ipType], int, (ip: IpValue) => (ip.address.length === 4 ? 4 : 6))],
      },
      test('isUnspecified', (a) => a.every((byte) => byte === 0)),
      test('isLoopback', isLoopback),
      test('isLinkLocalMulticast', isLinkLocalMulticast),
      test('isLinkLocalUnicast', isLinkLocalUnicast),
      test('isGlobalUnicast', isGlobalUnicast),
    ],
  }
}

/** cidr, isCIDR, containsIP, containsCIDR, ip, masked, prefixLength. */
export function cidrLibrary(): Library {
  const inIp = (cidr: CidrValue, ip: IpValue): boolean => isWithin(ip.address, cidr.address, cidr.bits)
  const inCidr = (cidr: CidrValue, other: CidrValue): boolean =>
    other.bits >= cidr.bits && isWithin(masked(other.address, cidr.bits), cidr.address, cidr.bits)
  return {
    name: 'cidr',
    types: [cidrType],
    functions: [
      { name: 'cidr', overloads: [globalForm('string_to_cidr', [string], cidrType, toCidr, parseCost)] },
      {
        name: 'isCIDR',
        overloads: [globalForm('is_cidr', [string], bool, (t: string) => parsePrefix(t) !== undefined, parseCost)],
      },
      {
        name: 'string',
        overloads: [
          globalForm('cidr_to_string', [cidrType], string, (c: CidrValue) => `${formatAddress(c.address)}/${c.bits}`),
        ],
      },
      {
        name: 'containsIP',
        overloads: [
          memberForm('cidr_contains_ip_ip', [cidrType, ipType], bool, inIp, contained(false, false)),
          memberForm(
            'cidr_contains_ip_string',
            [cidrType, string],
            bool,
            (cidr: CidrValue, text: string) => inIp(cidr, toIp(text)),
            contained(false, true),
          ),
        ],
      },
      {
        name: 'containsCIDR',
        overloads: [
          memberForm('cidr_contains_cidr', [cidrType, cidrType], bool, inCidr, contained(true, false)),
          memberForm(
            'cidr_contains_cidr_string',
            [cidrType, string],
            bool,
            (cidr: CidrValue, text: string) => inCidr(cidr, toCidr(text)),
            contained(true, true),
          ),
        ],
      },
      { name: 'ip', overloads: [memberForm('cidr_ip', [cidrType], ipType, (c: CidrValue) => new IpValue(c.address))] },
      {
        name: 'masked',
        overloads: [
          memberForm(
            'cidr_masked',
            [cidrType],
            cidrType,
            (c: CidrValue) => new CidrValue(masked(c.address, c.bits), c.bits),
          ),
        ],
      },
      {
        name: 'prefixLength',
        overloads: [memberForm('cidr_prefix_length', [cidrType], int, (c: CidrValue) => c.bits)],
      },
    ],
  }
}

/** Cost of comparing addresses byte by byte, once more for a masked CIDR, and of reading a text argument. */
function contained(cidr: boolean, text: boolean): { cost: NonNullable<Overload['cost']>; estimate: Estimate } {
  const bytes: Range = { min: 4, max: 16 }
  return {
    cost: (of, other) => {
      const size = of instanceof CidrValue ? prefixBytes(of) : 16
      let cost = traversal(2 * size)
      if (cidr) cost += traversal(size) + 1
      return text ? cost + traversal(sizeOf(other)) : cost
    },
    estimate: ([, other]) => {
      let cost = scaled(plus(bytes, bytes), costs.traversal)
      if (cidr) cost = plus(cost, plus(scaled(bytes, costs.traversal), exactly(1)))
      if (text) cost = plus(cost, scaled(other?.size ?? exactly(1), costs.traversal))
      return { cost }
    },
  }
}

/** Size of a CIDR for the cost: the bytes of its prefix. */
function prefixBytes(cidr: CidrValue): number {
  return Math.ceil(cidr.bits / 8)
}

function isAddress(text: string): boolean {
  return typeof parseAddress(text) !== 'string'
}

function toIp(text: string): IpValue {
  const address = parseAddress(text)
  if (typeof address !== 'string') return new IpValue(address)
  return invalidArgument(`IP Address ${quoteGo(text)} parse error during conversion from string: ${address}`)
}

function toCidr(text: string): CidrValue {
  const prefix = parsePrefix(text)
  if (prefix) return new CidrValue(prefix.address, prefix.bits)
  return invalidArgument(`network address parse error during conversion from string: ${quoteGo(text)}`)
}

function same(a: AddressBytes, b: AddressBytes): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}

function isLoopback(a: AddressBytes): boolean {
  if (a.length === 4) return a[0] === 127
  return a.every((byte, index) => byte === (index === 15 ? 1 : 0))
}

function isLinkLocalMulticast(a: AddressBytes): boolean {
  if (a.length === 4) return a[0] === 224 && a[1] === 0 && a[2] === 0
  return a[0] === 0xff && ((a[1] ?? 0) & 0x0f) === 0x02
}

function isLinkLocalUnicast(a: AddressBytes): boolean {
  if (a.length === 4) return a[0] === 169 && a[1] === 254
  return a[0] === 0xfe && ((a[1] ?? 0) & 0xc0) === 0x80
}

function isGlobalUnicast(a: AddressBytes): boolean {
  const multicast = a.length === 4 ? ((a[0] ?? 0) & 0xf0) === 0xe0 : a[0] === 0xff
  const broadcast = a.length === 4 && a.every((byte) => byte === 255)
  return !multicast && !broadcast && !isLoopback(a) && !isLinkLocalUnicast(a) && !a.every((byte) => byte === 0)
}
