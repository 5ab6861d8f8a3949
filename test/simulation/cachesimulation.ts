import {
  assert,
  type Clock,
  createFakeClock,
  createSeededRandom,
  type Metrics,
  type Random,
  silentLogger,
  silentMetrics,
} from '../../lib/base/index.ts'
import {
  type CacheOptions,
  type CacheWatch,
  type CacheWatchEvent,
  createFeed,
  type Feed,
  type ResourceCache,
  type ResourceOptions,
  type WatchFrom,
} from '../../lib/cache/index.ts'
import { asRevision, StatusError } from '../../lib/object/index.ts'
import { createMemoryStore, prefixEnd, type Store, StoreError, type WriteResult } from '../../lib/storage/index.ts'
import { encodeObject, labelled, resourceOptions } from '../support/cachekit.ts'
import { createFaultyStore, type FaultyStore } from '../support/faultystore.ts'
import { entryLine, Model, type Scope, same, violated, WatchChecker } from './cachemodel.ts'

/** How a cache is made worse before it is simulated: the simulation must notice. */
export type Canary = (cache: ResourceCache, random: Random) => ResourceCache

interface SimulationOptions {
  seed: number
  steps: number
  /** Breaks of the stream, compactions, failing and slow reads. */
  faults: boolean
  canary?: Canary | undefined
  /** What resources bring to their caches, when that is to be wrong. */
  brings?: ((options: ResourceOptions) => ResourceOptions) | undefined
}

/** What was checked, so that a simulation that checks nothing can't pass for a success. */
export interface Tally {
  events: number
  lists: number
  restarts: number
  refused: number
  tooOld: number
}

const namespaces = ['a', 'b', 'c']
const nodes = ['n1', 'n2', 'n3']
const namesPerNamespace = 6
const watchersMax = 24

/** Small limits, so that all of them are met. */
const options: Partial<CacheOptions> = {
  loadPageKeys: 4,
  loadPageKeysMax: 6,
  historyEventsMin: 16,
  historyEventsMax: 64,
  historyFreshMs: 20_000,
  snapshotEveryEvents: 5,
  snapshotKeepMs: 10_000,
  batchEventsMax: 3,
  lateLoadEventsMax: 20,
  stallMsMax: 10_000,
  bookmarkPeriodMs: 5_000,
  writeHintsMax: 4,
  entryBytesMax: 4_096,
  objectBytesMax: 8_192,
  labelIndexPeriodMs: 15_000,
  labelIndexAsksMin: 1,
  indexedShareMax: 100,
}

interface Watching {
  readonly resource: string
  readonly scope: Scope
  readonly checker: WatchChecker
  watch: CacheWatch | undefined
  takes: boolean
  over: boolean
}

/** Runs one seeded history of writers, readers, watchers and faults; throws Violation at the first thing amiss. */
export async function simulate({ seed, steps, faults, canary, brings }: SimulationOptions): Promise<Tally> {
  const simulation = new Simulation(seed, faults, canary, brings)
  try {
    await simulation.run(steps)
    return simulation.tally
  } finally {
    await simulation.close()
  }
}

class Simulation {
  readonly tally: Tally = { events: 0, lists: 0, restarts: 0, refused: 0, tooOld: 0 }
  readonly #random: Random
  readonly #clock = createFakeClock()
  readonly #memory: Store
  readonly #store: FaultyStore
  readonly #model = new Model()
  readonly #feed: Feed
  readonly #faults: boolean
  readonly #canary: Canary | undefined
  readonly #brings: (options: ResourceOptions) => ResourceOptions
  readonly #caches = new Map<string, { plain: ResourceCache; used: ResourceCache }>()
  readonly #watchings = new Set<Watching>()
  readonly #pending = new Set<Promise<void>>()
  readonly #gates: (() => void)[] = []
  #slow = false
  #failing = false
  /** The newest write that was answered. */
  #written = 1
  /** Where watches may be refused for another reason than a short history: the revision of the newest load. */
  #loadedAt = Number.POSITIVE_INFINITY
  #compacted = 0
  #failure: unknown

