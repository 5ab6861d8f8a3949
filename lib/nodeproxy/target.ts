import type { ServiceAddress } from '../client/index.ts'
import type { ForwardTarget } from '../proxy/index.ts'

/** Where a proxy's requests go. */
export interface ProxyTarget {
  readonly address: ServiceAddress
  readonly server: ForwardTarget
}
