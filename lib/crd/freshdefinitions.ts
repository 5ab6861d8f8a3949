import type { Entry } from '../cache/index.ts'
import type { Revision } from '../object/index.ts'
import { asDefinition, type Definition } from './definition/definition.ts'

/** Definitions that are held; others are decoded again. */
const heldMax = 64

interface Held {
  readonly revision: Revision
  readonly definition: Definition
}

/**
 * Definitions whole, for the moment in which they are worked on: the cache may keep only some of its decoded objects, and
 * schemas take long to decode.
 */
export class FreshDefinitions {
  readonly #held = new Map<string, Held>()

  /** The state that an event, or a write of our own, brought. */
  hold(key: string, revision: Revision, definition: Definition): void {
    const held = this.#held.get(key)
    if (held && held.revision > revision) return
    this.#held.delete(key)
    this.#held.set(key, { revision, definition })
    const [oldest] = this.#held.size > heldMax ? this.#held.keys() : []
    if (oldest !== undefined) this.#held.delete(oldest)
  }

  /** The entry's definition. */
  of(entry: Entry): Definition {
    const held = this.#held.get(entry.key)
    return held?.revision === entry.revision ? held.definition : asDefinition(entry.object())
  }

  /** Nothing is left to be done with this state. */
  release({ key, revision }: Pick<Entry, 'key' | 'revision'>): void {
    const held = this.#held.get(key)
    if (held && held.revision <= revision) this.#held.delete(key)
  }
}
