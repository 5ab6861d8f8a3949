import { createLoop, fetchGroups, type Loop } from '../aggregation/index.ts'
import { type Closable, type Counter } from '../base/index.ts'
import type { Backend } from '../proxy/index.ts'
import type { Peer, PeersDependencies } from './contract.ts'
import type { PeerGroup } from './union.ts'

const fetchTimeoutMs = 5_000
/** A replica begins to serve another resource at its start only, but for those that are excluded. */
const periodMs = 30 * 60_000
const retryMsMin = 200

/** One peer: connections to it, and what it serves. */
export class Replica implements Closable {
  readonly peer: Peer
  readonly backend: Backend
  /** Empty until it has answered. */
  groups: readonly PeerGroup[] = []
  readonly #dependencies: PeersDependencies
  readonly #errors: Counter
  readonly #changed: () => void
  readonly #fetching: Loop

  constructor(peer: Peer, dependencies: PeersDependencies, errors: Counter, changed: () => void) {
    this.peer = peer
    this.#dependencies = dependencies
    this.#errors = errors
    this.#changed = changed
    this.backend = dependencies.connect(() => dependencies.addressOf(peer.name))
    this.#fetching = createLoop(dependencies, { periodMs, retryMsMin }, (signal) => this.#fetch(signal))
    this.#fetching.again()
  }

  close(): void {
    this.#fetching.close()
    this.backend.close()
  }

  async #fetch(signal: AbortSignal): Promise<boolean> {
    const { clock, log, headers } = this.#dependencies
    const { name } = this.peer
    const limit = new AbortController()
    const timer = clock.after(fetchTimeoutMs, () => limit.abort(new Error(`no answer within ${fetchTimeoutMs} ms`)))
    try {
      this.groups = await fetchGroups(
        this.backend,
        { headers, profile: 'nopeer' },
        AbortSignal.any([signal, limit.signal]),
      )
      this.#changed()
      return true
    } catch (error) {
      if (signal.aborted) return true
      this.#errors.add(['fetch_discovery'])
      log.warn('discovery of another replica failed', { name, error })
      return false
    } finally {
      void timer.close()
    }
  }
}
