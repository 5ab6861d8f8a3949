import type { NodeInfo } from '../nodeinfo.ts'
import { candidatesOn } from './candidates.ts'
import { createConstraint, type RunningConstraint } from './constraints.ts'
import type { Alternative, Claim, DeviceSnapshot, Request } from './contract.ts'
import type { DeviceInfo } from './deviceindex.ts'
import { Ledger } from './ledger.ts'
import { type SearchBudget, SearchEnd } from './searchbudget.ts'
import type { DeviceUsage } from './usage.ts'

/** A device for a request. */
export interface ChosenDevice {
  readonly claim: Claim
  readonly request: Alternative
  readonly info: DeviceInfo
  /** The amounts that it consumes of a shared device, in thousandths; undefined: the device is the claim's alone. */
  readonly consumed: ReadonlyMap<string, bigint> | undefined
}

/** The knowledge that searches for one pod share. */
export interface SearchState {
  readonly snapshot: Pick<DeviceSnapshot, 'index' | 'selectors'>
  readonly usage: DeviceUsage
  readonly budget: SearchBudget
}

/** Devices in one claim. */
export const resultsMax = 32

/** Devices on the node for all requests. A text: why there are none, in stock words. */
export function allocateDevices(
  requests: readonly Request[],
  node: NodeInfo,
  state: SearchState,
): readonly ChosenDevice[] | string {
  try {
    return new Search(requests, node, state).run() ?? 'cannot allocate all claims'
  } catch (error) {
    if (error instanceof SearchEnd) return error.message
    throw error
  }
}

/** Where a search is within one request. */
interface Place {
  readonly at: number
  readonly request: Request
  readonly alternative: Alternative
  readonly candidates: readonly DeviceInfo[]
  readonly count: number
}

/** Tries candidates in their order, and goes back where a later request finds none: the first solution is taken. */
class Search {
  readonly #requests: readonly Request[]
  readonly #node: NodeInfo
  readonly #state: SearchState
  readonly #ledger: Ledger
  readonly #candidates = new Map<Alternative, readonly DeviceInfo[]>()
  readonly #constraints = new Map<Claim, readonly RunningConstraint[]>()
  readonly #chosen: ChosenDevice[] = []

  constructor(requests: readonly Request[], node: NodeInfo, state: SearchState) {
    this.#requests = requests
    this.#node = node
    this.#state = state
    this.#ledger = new Ledger(state.usage)
    for (const { claim } of requests)
      this.#constraints.set(claim, (claim.spec.devices.constraints ?? []).map(createConstraint))
  }

  run(): readonly ChosenDevice[] | undefined {
    return this.#solve(0) ? this.#chosen : undefined
  }

  #solve(at: number): boolean {
    const request = this.#requests[at]
    if (!request) return true
    return request.alternatives.some((alternative) => {
      const candidates = this.#candidatesFor(request, alternative)
      const count = alternative.wantsAll ? candidates.length : alternative.count
      return count > 0 && this.#place({ at, request, alternative, candidates, count }, 0, 0)
    })
  }

  #candidatesFor(request: Request, alternative: Alternative): readonly DeviceInfo[] {
    const known = this.#candidates.get(alternative)
    if (known) return known
    const candidates = candidatesOn(this.#node, request, alternative, this.#state)
    this.#candidates.set(alternative, candidates)
    return candidates
  }

  /** Chooses the `nth` device of a request, from the candidate `from` on. */
  #place(place: Place, nth: number, from: number): boolean {
    const { at, request, alternative, candidates, count } = place
    if (nth === count) return this.#solve(at + 1)
    // A request for all devices has no choice.
    const end = alternative.wantsAll ? from + 1 : candidates.length
    for (let index = from; index < end; index++) {
      this.#state.budget.spend()
      const info = candidates[index]
      const undo = info && this.#take(request, alternative, info)
      if (!undo) continue
      const isShared = info.device.allowMultipleAllocations === true && !alternative.wantsAll
      if (this.#place(place, nth + 1, isShared ? index : index + 1)) return true
      undo()
    }
    return false
  }

  /** Undefined: the request can't have the device. Else returns the way back. */
  #take({ claim }: Request, alternative: Alternative, info: DeviceInfo): (() => void) | undefined {
    const ofClaim = this.#chosen.filter((each) => each.claim === claim)
    if (ofClaim.length >= resultsMax) return undefined
    if (alternative.adminAccess && ofClaim.some((each) => each.info === info)) return undefined
    const taken = this.#ledger.take(alternative, info)
    if (!taken) return undefined
    const passed: RunningConstraint[] = []
    const undo = (): void => {
      for (const constraint of passed) constraint.remove(alternative.name)
      taken.giveBack()
    }
    for (const constraint of this.#constraints.get(claim) ?? []) {
      if (!constraint.add(alternative.name, info)) {
        undo()
        return undefined
      }
      passed.push(constraint)
    }
    this.#chosen.push({ claim, request: alternative, info, consumed: taken.consumed })
    return () => {
      this.#chosen.pop()
      undo()
    }
  }
}
