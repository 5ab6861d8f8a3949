import type { Clock, Closable, Logger, Metrics, Random } from '../../base/index.ts'
import { createClient, type Transport } from '../../client/index.ts'
import { createEventSink, createLeaderElection, type LeaderElectionOptions } from '../../controller/index.ts'

type Services = { readonly clock: Clock; readonly random: Random; readonly log: Logger; readonly metrics: Metrics }

interface Candidate {
  readonly election: LeaderElectionOptions
  /** The name of events about the lease. */
  readonly component: string
  /** Sends the requests of the election. */
  readonly transport: Transport
}

/** A part of this process that works while it holds a lease. */
export interface LeadingPart {
  /** Resolves once it works for the first time; rejects where that start fails. */
  readonly started: Promise<void>
  /** Ends the part, and releases the lease. */
  close(): Promise<void>
}

/** Pause before the part is started again after a failure. */
const againMs = 2000

/** Starts a part of this process whenever it holds the lease, and closes it when the lease is lost. */
export function whileLeading(
  services: Services,
  { election, component, transport }: Candidate,
  start: () => Promise<Closable>,
): LeadingPart {
  const { clock, log } = services
  const client = createClient(transport)
  const events = createEventSink({ ...services, client }, { component })
  const leadership = createLeaderElection(
    { ...services, client, announce: (lease, message) => events.event(lease, 'Normal', 'LeaderElection', message) },
    election,
  )
  const stopping = new AbortController()
  const { signal } = stopping
  const started = Promise.withResolvers<void>()
  /** After a loss, the next start waits for the end of the part before. */
  let before: Promise<void> = Promise.resolve()

  async function lead(leading: AbortSignal): Promise<void> {
    await before
    if (leading.aborted) return
    const part = await start()
    started.resolve()
    await new Promise<void>((over) => {
      if (leading.aborted) over()
      leading.addEventListener('abort', () => over(), { once: true })
    })
    await part.close()
  }

  async function run(): Promise<void> {
    while (!signal.aborted)
      try {
        await leadership.run(signal, (leading) => (before = lead(leading)))
      } catch (error) {
        started.reject(error)
        before = Promise.resolve()
        log.error('a part that leads has failed', { lease: election.name, error })
        await clock.sleep(againMs, signal).catch(() => {})
      }
  }

  const running = run()
  // A failure is reported to the waiter alone.
  started.promise.catch(() => {})
  return {
    started: started.promise,
    async close() {
      stopping.abort(new Error('the process stops'))
      await running
      await events.close()
      await client.close()
    },
  }
}
