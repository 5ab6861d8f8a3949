import type { Clock, Closable, Logger, Random } from '../base/index.ts'
import { StatusError } from '../object/index.ts'

/** Writes records in the background, several at a time, but those of one key one after the other. */
export interface EventWriter<Record> extends Closable {
  /** Records that wait. */
  readonly waiting: number
  /** Records wait, or are being written. */
  readonly isBusy: boolean
  /** The record is written as it is when its turn comes; one that waits already is written once. Never waits. */
  put(key: string, record: Record): void
  /** Drops waiting records; resolves once those being written are written or have failed. */
  close(): Promise<void>
}

interface EventWriterDependencies {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
}

/** Concurrent writes: they share commits of the store, and a slow one does not delay the others. */
const writesAtOnce = 8
const triesMax = 12
const retryMs = 10_000
/** How long `close` waits for events that are being written. */
const closeMsMax = 500

/** `write` rejects with StatusError where the server has answered, which is final; lost requests are retried, as stock clients do. */
export function createEventWriter<Record>(
  { clock, random, log }: EventWriterDependencies,
  write: (record: Record, signal: AbortSignal) => Promise<void>,
): EventWriter<Record> {
  /** By key, in the order of their first event. */
  const waiting = new Map<string, Record>()
  const underWay = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const late = new AbortController()

  async function tryWrite(key: string, record: Record): Promise<void> {
    for (let attempt = 1; attempt <= triesMax; attempt++) {
      try {
        waiting.delete(key)
        return await write(record, late.signal)
      } catch (error) {
        if (error instanceof StatusError || stopping.signal.aborted || attempt === triesMax) {
          log.verbose(4, 'an event was not written', { event: key, error })
          return
        }
        const pauseMs = attempt === 1 ? retryMs * random.fraction() : retryMs
        await clock.sleep(pauseMs, stopping.signal).catch(() => {})
        // It was closed meanwhile.
        if (stopping.signal.aborted) return
      }
    }
  }

  function startWrites(): void {
    for (const [key, record] of waiting) {
      if (underWay.size >= writesAtOnce) return
      if (underWay.has(key)) continue
      const written = tryWrite(key, record).finally(() => {
        underWay.delete(key)
        startWrites()
      })
      underWay.set(key, written)
    }
  }

  return {
    get waiting() {
      return waiting.size
    },
    get isBusy() {
      return waiting.size + underWay.size > 0
    },
    put(key, record) {
      if (stopping.signal.aborted) return
      waiting.set(key, record)
      startWrites()
    },
    async close() {
      stopping.abort(new Error('the recorder is closed'))
      waiting.clear()
      const timer = clock.after(closeMsMax, () => late.abort(new Error('the server does not answer')))
      await Promise.all(underWay.values())
      void timer.close()
    },
  }
}
