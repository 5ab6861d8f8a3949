import type { Readable } from 'node:stream'
import type { ResponseStream } from '../request/index.ts'

/** Copies at the speed of the client; an answer that breaks off breaks off at the client, too. */
export function pump(body: Readable, stream: ResponseStream): Promise<void> {
  return new Promise((done) => {
    body.on('data', (chunk: Buffer) => {
      if (stream.write(chunk)) return
      body.pause()
      stream.onDrain(() => body.resume())
    })
    body.on('end', () => {
      stream.end()
      done()
    })
    body.on('error', () => {
      stream.abort()
      done()
    })
    stream.onClose(() => {
      body.destroy()
      done()
    })
  })
}
