import type { Clock, Random } from '../../base/index.ts'
import { StoreError } from '../contract.ts'
import type { EtcdClient } from './client.ts'
import { type GrpcFailure, grpcCodes } from './failure.ts'
import { insist } from './insist.ts'
import { encodeLeaseGrant, methods } from './messages.ts'

interface LeaseOptions {
  /**
   * Keys written within this time of each other share a lease, and may live this much longer than requested, but at
   * most a twentieth of their time to live.
   */
  reuseSeconds: number
}

interface Lease {
  id: number
  /** By the monotonic clock. */
  reusableUntilMs: number
  keys: number
}

const grantMs = 10_000
/** Revoking a lease deletes its keys in one transaction, which must stay small. */
const keysMax = 1000
/** A lease is reused for this fraction of its keys' time to live at most. */
const reuseDivisor = 20
/** Distinct times to live that are kept. */
const ttlsMax = 1000
/** Keeps ids within what a double holds. */
const idMax = 2 ** 48

/** Leases for keys with a time to live, such as kube-apiserver's events. */
export class Leases {
  readonly #clock: Clock
  readonly #random: Random
  readonly #client: EtcdClient
  readonly #reuseSecondsMax: number
  readonly #byTtl = new Map<number, Promise<Lease>>()

  constructor(dependencies: { clock: Clock; random: Random }, client: EtcdClient, options: LeaseOptions) {
    this.#clock = dependencies.clock
    this.#random = dependencies.random
    this.#client = client
    this.#reuseSecondsMax = options.reuseSeconds
  }

  /** Id of a lease that lasts at least `ttlSeconds` from now. Rejects with StoreError. */
  async idFor(ttlSeconds: number): Promise<number> {
    if (this.#reuseSeconds(ttlSeconds) === 0) return (await this.#grant(ttlSeconds)).id
    const shared = this.#byTtl.get(ttlSeconds)
    if (shared) {
      const lease = await shared.catch(() => undefined)
      if (lease && lease.keys < keysMax && this.#clock.monotonicMs() < lease.reusableUntilMs) {
        lease.keys++
        return lease.id
      }
      // The first caller replaces it; the others find the new one.
      if (this.#byTtl.get(ttlSeconds) !== shared) return await this.idFor(ttlSeconds)
    }
    const granting = this.#grant(ttlSeconds)
    this.#byTtl.delete(ttlSeconds)
    if (this.#byTtl.size >= ttlsMax) this.#byTtl.clear()
    this.#byTtl.set(ttlSeconds, granting)
    const lease = await granting
    lease.keys++
    return lease.id
  }

  /** Forgets a lease that the server doesn't know any more. */
  drop(ttlSeconds: number): void {
    this.#byTtl.delete(ttlSeconds)
  }

  /** Whole seconds, the unit of leases. */
  #reuseSeconds(ttlSeconds: number): number {
    return Math.min(this.#reuseSecondsMax, Math.floor(ttlSeconds / reuseDivisor))
  }

  async #grant(ttlSeconds: number): Promise<Lease> {
    const id = 1 + this.#random.below(idMax)
    const reuseSeconds = this.#reuseSeconds(ttlSeconds)
    const askedAtMs = this.#clock.monotonicMs()
    const frame = encodeLeaseGrant(ttlSeconds + reuseSeconds, id)
    try {
      await insist(this.#clock, grantMs, (timeoutMs) =>
        this.#client.call(methods.leaseGrant, frame, () => undefined, { repeatable: true, timeoutMs }),
      )
    } catch (error) {
      // An earlier attempt, whose answer was lost, has granted it: no other client draws this number.
      if (!isAlreadyGranted(error)) throw error
    }
    return { id, reusableUntilMs: askedAtMs + reuseSeconds * 1000, keys: 0 }
  }
}

function isAlreadyGranted(error: unknown): boolean {
  return error instanceof StoreError && (error.cause as GrpcFailure | undefined)?.code === grpcCodes.failedPrecondition
}
