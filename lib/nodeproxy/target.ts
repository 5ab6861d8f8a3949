import type { Address } from '../client/index.ts'
import type { ForwardTarget } from '../proxy/index.ts'

/** Where a proxy's requests go. */
export interface ProxyTarget {
  readonly address: Address
  readonly server: ForwardTarget
}
