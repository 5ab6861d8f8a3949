import type { Clock, Logger, Metrics, Random } from '../base/index.ts'
import type { ServiceAddress } from '../client/index.ts'
import type { GroupVersion } from '../object/index.ts'
import type { Backend, RequestHeaders } from '../proxy/index.ts'
import type { ServedGroups } from '../schema/index.ts'

/** Another replica, as it announces itself. */
export interface Peer {
  readonly name: string
  /** Another value after each start of the replica. */
  readonly holder: string
}

export interface PeersDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  /** The groups that this server serves itself. */
  readonly served: ServedGroups
  /** The present replicas, without this one. */
  list(): Promise<readonly Peer[]>
  /** Rejects when the peer publishes no address. */
  addressOf(name: string): Promise<ServiceAddress>
  connect(address: () => Promise<ServiceAddress>): Backend
  /** This server's own user, in the form in which users are passed to peers. */
  readonly headers: RequestHeaders
  /** Group versions of custom resources and of aggregated servers: every replica serves them itself. */
  isExcluded(at: GroupVersion): boolean
  /** Whether a header (in lower case) names users by this server's configuration of front proxies. */
  isUserHeader(name: string): boolean
}
