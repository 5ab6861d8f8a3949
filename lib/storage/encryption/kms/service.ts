import type { Clock, Metrics } from '../../../base/index.ts'
import { StoreError } from '../../contract.ts'
import { type GrpcFailure, grpcCodes, unknown } from '../../etcd/failure.ts'
import { frameHeaderBytes } from '../../etcd/messages.ts'
import type { EtcdMessageReader } from '../../etcd/protobuf.ts'
import type { KmsRule } from '../rules.ts'
import { TransformError } from '../transformer.ts'
import { KeyServiceLink } from './link.ts'
import {
  type DecryptRequest,
  decodeDecrypt,
  decodeEncrypt,
  decodeKmsStatus,
  type EncryptReply,
  encodeDecrypt,
  encodeEncrypt,
  type KmsStatusReply,
  methods,
} from './messages.ts'

/** A key service: a program on this machine that encrypts and decrypts keys. All methods reject with KmsCallError. */
export interface KeyService {
  status(): Promise<KmsStatusReply>
  encrypt(plaintext: Uint8Array, uid: string): Promise<EncryptReply>
  decrypt(request: DecryptRequest, uid: string): Promise<Uint8Array>
  close(): void
}

/** A failed call, with gRPC's name of the status. */
class KmsCallError extends TransformError {
  override readonly status: string
  constructor(code: string, description: string) {
    super(`rpc error: code = ${code} desc = ${description.slice(0, descriptionMax)}`)
    this.status = code
  }
}

const descriptionMax = 1024
const codes = [
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

const latencyBuckets = Array.from({ length: 20 }, (_, power) => 1e-4 * 2 ** power)

/** Speaks gRPC on a unix socket. A call waits for the service to listen, at most for the rule's timeout. */
export async function connectKeyService(
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics },
  { name, endpoint, timeoutMs }: KmsRule,
): Promise<KeyService> {
  const link = new KeyServiceLink(clock, endpoint)
  const latency = metrics.histogram({
    name: 'apiserver_envelope_encryption_kms_operations_latency_seconds',
    help: 'How long calls to key services take.',
    labels: ['grpc_status_code', 'method_name', 'provider_name'],
    buckets: latencyBuckets,
  })

  async function call<Reply>(
    path: string,
    message: Buffer,
    decode: (reader: EtcdMessageReader) => Reply,
  ): Promise<Reply> {
    const startedMs = clock.monotonicMs()
    let code = 'OK'
    try {
      return await link.ask({ path, frame: framed(message), decode }, timeoutMs)
    } catch (error) {
      const failure = failureOf(error)
      code = codes[failure.code] ?? 'Unknown'
      throw new KmsCallError(code, failure.message)
    } finally {
      latency.observe([code, path, name], (clock.monotonicMs() - startedMs) / 1000)
    }
  }

  return {
    status: () => call(methods.status, Buffer.alloc(0), decodeKmsStatus),
    encrypt: (plaintext, uid) => call(methods.encrypt, encodeEncrypt(plaintext, uid), decodeEncrypt),
    decrypt: (request, uid) => call(methods.decrypt, encodeDecrypt(request, uid), decodeDecrypt),
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
