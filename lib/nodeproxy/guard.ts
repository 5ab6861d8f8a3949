import { BlockList, isIP } from 'node:net'
import { statusErrors } from '../object/index.ts'

/** Made for the first check: a snapshot of the program (cmd/snapshot) can't hold it. */
let refused: BlockList | undefined

/** Addresses of this machine, of its own network, or of many: never those of a pod or a node. */
function refusedAddresses(): BlockList {
  const list = new BlockList()
  list.addAddress('0.0.0.0')
  list.addAddress('255.255.255.255')
  list.addSubnet('127.0.0.0', 8)
  list.addSubnet('169.254.0.0', 16)
  list.addSubnet('224.0.0.0', 4)
  list.addAddress('::', 'ipv6')
  list.addAddress('::1', 'ipv6')
  list.addSubnet('fe80::', 10, 'ipv6')
  list.addSubnet('ff00::', 8, 'ipv6')
  return list
}

/** An IPv4 address within an IPv6 one is checked as the former. */
export function isAllowed(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && !(refused ??= refusedAddresses()).check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** Throws 400 for a forbidden address. */
export function requireAllowed(address: string): void {
  if (!isAllowed(address)) throw statusErrors.badRequest('address not allowed')
}
