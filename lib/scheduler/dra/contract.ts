import type {
  AllocationResult,
  DeviceClass,
  DeviceToleration,
  ResourceClaim,
} from '../../../api/gen/resource.k8s.io/v1.ts'
import type { Lister } from '../../controller/index.ts'
import type { Frozen } from '../../object/index.ts'
import type { DeviceIndex } from './deviceindex.ts'
import type { DeviceSelectors } from './selectors.ts'

export type Claim = Frozen<ResourceClaim>

/** The devices of the cluster and the claims for them at one moment. */
export interface DeviceSnapshot {
  readonly claims: Lister<ResourceClaim>
  readonly classes: Lister<DeviceClass>
  /** Allocations that are being written, by the key of the claim, which may be stored later. */
  readonly pending: ReadonlyMap<string, Frozen<AllocationResult>>
  readonly selectors: DeviceSelectors
  index(): DeviceIndex
  /** The names of classes by the extended resource that they serve. */
  readonly extendedClasses: () => ReadonlyMap<string, string>
}

/** One way to satisfy a request. */
export interface Alternative {
  /** As in results: `request`, or `request/subrequest`. */
  readonly name: string
  readonly className: string
  /** Those of the class come before those of the request; `origin` names them in errors. */
  readonly selectors: readonly { readonly expression: string; readonly origin: string }[]
  readonly wantsAll: boolean
  readonly count: number
  readonly adminAccess: boolean
  readonly tolerations: readonly Frozen<DeviceToleration>[]
  readonly capacity: Readonly<Record<string, string>>
}

/** A request of a claim: the first alternative that is possible is taken. */
export interface Request {
  readonly claim: Claim
  readonly name: string
  readonly alternatives: readonly Alternative[]
}
