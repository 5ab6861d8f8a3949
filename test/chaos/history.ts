// What clients of a control plane did and saw, for the checker. All times are milliseconds of one monotonic clock.

/** One request for one object. Each value is written once at most; deletions and changes name the revision they are about. */
export interface Operation {
  readonly key: string
  readonly action: 'create' | 'update' | 'delete' | 'get'
  readonly invokedMs: number
  readonly answeredMs: number
  /** `unknown`: no answer came, or one that leaves open whether it was done. */
  readonly outcome: 'done' | 'exists' | 'conflict' | 'absent' | 'unknown'
  /** The value that was written, or read; absent where nothing was there. */
  readonly value?: string
  /** The revision of that value, where the answer has it. */
  readonly revision?: number
  /** The revision that an update or deletion asked for. */
  readonly expected?: number
}

/** A list of all objects that is as new as the request. */
export interface ListRead {
  readonly invokedMs: number
  readonly answeredMs: number
  readonly revision: number
  readonly items: ReadonlyMap<string, { readonly value: string; readonly revision: number }>
}

export interface SeenEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly key: string
  readonly value: string
  readonly revision: number
  readonly atMs: number
}

/** A watcher from one list to its end, or to the next list, over however many connections. */
export interface WatchedSpan {
  readonly name: string
  /** It asks for all that came after this revision. */
  readonly from: number
  /** In the order in which they came. */
  readonly events: readonly SeenEvent[]
  /** It has received everything up to here. */
  readonly upTo: number
}

export interface History {
  readonly operations: readonly Operation[]
  readonly lists: readonly ListRead[]
  readonly spans: readonly WatchedSpan[]
}

export interface Finding {
  readonly rule: Rule
  readonly key: string
  readonly text: string
}

export type Rule =
  | 'lost write'
  | 'ghost'
  | 'two contents'
  | 'real time'
  | 'precondition'
  | 'stale read'
  | 'read of nothing'
  | 'wrong refusal'
  | 'wrong list'
  | 'skipped event'
  | 'repeated event'
  | 'order of events'
  | 'wrong event'
