import type {
  CacheWatch,
  CacheWatchEvent,
  CacheWatchOptions,
  CacheWatchSink,
  Entry,
  Predicate,
  WatchEnd,
} from '../../cache/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { selectShown } from '../request/selectshown.ts'
import { errorEvent } from './errorevent.ts'
import { withConverted } from './withconverted.ts'

/**
 * Watches what the predicate selects. The cache can't wait for webhook conversions: in that case it delivers every
 * object of the range, and this function selects them.
 */
export async function watchSelected(
  endpoint: Endpoint,
  options: CacheWatchOptions,
  sink: CacheWatchSink,
): Promise<CacheWatch> {
  const { cache } = endpoint.registry
  const { predicate, ...whole } = options
  if (!predicate || endpoint.codec.convertsElsewhere !== true) return cache.watch(options, sink)
  const selecting = new SelectingSink(endpoint, predicate, sink, options.from.kind === 'state')
  const watching = await cache.watch(whole, selecting)
  selecting.watching = watching
  return watching
}

/**
 * Passes on the events that watchers of the selection see. A MODIFIED object becomes ADDED when it was not selected
 * before, and DELETED in its earlier state when it no longer is.
 */
class SelectingSink implements CacheWatchSink {
  watching: CacheWatch | undefined
  readonly #endpoint: Endpoint
  readonly #matches: (entry: Entry) => boolean
  readonly #sink: CacheWatchSink
  /** The watch began with all objects: those that are not known to be selected are not. */
  readonly #knowsAll: boolean
  /**
   * By key, whether the object was selected at its last event: a shown object is removed again although a webhook
   * answers differently by now. At most the objects of the range; without the unselected ones when all are known.
   */
  readonly #selected = new Map<string, boolean>()
  #isOver = false

  constructor(endpoint: Endpoint, predicate: Predicate, sink: CacheWatchSink, knowsAll: boolean) {
    this.#endpoint = endpoint
    this.#matches = selectShown(endpoint, predicate)
    this.#sink = sink
    this.#knowsAll = knowsAll
  }

  onEvents(events: readonly CacheWatchEvent[]): boolean {
    const entries = events.flatMap((event) => this.#readOf(event))
    const selecting = withConverted(this.#endpoint, entries, () => this.#select(events))
    if (!(selecting instanceof Promise)) return this.#pass(selecting)
    void this.#passAfter(selecting)
    return false
  }

  onBegun(): void {
    this.#sink.onBegun?.()
  }

  onEnd(end: WatchEnd): void {
    this.#isOver = true
    this.#sink.onEnd(end)
  }

  /** No events arrive until these are passed on. */
  async #passAfter(selecting: Promise<readonly CacheWatchEvent[]>): Promise<void> {
    let selected: readonly CacheWatchEvent[]
    try {
      selected = await selecting
    } catch (error) {
      if (this.#isOver) return
      this.#sink.onEvents([errorEvent(error)])
      this.watching?.close()
      return
    }
    if (!this.#isOver && this.#pass(selected)) this.watching?.resume()
  }

  #pass(selected: readonly CacheWatchEvent[]): boolean {
    return selected.length === 0 || this.#sink.onEvents(selected)
  }

  /** The states that decide whether an event is selected. */
  #readOf({ type, entry, views }: CacheWatchEvent): readonly Entry[] {
    if (!entry) return []
    const isKnown = this.#wasSelected(entry.key) !== undefined
    if (type === 'DELETED') return isKnown ? [] : [entry]
    return isKnown || !views?.previous ? [entry] : [entry, views.previous]
  }

  #wasSelected(key: string): boolean | undefined {
    return this.#selected.get(key) ?? (this.#knowsAll ? false : undefined)
  }

  #select(events: readonly CacheWatchEvent[]): readonly CacheWatchEvent[] {
    return events.flatMap((event) => this.#seen(event) ?? [])
  }

  #seen(event: CacheWatchEvent): CacheWatchEvent | undefined {
    const { type, entry, views } = event
    if (!entry) return event
    const { key } = entry
    const known = this.#wasSelected(key)
    if (type === 'DELETED') {
      this.#selected.delete(key)
      return (known ?? this.#matches(entry)) ? event : undefined
    }
    const was = known ?? (views?.previous !== undefined && this.#matches(views.previous))
    const is = this.#matches(entry)
    if (is || !this.#knowsAll) this.#selected.set(key, is)
    else this.#selected.delete(key)
    if (is) return was ? event : (views?.entered() ?? event)
    return was ? views?.left() : undefined
  }
}
