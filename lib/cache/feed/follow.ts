import type { Clock, Logger } from '../../base/index.ts'
import type { ApiObject } from '../../object/index.ts'
import { prefixEnd } from '../../storage/index.ts'
import type { CacheWatchEvent, Entry, Predicate, ResourceCache } from '../contract.ts'

/** Receives every object of a cache. Objects must not be changed. An error that it throws is logged and ignored. */
export interface FollowListener {
  /** The object is new or changed. */
  set(object: ApiObject, entry: Entry): void
  remove(namespace: string, name: string): void
}

export interface Follower {
  /** Resolves once the listener has all initial objects; rejects when it is closed before. */
  readonly ready: Promise<void>
  close(): void
}

const retryMs = 100

interface FollowOptions {
  /** May return only the fields that the listener reads. Default: the whole object. */
  readonly read?: ((entry: Entry) => ApiObject) | undefined
  /** Objects that don't match are left out; one that no longer matches counts as deleted. Default: all match. */
  readonly predicate?: Predicate | undefined
}

/**
 * Passes all objects of `cache` to `listener`, then each change, until it is closed: after a break it reads everything
 * again and passes on the difference, deletions included. An object that can't be read counts as deleted.
 */
export function followCache(
  { clock, log }: { clock: Clock; log: Logger },
  cache: ResourceCache,
  listener: FollowListener,
  { read = (entry) => entry.object(), predicate }: FollowOptions = {},
): Follower {
  const closing = new AbortController()
  const known = new Map<string, readonly [namespace: string, name: string]>()
  let begin: () => void = () => {}
  let fail: (error: Error) => void = () => {}
  const ready = new Promise<void>((resolve, reject) => {
    begin = resolve
    fail = reject
  })
  ready.catch(() => {}) // callers await `ready` themselves

  function about(key: string, tell: () => void): void {
    try {
      tell()
    } catch (error) {
      log.error('an object could not be indexed', { resource: cache.resource, key, error })
    }
  }

  function remove(key: string): void {
    const [namespace, name] = known.get(key) ?? ['', '']
    if (known.delete(key)) about(key, () => listener.remove(namespace, name))
  }

  function take(event: CacheWatchEvent, fresh: Set<string> | undefined): void {
    const { entry } = event
    if (!entry) return
    if (event.type === 'DELETED') return remove(entry.key)
    let object: ApiObject
    try {
      object = read(entry)
    } catch (error) {
      log.error('an object can not be read and counts as deleted', { resource: cache.resource, key: entry.key, error })
      return remove(entry.key)
    }
    const { namespace = '', name = '' } = object.metadata
    known.set(entry.key, [namespace, name])
    fresh?.add(entry.key)
    about(entry.key, () => listener.set(object, entry))
  }

  async function watch(): Promise<void> {
    /** Keys of the initial state; undefined when it is complete, or where none was known before. */
    let fresh = known.size > 0 ? new Set<string>() : undefined
    await cache.whenReady(closing.signal)
    const ended = Promise.withResolvers<void>()
    const watching = await cache.watch(
      {
        start: cache.prefix,
        end: prefixEnd(cache.prefix),
        from: { kind: 'state', at: { kind: 'any' } },
        bookmarks: true,
        initialEventsEnd: true,
        ...(predicate && { predicate }),
        signal: closing.signal,
      },
      {
        onEvents(events) {
          for (const event of events) {
            take(event, fresh)
            if (!event.initialEventsEnd) continue
            if (fresh) for (const key of known.keys()) if (!fresh.has(key)) remove(key)
            fresh = undefined
            begin()
          }
          return true
        },
        onEnd: () => ended.resolve(),
      },
    )
    await ended.promise
    watching.close()
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await watch()
      } catch (error) {
        if (!closing.signal.aborted) log.warn('a cache is not followed for now', { resource: cache.resource, error })
      }
      await clock.sleep(retryMs, closing.signal).catch(() => {})
    }
    fail(new Error('closed'))
  }

  void run()
  return { ready, close: () => closing.abort(new Error('closed')) }
}
