import type { Clock, Logger, Metrics, Random } from '../base/index.ts'
import type { ServiceAddress } from '../client/index.ts'
import type { GroupVersion } from '../object/index.ts'
import type { Backend, RequestHeaders } from '../proxy/index.ts'
import type { ServedGroups } from '../schema/index.ts'

/** Another replica, as it announces itself. */
export interface Peer {
  readonly name: string
  /** Another one after each start of it. */
  readonly holder: string
}

export interface PeersDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  /** The groups that this server serves itself. */
  readonly served: ServedGroups
  /** The replicas that are there now, without this one. */
  list(): Promise<readonly Peer[]>
  /** Rejects where the peer tells no address. */
  addressOf(name: string): Promise<ServiceAddress>
  connect(address: () => Promise<ServiceAddress>): Backend
  /** This server's own user, as peers are told of users. */
  readonly headers: RequestHeaders
  /** Group versions of custom resources and of aggregated servers: every replica serves them by itself. */
  isExcluded(at: GroupVersion): boolean
  /** Whether a header (in lower case) names users by this server's configuration of front proxies. */
  isUserHeader(name: string): boolean
}
