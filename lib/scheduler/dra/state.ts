import type { AllocationResult, DeviceClass, ResourceClaim } from '../../../api/gen/resource.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControllerContext, type Informer, keyOf } from '../../controller/index.ts'
import type { NodeInfo } from '../nodeinfo.ts'
import type { PodInfo } from '../podinfo.ts'
import { allocateDevices, type ChosenDevice } from './allocate.ts'
import type { Claim, DeviceSnapshot } from './contract.ts'
import { DeviceIndex } from './deviceindex.ts'
import { classesByResource, type ExtendedClaim, extendedClaimOf } from './extended.ts'
import { podClaims } from './podclaims.ts'
import { requestsOf } from './requests.ts'
import { allocationOf } from './result.ts'
import { SearchBudget } from './searchbudget.ts'
import { DeviceSelectors } from './selectors.ts'
import { usageOf } from './usage.ts'

/** A claim of a pod that goes to a node, with the devices that it gets; undefined: it has some. */
export interface Reservation {
  readonly claim: Claim
  readonly allocation: AllocationResult | undefined
  /** The claim is for extended resources, and is stored only when the pod is bound. */
  readonly mappings?: ExtendedClaim['mappings'] | undefined
}

/** The first release that serves the version of claims which this scheduler reads and writes. */
const servedSinceMinor = 34

/** Devices, claims and their classes as the informers show them, and the allocations that are being written. */
export class DeviceState implements DeviceSnapshot {
  readonly claims: Informer<ResourceClaim>
  readonly classes: Informer<DeviceClass>
  readonly selectors = new DeviceSelectors()
  readonly #context: ControllerContext
  readonly #pending = new Map<string, AllocationResult>()
  #index: DeviceIndex | undefined
  #extendedClasses: ReadonlyMap<string, string> | undefined

  /** `changed` is called with the stock name of each change that may help a pod. Undefined: devices are not served. */
  static follow(context: ControllerContext, changed: (event: string) => void): DeviceState | undefined {
    const isServed = context.gate('DynamicResourceAllocation') && context.release.minor >= servedSinceMinor
    return isServed ? new DeviceState(context, changed) : undefined
  }

  private constructor(context: ControllerContext, changed: (event: string) => void) {
    const { resourceclaims, deviceclasses, resourceslices } = resources.resource.v1
    this.#context = context
    this.claims = context.informer(resourceclaims)
    this.classes = context.informer(deviceclasses)
    const slices = context.informer(resourceslices)
    this.claims.subscribe(({ object, before, deleted }) => {
      // From now on the informer shows what is allocated.
      if (deleted || object.status.allocation) this.#pending.delete(keyOf(object))
      changed(`ResourceClaim${deleted ? 'Delete' : before ? 'Update' : 'Add'}`)
    })
    const servesExtended = context.gate('DRAExtendedResource')
    if (!servesExtended) this.#extendedClasses = new Map()
    this.classes.subscribe(() => {
      if (servesExtended) this.#extendedClasses = undefined
      changed('DeviceClassUpdate')
    })
    slices.subscribe(() => {
      this.#index = undefined
      changed('ResourceSliceUpdate')
    })
    this.index = () => (this.#index ??= new DeviceIndex(slices.all()))
  }

  readonly index: () => DeviceIndex

  readonly extendedClasses = (): ReadonlyMap<string, string> =>
    (this.#extendedClasses ??= classesByResource(this.classes))

  get pending(): ReadonlyMap<string, AllocationResult> {
    return this.#pending
  }

  /**
   * Chooses devices on the node for the pod's claims, as the filter has done; they count as allocated from now on.
   * Throws an Error where that is no longer possible.
   */
  reserve(info: PodInfo, node: NodeInfo): readonly Reservation[] {
    const claims = podClaims(info.pod, this) ?? { allocated: [], open: [] }
    if (typeof claims === 'string') throw new Error(claims)
    const extended = extendedClaimOf(info, node, this)
    const open = [...claims.open, ...(extended ? [extended.claim] : [])]
    const requests = open.flatMap((claim) => {
      const wanted = requestsOf(claim, this)
      if (typeof wanted === 'string') throw new Error(wanted)
      return wanted
    })
    const state = { snapshot: this, usage: usageOf(this), budget: new SearchBudget() }
    const chosen = requests.length === 0 ? [] : allocateDevices(requests, node, state)
    if (typeof chosen === 'string') throw new Error(chosen)
    const reserved = open.map((claim) => ({
      claim,
      allocation: this.#allocationOf(claim, chosen, node),
      mappings: claim === extended?.claim ? extended.mappings : undefined,
    }))
    for (const { claim, allocation } of reserved) this.#pending.set(keyOf(claim), allocation)
    return [...reserved, ...claims.allocated.map((claim) => ({ claim, allocation: undefined }))]
  }

  /** The claim of a reservation is stored now; its allocation is still being written. */
  stored(before: Reservation, claim: Claim): void {
    const { allocation } = before
    this.#pending.delete(keyOf(before.claim))
    if (allocation) this.#pending.set(keyOf(claim), allocation)
  }

  /** The allocations were not written. */
  release(reservations: readonly Reservation[]): void {
    for (const { claim, allocation } of reservations) if (allocation) this.#pending.delete(keyOf(claim))
  }

  #allocationOf(claim: Claim, chosen: readonly ChosenDevice[], node: NodeInfo): AllocationResult {
    const { clock, random } = this.#context
    return allocationOf(
      claim,
      chosen.filter((each) => each.claim === claim),
      { node, classes: this.classes, nowMs: clock.now(), newShareId: () => random.uuid() },
    )
  }
}
