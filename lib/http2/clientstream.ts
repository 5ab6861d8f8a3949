import type { ReceiveWindow } from './receivewindow.ts'

/** Receives the answer of one request. */
export interface ClientStreamSink {
  /** The answer's head, once; interim ones (RFC 9110, section 15.2) are left out. Names are in lower case. */
  onHead(status: number, headers: ReadonlyMap<string, string>): void
  /** A view of the bytes that the session was given. */
  onData(chunk: Buffer): void
  /** Once, at the end; nothing follows. Without an error, the answer is complete. */
  onEnd(error?: StreamError): void
}

/** Why there is no complete answer. */
export class StreamError extends Error {
  override readonly name = 'StreamError'
  /** The server has not processed the request: it may be sent again. */
  readonly isUnprocessed: boolean

  constructor(message: string, { isUnprocessed = false }: { readonly isUnprocessed?: boolean } = {}) {
    super(message)
    this.isUnprocessed = isUnprocessed
  }
}

/** One request on a client's connection. */
export class ClientStream {
  /** 0 until it is opened. */
  id = 0
  readonly sink: ClientStreamSink
  /** The header block. */
  readonly headers: Buffer
  /** Bytes of the body that have not been sent. */
  unsent: Uint8Array
  sendWindow = 0
  receiveWindow: ReceiveWindow | undefined
  hasHead = false
  isOver = false

  constructor(sink: ClientStreamSink, headers: Buffer, body: Uint8Array) {
    this.sink = sink
    this.headers = headers
    this.unsent = body
  }

  end(error?: StreamError): void {
    if (this.isOver) return
    this.isOver = true
    this.sink.onEnd(error)
  }
}
