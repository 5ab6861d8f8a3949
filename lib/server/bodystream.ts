import { Readable } from 'node:stream'
import { ClientGone } from './errors.ts'
import type { BodySource } from './responder/transport.ts'

/**
 * The body as a stream that stops its client when nothing reads it: at most about `readAheadBytes` and what the protocol's
 * own window holds wait in memory.
 */
export function streamBody(source: BodySource): Readable {
  let begun = false
  let ended = false
  const readable = new Readable({
    highWaterMark: readAheadBytes,
    read() {
      if (begun) return source.resume()
      begun = true
      if (source.empty) return void readable.push(null)
      source.proceed()
      source.read({
        onChunk(chunk) {
          if (!readable.push(chunk)) source.pause()
        },
        onEnd() {
          ended = true
          readable.push(null)
        },
        onGone() {
          if (!ended) readable.destroy(new ClientGone())
        },
      })
    },
    destroy(error, done) {
      if (begun && !ended) source.stopReading()
      done(error)
    },
  })
  // A reader still sees the error; without a listener a handler that has stopped reading would crash the process.
  readable.on('error', () => {})
  return readable
}

const readAheadBytes = 64 * 1024
