import { StoreError, type StoreErrorCode } from '../contract.ts'

/** gRPC status codes that this client distinguishes. */
export const grpcCodes = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  resourceExhausted: 8,
  failedPrecondition: 9,
  outOfRange: 11,
  internal: 13,
  unavailable: 14,
} as const

/**
 * Why a call failed, and whether it may have taken effect:
 * - `refused`: certainly not carried out (it was never sent, or the server refused it before it began).
 * - `unknown`: the connection broke, time ran out, or the server itself doesn't know.
 */
export interface GrpcFailure {
  readonly code: number
  readonly message: string
  readonly effect: 'refused' | 'unknown'
}

export function refused(message: string): GrpcFailure {
  return { code: grpcCodes.unavailable, message, effect: 'refused' }
}

export function unknown(message: string, code: number = grpcCodes.unavailable): GrpcFailure {
  return { code, message, effect: 'unknown' }
}

/** Texts of etcd's api/v3rpc/rpctypes, and one of raft's, that mean that nothing was proposed to the cluster. */
const droppedText = 'raft proposal dropped'
const refusedTexts = ['etcdserver: no leader', 'etcdserver: too many requests', 'etcdserver: not capable', droppedText]
/** Texts of raft that etcd passes on without their own code: the member transfers its leadership or stops. */
const memberTexts = [droppedText, 'raft: stopped']

/** A status that the server answered. */
export function fromStatus(given: number, message: string): GrpcFailure {
  const code = given === grpcCodes.unknown && memberTexts.includes(message) ? grpcCodes.unavailable : given
  const mayHaveRun =
    code === grpcCodes.unavailable ||
    code === grpcCodes.deadlineExceeded ||
    code === grpcCodes.cancelled ||
    code === grpcCodes.unknown ||
    code === grpcCodes.internal
  const effect = mayHaveRun && !refusedTexts.some((text) => message.startsWith(text)) ? 'unknown' : 'refused'
  return { code, message, effect }
}

/** A retry may succeed (whether a write may be repeated is another question). */
export function isTransient(failure: GrpcFailure): boolean {
  return (
    failure.code === grpcCodes.unavailable ||
    (failure.code === grpcCodes.resourceExhausted && failure.message.includes('too many requests'))
  )
}

/** The member may be cut off from its cluster: another one may answer. */
export function isMemberTrouble(failure: GrpcFailure): boolean {
  return failure.code === grpcCodes.unavailable && !failure.message.includes('leader changed')
}

export function toStoreError(failure: GrpcFailure): StoreError {
  return new StoreError(storeErrorCode(failure), `etcd: ${failure.message}`, { cause: failure })
}

/** The write may have happened, or may still happen. */
export function isUnknown(error: StoreError): boolean {
  const failure = error.cause as GrpcFailure | undefined
  return error.code === 'unavailable' && failure?.effect === 'unknown'
}

function storeErrorCode({ code, message }: GrpcFailure): StoreErrorCode {
  switch (code) {
    case grpcCodes.outOfRange:
      return message.includes('compacted') ? 'compacted' : 'future-revision'
    case grpcCodes.resourceExhausted:
      if (message.includes('database space exceeded')) return 'no-space'
      return message.includes('larger than max') ? 'too-large' : 'unavailable'
    case grpcCodes.invalidArgument:
      return message.includes('request is too large') ? 'too-large' : 'internal'
    case grpcCodes.unavailable:
    case grpcCodes.deadlineExceeded:
    case grpcCodes.cancelled:
      return 'unavailable'
    default:
      return 'internal'
  }
}

/** grpc-message is percent-encoded. */
export function decodeMessage(text: string | undefined): string {
  try {
    return decodeURIComponent(text ?? '')
  } catch {
    return text ?? ''
  }
}
