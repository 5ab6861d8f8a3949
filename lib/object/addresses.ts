import { isMapped, readCidr, readIp } from './ip.ts'
import type { Validator } from './names.ts'

/** Older fields: decimal parts may begin with zeros. */
export const validateLegacyIp: Validator = (value) =>
  readIp(value) ? [] : ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']

/** Refuses leading zeros and an IPv4 address within an IPv6 one. */
export const validateIp: Validator = (value) => {
  const ip = readIp(value)
  if (!ip) return validateLegacyIp(value)
  if (ip.leadingZeros) return ['must not have leading 0s']
  return isMapped(ip) ? ['must not be an IPv4-mapped IPv6 address'] : []
}

export const validateLegacyCidr: Validator = (value) =>
  readCidr(value) ? [] : ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)']

/** As validateIp, without bits after the prefix. */
export const validateCidr: Validator = (value) => {
  const cidr = readCidr(value)
  if (!cidr) return validateLegacyCidr(value)
  if (cidr.leadingZeros) return ['must not have leading 0s in IP or prefix length']
  if (isMapped(cidr)) return ['must not have an IPv4-mapped IPv6 address']
  return cidr.value % cidr.size !== 0n ? ['must not have bits set beyond the prefix length'] : []
}
