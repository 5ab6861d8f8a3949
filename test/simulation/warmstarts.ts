import { deepEqual } from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSeededRandom, type Random, silentLogger, silentMetrics, systemClock } from '../../lib/base/index.ts'
import { createFeed, type Feed, type ResourceCache } from '../../lib/cache/index.ts'
import { asRevision } from '../../lib/object/index.ts'
import { createMemoryStore, type Mirror, prefixEnd, type Store, type StoredValue } from '../../lib/storage/index.ts'
import { encodeObject, labelled, resourceOptions } from '../support/cachekit.ts'
import { createStoreOfMirror, type MirroredStoreKit, mirrorFolder, openMirrorOf } from '../support/mirrorkit.ts'

/** What happened, so that a simulation that tries nothing can't pass for a success. */
export interface WarmTally {
  starts: number
  /** Starts that read values from the file. */
  warm: number
  /** Resources whose entries were not made at the start. */
  tables: number
  /** Those of them that were compared with the keys of the store, and differed. */
  compared: number
  restores: number
  damages: number
}

const resources = ['pods', 'widgets']
const names = 40
const nodes = 8

/** Faults that a simulation must find: those of the mirror, and values of indexes that are those of other objects. */
export type WarmCanary = NonNullable<MirroredStoreKit['canary']> | 'columns'

interface Write {
  readonly key: string
  /** Undefined: a deletion. */
  readonly value: Uint8Array | undefined
}

/**
 * One seeded history of a server that is started and ended, killed, and cut off; whose store is compacted, and restored
 * from a backup in various moments; and whose file is damaged. After each start, the caches must be the store. Throws at the
 * first difference.
 */
export async function simulateWarmStarts(seed: number, steps: number, canary?: WarmCanary): Promise<WarmTally> {
  const simulation = new WarmStarts(seed, canary)
  const { queueMicrotask } = globalThis
  // A cache that finds its own state broken throws where nobody catches it, to end the process.
  globalThis.queueMicrotask = (run) =>
    queueMicrotask(() => {
      try {
        run()
      } catch (error) {
        simulation.broken ??= error as Error
      }
    })
  try {
    for (let step = 0; step < steps; step++) {
      await simulation.step()
      if (simulation.broken) throw simulation.broken
    }
    return simulation.tally
  } finally {
    await simulation.close()
    globalThis.queueMicrotask = queueMicrotask
  }
}

class WarmStarts {
  readonly tally: WarmTally = { starts: 0, warm: 0, tables: 0, compared: 0, restores: 0, damages: 0 }
  broken: Error | undefined
  readonly #random: Random
  readonly #folder = mirrorFolder()
  #hasOtherColumns = false
  readonly #kit: MirroredStoreKit
  #inner = createStore()
  /** Every write of the store, so that all can be done once more up to some moment. */
  #log: Write[] = []
  #running: { feed: Feed; mirror: Mirror; caches: ResourceCache[] } | undefined

  constructor(seed: number, canary: WarmCanary | undefined) {
    this.#random = createSeededRandom(seed)
    this.#kit = createStoreOfMirror(this.#recorded())
    if (canary === 'columns') this.#hasOtherColumns = true
    else this.#kit.canary = canary
  }

  async close(): Promise<void> {
    await this.#kill()
    await this.#inner.close()
    this.#folder.remove()
  }

