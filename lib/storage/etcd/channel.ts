import type { GrpcFailure } from './failure.ts'

/** PEM content. */
export interface TlsOptions {
  ca?: string
  cert?: string
  key?: string
}

/** Takes what the server sends to one exchange. */
export interface ReplySink {
  /** A view that is valid during the call only. */
  onMessage(message: Buffer): void
  /** Some bytes of a message came that is not complete yet. */
  onPart(): void
  /** Once, at the end; nothing follows. */
  onEnd(failure: GrpcFailure | undefined): void
}

/** One gRPC call under way: a single request and reply, or a stream of both. */
export interface Exchange {
  write(frame: Buffer): void
  /** The server may send no more than the window that it has, until `resume`. */
  pause(): void
  resume(): void
  /** Ends it at once, with nothing more to the sink. */
  cancel(): void
}

/** A connection to one server. */
export interface Channel {
  readonly endpoint: string
  /** False once it is draining or gone. */
  readonly usable: boolean
  readonly inFlight: number
  /** `more`: the caller goes on writing. */
  open(path: string, frame: Buffer, more: boolean, sink: ReplySink): Exchange
  /** Called a few times a second: pings when the server has been silent, and breaks off when it stays so. */
  check(): void
  /** Lets the requests that are under way end, breaks off streams, and takes nothing new. */
  retire(): void
  /** Breaks off what is under way. */
  destroy(reason: string): void
}

export interface ChannelOptions {
  tls?: TlsOptions
  connectTimeoutMs: number
  /** A ping is sent after this long without a sign of life while calls are under way; etcd suffers one in 5 s. */
  keepAliveMs: number
  keepAliveTimeoutMs: number
  /** As requests name the server. Default: what the endpoint says. */
  authority?: string
  /** A longer reply is refused. */
  replyBytesMax?: number
}
