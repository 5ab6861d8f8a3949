import type { Dialer } from '../../egress/index.ts'
import type { GrpcFailure } from './failure.ts'

/** PEM content. */
export interface EtcdTlsOptions {
  ca?: string
  cert?: string
  key?: string
}

/** Receives the server's messages of one exchange. */
export interface ReplySink {
  /** A view that is valid during the call only. */
  onMessage(message: Buffer): void
  /** A part of an incomplete message arrived. */
  onPart(): void
  /** Once, at the end; nothing follows. */
  onEnd(failure: GrpcFailure | undefined): void
}

/** One gRPC call under way: a single request and reply, or a stream of both. */
export interface Exchange {
  write(frame: Buffer): void
  /** The server may send no more than its remaining window until `resume`. */
  pause(): void
  resume(): void
  /** Ends it at once; the sink gets nothing more. */
  cancel(): void
}

/** A connection to one server. */
export interface Channel {
  readonly endpoint: string
  /** False once it is draining or closed. */
  readonly usable: boolean
  readonly inFlight: number
  /** `more`: the caller will write more. */
  open(path: string, frame: Buffer, more: boolean, sink: ReplySink): Exchange
  /** Called a few times a second: pings a silent server, and closes the channel when it stays silent. */
  check(): void
  /** Lets requests in flight finish, ends streams, and accepts no new ones. */
  retire(): void
  /** Ends everything in flight. */
  destroy(reason: string): void
}

export interface ChannelOptions {
  tls?: EtcdTlsOptions
  connectTimeoutMs: number
  /** Sends a ping after this long without data while calls are in flight; etcd tolerates one in 5 s. */
  keepAliveMs: number
  keepAliveTimeoutMs: number
  /** The server's name in requests. Default: the endpoint's. */
  authority?: string
  /** Opens connections to other machines through a proxy; absent: they are direct. */
  dialer?: Dialer | undefined
  /** Longer replies are refused. */
  replyBytesMax?: number
}
