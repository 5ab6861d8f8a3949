import type { Authorizer } from '../authz/index.ts'
import type { Clock, Logger, Metrics, Random } from '../base/index.ts'
import type { Credentials } from '../client/index.ts'
import type { Dialer } from '../egress/index.ts'
import type { Registry } from '../registry/index.ts'

export interface NodeProxyDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly registry: Registry
  /** Checks whether a user who opens a terminal by GET may create one, too. */
  readonly authorizer: Authorizer
  /** For kubelets; called for each request. */
  credentials(): Credentials
  /** PEM of the authorities of kubelets' certificates; undefined: these are not verified. */
  authorities(): string | undefined
  /** Opens connections to nodes and pods through a proxy; absent: they are direct. */
  readonly dialer?: Dialer | undefined
  /** True when a feature gate is on. */
  gate(name: string): boolean
}

export interface NodeProxyOptions {
  /** Types of addresses of a node, in the order of attempts. */
  readonly preferredAddressTypes: readonly string[]
  /** The port of kubelets that publish none. */
  readonly kubeletPort: number
  readonly connectTimeoutMs: number
  /** Bytes a second of an upgraded connection, in each direction; 0: no limit. */
  readonly bytesPerSecMax: number
  /** Whether a header (in lower case) names users by this server's configuration of front proxies. */
  isUserHeader(name: string): boolean
}
