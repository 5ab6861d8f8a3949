import { quantityMilliValue } from '../../object/index.ts'
import { consumedOf } from './capacity.ts'
import type { Alternative } from './contract.ts'
import type { DeviceInfo, PoolInfo } from './deviceindex.ts'
import { qualified } from './selectors.ts'
import { addCounters, type DeviceUsage } from './usage.ts'

/** A device that a search has taken. */
export interface Taken {
  /** The amounts that it consumes of a shared device, in thousandths; undefined: the device is the claim's alone. */
  readonly consumed: ReadonlyMap<string, bigint> | undefined
  giveBack(): void
}

interface Share {
  users: number
  readonly sums: Map<string, bigint>
}

/** The devices that one search has taken, beside those of other claims. */
export class Ledger {
  readonly #usage: DeviceUsage
  readonly #own = new Set<string>()
  readonly #shares = new Map<string, Share>()
  /** Shared counters that are left, of pools that have any. */
  readonly #counters = new Map<PoolInfo, Map<string, bigint>>()

  constructor(usage: DeviceUsage) {
    this.#usage = usage
  }

  /** Undefined: the device is in use, or has not as much as the request asks for. */
  take({ adminAccess, capacity }: Alternative, info: DeviceInfo): Taken | undefined {
    const isShared = info.device.allowMultipleAllocations === true
    const asks = isShared || Object.keys(capacity).length > 0
    const consumed = asks
      ? consumedOf(info.device, capacity, (name) => qualified(name, info.driver).join('/'))
      : undefined
    if (asks && !consumed) return undefined
    if (adminAccess) return { consumed: undefined, giveBack() {} }
    return isShared && consumed ? this.#takeShare(info, consumed) : this.#takeWhole(info)
  }

  #takeWhole(info: DeviceInfo): Taken | undefined {
    if (this.#usage.taken.has(info.id) || this.#own.has(info.id) || !this.#takeCounters(info)) return undefined
    this.#own.add(info.id)
    return {
      consumed: undefined,
      giveBack: () => {
        this.#own.delete(info.id)
        addCounters(this.#countersOf(info.pool), info, 1n)
      },
    }
  }

  #takeShare(info: DeviceInfo, consumed: ReadonlyMap<string, bigint>): Taken | undefined {
    const { id, device } = info
    const share = this.#shares.get(id) ?? { users: 0, sums: new Map<string, bigint>() }
    const others = this.#usage.consumed.get(id)
    for (const [name, amount] of consumed) {
      const used = (others?.get(name) ?? 0n) + (share.sums.get(name) ?? 0n)
      if (used + amount > quantityMilliValue(device.capacity?.[name]?.value ?? '0')) return undefined
    }
    // The counters of a device count once, however many share it.
    const isFirst = others === undefined && share.users === 0
    if (isFirst && !this.#takeCounters(info)) return undefined
    this.#shares.set(id, share)
    share.users++
    addTo(share.sums, consumed, 1n)
    return {
      consumed,
      giveBack: () => {
        share.users--
        addTo(share.sums, consumed, -1n)
        if (isFirst) addCounters(this.#countersOf(info.pool), info, 1n)
      },
    }
  }

  /** False, and nothing is taken: the pool has not as much left. */
  #takeCounters(info: DeviceInfo): boolean {
    if ((info.device.consumesCounters ?? []).length === 0) return true
    const left = this.#countersOf(info.pool)
    const after = new Map(left)
    addCounters(after, info, -1n)
    for (const [key, amount] of after) if (amount < 0n && amount !== left.get(key)) return false
    this.#counters.set(info.pool, after)
    return true
  }

  #countersOf(pool: PoolInfo): Map<string, bigint> {
    const known = this.#counters.get(pool)
    if (known) return known
    const left = new Map(this.#usage.countersLeft(pool))
    this.#counters.set(pool, left)
    return left
  }
}

function addTo(sums: Map<string, bigint>, amounts: ReadonlyMap<string, bigint>, sign: 1n | -1n): void {
  for (const [name, amount] of amounts) sums.set(name, (sums.get(name) ?? 0n) + sign * amount)
}
