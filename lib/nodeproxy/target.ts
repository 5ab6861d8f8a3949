import type { ServiceAddress } from '../client/index.ts'
import type { ForwardTarget } from '../proxy/index.ts'

/** The target of a proxy's requests. */
export interface ProxyTarget {
  readonly address: ServiceAddress
  readonly server: ForwardTarget
}
