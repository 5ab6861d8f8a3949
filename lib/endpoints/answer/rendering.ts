import type { CacheWatchEvent, Entry, ListResult } from '../../cache/index.ts'
import type { ApiObject, ListMeta } from '../../object/index.ts'
import type { Written } from '../../registry/index.ts'
import type { Call, Negotiated } from '../../request/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { EndpointServices } from '../endpointservices.ts'

/** The inputs that determine the form of an answer. */
export interface Asked {
  readonly call: Call
  readonly endpoint: Endpoint
  readonly services: EndpointServices
  readonly negotiated: Negotiated
}

/** Sends a prepared answer. */
export type Send = () => void | Promise<void>

export type Entries = Pick<ListResult, 'entries'>

/**
 * The form of a call's answers: `renderingOf` chooses one for each call. Objects are passed in the working version.
 * Throws 406 for objects that the form can't show.
 */
export interface Rendering {
  /** Whether `one` walks the whole object, which takes long for a large one. */
  readonly walks: boolean
  /** Answers a stored object. */
  one(entry: Entry): void | Promise<void>
  /** Answers the result of a write, and gives the cache the bytes of the answer. */
  written(status: number, written: Written): void | Promise<void>
  /** Answers an object that the cache doesn't have, such as the last state of a deleted one. */
  unstored(status: number, object: ApiObject): void | Promise<void>
  /** Answers a Status about the result, which is the same in all forms. */
  outcome(status: ApiObject): void | Promise<void>
  list(listed: Entries, metadata: ListMeta): void | Promise<void>
  /** Answers like `list`, in two steps. The first one finds objects that can't be encoded. */
  prepareList(listed: Entries, metadata: ListMeta): Promise<Send>
  /** Makes the answer of a watch. */
  watch(): WatchAnswer
}

/** The answer of a watch, to a client over the network or in this process. */
export interface WatchAnswer {
  /**
   * Starts the answer. `close` ends the watch: the client left, or an object can't be encoded. `initialEventsEnd`: a
   * bookmark will end the initial events.
   */
  begin(watch: { close(): void; readonly initialEventsEnd: boolean }): void
  /** False: the client is behind, until it calls `resume`. Before `begin`, events are dropped. */
  deliver(events: readonly CacheWatchEvent[], resume: () => void): boolean
  end(): void
}
