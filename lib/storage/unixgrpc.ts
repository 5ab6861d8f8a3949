import type { Clock } from '../base/index.ts'
import { StoreError } from './contract.ts'
import { KeyServiceLink } from './encryption/kms/link.ts'
import { type GrpcFailure, grpcCodes, unknown } from './etcd/failure.ts'
import { frameHeaderBytes } from './etcd/messages.ts'
import type { EtcdMessageReader } from './etcd/protobuf.ts'

/** A failed call: gRPC's name of the status, and a message as Go's client prints it. */
export class GrpcCallError extends Error {
  override readonly name = 'GrpcCallError'
  readonly status: string
  constructor(status: string, description: string) {
    super(`rpc error: code = ${status} desc = ${description.slice(0, descriptionMax)}`)
    this.status = status
  }
}

/** A service of another program on this machine. */
interface UnixGrpcService {
  /** Waits for the service to listen, at most `timeoutMs`. Rejects with a GrpcCallError. */
  call<Reply>(
    path: string,
    message: Buffer,
    decode: (reader: EtcdMessageReader) => Reply,
    timeoutMs: number,
  ): Promise<Reply>
  close(): void
}

const descriptionMax = 1024
const statusNames = [
  'OK',
  'Canceled',
  'Unknown',
  'InvalidArgument',
  'DeadlineExceeded',
  'NotFound',
  'AlreadyExists',
  'PermissionDenied',
  'ResourceExhausted',
  'FailedPrecondition',
  'Aborted',
  'OutOfRange',
  'Unimplemented',
  'Internal',
  'Unavailable',
  'DataLoss',
  'Unauthenticated',
]

/** Speaks gRPC on a unix socket: `unix:///run/kms.sock`, or `unix:///@name` for a Linux abstract socket. */
export function connectUnixGrpc(clock: Clock, endpoint: string): UnixGrpcService {
  const link = new KeyServiceLink(clock, endpoint)
  return {
    async call(path, message, decode, timeoutMs) {
      try {
        return await link.ask({ path, frame: framed(message), decode }, timeoutMs)
      } catch (error) {
        const { code, message: description } = failureOf(error)
        throw new GrpcCallError(statusNames[code] ?? 'Unknown', description)
      }
    },
    close: () => link.close(),
  }
}

/** A gRPC frame: not compressed, four bytes of length, and the message. */
function framed(message: Buffer): Buffer {
  const head = Buffer.alloc(frameHeaderBytes)
  head.writeUInt32BE(message.length, 1)
  return Buffer.concat([head, message])
}

function failureOf(error: unknown): GrpcFailure {
  const cause = error instanceof StoreError ? (error.cause as GrpcFailure | undefined) : undefined
  return cause ?? unknown(error instanceof Error ? error.message : String(error), grpcCodes.internal)
}
