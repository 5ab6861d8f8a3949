import { encodeHeaders, headerBytesMax, writeHeaders } from '../../http2/index.ts'
import type { Credentials } from '../credentials.ts'

export interface RequestHead {
  readonly method: string
  /** Path and query, below the path of the server. */
  readonly url: string
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBytes: number | undefined
}

/** Different sets of headers that are kept encoded, for each of the credentials. */
const encodedMax = 64

/**
 * Encodes the header blocks of requests to one server. Most requests of one client differ in their method, path and
 * length alone: the rest, with its long token, is encoded once.
 */
export class RequestHeads {
  readonly #scheme: string
  readonly #authority: string
  /** A server may be behind a path. */
  readonly #path: string
  readonly #userAgent: string
  readonly #ends = new WeakMap<Credentials, Map<string, Buffer>>()

  constructor(root: string, userAgent: string) {
    const [, scheme = '', authority = '', path = ''] = /^(\w+):\/\/([^/]*)(.*)$/.exec(root) ?? []
    this.#scheme = scheme
    this.#authority = authority
    this.#path = path
    this.#userAgent = userAgent
  }

  /** A header block. Throws TypeError for characters that no header may have. */
  encode({ method, url, headers, bodyBytes }: RequestHead, shown: Credentials): Buffer {
    const path = this.#path + url
    const start = [':method', method, ':scheme', this.#scheme, ':authority', this.#authority, ':path', path]
    const end = this.#endOf(headers, shown)
    const length = bodyBytes === undefined ? [] : ['content-length', String(bodyBytes)]
    const block = Buffer.allocUnsafe(headerBytesMax(start) + end.length + headerBytesMax(length))
    let at = writeHeaders(start, block, 0)
    at += end.copy(block, at)
    return block.subarray(0, writeHeaders(length, block, at))
  }

  #endOf(headers: Readonly<Record<string, string>>, shown: Credentials): Buffer {
    let ends = this.#ends.get(shown)
    if (!ends) this.#ends.set(shown, (ends = new Map()))
    let key = ''
    for (const name in headers) key += `${name}:${headers[name]}\n`
    let end = ends.get(key)
    if (!end) {
      const { authorization } = shown
      end = encodeHeaders([
        ['user-agent', this.#userAgent],
        ...(authorization === undefined ? [] : ([['authorization', authorization]] as const)),
        ...Object.entries(headers),
      ])
      if (ends.size < encodedMax) ends.set(key, end)
    }
    return end
  }
}
