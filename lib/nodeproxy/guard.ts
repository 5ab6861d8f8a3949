import { BlockList, isIP } from 'node:net'
import { statusErrors } from '../object/index.ts'

/** Addresses of this machine, of its own network, or of many: never those of a pod or a node. */
const refused = new BlockList()
refused.addAddress('0.0.0.0')
refused.addAddress('255.255.255.255')
refused.addSubnet('127.0.0.0', 8)
refused.addSubnet('169.254.0.0', 16)
refused.addSubnet('224.0.0.0', 4)
refused.addAddress('::', 'ipv6')
refused.addAddress('::1', 'ipv6')
refused.addSubnet('fe80::', 10, 'ipv6')
refused.addSubnet('ff00::', 8, 'ipv6')

/** An IPv4 address within an IPv6 one is checked as the former. */
export function isAllowed(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && !refused.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Throws 400 for a forbidden address. */
export function requireAllowed(address: string): void {
  if (!isAllowed(address)) throw statusErrors.badRequest('address not allowed')
}
