import { assert } from '../../lib/base/index.ts'
import type { CacheWatchEvent, Entry } from '../../lib/cache/index.ts'

/** What a list or watch is about: keys from `start` to `end`, and optionally those of one node. */
export interface Scope {
  readonly start: string
  readonly end: string
  readonly node: string | undefined
}

interface Write {
  readonly key: string
  readonly revision: number
  /** Undefined: deleted. */
  readonly node: string | undefined
}

interface Known {
  readonly revision: number
  readonly node: string
}

/** Revisions of the store are counted from here: the first write is the next one. */
const firstRevision = 1

/** All writes, and what follows from them: everything that the cache must show. */
export class Model {
  /** Of every revision, in order. */
  readonly writes: (Write & { readonly before: Known | undefined })[] = []
  readonly #head = new Map<string, Known>()

  record({ key, revision, node }: Write): void {
    assert(revision === firstRevision + this.writes.length + 1, 'model: a write was not recorded')
    this.writes.push({ key, revision, node, before: this.#head.get(key) })
    if (node === undefined) this.#head.delete(key)
    else this.#head.set(key, { revision, node })
  }

  /** Index of the first write after `revision`, which may be one to come. */
  indexAfter(revision: number): number {
    return Math.max(0, revision - firstRevision)
  }

  /** The value of a key now. */
  current(key: string): Known | undefined {
    return this.#head.get(key)
  }

  /** Keys with revisions and contents, as a list must show them at `revision`. */
  list(scope: Scope, revision: number): string[] {
    const state = new Map<string, Known>()
    for (const write of this.writes.slice(0, this.indexAfter(revision)))
      if (write.node === undefined) state.delete(write.key)
      else state.set(write.key, { revision: write.revision, node: write.node })
    return [...state]
      .filter(([key, { node }]) => covers(scope, key) && (scope.node === undefined || node === scope.node))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, known]) => line(key, known.revision, known.node))
  }

  /** What a watcher of `scope` sees of the write at `index`; undefined: nothing. */
  seen(scope: Scope, index: number): string | undefined {
    const write = this.writes[index]
    if (!write || !covers(scope, write.key)) return undefined
    const was = write.before !== undefined && (scope.node === undefined || write.before.node === scope.node)
    const is = write.node !== undefined && (scope.node === undefined || write.node === scope.node)
    if (is) return `${was ? 'MODIFIED' : 'ADDED'} ${line(write.key, write.revision, write.node ?? '')}`
    return was ? `DELETED ${line(write.key, write.revision, write.before?.node ?? '')}` : undefined
  }

  /** Changes to a resource after `revision`. */
  changesAfter(prefix: string, revision: number): number {
    return this.writes.slice(this.indexAfter(revision)).filter(({ key }) => key.startsWith(prefix)).length
  }
}

function covers({ start, end }: Scope, key: string): boolean {
  return key >= start && key < end
}

function line(key: string, revision: number, node: string): string {
  return `${key}@${revision}:${node}`
}

/** An entry in the words of the model; checks that its parts fit each other. */
export function entryLine(entry: Entry): string {
  const { resourceVersion, labels } = entry.object().metadata
  violated(resourceVersion === String(entry.revision), `${entry.key} at ${entry.revision} shows ${resourceVersion}`)
  violated(labels?.['node'] === entry.labels()['node'], `${entry.key} at ${entry.revision} has two sets of labels`)
  return line(entry.key, entry.revision, labels?.['node'] ?? '')
}

/** What the simulation finds wrong. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

export function violated(holds: boolean, message: string): void {
  if (!holds) throw new Violation(message)
}

/** Follows one watch, and finds every gap, repeat, reordering and untimely bookmark at once. */
export class WatchChecker {
  readonly #model: Model
  readonly #scope: Scope
  /** Index of the first write that it hasn't accounted for; undefined before the initial state is complete. */
  #next: number | undefined
  readonly #initial: string[] = []
  /** Everything up to this has been seen: where a client resumes. */
  revision: number
  checked = 0

  /** `after`: undefined for a watch that begins with a state (and marks its end). */
  constructor(model: Model, scope: Scope, after: number | undefined) {
    this.#model = model
    this.#scope = scope
    this.revision = after ?? 0
    if (after !== undefined) this.#next = model.indexAfter(after)
  }

  get started(): boolean {
    return this.#next !== undefined
  }

  see(event: CacheWatchEvent): void {
    this.checked++
    if (event.type === 'BOOKMARK') return this.#bookmark(event)
    assert(event.entry, 'an event without an entry')
    const text = `${event.type} ${entryLine(event.entry)}`
    if (this.#next === undefined) {
      violated(event.type === 'ADDED', `${text} in an initial state`)
      this.#initial.push(entryLine(event.entry))
      return
    }
    const expected = this.#skipUnseen()
    violated(expected === text, `saw ${text}, should have seen ${expected}`)
    this.#next++
    this.revision = event.revision
  }

  /** Nothing that has happened is still to be seen. */
  complete(): void {
    const expected = this.#skipUnseen()
    violated(expected === undefined, `never saw ${expected}`)
  }

  #bookmark(event: CacheWatchEvent): void {
    if (this.#next === undefined) {
      violated(event.initialEventsEnd, 'a plain bookmark within an initial state')
      const expected = this.#model.list(this.#scope, event.revision)
      violated(same(this.#initial, expected), `began at ${event.revision} with ${this.#initial}, not with ${expected}`)
      this.#next = this.#model.indexAfter(event.revision)
    } else {
      const expected = this.#skipUnseen(event.revision)
      violated(expected === undefined, `a bookmark at ${event.revision} before ${expected}`)
    }
    violated(event.revision >= this.revision, `a bookmark at ${event.revision} after ${this.revision}`)
    this.revision = event.revision
  }

  /** The next event to be seen, up to the revision. */
  #skipUnseen(until = Number.POSITIVE_INFINITY): string | undefined {
    assert(this.#next !== undefined, 'not started')
    for (; ; this.#next++) {
      const write = this.#model.writes[this.#next]
      if (!write || write.revision > until) return undefined
      const text = this.#model.seen(this.#scope, this.#next)
      if (text !== undefined) return text
    }
  }
}

export function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, index) => text === b[index])
}
