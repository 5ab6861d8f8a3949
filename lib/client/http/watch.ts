import type { ApiObject, StatusError } from '../../object/index.ts'
import type { WatchEvent, WatchSink } from '../contract.ts'
import { statusErrorOf } from './answer.ts'
import type { ClientEncoding } from './encoding.ts'
import { createFrameReader } from './frames.ts'

/** Reads a watch's answer: takes its chunks, and passes on what they hold. Throws for malformed frames. */
export interface WatchReader {
  /** The error with which the server has ended the watch; undefined: it goes on. */
  take(chunk: Buffer): StatusError | undefined
}

export function createWatchReader(
  contentType: string,
  encoding: ClientEncoding,
  sink: WatchSink<ApiObject>,
): WatchReader {
  const read = createFrameReader(contentType, encoding)
  return {
    take(chunk) {
      const events: WatchEvent<ApiObject>[] = []
      let failure: StatusError | undefined
      for (const frame of read(chunk)) {
        if (frame.type !== 'ERROR') events.push(frame)
        else {
          failure = statusErrorOf(frame.object)
          break
        }
      }
      if (events.length > 0) sink.onEvents(events)
      return failure
    },
  }
}
