import http2, { type ClientHttp2Session, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2'
import { PassThrough, type Readable } from 'node:stream'
import { Unprocessed, unprocessedBy } from '../client/index.ts'
import type { BackendExchange, BackendRequest, BackendResponse } from './backend.ts'

/** Throws Unprocessed when the session is about to end. `opened`: the stream of the request is available. */
export function beginOverHttp2(
  session: ClientHttp2Session,
  { method, path, headers, isBodiless = false, signal }: BackendRequest,
  opened: (stream: ClientHttp2Stream) => void,
): BackendExchange {
  if (session.closed || session.destroyed) throw new Unprocessed('the connection is closing')
  const { host, ...rest } = headers
  const stream = session.request(
    { ...rest, ':method': method, ':path': path, ':scheme': 'https', ':authority': String(host) },
    { endStream: isBodiless, signal },
  )
  opened(stream)
  let failure: Error | undefined
  const answer = new Promise<BackendResponse>((done, failed) => {
    stream.once('response', ({ ':status': status, ...given }: IncomingHttpHeaders & { ':status'?: number }) =>
      done({ status: Number(status), headers: given, body: bodyOf(stream) }),
    )
    stream.on('error', (error) => (failure ??= error))
    stream.once('close', () =>
      failed(
        unprocessedBy(stream.rstCode, failure) ??
          failure ??
          new Error(`the server ended the request with code ${stream.rstCode}`),
      ),
    )
  })
  // The caller awaits the answer, possibly later.
  answer.catch(() => {})
  return { body: stream, answer }
}

/** Node ends a reset stream like a complete one: here it fails, like an answer over HTTP/1.1 that breaks off. */
function bodyOf(stream: ClientHttp2Stream): Readable {
  const body = new PassThrough()
  // Its reader gets a failure; without a reader it must not end the process.
  body.on('error', () => {})
  let failure: Error | undefined
  stream.on('error', (error) => (failure ??= error))
  stream.on('data', (chunk: Buffer) => {
    if (!body.write(chunk)) stream.pause()
  })
  body.on('drain', () => stream.resume())
  stream.on('close', () => {
    if (!failure && stream.rstCode === http2.constants.NGHTTP2_NO_ERROR && stream.readableEnded) body.end()
    else body.destroy(failure ?? new Error(`the server ended the answer with code ${stream.rstCode}`))
  })
  body.on('close', () => {
    if (!stream.closed) stream.close(http2.constants.NGHTTP2_CANCEL)
  })
  return body
}
