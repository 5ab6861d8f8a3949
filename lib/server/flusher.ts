import type { Clock } from '../base/index.ts'

interface Flushed {
  flush(): void
}

/**
 * Writes the output of all connections once at the end of a turn of the event loop: answers of one turn wake their
 * clients together, which costs this process less than one at a time.
 */
export class Flusher {
  readonly #clock: Clock
  #waiting: Flushed[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(writer: Flushed): void {
    if (this.#waiting.length === 0) this.#clock.soon(() => this.#flush())
    this.#waiting.push(writer)
  }

  #flush(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const writer of waiting) writer.flush()
  }
}
