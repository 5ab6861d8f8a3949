import type { ComponentChild } from 'preact'
import type { Row } from '../state/row.ts'

interface Drawn {
  readonly row: Row
  readonly look: string
  readonly element: ComponentChild
}

/**
 * The elements of rows as they were last drawn. A row that has not changed gets the same one, which is not compared: of a
 * window of forty rows few change in a frame.
 */
export class DrawnRows {
  #latest = new Map<string, Drawn>()
  #before = new Map<string, Drawn>()

  /** Before the rows are drawn again: those that were not drawn since the last time are let go of. */
  begin(): void {
    this.#before = this.#latest
    this.#latest = new Map()
  }

  /** `look`: whatever else the element depends on. */
  read(row: Row, look: string, draw: () => ComponentChild): ComponentChild {
    const known = this.#latest.get(row.uid) ?? this.#before.get(row.uid)
    const isSame = known?.row === row && known.look === look
    const drawn = isSame ? known : { row, look, element: draw() }
    this.#latest.set(row.uid, drawn)
    return drawn.element
  }
}
