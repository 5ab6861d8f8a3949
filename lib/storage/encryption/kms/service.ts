import type { Clock, Metrics } from '../../../base/index.ts'
import type { EtcdMessageReader } from '../../etcd/protobuf.ts'
import { connectUnixGrpc, GrpcCallError } from '../../unixgrpc.ts'
import type { KmsRule } from '../rules.ts'
import { TransformError } from '../transformer.ts'
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
  constructor({ status, message }: GrpcCallError) {
    super(message)
    this.status = status
  }
}

const latencyBuckets = Array.from({ length: 20 }, (_, power) => 1e-4 * 2 ** power)

/** Speaks gRPC on a unix socket. A call waits for the service to listen, at most for the rule's timeout. */
export async function connectKeyService(
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics },
  { name, endpoint, timeoutMs }: KmsRule,
): Promise<KeyService> {
  const service = connectUnixGrpc(clock, endpoint)
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
      return await service.call(path, message, decode, timeoutMs)
    } catch (error) {
      if (!(error instanceof GrpcCallError)) throw error
      code = error.status
      throw new KmsCallError(error)
    } finally {
      latency.observe([code, path, name], (clock.monotonicMs() - startedMs) / 1000)
    }
  }

  return {
    status: () => call(methods.status, Buffer.alloc(0), decodeKmsStatus),
    encrypt: (plaintext, uid) => call(methods.encrypt, encodeEncrypt(plaintext, uid), decodeEncrypt),
    decrypt: (request, uid) => call(methods.decrypt, encodeDecrypt(request, uid), decodeDecrypt),
    close: () => service.close(),
  }
}
