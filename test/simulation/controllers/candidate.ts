import { type Clock, type Random, silentLogger, silentMetrics } from '../../../lib/base/index.ts'
import { type Client, createClient, type Transport } from '../../../lib/client/index.ts'
import { createLeaderElection } from '../../../lib/controller/index.ts'

/** The Lease that managers want. */
export const lease = { namespace: 'kube-system', name: 'kube-controller-manager' }

interface CandidateDependencies {
  readonly clock: Clock
  readonly random: Random
  /** The process's own way to the Lease. */
  readonly transport: Transport
  /** Breaks that way. */
  cutOff(): void
  /** Begins to act; resolves once nothing more is done, after the signal has aborted. */
  lead(signal: AbortSignal): Promise<void>
  /** The lease is lost: the process has ended. */
  onLost(): void
}

/** A manager's process that acts while it has the Lease. */
export class Candidate {
  readonly #stopping = new AbortController()
  readonly #client: Client
  readonly #running: Promise<void>
  readonly #cutOff: () => void
  #ended = false

  constructor({ clock, random, transport, cutOff, lead, onLost }: CandidateDependencies, identity: string) {
    this.#client = createClient(transport)
    this.#cutOff = cutOff
    const election = createLeaderElection(
      { clock, random, log: silentLogger, metrics: silentMetrics, client: this.#client },
      { ...lease, identity },
    )
    this.#running = election.run(this.#stopping.signal, lead).then((outcome) => {
      if (outcome === 'lost' && !this.#ended) onLost()
      this.#ended = true
    })
  }

  /** Ends gracefully, and releases the Lease. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the process is asked to end'))
    await this.#running
    await this.#client.close()
  }

  /** Ends at once: nothing that it still wants to do reaches the server. */
  crash(): void {
    this.#ended = true
    this.#cutOff()
    this.#stopping.abort(new Error('the process has crashed'))
  }
}
