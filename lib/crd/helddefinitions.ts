import type { Entry } from '../cache/index.ts'
import type { Revision } from '../object/index.ts'
import { asDefinition, type Definition } from './definition/definition.ts'

/** Maximum number of held definitions; others are decoded again. */
const heldMax = 64

interface Held {
  readonly revision: Revision
  readonly definition: Definition
}

/**
 * Holds whole definitions while they are reconciled: the cache may keep only some of its decoded objects, and schemas
 * take long to decode.
 */
export class HeldDefinitions {
  readonly #held = new Map<string, Held>()

  /** Holds the state of an event, or of a write of our own. */
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

  /** Drops this state, which needs no more work. */
  release({ key, revision }: Pick<Entry, 'key' | 'revision'>): void {
    const held = this.#held.get(key)
    if (held && held.revision <= revision) this.#held.delete(key)
  }
}
