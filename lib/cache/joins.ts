import type { Store, StoreEvent } from '../storage/index.ts'
import { loadPrefix } from './load.ts'
import type { CacheOptions } from './options.ts'
import type { CachedResource } from './resource.ts'
import type { Retrying } from './retrying.ts'
import { Turns } from './turns.ts'

export interface JoinDependencies {
  readonly store: Pick<Store, 'range'>
  readonly retrying: Retrying
  readonly signal: AbortSignal
}

type JoinOptions = Pick<CacheOptions, 'loadsAtOnceMax' | 'joinEventsMax' | 'loadPageKeys'>

/** Events of a resource that loads while the stream goes on. */
interface Joining {
  events: StoreEvent[]
  overflown: boolean
}

/** Resources that come while the stream goes on: what it brings while they load is put aside and applied on top. */
export class Joins {
  readonly #dependencies: JoinDependencies
  readonly #options: JoinOptions
  readonly #turns: Turns
  /** By prefix. */
  readonly #joining = new Map<string, Joining>()

  constructor(dependencies: JoinDependencies, options: JoinOptions) {
    this.#dependencies = dependencies
    this.#options = options
    this.#turns = new Turns(options.loadsAtOnceMax)
  }

  /** True when the resource is loading, and gets the event afterwards. */
  putAside(prefix: string, event: StoreEvent): boolean {
    const joining = this.#joining.get(prefix)
    if (!joining) return false
    if (joining.events.length < this.#options.joinEventsMax) joining.events.push(event)
    else joining.overflown = true
    return true
  }

  /** Loads a resource until that works. `isOver`: the stream broke, whose next load brings everything, or nobody wants it. */
  async join(cache: CachedResource, isOver: () => boolean): Promise<void> {
    const { store, signal, retrying } = this.#dependencies
    const { prefix } = cache
    await retrying(`load ${prefix}`, () =>
      this.#turns.run(async () => {
        if (isOver()) return
        const joining: Joining = { events: [], overflown: false }
        this.#joining.set(prefix, joining)
        const { loadPageKeys: pageKeys } = this.#options
        const loaded = await loadPrefix(store, prefix, undefined, { pageKeys, signal })
        if (isOver() || this.#joining.get(prefix) !== joining) return
        if (joining.overflown) throw new Error('too many events while loading')
        this.#joining.delete(prefix)
        cache.load(loaded.values, loaded.revision)
        for (const event of joining.events) cache.apply(event)
        cache.settle()
      }),
    )
  }

  forget(prefix: string): void {
    this.#joining.delete(prefix)
  }

  clear(): void {
    this.#joining.clear()
  }
}
