import { createHash } from 'node:crypto'
import { statusErrors } from '../object/index.ts'
import { type Call, parseAccept } from '../request/index.ts'
import type { Json } from './schemas.ts'

/** A document in one form. */
export interface Answer {
  readonly body: Uint8Array
  readonly contentType: string
  readonly hash: string
}

export const jsonType = 'application/json'
/** The media types of answers. RFC 9110 allows no @ in a media type, and Go's clients refuse an answer with one. */
const protobufTypes = {
  2: 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  3: 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf',
} as const
const yearSeconds = 365 * 24 * 3600

/** The first accepted type of JSON and the version's protobuf form. Throws 406. */
export function chooseType(call: Call, version: keyof typeof protobufTypes): string {
  const protobuf = protobufTypes[version]
  // Clients request it with an @ before the form's version.
  const asked = protobuf.replace('.v1.0+', '@v1.0+')
  for (const { type } of parseAccept(call.headers['accept'] ?? '*/*')) {
    if (type === protobuf || type === asked) return protobuf
    if (type === jsonType || type === 'application/*' || type === '*/*') return jsonType
  }
  throw statusErrors.notAcceptable(`only the following media types are accepted: ${jsonType}, ${protobuf}`)
}

export function send(
  call: Call,
  { body, contentType, hash }: Answer,
  more: Record<string, string> = {},
): void | Promise<void> {
  const headers = { 'content-type': contentType, etag: `"${hash}"`, vary: 'Accept', ...more }
  if (call.headers['if-none-match'] === `"${hash}"`) return call.responder.send(304, headers)
  return call.responder.send(200, headers, body)
}

/** Sends the document of version 3 at `path`; a request with the hash of another document is redirected to this one. */
export function sendVersion3(call: Call, path: string, answer: Answer): void | Promise<void> {
  const asked = call.query.get('hash')
  if (asked !== null && asked !== '' && asked !== answer.hash)
    return call.responder.send(301, { location: version3Url(path, answer.hash) })
  // A URL with a hash always has the same answer.
  const caching: Record<string, string> =
    asked === answer.hash ? { 'cache-control': `public, immutable, max-age=${yearSeconds}` } : {}
  return send(call, answer, caching)
}

/** `path`: of the group version, `apis/apps/v1`. */
export function version3Url(path: string, hash: string): string {
  return `/openapi/v3/${path}?hash=${hash}`
}

export function digest(content: Uint8Array | string): string {
  return createHash('sha512').update(content).digest('hex').toUpperCase()
}

export function jsonOf(document: Json): Uint8Array {
  return Buffer.from(JSON.stringify(document))
}
