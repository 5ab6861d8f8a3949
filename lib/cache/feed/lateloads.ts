import type { Store, StoreEvent } from '../../storage/index.ts'
import type { CacheOptions } from '../options.ts'
import { Semaphore } from '../semaphore.ts'
import type { CachedResource } from '../state/resource.ts'
import { loadPrefix } from './load.ts'

interface LateLoadDependencies {
  readonly store: Pick<Store, 'range'>
  readonly signal: AbortSignal
}

type LateLoadOptions = Pick<
  CacheOptions,
  'loadsAtOnceMax' | 'lateLoadEventsMax' | 'loadPageKeys' | 'loadPageKeysMax' | 'loadPageBytes'
>

/** Events of a resource that arrive while it loads. */
interface Joining {
  events: StoreEvent[]
  overflown: boolean
}

/** Loads resources that are attached while the stream runs: their events are queued during the load and applied afterwards. */
export class LateLoads {
  readonly #dependencies: LateLoadDependencies
  readonly #options: LateLoadOptions
  readonly #semaphore: Semaphore
  /** By prefix. */
  readonly #joining = new Map<string, Joining>()

  constructor(dependencies: LateLoadDependencies, options: LateLoadOptions) {
    this.#dependencies = dependencies
    this.#options = options
    this.#semaphore = new Semaphore(options.loadsAtOnceMax)
  }

  /** Queues the event if the resource is loading; false: it isn't. */
  putAside(prefix: string, event: StoreEvent): boolean {
    const joining = this.#joining.get(prefix)
    if (!joining) return false
    if (joining.events.length < this.#options.lateLoadEventsMax) joining.events.push(event)
    else joining.overflown = true
    return true
  }

  /** Loads a resource. `isOver`: the stream broke (its next load includes everything) or the resource was detached. */
  async join(cache: CachedResource, isOver: () => boolean): Promise<void> {
    const { store, signal } = this.#dependencies
    const { prefix } = cache
    await this.#semaphore.run(async () => {
      if (isOver()) return
      const joining: Joining = { events: [], overflown: false }
      this.#joining.set(prefix, joining)
      const loaded = await loadPrefix(store, prefix, undefined, { sizes: this.#options, signal })
      if (isOver() || this.#joining.get(prefix) !== joining) return
      if (joining.overflown) throw new Error('too many events while loading')
      this.#joining.delete(prefix)
      cache.load(loaded.values, loaded.revision)
      for (const event of joining.events) cache.apply(event)
      cache.afterEvents()
    })
  }

  forget(prefix: string): void {
    this.#joining.delete(prefix)
  }

  clear(): void {
    this.#joining.clear()
  }
}
