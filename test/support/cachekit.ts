import { createFakeClock, type FakeClock, type Metrics, silentLogger, silentMetrics } from '../../lib/base/index.ts'
import {
  type CacheWatch,
  type CacheWatchEvent,
  type CacheWatchOptions,
  createFeed,
  type Encoding,
  type Entry,
  type Equality,
  type Feed,
  type FeedOptions,
  type FrameEncoding,
  type Predicate,
  type ResourceCache,
  type ResourceOptions,
  type WatchEnd,
} from '../../lib/cache/index.ts'
import { type ApiObject, asRevision, type Revision, toResourceVersion } from '../../lib/object/index.ts'
import { prefixEnd, type Store } from '../../lib/storage/index.ts'
import { createTinyStore, type TinyStore } from './tinystore.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A stored object for tests of the cache: JSON with labels, and a node as field. */
export function encodeObject(labels: Record<string, string>, fill = ''): Uint8Array {
  return encoder.encode(JSON.stringify({ labels, fill }))
}

export function decodeObject(stored: Uint8Array, revision: Revision, key: string): ApiObject {
  const { labels, fill } = JSON.parse(decoder.decode(stored)) as { labels: Record<string, string>; fill: string }
  const [name = '', namespace = ''] = key.split('/').reverse()
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, resourceVersion: toResourceVersion(revision) },
    fill,
  }
}

function labelsOf(entry: Entry): Readonly<Record<string, string>> {
  return entry.object().metadata.labels ?? {}
}

function storedLabels(stored: Uint8Array): Record<string, string> {
  return (JSON.parse(decoder.decode(stored)) as { labels: Record<string, string> }).labels
}

export function resourceOptions(resource = 'pods', counts?: { decoded: number }): ResourceOptions {
  return {
    resource: { group: '', resource },
    prefix: `/registry/${resource}/`,
    decode(stored, revision, key) {
      if (counts) counts.decoded++
      return decodeObject(stored, revision, key)
    },
    labels: labelsOf,
    storedLabels,
    fields: (entry) => ({ 'spec.nodeName': labelsOf(entry)['node'] ?? '' }),
    indexes: [{ field: 'spec.nodeName', valueOf: (stored) => storedLabels(stored)['node'] ?? '' }],
  }
}

export const jsonEncoding: Encoding = { id: 1, encode: (entry) => encoder.encode(JSON.stringify(entry.object())) }

export const jsonFrame: FrameEncoding = {
  id: 1,
  encode: (event) => [
    encoder.encode(`${event.type} ${event.entry ? decoder.decode(event.entry.bytes(jsonEncoding)) : ''}\n`),
  ],
}

/** `by`: what indexes may find the matches by; a field index has the label `node`. */
export function labelled(label: string, value: string, by?: Equality['of']): Predicate {
  const name = by === 'field' ? 'spec.nodeName' : label
  return {
    key: `${label}=${value}`,
    matches: (entry) => entry.labels()[label] === value,
    ...(by ? { equals: [{ of: by, name, value }] } : {}),
  }
}

/** `+a@5` (added), `~a@6`, `-a@7`, `=9` (bookmark), `==9` (end of the initial events), `!410 text`. */
function eventText(event: CacheWatchEvent): string {
  if (event.type === 'BOOKMARK') return `${event.initialEventsEnd ? '==' : '='}${event.revision}`
  if (event.type === 'ERROR') return `!${event.error?.code} ${event.error?.message}`
  const sign = { ADDED: '+', MODIFIED: '~', DELETED: '-' }[event.type]
  return `${sign}${nameOf(event.entry)}@${event.revision}`
}

export function nameOf(entry: Entry | undefined): string {
  return entry?.key.split('/').pop() ?? ''
}

interface Watching {
  readonly events: string[]
  readonly raw: CacheWatchEvent[]
  readonly batches: number[]
  ended: WatchEnd | undefined
  watch: CacheWatch
  /** The answer of onEvents. */
  takes: boolean
}

export interface Kit {
  readonly clock: FakeClock
  readonly store: TinyStore
  readonly feed: Feed
  readonly pods: ResourceCache
  put(path: string, labels?: Record<string, string>): Revision
  remove(path: string): Revision
  /** Lets promises settle and what is due run, without the clock moving on. */
  settle(): Promise<void>
  /** Awaits a read of the latest state, whose request begins at the end of the turn. */
  turned<Result>(reading: Promise<Result>): Promise<Result>
  /** Moves time on in steps of a second at most. */
  pass(ms: number): Promise<void>
  watch(options?: Partial<CacheWatchOptions>): Promise<Watching>
}

export const latest = { kind: 'latest' } as const
export const any = { kind: 'any' } as const
export const notOlderThan = (revision: number) => ({ kind: 'notOlderThan', revision: asRevision(revision) }) as const
export const exact = (revision: number) => ({ kind: 'exact', revision: asRevision(revision) }) as const
export const after = (revision: number) => ({ kind: 'after', revision: asRevision(revision) }) as const
export const allPods = { start: '/registry/pods/', end: prefixEnd('/registry/pods/') }
export const podsIn = (namespace: string) => ({
  start: `/registry/pods/${namespace}/`,
  end: prefixEnd(`/registry/pods/${namespace}/`),
})

/** A feed over a tiny store with the resource pods, not started. `over` wraps the store. */
export function createKit(
  options: Partial<FeedOptions> = {},
  counts?: { decoded: number },
  metrics: Metrics = silentMetrics,
  over: (store: Store) => Store = (store) => store,
): Kit {
  const clock = createFakeClock()
  const store = createTinyStore()
  const feed = createFeed(
    { store: over(store), clock, log: silentLogger, metrics },
    { prefix: '/registry/', ...options },
  )
  const pods = feed.attach(resourceOptions('pods', counts))
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 5; round++) {
      await new Promise(setImmediate)
      clock.advance(0)
    }
  }
  return {
    clock,
    store,
    feed,
    pods,
    put: (path, labels = {}) => store.put(`/registry/${path}`, encodeObject(labels)),
    remove: (path) => store.remove(`/registry/${path}`),
    settle,
    async turned(reading) {
      const [result] = await Promise.all([reading, settle()])
      return result
    },
    async pass(ms) {
      for (let left = ms; left > 0; left -= 1_000) {
        clock.advance(Math.min(left, 1_000))
        await settle()
      }
    },
    async watch(watchOptions = {}) {
      const watching: Watching = {
        events: [],
        raw: [],
        batches: [],
        ended: undefined,
        takes: true,
        watch: { resume() {}, close() {} },
      }
      watching.watch = await pods.watch(
        { ...allPods, from: { kind: 'state', at: any }, ...watchOptions },
        {
          onEvents(events) {
            watching.batches.push(events.length)
            for (const event of events) {
              watching.raw.push(event)
              watching.events.push(eventText(event))
            }
            return watching.takes
          },
          onEnd: (end) => {
            watching.ended = end
          },
        },
      )
      return watching
    },
  }
}

/** A kit whose feed is ready. */
export async function startKit(options?: Partial<FeedOptions>, counts?: { decoded: number }): Promise<Kit> {
  const kit = createKit(options, counts)
  await kit.feed.start()
  return kit
}
