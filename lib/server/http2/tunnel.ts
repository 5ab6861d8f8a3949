import { Duplex } from 'node:stream'
import { errorCodes } from '../../http2/index.ts'
import { ClientGone } from '../errors.ts'
import type { Http2Stream } from './stream.ts'

/** An accepted extended CONNECT (RFC 8441) as a duplex stream with backpressure both ways. */
export function tunnelOf(stream: Http2Stream): Duplex {
  let begun = false
  let remoteEnded = false
  const duplex = new Duplex({
    read() {
      if (begun) return stream.resume()
      begun = true
      stream.read({
        onChunk(chunk) {
          if (!duplex.push(chunk)) stream.pause()
        },
        onEnd() {
          remoteEnded = true
          duplex.push(null)
        },
        onGone() {
          duplex.destroy(new ClientGone())
        },
      })
    },
    write(chunk: Buffer, _encoding, done) {
      if (stream.write([chunk])) done()
      else stream.onDrain(done)
    },
    final(done) {
      stream.end()
      done()
    },
    destroy(error, done) {
      if (!stream.closed && !(remoteEnded && stream.ending))
        stream.reset(error ? errorCodes.internalError : errorCodes.cancel)
      done(error)
    },
  })
  stream.onClose(() => {
    if (!(remoteEnded && duplex.writableFinished)) duplex.destroy(new ClientGone())
  })
  duplex.on('error', () => {})
  return duplex
}
