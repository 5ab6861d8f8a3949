import type { IncomingMessage } from 'node:http'
import type { Closable } from '../../base/index.ts'
import type { ApiObject } from '../../object/index.ts'
import type { WatchEvent, WatchSink } from '../contract.ts'
import { statusErrorOf } from './answer.ts'
import type { ClientEncoding } from './encoding.ts'
import { createFrameReader, type WatchFrame } from './frames.ts'

/** Reads a watch's answer to its end; calls the sink's onEnd once. */
export function readWatch(response: IncomingMessage, encoding: ClientEncoding, sink: WatchSink<ApiObject>): Closable {
  const read = createFrameReader(response.headers['content-type'] ?? '', encoding)
  let over = false

  function end(error?: Error): void {
    if (over) return
    over = true
    response.destroy()
    sink.onEnd(error)
  }

  response.on('data', (chunk: Buffer) => {
    if (over) return
    try {
      deliver(read(chunk))
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)))
    }
  })
  response.on('end', () => end())
  response.on('error', (error) => end(error))
  response.on('close', () => end(response.complete ? undefined : new Error('the connection was lost')))
  response.resume()

  function deliver(frames: readonly WatchFrame[]): void {
    const events: WatchEvent<ApiObject>[] = []
    for (const frame of frames) {
      if (frame.type === 'ERROR') {
        if (events.length > 0) sink.onEvents(events)
        return end(statusErrorOf(frame.object))
      }
      events.push(frame)
    }
    if (events.length > 0) sink.onEvents(events)
  }
  return { close: () => end() }
}
