import { isRecord } from '../../../lib/base/index.ts'
import type { Outline } from './format.ts'
import { outlineOf } from './outline.ts'

/** Larger events, and all after them, are not read. */
const eventBytesMax = 1024 * 1024

/** Reads the events of a watch in JSON, a line each. Other streams have bytes alone. */
export class EventReader {
  readonly #onEvent: (event: string, outline: Outline) => void
  #isReadable: boolean
  #rest: Buffer = Buffer.alloc(0)

  constructor(type: string, onEvent: (event: string, outline: Outline) => void) {
    this.#onEvent = onEvent
    this.#isReadable = type.startsWith('application/json')
  }

  add(chunk: Uint8Array): void {
    if (!this.#isReadable) return
    let from = 0
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      this.#line(Buffer.concat([this.#rest, chunk.subarray(from, end)]))
      this.#rest = Buffer.alloc(0)
      from = end + 1
    }
    this.#rest = Buffer.concat([this.#rest, chunk.subarray(from)])
    if (this.#rest.length > eventBytesMax) this.#isReadable = false
  }

  #line(bytes: Buffer): void {
    try {
      const event: unknown = JSON.parse(bytes.toString())
      if (isRecord(event) && typeof event['type'] === 'string')
        this.#onEvent(event['type'], outlineOf(event['object']) ?? {})
    } catch {
      this.#isReadable = false
    }
  }
}
