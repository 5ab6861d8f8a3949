import type { Clock } from '../../base/index.ts'
import type { CacheListOptions, Entry, ListResult, Predicate } from '../../cache/index.ts'
import type { HeldConversions } from '../../scheme/index.ts'
import type { Endpoint } from '../endpoint.ts'
import { selectShown } from '../request/selectshown.ts'
import { mapWithPauses } from './mapwithpauses.ts'
import { withConverted } from './withconverted.ts'

/** The entries of a list. `held`: keeps their webhook-converted forms until it is released. */
export interface Collection extends ListResult {
  readonly held?: HeldConversions
}

/** Number of objects that are converted together, before the selection drops some. */
const chunkEntriesMax = 500
const chunkBytesMax = 8 * 1024 * 1024
/** Minimum number of entries of a page, in one state of the cache, for a list with a limit. */
const pageEntriesMin = 100

/**
 * Lists what the predicate selects. The cache can't wait for webhook conversions: in that case this function reads all
 * entries, page by page of one state until the limit is reached, and selects them itself.
 */
export async function listSelected(endpoint: Endpoint, options: CacheListOptions, clock: Clock): Promise<Collection> {
  const { predicate } = options
  if (!predicate || endpoint.codec.convertsElsewhere !== true) return endpoint.registry.cache.list(options)
  const selected = new Selected(endpoint, predicate, clock)
  try {
    return await selected.list(options)
  } catch (error) {
    selected.release()
    throw error
  }
}

class Selected implements HeldConversions {
  readonly #endpoint: Endpoint
  readonly #matches: (entry: Entry) => boolean
  readonly #clock: Clock
  readonly #entries: Entry[] = []
  readonly #held: HeldConversions[] = []

  constructor(endpoint: Endpoint, predicate: Predicate, clock: Clock) {
    this.#endpoint = endpoint
    this.#matches = selectShown(endpoint, predicate)
    this.#clock = clock
  }

  async list({ predicate: _, limit = 0, ...range }: CacheListOptions): Promise<Collection> {
    const { cache } = this.#endpoint.registry
    const pageMax = limit === 0 ? 0 : Math.max(limit, pageEntriesMin)
    let page = await cache.list({ ...range, limit: pageMax })
    const { revision } = page
    // One more than the limit shows that more remain.
    while (!(await this.#take(page.entries, limit === 0 ? Infinity : limit + 1)) && page.more) {
      const start = `${page.lastKey ?? ''}\0`
      page = await cache.list({ ...range, start, limit: pageMax, at: { kind: 'exact', revision } })
    }
    const more = limit > 0 && this.#entries.length > limit
    const entries = more ? this.#entries.slice(0, limit) : this.#entries
    return { entries, revision, more, remaining: undefined, lastKey: entries.at(-1)?.key, held: this }
  }

  release(): void {
    for (const held of this.#held.splice(0)) held.release()
  }

  /** Adds matching entries, until there are `max`; answers whether there are. */
  async #take(entries: readonly Entry[], max: number): Promise<boolean> {
    for (const chunk of chunksOf(entries)) {
      await withConverted(this.#endpoint, chunk, () => this.#takeMatches(chunk, max))
      if (this.#entries.length >= max) return true
    }
    return false
  }

  async #takeMatches(chunk: readonly Entry[], max: number): Promise<void> {
    const matching = (entry: Entry): readonly Entry[] => (this.#matches(entry) ? [entry] : [])
    const matches = (await mapWithPauses(chunk, matching, this.#clock, { itemsPerLook: 1 })).flat()
    const taken = matches.slice(0, max - this.#entries.length)
    this.#entries.push(...taken)
    const { codec, gvk } = this.#endpoint
    const held = await codec.prepare?.(taken, gvk)
    if (held) this.#held.push(held)
  }
}

function* chunksOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let chunk: Entry[] = []
  let bytes = 0
  for (const entry of entries) {
    chunk.push(entry)
    bytes += entry.stored.byteLength
    if (chunk.length < chunkEntriesMax && bytes < chunkBytesMax) continue
    yield chunk
    chunk = []
    bytes = 0
  }
  if (chunk.length > 0) yield chunk
}
