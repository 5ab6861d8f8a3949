import type { Clock, Metrics } from '../../../base/index.ts'
import { assert } from '../../../base/index.ts'
import type { KmsRule } from '../rules.ts'
import { TransformError } from '../transformer.ts'
import {
  type DecryptRequest,
  decodeDecrypt,
  decodeEncrypt,
  decodeStatus,
  encodeDecrypt,
  encodeEncrypt,
  type EncryptReply,
  methods,
  type StatusReply,
} from './messages.ts'

/** A key service: a program on this machine that encrypts and decrypts keys. All reject with KmsCallError. */
export interface KeyService {
  status(): Promise<StatusReply>
  encrypt(plaintext: Uint8Array, uid: string): Promise<EncryptReply>
  decrypt(request: DecryptRequest, uid: string): Promise<Uint8Array>
  close(): void
}

/** A call that failed, in the words that clients of gRPC know. */
class KmsCallError extends TransformError {
  override readonly status: string
  constructor(code: string, description: string) {
    super(`rpc error: code = ${code} desc = ${description.slice(0, descriptionMax)}`)
    this.status = code
  }
}

const descriptionMax = 1024
/** Replies are keys and what goes with them. */
const replyBytesMax = 256 * 1024
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

/** Speaks gRPC on a unix socket. Calls wait for the service to listen, each for the rule's time at most. */
export async function connectKeyService(
  { clock, metrics }: { readonly clock: Clock; readonly metrics: Metrics },
  { name, endpoint, timeoutMs }: KmsRule,
): Promise<KeyService> {
  const { Client, credentials, Metadata } = await import('@grpc/grpc-js')
  const client = new Client(targetOf(endpoint), credentials.createInsecure(), {
    'grpc.default_authority': 'localhost',
    'grpc.max_receive_message_length': replyBytesMax,
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    'grpc.use_local_subchannel_pool': 1,
  })
  const latency = metrics.histogram({
    name: 'apiserver_envelope_encryption_kms_operations_latency_seconds',
    help: 'How long calls to key services take.',
    labels: ['grpc_status_code', 'method_name', 'provider_name'],
    buckets: latencyBuckets,
  })

  function call<Reply>(method: string, request: Buffer, decode: (bytes: Buffer) => Reply): Promise<Reply> {
    const startedMs = clock.monotonicMs()
    const observe = (code: string): void =>
      latency.observe([code, method, name], (clock.monotonicMs() - startedMs) / 1000)
    return new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        method,
        (bytes: Buffer) => bytes,
        (bytes) => bytes,
        request,
        new Metadata({ waitForReady: true }),
        { deadline: clock.now() + timeoutMs },
        (error, reply) => {
          const code = error ? (codes[error.code] ?? 'Unknown') : 'OK'
          observe(code)
          if (error) return reject(new KmsCallError(code, error.details))
          try {
            assert(reply, 'kms: neither a reply nor an error')
            resolve(decode(reply))
          } catch {
            reject(new KmsCallError('Internal', 'the reply is no message of the key service'))
          }
        },
      )
    })
  }

  return {
    status: () => call(methods.status, Buffer.alloc(0), decodeStatus),
    encrypt: (plaintext, uid) => call(methods.encrypt, encodeEncrypt(plaintext, uid), decodeEncrypt),
    decrypt: (request, uid) => call(methods.decrypt, encodeDecrypt(request, uid), decodeDecrypt),
    close: () => client.close(),
  }
}

/** `unix:///run/kms.sock`; a path that begins with `/@` is of Linux's abstract ones. */
function targetOf(endpoint: string): string {
  const path = endpoint.replace(/^[^:]*:(?:\/\/[^/]*)?/, '')
  return path.startsWith('/@') ? `unix-abstract:${path.slice(2)}` : `unix:${path}`
}
