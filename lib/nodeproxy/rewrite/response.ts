import { pipeline, type Readable, type Transform } from 'node:stream'
import { createDeflate, createGunzip, createGzip, createInflate } from 'node:zlib'
import type { BackendResponse } from '../../proxy/index.ts'
import { createHtmlRewriter } from './html.ts'
import { type LinkContext, rewriteLink } from './link.ts'

/** Pages of other origins may not read answers through this server. */
const crossOrigin = /^access-control-allow-/

/** Rewrites the links and redirects of a proxied answer to lead through the proxy. */
export function rewriteResponse(response: BackendResponse, context: LinkContext): BackendResponse {
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !crossOrigin.test(name)))
  const { location } = headers
  if (typeof location === 'string')
    return { ...response, headers: { ...headers, location: rewriteLink(location, context) } }
  const type = String(headers['content-type'] ?? '')
    .split(';')[0]
    ?.trim()
    .toLowerCase()
  const codings = type === 'text/html' ? codingsOf(String(headers['content-encoding'] ?? '')) : undefined
  if (!codings) return { ...response, headers }
  const { 'content-length': _length, etag: _etag, ...rest } = headers
  return { ...response, headers: rest, body: through(response.body, codings, context) }
}

interface Codings {
  readonly decode: Transform | undefined
  readonly encode: Transform | undefined
}

/** Undefined for encodings that can't be decoded. */
function codingsOf(encoding: string): Codings | undefined {
  switch (encoding.toLowerCase()) {
    case '':
      return { decode: undefined, encode: undefined }
    case 'gzip':
      return { decode: createGunzip(), encode: createGzip({ level: 1 }) }
    case 'deflate':
      return { decode: createInflate(), encode: createDeflate({ level: 1 }) }
    default:
      return undefined
  }
}

function through(body: Readable, { decode, encode }: Codings, context: LinkContext): Readable {
  const stages = [decode, createHtmlRewriter(context), encode].filter((stage) => stage !== undefined)
  const last = stages.at(-1)
  if (!last) return body
  // A failure of any stage destroys the last one, whose reader gets the error.
  pipeline([body, ...stages], () => {})
  return last
}
