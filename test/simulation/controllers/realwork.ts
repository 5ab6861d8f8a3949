type Named = 'sign' | 'verify' | 'importKey' | 'digest'
const names: readonly Named[] = ['sign', 'verify', 'importKey', 'digest']

/**
 * Cryptography takes real time, in threads of its own. No simulated time may pass meanwhile: else what becomes of a
 * seed would depend on how busy the machine is.
 */
export class RealWork {
  #pending = 0
  readonly #originals: ReadonlyMap<Named, (...given: never[]) => Promise<unknown>>

  /** Counts from now on, until it is closed. */
  constructor() {
    const subtle = globalThis.crypto.subtle as Record<Named, (...given: never[]) => Promise<unknown>>
    this.#originals = new Map(names.map((name) => [name, subtle[name].bind(subtle)]))
    for (const [name, original] of this.#originals) subtle[name] = (...given) => this.#count(original(...given))
  }

  async #count<T>(work: Promise<T>): Promise<T> {
    this.#pending++
    try {
      return await work
    } finally {
      this.#pending--
    }
  }

  /** Resolves once none is under way. */
  async done(): Promise<void> {
    while (this.#pending > 0) await new Promise(setImmediate)
  }

  close(): void {
    const subtle = globalThis.crypto.subtle as Record<Named, unknown>
    // What lies on the object itself hides the prototype's own again.
    for (const name of this.#originals.keys()) delete subtle[name]
  }
}
