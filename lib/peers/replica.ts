import { fetchGroups } from '../aggregation/index.ts'
import { type Closable, type Counter, createRepeatedWork, type RepeatedWork } from '../base/index.ts'
import type { Backend } from '../proxy/index.ts'
import type { Peer, PeersDependencies } from './contract.ts'
import type { PeerGroup } from './union.ts'

const fetchTimeoutMs = 5_000
/** A replica only begins to serve another resource when it starts, except for excluded ones. */
const periodMs = 30 * 60_000
const retries = { firstMs: 200, maxMs: periodMs, spread: [0.9, 1] } as const

/** One peer: connections to it, and the resources that it serves. */
export class Replica implements Closable {
  readonly peer: Peer
  readonly backend: Backend
  /** Empty until it has answered. */
  groups: readonly PeerGroup[] = []
  readonly #dependencies: PeersDependencies
  readonly #errors: Counter
  readonly #changed: () => void
  readonly #fetching: RepeatedWork

  constructor(peer: Peer, dependencies: PeersDependencies, errors: Counter, changed: () => void) {
    this.peer = peer
    this.#dependencies = dependencies
    this.#errors = errors
    this.#changed = changed
    this.backend = dependencies.connect(() => dependencies.addressOf(peer.name))
    this.#fetching = createRepeatedWork(dependencies, {
      name: `discovery of the replica ${peer.name}`,
      periodMs,
      periodSpread: retries.spread,
      backoff: retries,
      run: (signal) => this.#fetch(signal),
    })
    this.#fetching.again()
  }

  close(): void {
    void this.#fetching.close()
    this.backend.close()
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    const { clock, headers } = this.#dependencies
    const limit = new AbortController()
    const timer = clock.after(fetchTimeoutMs, () => limit.abort(new Error(`no answer within ${fetchTimeoutMs} ms`)))
    try {
      this.groups = await fetchGroups(
        this.backend,
        { headers, profile: 'nopeer' },
        AbortSignal.any([signal, limit.signal]),
      )
      this.#changed()
    } catch (error) {
      if (!signal.aborted) this.#errors.add(['fetch_discovery'])
      throw error
    } finally {
      void timer.close()
    }
  }
}
