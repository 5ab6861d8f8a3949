import { StoreError } from '../contract.ts'
import { frameHeaderBytes } from './messages.ts'

/** A longer message is refused. Below the maximum size of a Buffer. */
export const messageBytesMax = 1 << 30

/**
 * Joins the chunks of a stream into gRPC messages. A message within one chunk is passed on in place; a longer one is
 * collected in a buffer of its exact size, so that each byte is copied once, however many chunks it takes.
 */
export class Assembler {
  #head = Buffer.alloc(0)
  #body: Buffer | undefined
  #filled = 0
  readonly #bytesMax: number

  constructor(bytesMax = messageBytesMax) {
    this.#bytesMax = bytesMax
  }

  /** `onMessage` gets a view that is valid during the call only. Throws StoreError `too-large`. */
  push(chunk: Buffer, onMessage: (message: Buffer) => void): void {
    let rest = chunk
    if (this.#body) rest = this.#fill(this.#body, rest, onMessage)
    if (rest.length === 0) return
    if (this.#head.length > 0) {
      rest = Buffer.concat([this.#head, rest])
      this.#head = Buffer.alloc(0)
    }
    while (rest.length >= frameHeaderBytes) {
      const length = rest.readUInt32BE(1)
      if (length > this.#bytesMax)
        throw new StoreError('too-large', `etcd: a reply of ${length} bytes is larger than max`)
      const end = frameHeaderBytes + length
      if (rest.length < end) {
        this.#body = Buffer.allocUnsafeSlow(length)
        this.#filled = rest.copy(this.#body, 0, frameHeaderBytes)
        return
      }
      onMessage(rest.subarray(frameHeaderBytes, end))
      rest = rest.subarray(end)
    }
    if (rest.length > 0) this.#head = Buffer.from(rest)
  }

  #fill(body: Buffer, chunk: Buffer, onMessage: (message: Buffer) => void): Buffer {
    const taken = chunk.copy(body, this.#filled)
    this.#filled += taken
    if (this.#filled === body.length) {
      this.#body = undefined
      onMessage(body)
    }
    return chunk.subarray(taken)
  }
}
