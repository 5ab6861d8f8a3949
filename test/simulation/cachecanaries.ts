import type { Random } from '../../lib/base/index.ts'
import type {
  CacheWatchEvent,
  CacheWatchOptions,
  ListResult,
  ResourceCache,
  ResourceOptions,
} from '../../lib/cache/index.ts'
import { LabelIndexes } from '../../lib/cache/state/labelindexes.ts'
import { asRevision } from '../../lib/object/index.ts'
import type { Canary } from './cachesimulation.ts'

/** A cache of which some parts are replaced. */
function changed(cache: ResourceCache, changes: Partial<ResourceCache>): ResourceCache {
  return new Proxy(cache, {
    get(target, name) {
      const replaced: unknown = Reflect.get(changes, name)
      if (replaced !== undefined) return replaced
      const part: unknown = Reflect.get(target, name, target)
      return typeof part === 'function' ? part.bind(target) : part
    },
  })
}

type Change = (
  events: readonly CacheWatchEvent[],
  random: Random,
  options: CacheWatchOptions,
) => readonly CacheWatchEvent[]

function changedWatch(change: Change): Canary {
  return (cache, random) =>
    changed(cache, {
      watch: (options, sink) =>
        cache.watch(options, {
          onEvents: (events) => sink.onEvents(change(events, random, options)),
          onEnd: (end) => sink.onEnd(end),
        }),
    })
}

function changedList(change: (result: ListResult, random: Random) => ListResult): Canary {
  return (cache, random) => changed(cache, { list: async (options) => change(await cache.list(options), random) })
}

function withoutMethod(name: 'add' | 'remove' | 'clear'): () => void {
  const { prototype } = LabelIndexes
  const method = prototype[name]
  prototype[name] = () => undefined
  return () => void Object.assign(prototype, { [name]: method })
}

function seldom(random: Random): boolean {
  return random.below(20) === 0
}

/** Ways to be wrong, each with what the simulation must say of it. */
export const canaries: readonly {
  readonly what: string
  readonly finds: RegExp
  /** In a simulation with faults, too. */
  readonly faults?: true
  readonly canary?: Canary
  readonly brings?: (options: ResourceOptions) => ResourceOptions
  /** Breaks a part of the cache, and returns how it is mended. */
  readonly breaks?: () => () => void
}[] = [
  {
    what: 'misses a changed label in its index',
    finds: /listed .* not|began at/,
    breaks: () => withoutMethod('add'),
  },
  {
    what: 'leaves a changed object in its index of labels',
    finds: /listed .* not|began at/,
    breaks: () => withoutMethod('remove'),
  },
  {
    what: 'keeps an index of labels when all is loaded again',
    finds: /listed .* not|began at/,
    breaks: () => withoutMethod('clear'),
    faults: true,
  },
  {
    what: 'has an entry under another value in its index',
    finds: /listed .* not|should have seen|never saw|began at/,
    brings: (options) => ({
      ...options,
      indexes: (options.indexes ?? []).map(({ field, valueOf }) => ({
        field,
        valueOf: (stored) => (stored.reduce((sum, byte) => sum + byte, 0) % 5 === 0 ? 'elsewhere' : valueOf(stored)),
      })),
    }),
  },
  {
    what: 'drops an event',
    finds: /should have seen|never saw|a bookmark at \d+ before|began at/,
    canary: changedWatch((events, random) => events.filter((event) => event.entry === undefined || !seldom(random))),
  },
  {
    what: 'repeats an event',
    finds: /should have seen|began at/,
    canary: changedWatch((events, random) =>
      events.flatMap((event) => (event.entry !== undefined && seldom(random) ? [event, event] : [event])),
    ),
  },
  {
    what: 'reorders events',
    finds: /should have seen|a bookmark at|began at/,
    canary: changedWatch((events, random) => (seldom(random) ? events.toReversed() : events)),
  },
  {
    what: 'loses the departure of what no longer matches',
    finds: /should have seen|never saw|a bookmark at \d+ before/,
    canary: changedWatch((events, _random, { predicate }) =>
      predicate ? events.filter((event) => event.type !== 'DELETED') : events,
    ),
  },
  {
    what: 'sends a bookmark too early',
    finds: /a bookmark at \d+ (before|after)/,
    canary: changedWatch((events) =>
      events.map((event) =>
        event.type === 'BOOKMARK' && !event.initialEventsEnd
          ? (Object.create(event, { revision: { value: event.revision + 10 } }) as CacheWatchEvent)
          : event,
      ),
    ),
  },
  {
    what: 'resumes one write too late',
    finds: /should have seen|never saw|a bookmark at \d+ before/,
    canary: (cache) =>
      changed(cache, {
        watch: ({ from, ...options }, sink) =>
          cache.watch(
            {
              ...options,
              from: from.kind === 'after' ? { ...from, revision: asRevision(from.revision + 1) } : from,
            },
            sink,
          ),
      }),
  },
  {
    what: 'answers consistent reads from what it has',
    finds: /older than/,
    canary: (cache) =>
      changed(cache, {
        list: (options) => cache.list(options.at.kind === 'latest' ? { ...options, at: { kind: 'any' } } : options),
        get: (key, options) => cache.get(key, { ...options, at: { kind: 'any' } }),
      }),
  },
  {
    what: 'lets readers share a revision read that is under way',
    finds: /older than/,
    canary: (cache) => {
      let shared: Promise<unknown> | undefined
      return changed(cache, {
        list(options) {
          if (options.at.kind !== 'latest') return cache.list(options)
          shared ??= cache.get(cache.prefix, { at: options.at }).finally(() => {
            shared = undefined
          })
          return shared.then(() => cache.list({ ...options, at: { kind: 'any' } }))
        },
      })
    },
  },
  {
    what: 'forgets an entry in lists',
    finds: /listed .* not|remain, not/,
    canary: changedList((result, random) =>
      seldom(random) ? { ...result, entries: result.entries.slice(1) } : result,
    ),
  },
  {
    what: 'answers exact lists with what is newest',
    finds: /listed .* not|remain, not/,
    canary: (cache) =>
      changed(cache, {
        list: async (options) => {
          if (options.at.kind !== 'exact') return cache.list(options)
          return { ...(await cache.list({ ...options, at: { kind: 'any' } })), revision: options.at.revision }
        },
      }),
  },
  {
    what: 'miscounts what remains',
    finds: /remain, not/,
    canary: changedList((result) =>
      result.remaining === undefined ? result : { ...result, remaining: result.remaining + 1 },
    ),
  },
]
