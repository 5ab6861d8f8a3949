import { HeaderDecoder } from '../../http2/index.ts'

/** Header blocks that are cached; a server uses a handful. */
const blocksMax = 256
/** Longer ones aren't cached. */
const blockBytesMax = 1024

/** Headers that a server sends. The server may keep no dynamic table, so equal blocks mean the same, and few differ. */
export class GrpcResponseHeaders {
  readonly #decoder = new HeaderDecoder(0)
  readonly #known = new Map<string, ReadonlyMap<string, string>>()

  /**
   * Headers by name; the last of several with one name counts. Throws ProtocolError for bytes that are no header block.
   */
  of(block: Buffer): ReadonlyMap<string, string> {
    const key = block.toString('latin1')
    const known = this.#known.get(key)
    if (known) return known
    const headers = new Map<string, string>()
    this.#decoder.decode(block, { onHeader: (name, value) => void headers.set(name, value) })
    if (this.#known.size < blocksMax && block.length <= blockBytesMax) this.#known.set(key, headers)
    return headers
  }
}
