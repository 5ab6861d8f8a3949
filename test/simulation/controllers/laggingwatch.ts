import { type Clock, type Closable, createSeededRandom, type Random } from '../../../lib/base/index.ts'
import { RequestError, type WatchSink } from '../../../lib/client/index.ts'
import { type ApiObject, StatusError } from '../../../lib/object/index.ts'
import type { FaultRates } from './network.ts'

const lagMsMax = 4000
const longLagMsMax = 25_000

type Events = Parameters<WatchSink<ApiObject>['onEvents']>[0]

interface Waiting {
  readonly event: Events[number]
  readonly dueMs: number
  readonly isCut: boolean
}

interface WatchDependencies {
  readonly clock: Clock
  readonly random: Random
}

/**
 * One watch over a bad network: its events may be late, each with all that follow, and it may break before any of them.
 * What becomes of an event depends on its place in the watch, not on how the server gathers events.
 */
export class LaggingWatch implements Closable, WatchSink<ApiObject> {
  rates: FaultRates
  readonly #clock: Clock
  readonly #random: Random
  readonly #sink: WatchSink<ApiObject>
  #inner: Closable | undefined
  #waiting: Waiting[] = []
  #timer: Closable | undefined
  #lastDueMs = 0
  #isOver = false

  constructor({ clock, random }: WatchDependencies, rates: FaultRates, sink: WatchSink<ApiObject>) {
    this.rates = rates
    this.#clock = clock
    this.#random = createSeededRandom(random.below(2 ** 32))
    this.#sink = sink
  }

  /** Reports that all changes up to this revision have been sent. */
  bookmark(revision: number): void {
    this.#take([bookmarkAt(String(revision))])
  }

  begin(inner: Closable): void {
    this.#inner = inner
    if (this.#isOver) void inner.close()
  }

  onEvents(events: Events): void {
    this.#take(events.filter((event) => !isOwnPace(event)))
  }

  onEnd(error?: StatusError | Error): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#waiting = []
    void this.#timer?.close()
    void this.#inner?.close()
    this.#sink.onEnd(error)
  }

  close(): void {
    this.onEnd()
  }

  #take(events: Events): void {
    if (this.#isOver) return
    for (const event of events) {
      const lagMs = this.#chance(this.rates.lagging)
        ? this.#random.below(this.#chance(0.05) ? longLagMsMax : lagMsMax)
        : 0
      this.#lastDueMs = Math.max(this.#lastDueMs, this.#clock.monotonicMs() + lagMs)
      this.#waiting.push({ event, dueMs: this.#lastDueMs, isCut: this.#chance(this.rates.cut) })
    }
    this.#deliver()
  }

  #deliver(): void {
    void this.#timer?.close()
    const nowMs = this.#clock.monotonicMs()
    const events: Events[number][] = []
    while (this.#waiting[0] && this.#waiting[0].dueMs <= nowMs) {
      const { event, isCut } = this.#waiting.shift() as Waiting
      if (isCut) return this.#cut()
      events.push(event)
    }
    const [next] = this.#waiting
    if (next) this.#timer = this.#clock.after(next.dueMs - nowMs, () => this.#deliver())
    if (events.length > 0) this.#sink.onEvents(events)
  }

  #cut(): void {
    const dice = this.#random.below(3)
    if (dice === 0) return this.onEnd()
    this.onEnd(dice === 1 ? new RequestError('the watch broke') : new StatusError(410, 'Expired', 'too old'))
  }

  #chance(of: number): boolean {
    return this.#random.fraction() < of
  }
}

/** The server's own bookmarks and heartbeats come at times that depend on what it has done before the seed. */
function isOwnPace({ type, object: { metadata } }: Events[number]): boolean {
  if (type === 'BOOKMARK') return metadata.annotations === undefined
  return metadata.namespace === 'kube-system' && metadata.name?.startsWith('apiserver-') === true
}

function bookmarkAt(resourceVersion: string): Events[number] {
  return { type: 'BOOKMARK', object: { apiVersion: '', kind: '', metadata: { resourceVersion } } }
}
