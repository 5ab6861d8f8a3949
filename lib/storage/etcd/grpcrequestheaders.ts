import { encodeHeaders } from '../../http2/index.ts'
import { addressOf } from './endpoint.ts'

/** Encoded headers of calls to one endpoint: the same for every call of a method, so they are encoded once. */
export class GrpcRequestHeaders {
  readonly #endpoint: string
  readonly #authority: string
  readonly #byPath = new Map<string, Buffer>()

  constructor(endpoint: string, authority = addressOf(endpoint).authority) {
    this.#endpoint = endpoint
    this.#authority = authority
  }

  of(path: string, stream: boolean): Buffer {
    let block = this.#byPath.get(path)
    if (!block) {
      const { secure } = addressOf(this.#endpoint)
      block = encodeHeaders([
        [':method', 'POST'],
        [':scheme', secure ? 'https' : 'http'],
        [':path', path],
        [':authority', this.#authority],
        ['te', 'trailers'],
        ['content-type', 'application/grpc'],
        // A member that has lost its leader then ends the stream instead of staying silent.
        ...(stream ? ([['hasleader', 'true']] as const) : []),
      ])
      this.#byPath.set(path, block)
    }
    return block
  }
}
