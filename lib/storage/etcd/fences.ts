import type { Clock, Random } from '../../base/index.ts'
import type { Revision } from '../../object/index.ts'
import type { EtcdClient } from './client.ts'
import { insist } from './insist.ts'
import type { Leases } from './lease.ts'
import { decodeWrite, encodeGuardedWrite, methods } from './messages.ts'

/** No stopped member holds a request this long. */
const fenceSeconds = 3600

/**
 * Prevents a creation whose answer was lost from happening later: a stopped member may hold the request, and forward it
 * when it continues. Unlike the guard of an update, "the key doesn't exist" can become true again by then.
 *  A fence is a key that doesn't exist, and every creation compares that it doesn't. To shut a fence is to write that
 *  key: a creation that compared it and hasn't happened yet never will. Later creations compare the next fence. So a
 *  creation costs one more comparison, and one more write only after a lost answer. Fences of different stores have
 *  different names.
 */
export class Fences {
  readonly #clock: Clock
  readonly #client: EtcdClient
  readonly #leases: Leases
  readonly #base: string
  #count = 0
  /** Many answers are lost at once when a member stops: they share one write. */
  readonly #shutting = new Map<string, Promise<Revision>>()
  /** The key that creations compare at present. */
  current: string

  constructor(dependencies: { clock: Clock; random: Random }, client: EtcdClient, leases: Leases, prefix: string) {
    this.#clock = dependencies.clock
    this.#client = client
    this.#leases = leases
    this.#base = `${prefix}${dependencies.random.below(2 ** 48).toString(36)}-`
    this.current = `${this.#base}0`
  }

  /** Resolves with a revision at which `fence` is shut. Rejects with StoreError. */
  shut(fence: string, timeoutMs: number): Promise<Revision> {
    if (fence === this.current) this.current = `${this.#base}${++this.#count}`
    let shutting = this.#shutting.get(fence)
    if (!shutting) {
      shutting = this.#write(fence, timeoutMs).finally(() => this.#shutting.delete(fence))
      this.#shutting.set(fence, shutting)
    }
    return shutting
  }

  async #write(fence: string, timeoutMs: number): Promise<Revision> {
    const lease = await this.#leases.idFor(fenceSeconds)
    const frame = encodeGuardedWrite({ key: fence, expected: 0, value: new Uint8Array(0), lease })
    // A refusal means that it is shut already.
    const reply = await insist(this.#clock, timeoutMs, (tryMs) =>
      this.#client.call(methods.txn, frame, decodeWrite, { repeatable: true, timeoutMs: tryMs }),
    )
    return reply.revision
  }
}
