import type { Event } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type Clock, type Random, silentLogger } from '../../../lib/base/index.ts'
import type { Client } from '../../../lib/client/index.ts'
import { createInformer } from '../../../lib/controller/index.ts'
import type { Frozen } from '../../../lib/object/index.ts'

/** An Event object as it was recorded, or counted once more. */
export interface PlaneEvent {
  readonly event: Frozen<Event>
  /** Number of events right before this one that were dropped, as more than 1000 were waiting to be read. */
  readonly dropped: number
}

export interface PlaneEvents {
  readonly events: AsyncIterable<PlaneEvent>
  /** Ends all iterations. */
  close(): void
}

/** Maximum number of events that wait for a reader; beyond, the oldest are dropped. */
const waitingMax = 1000

export function createPlaneEvents(
  services: { readonly clock: Clock; readonly random: Random },
  client: Client,
): PlaneEvents {
  const open = new Set<EventReader>()
  return {
    events: {
      [Symbol.asyncIterator]() {
        const informer = createInformer({ ...services, log: silentLogger }, client.resource(resources.core.v1.events))
        const reader = new EventReader(() => {
          open.delete(reader)
          informer.close()
        })
        open.add(reader)
        informer.subscribe(({ object, deleted }) => {
          if (!deleted) reader.add(object)
        })
        informer.start()
        return reader
      },
    },
    close() {
      for (const reader of open) reader.end()
    },
  }
}

/** One iteration: events in the order in which they were written. */
class EventReader implements AsyncIterator<PlaneEvent, undefined> {
  readonly #release: () => void
  #waiting: Frozen<Event>[] = []
  #readers: ((result: IteratorResult<PlaneEvent, undefined>) => void)[] = []
  #dropped = 0
  #isOver = false

  constructor(release: () => void) {
    this.#release = release
  }

  add(event: Frozen<Event>): void {
    const reader = this.#readers.shift()
    if (reader) return reader({ value: { event, dropped: 0 }, done: false })
    this.#waiting.push(event)
    if (this.#waiting.length <= waitingMax) return
    this.#waiting.shift()
    this.#dropped++
  }

  async next(): Promise<IteratorResult<PlaneEvent, undefined>> {
    const event = this.#waiting.shift()
    if (event) {
      const dropped = this.#dropped
      this.#dropped = 0
      return { value: { event, dropped }, done: false }
    }
    if (this.#isOver) return { value: undefined, done: true }
    return await new Promise((resolve) => this.#readers.push(resolve))
  }

  async return(): Promise<IteratorResult<PlaneEvent, undefined>> {
    this.#waiting = []
    this.end()
    return { value: undefined, done: true }
  }

  /** Ends the iteration, after the events that wait. */
  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#release()
    for (const reader of this.#readers) reader({ value: undefined, done: true })
    this.#readers = []
  }
}
