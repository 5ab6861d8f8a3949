// cache: the watch cache: one feed per store, one cache per resource; every get, list and watch is served from it.
// Invariant: a watch neither skips, repeats nor reorders events of its scope; a `latest` read shows every answered
// write. Must not know kinds, codecs or the wire: decoding and encoding come in as functions.
export type {
  CacheListOptions,
  CacheWatch,
  CacheWatchEvent,
  CacheWatchOptions,
  CacheWatchSink,
  Encoding,
  Entry,
  Equality,
  Feed,
  FieldIndex,
  FrameEncoding,
  GetResult,
  ListResult,
  Predicate,
  ReadConsistency,
  ResourceCache,
  ResourceOptions,
  Selectable,
  WatchEnd,
  WatchFrom,
  WriteHint,
} from './contract.ts'
export { createFeed, type FeedOptions } from './feed/feed.ts'
export { type Follower, type FollowListener, followCache } from './feed/follow.ts'
export { type CacheOptions } from './options.ts'
export { createDetachedEntry } from './state/entry.ts'
