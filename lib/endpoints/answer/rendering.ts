import type { Entry, ListResult, WatchEvent } from '../../cache/index.ts'
import type { ApiObject, ListMeta } from '../../object/index.ts'
import type { Written } from '../../registry/index.ts'
import type { Call, Negotiated } from '../../request/index.ts'
import type { Endpoint } from '../endpoint.ts'
import type { Services } from '../services.ts'

/** The facts that decide about the form of an answer. */
export interface Asked {
  readonly call: Call
  readonly endpoint: Endpoint
  readonly services: Services
  readonly negotiated: Negotiated
}

/** Sends an answer that has been prepared. */
export type Send = () => void | Promise<void>

export type Entries = Pick<ListResult, 'entries'>

/**
 * The form of a call's answers: `renderingOf` chooses one for each call. Objects that are handed in are in the working
 * version. Throws 406 for what the form can't show.
 */
export interface Rendering {
  /** Whether `one` walks the whole object, which takes long for a large one. */
  readonly walks: boolean
  /** Answers a stored object. */
  one(entry: Entry): void | Promise<void>
  /** Answers the outcome of a write, and lets the cache have the bytes that are made of it. */
  written(status: number, written: Written): void | Promise<void>
  /** Answers an object that the cache doesn't have, such as the last state of a deleted one. */
  unstored(status: number, object: ApiObject): void | Promise<void>
  /** Answers a Status about the outcome, which looks the same in all renderings. */
  outcome(status: ApiObject): void | Promise<void>
  list(listed: Entries, metadata: ListMeta): void | Promise<void>
  /** As `list`, in two steps. Objects that can't be encoded are found in the first one. */
  prepareList(listed: Entries, metadata: ListMeta): Promise<Send>
  /** Makes the answer of a watch. */
  watch(): WatchAnswer
}

/** The answer of a watch, to a client over the network or in this process. */
export interface WatchAnswer {
  /**
   * Starts the answer. `close` ends the watch: the client left, or an object can't be encoded. `initialEventsEnd`: there
   * will be a bookmark that ends the initial events.
   */
  begin(watch: { close(): void; readonly initialEventsEnd: boolean }): void
  /** False: the client is behind, until `resume` is called. Before `begin`, events are dropped. */
  deliver(events: readonly WatchEvent[], resume: () => void): boolean
  end(): void
}