  constructor(seed: number, faults: boolean, canary: Canary | undefined, brings: SimulationOptions['brings']) {
    this.#brings = brings ?? ((options) => options)
    this.#random = createSeededRandom(seed)
    this.#faults = faults
    this.#canary = canary
    const log = silentLogger
    this.#memory = createMemoryStore({ clock: this.#clock, log }, { compactionIntervalMs: 0 })
    this.#store = createFaultyStore(this.#memory)
    this.#store.held = true
    this.#store.beforeRead = () => {
      if (this.#failing && this.#chance(0.5)) throw new StoreError('unavailable', 'failing')
      return this.#chance(0.5) ? this.#gate() : undefined
    }
    this.#store.afterRead = () => (this.#chance(0.5) ? this.#gate() : undefined)
    this.#feed = createFeed(
      { store: this.#store, clock: this.#hastyClock(), log, metrics: this.#loadMetrics() },
      // In every other history, labels and indexes don't fit.
      { prefix: '/registry/', ...options, selectedBytesMin: seed % 2 === 0 ? 2_048 : 65_536 },
    )
  }

  async run(steps: number): Promise<void> {
    this.#attach('pods')
    for (let count = 0; count < 10; count++) await this.#write()
    void this.#feed.start().catch(() => undefined)
    await this.#settle()
    for (let step = 0; step < steps; step++) {
      await this.#act()
      if (this.#chance(0.3)) await this.#settle()
      this.#raise()
    }
    await this.#calm()
    for (const { checker, over, watch } of this.#watchings) if (!over && watch && checker.started) checker.complete()
    await this.#finalReads()
    this.#raise()
  }

  async close(): Promise<void> {
    this.#slow = false
    while (this.#gates.length > 0) this.#gates.shift()?.()
    await this.#feed.close()
    await this.#store.close()
  }

  // Steps.

  async #act(): Promise<void> {
    const actions: [number, () => void | Promise<void>][] = [
      [30, () => this.#write()],
      [3, () => this.#writeMany()],
      [25, () => this.#store.deliver(this.#chance(0.3) ? undefined : 1 + this.#random.below(5))],
      [25, () => this.#gates.splice(this.#random.below(this.#gates.length + 1), 1).forEach((open) => open())],
      [10, () => this.#openWatch()],
      [4, () => this.#closeWatch()],
      [8, () => this.#changePace()],
      [8, () => this.#read()],
      [8, () => this.#readConsistently()],
      [6, () => this.#readExactly()],
      [6, () => this.#clock.advance(this.#random.below(2_000))],
      [1, () => this.#toggleWidgets()],
      ...(this.#faults ? this.#faultActions() : []),
    ]
    let dice = this.#random.below(actions.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, act] of actions) {
      if (dice < weight) return await act()
      dice -= weight
    }
  }

  #faultActions(): [number, () => void][] {
    return [
      [1, () => this.#break()],
      [1, () => (this.#slow = !this.#slow)],
      [1, () => (this.#failing = !this.#failing)],
      [1, () => (this.#store.progressSupported = !this.#store.progressSupported)],
      [1, () => this.#compact()],
    ]
  }

  /** Writers don't fail here: their trouble is the store's and the registry's. */
  async #write(): Promise<void> {
    const resource = this.#chance(0.05) ? '' : this.#pick(this.#chance(0.8) ? ['pods'] : ['widgets'])
    const name = `o${this.#random.below(namesPerNamespace)}`
    const key = resource ? `/registry/${resource}/${this.#pick(namespaces)}/${name}` : `/elsewhere/${name}`
    const node = this.#pick(nodes)
    const known = this.#model.current(key)
    const gone = known !== undefined && this.#chance(0.3)
    const value = encodeObject({ node })
    let result: WriteResult
    if (!known) result = await this.#memory.create(key, value)
    else if (gone) result = await this.#memory.delete(key, asRevision(known.revision))
    else result = await this.#memory.update(key, value, asRevision(known.revision))
    assert(result.ok, `could not write ${key}`)
    this.#written = result.revision
    this.#model.record({ key, node: gone ? undefined : node, revision: result.revision })
    if (resource && !gone && this.#chance(0.5)) this.#adopt(resource, key, result.revision)
  }

  async #writeMany(): Promise<void> {
    for (let count = this.#random.below(60); count > 0; count--) await this.#write()
  }

  #adopt(resource: string, key: string, revision: number): void {
    const { decode } = resourceOptions()
    const node = this.#model.writes.at(-1)?.node ?? ''
    const object = decode(encodeObject({ node }), asRevision(revision), key)
    this.#caches.get(resource)?.plain.adopt({ key, revision: asRevision(revision), object })
  }

  #break(): void {
    this.#compact()
    this.tally.restarts++
    this.#loadedAt = Number.POSITIVE_INFINITY
    this.#store.breakWatches(new StoreError('compacted', 'compacted'))
  }

  #compact(): void {
    const revision = Math.max(this.#compacted, this.#written - this.#random.below(40))
    this.#compacted = revision
    void this.#store.compact(asRevision(revision))
  }

  #toggleWidgets(): void {
    const known = this.#caches.get('widgets')
    if (!known) return this.#attach('widgets')
    this.#caches.delete('widgets')
    this.#feed.detach(known.plain)
  }

  #attach(resource: string): void {
    const plain = this.#feed.attach(this.#brings(resourceOptions(resource)))
    this.#caches.set(resource, { plain, used: this.#canary ? this.#canary(plain, this.#random) : plain })
  }

  // Watches.

  #openWatch(): void {
    if (this.#watchings.size >= watchersMax) return
    const { resource, cache, scope, predicate } = this.#target()
    const begin = this.#begin()
    const after = begin.kind === 'after' ? begin.revision : undefined
    const checker = new WatchChecker(this.#model, scope, after)
    const watching: Watching = { resource, scope, checker, watch: undefined, takes: this.#chance(0.8), over: false }
    this.#watchings.add(watching)
    const sink = {
      onEvents: (events: readonly CacheWatchEvent[]) => {
        for (const event of events) this.#see(watching, event, after)
        return watching.takes
      },
      onEnd: () => {
        watching.over = true
        this.#watchings.delete(watching)
      },
    }
    const { start, end } = scope
    const bookmarks = { bookmarks: true, initialEventsEnd: true }
    this.#await(
      cache.watch({ start, end, from: begin, ...bookmarks, ...(predicate ? { predicate } : {}) }, sink).then(
        (watch) => {
          watching.watch = watch
        },
        (error: unknown) => {
          this.#watchings.delete(watching)
          this.#refused(error)
        },
      ),
    )
  }

  #begin(): WatchFrom {
    const revision = this.#written
    if (this.#chance(0.5))
      return { kind: 'after', revision: asRevision(Math.max(1, revision + 3 - this.#random.below(80))) }
    if (this.#chance(0.3)) return { kind: 'state', at: { kind: 'any' } }
    if (this.#chance(0.3))
      return { kind: 'state', at: { kind: 'notOlderThan', revision: asRevision(this.#random.below(revision) + 1) } }
    return { kind: 'state', at: { kind: 'latest' } }
  }

  #see(watching: Watching, event: CacheWatchEvent, requested: number | undefined): void {
    try {
      violated(!watching.over, 'an event after the end')
      if (event.type !== 'ERROR') {
        this.tally.events++
        watching.checker.see(event)
        return
      }
      violated(event.error?.code === 410, `ERROR ${event.error?.message}`)
      this.tally.tooOld++
      const since = watching.checker.started ? watching.checker.revision : (requested ?? 0)
      const missedSince = (revision: number): number =>
        this.#model.changesAfter(`/registry/${watching.resource}/`, revision)
      // A missed change that the store has compacted is forgotten, too.
      const forgotten =
        missedSince(since) > Math.min(options.historyEventsMin ?? 0, missedSince(Math.max(since, this.#compacted - 1)))
      // Widgets come and go; a load begins a new history; and the stream may break, just after a compaction.
      const broken = this.#faults && event.error?.message === 'The resourceVersion for the provided watch is too old.'
      const reloaded = watching.resource === 'widgets' || since < this.#loadedAt || broken
      violated(forgotten || reloaded, `410 after ${since}, which history must know: ${event.error?.message}`)
    } catch (error) {
      this.#failure ??= error
    }
  }

  #closeWatch(): void {
    this.#pick([...this.#watchings, undefined])?.watch?.close()
  }

  #changePace(): void {
    const watching = this.#pick([...this.#watchings, undefined])
    if (!watching) return
    watching.takes = !watching.takes
    if (watching.takes) watching.watch?.resume()
  }

  // Reads.

  #read(): void {
    const { cache, scope, predicate } = this.#target()
    const revision = asRevision(1 + this.#random.below(this.#written + 2))
    const at = this.#chance(0.5) ? ({ kind: 'any' } as const) : ({ kind: 'notOlderThan', revision } as const)
    const oldest = at.kind === 'any' ? 0 : revision
    this.#list(cache, scope, oldest, { at, ...(predicate ? { predicate } : {}) })
  }

  #readConsistently(): void {
    const { cache, scope, predicate } = this.#target()
    const oldest = this.#written
    if (this.#chance(0.5))
      this.#list(cache, scope, oldest, { at: { kind: 'latest' }, ...(predicate ? { predicate } : {}) })
    else this.#get(cache, oldest)
  }

  #get(cache: ResourceCache, oldest: number): void {
    const key = `${cache.prefix}${this.#pick(namespaces)}/o${this.#random.below(namesPerNamespace)}`
    this.#await(
      cache.get(key, { at: { kind: 'latest' } }).then(
        ({ entry, revision }) => {
          this.tally.lists++
          violated(revision >= oldest, `a consistent get showed ${revision}, older than ${oldest}`)
          const expected = this.#model.list({ start: key, end: `${key}\0`, node: undefined }, revision)
          violated(same(entry ? [entryLine(entry)] : [], expected), `get at ${revision}: ${expected}`)
        },
        (error: unknown) => this.#refused(error),
      ),
    )
  }

  /** Page by page at one revision, now or in the past. */
  #readExactly(): void {
    const { cache, scope, predicate } = this.#target()
    const revision = asRevision(this.#written - this.#random.below(Math.min(40, this.#written - 1)))
    const limit = this.#random.below(6)
    const read = async (): Promise<void> => {
      const lines: string[] = []
      for (let start: string | undefined = scope.start; start !== undefined; ) {
        const page = await cache.list({
          start,
          end: scope.end,
          at: { kind: 'exact', revision },
          limit,
          ...(predicate ? { predicate } : {}),
        })
        for (const entry of page.entries) lines.push(entryLine(entry))
        violated(page.revision === revision, `asked for ${revision}, got ${page.revision}`)
        violated(limit === 0 || page.entries.length <= limit, 'a page longer than its limit')
        start = page.more ? `${page.lastKey}\0` : undefined
        const left = this.#model.list(scope, revision).length - lines.length
        violated(page.remaining === undefined || page.remaining === left, `${page.remaining} remain, not ${left}`)
      }
      this.tally.lists++
      const expected = this.#model.list(scope, revision)
      violated(same(lines, expected), `listed ${lines} at ${revision}, not ${expected}`)
    }
    this.#await(
      read().catch((error: unknown) => {
        const expired = error instanceof StatusError && error.code === 410
        violated(!expired || revision < this.#compacted, `exact ${revision} was refused as too old`)
        this.#refused(error)
      }),
    )
  }

  #list(
    cache: ResourceCache,
    scope: Scope,
    oldest: number,
    options: Pick<Parameters<ResourceCache['list']>[0], 'at' | 'predicate'>,
  ): void {
    this.#await(
      cache.list({ start: scope.start, end: scope.end, ...options }).then(
        ({ entries, revision }) => {
          this.tally.lists++
          const lines = entries.map(entryLine)
          const expected = this.#model.list(scope, revision)
          violated(revision >= oldest, `a list ${options.at.kind} showed ${revision}, older than ${oldest}`)
          violated(same(lines, expected), `listed ${lines} at ${revision}, not ${expected}`)
        },
        (error: unknown) => this.#refused(error),
      ),
    )
  }

  /** Some errors are what was asked for. */
  #refused(error: unknown): void {
    this.tally.refused++
    const codes: unknown[] = [429, 503, 504, 410, 'unavailable']
    const { code } = error as { code?: unknown }
    if (!codes.includes(code)) throw error
  }

  // The end, and small things.

  /** Faults are over: everything must come to rest, and everyone must receive it. */
  async #calm(): Promise<void> {
    this.#slow = false
    this.#failing = false
    this.#store.progressSupported = true
    this.#store.beforeRead = undefined
    this.#store.afterRead = undefined
    this.#store.held = false
    for (const watching of this.#watchings) watching.takes = true
    for (let round = 0; round < 40; round++) {
      for (const open of this.#gates.splice(0)) open()
      this.#store.deliver()
      for (const { watch } of this.#watchings) watch?.resume()
      this.#clock.advance(200)
      await this.#settle()
    }
    await Promise.all(this.#pending)
  }

  async #finalReads(): Promise<void> {
    violated(this.#feed.ready, 'the feed did not become ready again')
    for (const { used } of this.#caches.values()) {
      const scope = { start: used.prefix, end: prefixEnd(used.prefix), node: undefined }
      this.#list(used, scope, this.#written, { at: { kind: 'latest' } })
    }
    for (let round = 0; round < 5; round++) {
      this.#clock.advance(100)
      await this.#settle()
    }
    await Promise.all(this.#pending)
  }

  #target() {
    const [resource, { used: cache }] = this.#pick([...this.#caches])
    const node = this.#chance(0.4) ? this.#pick(nodes) : undefined
    const dice = this.#random.below(4)
    const namespace = `${cache.prefix}${this.#pick(namespaces)}/`
    const one = `${namespace}o${this.#random.below(namesPerNamespace)}`
    const start = dice === 0 ? namespace : dice === 1 ? one : cache.prefix
    const end = dice === 1 ? `${one}\0` : dice === 2 ? prefixEnd(namespace) : prefixEnd(start)
    const scope: Scope = { start, end, node }
    const predicate =
      node === undefined ? undefined : labelled('node', node, this.#pick([undefined, 'field', 'label'] as const))
    return { resource, cache, scope, predicate }
  }

  #gate(): Promise<void> | undefined {
    if (!this.#slow && this.#chance(0.7)) return undefined
    return new Promise((resolve) => void this.#gates.push(resolve))
  }

  #await(work: Promise<void>): void {
    const guarded = work
      .catch((error: unknown) => {
        this.#failure ??= error
      })
      .finally(() => this.#pending.delete(guarded))
    this.#pending.add(guarded)
  }

  #raise(): void {
    if (this.#feed.ready && this.#loadedAt === Number.POSITIVE_INFINITY) this.#loadedAt = this.#feed.revision
    if (this.#failure !== undefined) throw this.#failure as Error
  }

  async #settle(): Promise<void> {
    for (let rounds = 1 + this.#random.below(3); rounds > 0; rounds--) {
      await new Promise(setImmediate)
      this.#clock.advance(this.#random.below(2))
    }
  }

  /** The feed may load again, as when the store is compacted just before it watches. */
  #loadMetrics(): Metrics {
    const add = (): void => {
      this.#loadedAt = Number.POSITIVE_INFINITY
    }
    const loaded = { add, at: () => ({ add }) }
    const counter = silentMetrics.counter
    return {
      ...silentMetrics,
      counter: (of) => (of.name === 'apiserver_watch_cache_initializations_total' ? loaded : counter(of)),
    }
  }

  /** Work takes time here: slices end in the middle of what they do. */
  #hastyClock(): Clock {
    let spentMs = 0
    return {
      ...this.#clock,
      monotonicMs: () => {
        if (this.#chance(0.4)) spentMs += 10
        return this.#clock.monotonicMs() + spentMs
      },
      soon: (run) => this.#clock.after(this.#random.below(2), run),
    }
  }

  #chance(of: number): boolean {
    return this.#random.fraction() < of
  }

  #pick<T>(from: readonly T[]): T {
    return from[this.#random.below(from.length)] as T
  }
}
