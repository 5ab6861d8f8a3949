import { isRecord } from '../../base/index.ts'
import { type Status, StatusError, type StatusReason } from '../../object/index.ts'
import { refusalText } from '../refusal.ts'
import { RequestError } from '../request.ts'
import type { AnswerHead, AnswerSink } from './exchange.ts'

/** A complete answer. */
export interface WholeAnswer {
  readonly head: AnswerHead
  readonly body: Buffer
}

/** Collects an answer of up to `bytesMax`. After `failed`, the request must be cancelled: parts may still arrive. */
export function collectAnswer(
  bytesMax: number,
  { done, failed }: { done(answer: WholeAnswer): void; failed(error: Error): void },
): AnswerSink {
  const chunks: Buffer[] = []
  let bytes = 0
  let head: AnswerHead | undefined
  return {
    onHead: (given) => (head = given),
    onData(chunk) {
      bytes += chunk.length
      if (bytes > bytesMax) failed(new RequestError(`the answer has more than ${bytesMax} bytes`))
      else chunks.push(chunk)
    },
    onEnd(error) {
      if (error || !head) return failed(error ?? new RequestError('the answer has no head'))
      const [first] = chunks
      done({ head, body: first && chunks.length === 1 ? first : Buffer.concat(chunks, bytes) })
    },
  }
}

export function statusErrorOf({ code, reason, message, details, metadata }: Status): StatusError {
  return new StatusError(code, reason ?? '', message ?? '', {
    details,
    metadata,
  })
}

const reasons: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
  504: 'Timeout',
}

/**
 * The Status of the answer; for one without, as other servers send them, a Status made from its code, without details.
 */
export function failureOf({ status: code, header }: AnswerHead, decoded: unknown, text: string): StatusError {
  const retryAfterSeconds = Number(header('retry-after')) || 0
  const isStatus = isRecord(decoded) && decoded['kind'] === 'Status'
  const status: Status = isStatus
    ? (decoded as Status)
    : {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: refusalText(code, text.slice(0, messageCharactersMax), header('content-type')),
        reason: reasons[code] ?? 'InternalError',
        code,
      }
  const details = retryAfterSeconds > 0 ? { retryAfterSeconds, ...status.details } : status.details
  return statusErrorOf({ ...status, code: status.code || code, details })
}

const messageCharactersMax = 1024
