/** The received bytes are no request that may be served. The client is answered `status`, and the connection ends. */
export class MalformedRequest extends Error {
  override readonly name = 'MalformedRequest'
  readonly status: number

  constructor(status: number, why: string) {
    super(why)
    this.status = status
  }
}

export function malformed(why: string): MalformedRequest {
  return new MalformedRequest(400, why)
}