  async step(): Promise<void> {
    const actions: (() => void | Promise<void>)[] = [
      () => this.#writeSome(),
      () => this.#writeSome(),
      () => this.#writeSome(),
      () => this.#save(),
      () => this.#save(),
      () => this.#restart(true),
      () => this.#restart(false),
      () => this.#compact(),
      () => this.#kit.interrupt(),
      () => this.#restore(),
      () => this.#damage(),
    ]
    await actions[this.#random.below(actions.length)]?.()
    if (!this.#running) await this.#start()
  }

  async #start(): Promise<void> {
    const mirror = await openMirrorOf(this.#kit, this.#folder.path)
    const { store } = mirror
    const clock = systemClock
    const warmStart: Pick<Mirror, 'beginLoad' | 'table'> = {
      beginLoad: (current) => mirror.beginLoad(current),
      table: (prefix, options) => this.#tableOf(mirror, prefix, options),
    }
    const feed = createFeed(
      { store, clock, log: silentLogger, metrics: silentMetrics, warmStart },
      { prefix: '/registry/', resumeRevisions: this.#random.below(8), loadPageKeys: 5, loadPageKeysMax: 5 },
    )
    const caches = [feed.attach(resourceOptions('pods'))]
    this.#running = { feed, mirror, caches }
    this.#kit.reads()
    await feed.start()
    this.tally.starts++
    if (this.#kit.reads().ranges === 0) this.tally.warm++
    // As the resources of definitions do, the other one joins later.
    caches.push(feed.attach(resourceOptions('widgets')))
    for (const cache of caches) {
      await cache.whenReady()
      await this.#requireSame(cache)
    }
    if (this.#random.below(3) === 0) mirror.release()
  }

  async #tableOf(mirror: Mirror, ...about: Parameters<Mirror['table']>): ReturnType<Mirror['table']> {
    const state = await mirror.table(...about)
    if (state) this.tally.tables++
    if (state && (state.removed.length > 0 || state.changed.length > 0)) this.tally.compared++
    if (!state || !this.#hasOtherColumns) return state
    const { table } = state
    const { column } = table
    table.column = (name) => {
      const found = column.call(table, name)
      return found && { ids: found.ids.toReversed(), texts: found.texts }
    }
    return state
  }

  async #requireSame(cache: ResourceCache): Promise<void> {
    const [start, end] = [cache.prefix, prefixEnd(cache.prefix)]
    const { entries } = await cache.list({ start, end, at: { kind: 'latest' } })
    const { values } = await this.#inner.range({ start, end })
    deepEqual(
      entries.map((entry) => lineOf({ ...entryOf(entry), value: entry.stored })),
      values.map(lineOf),
    )
    const node = `n${this.#random.below(nodes)}`
    for (const by of ['field', 'label'] as const) {
      const found = await cache.list({ start, end, at: { kind: 'any' }, predicate: labelled('node', node, by) })
      deepEqual(
        found.entries.map(({ key }) => key),
        values.filter(({ value }) => Buffer.from(value).includes(`"node":"${node}"`)).map(({ key }) => key),
      )
    }
  }

  async #writeSome(): Promise<void> {
    for (let count = this.#random.below(40); count > 0; count--) {
      const key = `/registry/${resources[this.#random.below(2)]}/a/o${this.#random.below(names)}`
      const fill = String(this.#random.below(1e9))
      await apply(
        this.#kit.store,
        key,
        this.#random.below(4) > 0 ? encodeObject({ node: `n${this.#random.below(nodes)}` }, fill) : undefined,
      )
    }
    await new Promise(setImmediate)
  }

  async #save(): Promise<void> {
    const { feed, mirror } = this.#running ?? {}
    const state = feed?.pastState()
    // It may be refused: then the file before it stays.
    if (state) await mirror?.save(state).catch(() => {})
  }

  async #restart(saves: boolean): Promise<void> {
    if (saves) await this.#save()
    await this.#kill()
  }

  async #kill(): Promise<void> {
    await this.#running?.feed.close()
    await this.#running?.mirror.close()
    this.#running = undefined
  }

  async #compact(): Promise<void> {
    const revision = await this.#inner.currentRevision()
    // Often so much that the file's revision is not readable, and mostly the server ends before it writes another one.
    const kept = this.#random.below(3) > 0 ? 0 : this.#random.below(30)
    await this.#inner.compact(asRevision(Math.max(1, revision - kept)))
    if (kept === 0 && this.#random.below(2) > 0) await this.#kill()
  }

  /** The store is ended and goes on from a backup, with other writes under revisions that were used before. */
  async #restore(): Promise<void> {
    this.tally.restores++
    const revision = await this.#inner.currentRevision()
    const kept = this.#log.length - this.#random.below(Math.min(30, this.#log.length + 1))
    const log = this.#log.slice(0, kept)
    const restored = createStore()
    for (const { key, value } of log) await apply(restored, key, value)
    const former = this.#inner
    this.#inner = restored
    this.#log = log
    this.#kit.replaceBy(this.#recorded())
    // Mostly past the revision of the store before, so that revisions alone show nothing.
    if (this.#random.below(4) > 0) while ((await this.#inner.currentRevision()) <= revision + 2) await this.#writeSome()
    // The server that still runs may write its file, and is restarted, as it must be.
    await this.#restart(this.#random.below(3) > 0)
    await former.close()
  }

  /** The store, whose writes are recorded: fences, too. */
  #recorded(): Store {
    const [inner, log] = [this.#inner, this.#log]
    const record = <Result extends { ok: boolean }>(key: string, value: Uint8Array | undefined, result: Result) => {
      if (result.ok) log.push({ key, value })
      return result
    }
    const own: Pick<Store, 'create' | 'update' | 'delete'> = {
      create: async (key, value) => record(key, value, await inner.create(key, value)),
      update: async (key, value, expected) => record(key, value, await inner.update(key, value, expected)),
      delete: async (key, expected) => record(key, undefined, await inner.delete(key, expected)),
    }
    return new Proxy(inner, {
      get(_target, name) {
        const found: unknown = Reflect.get(own, name) ?? Reflect.get(inner, name)
        return typeof found === 'function' ? found.bind(inner) : found
      },
    })
  }

  async #damage(): Promise<void> {
    const path = join(this.#folder.path, 'main')
    let bytes: Buffer
    try {
      bytes = readFileSync(path)
    } catch {
      return
    }
    this.tally.damages++
    const at = this.#random.below(bytes.length)
    if (this.#random.below(2) > 0) writeFileSync(path, bytes.subarray(0, at))
    else {
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << this.#random.below(8)), at)
      writeFileSync(path, bytes)
    }
    await this.#kill()
  }
}

async function apply(store: Store, key: string, value: Uint8Array | undefined): Promise<void> {
  const { value: known } = await store.get(key)
  if (value && !known) await store.create(key, value)
  else if (value && known) await store.update(key, value, known.modRevision)
  else if (known) await store.delete(key, known.modRevision)
}

function createStore(): Store {
  return createMemoryStore({ clock: systemClock, log: silentLogger }, { compactionIntervalMs: 0 })
}

function entryOf({ key, revision, createRevision }: { key: string; revision: number; createRevision: number }) {
  return { key, modRevision: asRevision(revision), createRevision: asRevision(createRevision) }
}

function lineOf({ key, value, createRevision, modRevision }: StoredValue): string {
  return `${key} ${createRevision} ${modRevision} ${Buffer.from(value).toString()}`
}
