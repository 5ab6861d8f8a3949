import { createEventWriter } from './event.ts'
import type { WrittenEvent } from './sink.ts'

export interface TruncateOptions {
  /** Bytes of an event beyond which its objects are dropped. */
  readonly eventBytesMax: number
  /** Bytes of a batch. */
  readonly batchBytesMax: number
}

interface Truncation {
  /** The event, or the event without its objects, or undefined when that is still too large. */
  shorten(event: WrittenEvent): WrittenEvent | undefined
  /** Parts that are each small enough for one delivery. */
  parts(events: readonly WrittenEvent[]): WrittenEvent[][]
}

const annotation = 'audit.k8s.io/truncated'

export function createTruncation({ eventBytesMax, batchBytesMax }: TruncateOptions, lost: () => void): Truncation {
  const write = createEventWriter()
  const fits = (text: string, bytesMax: number): boolean =>
    text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax

  return {
    shorten(written) {
      if (fits(written.text, eventBytesMax)) return written
      const event = {
        ...written.event,
        requestObject: undefined,
        responseObject: undefined,
        annotations: { ...written.event.annotations, [annotation]: 'true' },
      }
      const text = write(event)
      if (fits(text, eventBytesMax)) return { event, text }
      lost()
      return undefined
    },
    parts(events) {
      const parts: WrittenEvent[][] = []
      let part: WrittenEvent[] = []
      let bytes = 0
      for (const event of events) {
        const size = Buffer.byteLength(event.text)
        if (part.length > 0 && bytes + size > batchBytesMax) {
          parts.push(part)
          part = []
          bytes = 0
        }
        part.push(event)
        bytes += size
      }
      if (part.length > 0) parts.push(part)
      return parts
    },
  }
}
