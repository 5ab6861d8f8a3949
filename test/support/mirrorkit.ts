import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Clock, createSeededRandom, silentLogger, systemClock } from '../../lib/base/index.ts'
import { asRevision } from '../../lib/object/index.ts'
import {
  createMemoryStore,
  type EtcdStore,
  type Mirror,
  openMirror,
  prefixEnd,
  type Sealing,
  type Store,
  type StoredValue,
  type StoreWatchSink,
} from '../../lib/storage/index.ts'

/** A store in memory in the place of etcd, whose connections can be broken. */
export interface MirroredStoreKit {
  readonly store: EtcdStore
  /** Reads since the last call: values, keys alone, and ranges of values. */
  reads(): { gets: number; keys: number; ranges: number }
  cluster: string
  /** Every watch continues on another connection. */
  interrupt(): void
  /** Another store is in its place: watches get nothing more, as if they did not find it yet. */
  replaceBy(store: Store): void
  /** Faults of a mirror that a test must find: fences exist in every store, and breaks of connections go unnoticed. */
  canary: 'fences' | 'breaks' | undefined
}

export function createStoreOfMirror(given: Store = createMemory()): MirroredStoreKit {
  let inner = given
  let counts = { gets: 0, keys: 0, ranges: 0 }
  const sinks = new Set<StoreWatchSink>()
  /** Fences that were ever created. */
  const fences = new Map<string, StoredValue>()
  const own: Partial<EtcdStore> = {
    get: async (key, options) => {
      counts.gets++
      const found = await inner.get(key, options)
      return kit.canary === 'fences' && fences.has(key) ? { ...found, value: fences.get(key) } : found
    },
    create: async (key, value, options) => {
      const result = await inner.create(key, value, options)
      const { revision } = result
      if (key.includes('/fences/')) fences.set(key, { key, value, createRevision: revision, modRevision: revision })
      return result
    },
    range: (options) => {
      counts[options.keysOnly ? 'keys' : 'ranges']++
      return inner.range(options)
    },
    watch: (options, sink) => {
      sinks.add(sink)
      const of = inner
      return inner.watch(options, {
        ...sink,
        onEvents: (events) => {
          if (inner === of) sink.onEvents(events)
        },
        onProgress: (revision) => {
          if (inner === of) sink.onProgress(revision)
        },
        onEnd: (error) => {
          sinks.delete(sink)
          sink.onEnd(error)
        },
      })
    },
    clusterId: () => Promise.resolve(kit.cluster),
  }
  const store = new Proxy(inner as EtcdStore, {
    get(_target, name) {
      const found: unknown = Reflect.get(own, name) ?? Reflect.get(inner, name)
      return typeof found === 'function' ? found.bind(inner) : found
    },
  })
  const kit: MirroredStoreKit = {
    store,
    cluster: '1',
    reads() {
      const before = counts
      counts = { gets: 0, keys: 0, ranges: 0 }
      return before
    },
    interrupt() {
      if (kit.canary !== 'breaks') for (const sink of sinks) sink.onInterrupted?.()
    },
    replaceBy(other) {
      inner = other
      kit.interrupt()
    },
    canary: undefined,
  }
  return kit
}

function createMemory(): Store {
  return createMemoryStore({ clock: systemClock, log: silentLogger }, { compactionIntervalMs: 0 })
}

export function mirrorFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'pilothouse-mirror-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

let seed = 1

export function openMirrorOf(
  { store }: Pick<MirroredStoreKit, 'store'>,
  directory: string,
  options: { program?: string; sealing?: Sealing; clock?: Clock; writes?: boolean } = {},
): Promise<Mirror> {
  const { program = 'v1', sealing, clock = systemClock, writes = true } = options
  return openMirror(
    store,
    { clock, random: createSeededRandom(seed++), log: silentLogger, sealing },
    { directory, name: 'main', program, prefix: '/registry/', fencePrefix: '/registry/fences/', writes },
  )
}

/** The state of a store now, as caches would give it. */
export async function stateOf(store: Store, prefixes: readonly string[]) {
  const revision = await store.currentRevision()
  const resources = await Promise.all(
    prefixes.map(async (prefix) => {
      const { values } = await store.range({ start: prefix, end: prefixEnd(prefix), revision })
      return {
        prefix,
        columns: [],
        after: (after: string, limit: number) => values.filter(({ key }) => key > after).slice(0, limit),
      }
    }),
  )
  return { revision: asRevision(revision), resources }
}
