import type { Duplex } from 'node:stream'
import type { Clock } from '../../base/index.ts'

/** Collects the bytes of one turn of the event loop into one write. */
export class EtcdSocketWriter {
  readonly #clock: Clock
  readonly #socket: Duplex
  #out: Buffer[] = []
  #bytes = 0

  constructor(clock: Clock, socket: Duplex) {
    this.#clock = clock
    this.#socket = socket
  }

  send(bytes: Buffer): void {
    if (this.#out.length === 0) this.#clock.soon(() => this.#flush())
    this.#out.push(bytes)
    this.#bytes += bytes.length
  }

  #flush(): void {
    const out = this.#out
    const bytes = this.#bytes
    this.#out = []
    this.#bytes = 0
    if (!this.#socket.destroyed) this.#socket.write(Buffer.concat(out, bytes))
  }
}
