import { assert, joinedInOwnMemory } from '../../base/index.ts'
import { noRevision, type Revision, type StatusError } from '../../object/index.ts'
import type { CacheWatchEvent, ChangeViews, FrameEncoding, Predicate, WatchEventType } from '../contract.ts'
import type { Budgets } from './budgets.ts'
import { type CacheEntry, HeldBytes, without } from './entry.ts'

/**
 * An event about an object. With budgets its frames are kept for the next watcher; without (initial states) each frame
 * is made of the entry's bytes.
 */
class ObjectEvent implements CacheWatchEvent {
  readonly type: WatchEventType
  readonly revision: Revision
  readonly entry: CacheEntry
  readonly views: ChangeViews | undefined
  readonly #budgets: Budgets | undefined
  #frames: HeldBytes | undefined = undefined

  constructor(
    type: WatchEventType,
    revision: Revision,
    entry: CacheEntry,
    budgets: Budgets | undefined,
    views?: ChangeViews,
  ) {
    this.type = type
    this.revision = revision
    this.entry = entry
    this.views = views
    this.#budgets = budgets
  }

  get initialEventsEnd(): boolean {
    return false
  }

  get error(): undefined {
    return undefined
  }

  frame(encoding: FrameEncoding): readonly Uint8Array[] {
    for (let held = this.#frames; held; held = held.next)
      if (held.encodingId === encoding.id) {
        held.used = true
        return [held.bytes]
      }
    const parts = encoding.encode(this)
    if (!this.#budgets) return parts
    const held = new HeldBytes(encoding.id, joinedInOwnMemory(parts), this)
    this.#keep(this.#budgets, held)
    return [held.bytes]
  }

  letGo(held: HeldBytes): void {
    this.#frames = without(this.#frames, held)
  }

  #keep(budgets: Budgets, held: HeldBytes): void {
    if (!budgets.frames.admit(held)) return
    held.next = this.#frames
    this.#frames = held
  }

  release(): void {
    for (let held = this.#frames; held; held = held.next) this.#budgets?.frames.release(held)
    this.#frames = undefined
  }
}

/** A BOOKMARK or ERROR event. */
class ControlEvent implements CacheWatchEvent {
  readonly type: WatchEventType
  readonly revision: Revision
  readonly initialEventsEnd: boolean
  readonly error: StatusError | undefined
  #encoding: FrameEncoding | undefined
  #frame: readonly Uint8Array[] | undefined

  constructor(type: WatchEventType, revision: Revision, initialEventsEnd: boolean, error: StatusError | undefined) {
    this.type = type
    this.revision = revision
    this.initialEventsEnd = initialEventsEnd
    this.error = error
  }

  get entry(): undefined {
    return undefined
  }

  frame(encoding: FrameEncoding): readonly Uint8Array[] {
    if (this.#frame && this.#encoding?.id === encoding.id) return this.#frame
    this.#encoding = encoding
    this.#frame = encoding.encode(this)
    return this.#frame
  }
}

export function bookmarkEvent(revision: Revision, initialEventsEnd = false): CacheWatchEvent {
  return new ControlEvent('BOOKMARK', revision, initialEventsEnd, undefined)
}

export function errorEvent(error: StatusError): CacheWatchEvent {
  return new ControlEvent('ERROR', noRevision, false, error)
}

/** The ADDED event of an object in an initial state. */
export function initialEvent(entry: CacheEntry): CacheWatchEvent {
  return new ObjectEvent('ADDED', entry.revision, entry, undefined)
}

/** Memory of a change in bytes, with its events, and of a replaced entry besides its stored bytes. */
const changeOverheadBytes = 400
const replacedOverheadBytes = 800

/** The change that one write made, and its events for watchers (each made once and shared). */
export class CacheEvent implements ChangeViews {
  readonly key: string
  readonly revision: Revision
  readonly atMs: number
  readonly previous: CacheEntry | undefined
  readonly current: CacheEntry | undefined
  readonly #budgets: Budgets
  #added: ObjectEvent | undefined = undefined
  #modified: ObjectEvent | undefined = undefined
  #deleted: ObjectEvent | undefined = undefined
  #isForgotten = false

  constructor(
    budgets: Budgets,
    of: { revision: Revision; atMs: number; previous: CacheEntry | undefined; current: CacheEntry | undefined },
  ) {
    const entry = of.current ?? of.previous
    assert(entry, 'change: of nothing to nothing')
    this.key = entry.key
    this.revision = of.revision
    this.atMs = of.atMs
    this.previous = of.previous
    this.current = of.current
    this.#budgets = budgets
  }

  /** Bytes that only history keeps in memory for this change: the current state is kept in any case. */
  get weightBytes(): number {
    const { previous } = this
    return changeOverheadBytes + (previous ? replacedOverheadBytes + previous.storedBytes : 0)
  }

  /** Bytes of the object that watchers see. */
  get storedBytes(): number {
    return (this.current ?? this.previous)?.storedBytes ?? 0
  }

  /**
   * The event for watchers with `predicate`; undefined when they see nothing. An object that begins to match is ADDED,
   * one that no longer matches is DELETED in its last matching state.
   */
  seenThrough(predicate: Predicate | undefined): CacheWatchEvent | undefined {
    const was = this.previous !== undefined && (predicate === undefined || predicate.matches(this.previous))
    const is = this.current !== undefined && (predicate === undefined || predicate.matches(this.current))
    if (is) return was ? this.#asModified() : this.entered()
    return was ? this.left() : undefined
  }

  /** History has dropped the change: nothing is kept for later watchers. */
  forget(): void {
    this.#isForgotten = true
    this.#added?.release()
    this.#modified?.release()
    this.#deleted?.release()
    this.#deleted?.entry.retire()
  }

  /**
   * A slow watcher may encode an event that history has dropped: its frames are not kept then, as nothing would release
   * them.
   */
  get #frames(): Budgets | undefined {
    return this.#isForgotten ? undefined : this.#budgets
  }

  entered(): CacheWatchEvent {
    assert(this.current, 'change: added nothing')
    this.#added ??= new ObjectEvent('ADDED', this.revision, this.current, this.#frames)
    return this.#added
  }

  #asModified(): CacheWatchEvent {
    assert(this.current, 'change: modified nothing')
    this.#modified ??= new ObjectEvent('MODIFIED', this.revision, this.current, this.#budgets, this)
    return this.#modified
  }

  left(): CacheWatchEvent {
    assert(this.previous, 'change: deleted nothing')
    if (this.#deleted) return this.#deleted
    const entry = this.previous.asOf(this.revision)
    if (this.#isForgotten) entry.retire()
    this.#deleted = new ObjectEvent('DELETED', this.revision, entry, this.#frames)
    return this.#deleted
  }
}
