// cache: the watch cache: one feed per store, one cache per resource, whence every get, list and watch is served.
// Invariant: a watch skips, repeats and reorders nothing of its scope; a `latest` read shows every answered write.
// Must not know kinds, codecs or the wire: decoding and encoding come in as functions.
export type {
  Adoption,
  At,
  CacheWatch,
  CacheWatchOptions,
  CacheWatchSink,
  Entry,
  Feed,
  Form,
  FrameForm,
  GetOptions,
  GetResult,
  ListOptions,
  ListResult,
  Predicate,
  ResourceCache,
  ResourceOptions,
  Selectable,
  WatchEnd,
  WatchEvent,
  WatchEventType,
  WatchFrom,
} from './contract.ts'
export { createFeed, type FeedDependencies, type FeedOptions } from './feed.ts'
export { followCache, type Follower, type FollowListener } from './follow.ts'
export { type CacheOptions, defaultCacheOptions } from './options.ts'
