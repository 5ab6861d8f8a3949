import type { Logger } from '../base/index.ts'
import type { StatusError } from '../object/index.ts'
import { isPretty } from '../request/index.ts'
import type { ServerCall } from './call.ts'
import { ClientGone, type EncodeStatus, toStatusError } from './errors.ts'

export interface FailureAnswers {
  /** Sends `error` to the client, or breaks the answer off when it has begun. */
  answer(call: ServerCall, error: unknown): void
}

export function createFailureAnswers(log: Logger, encodeStatus: EncodeStatus): FailureAnswers {
  return {
    answer(call, error) {
      if (error instanceof ClientGone) return
      if (call.outcome.timedOut) {
        call.outcome.failedAfterTimeout = true
        return
      }
      const { answer, expected } = toStatusError(error, call.info, call.auditId)
      call.outcome.failure = answer
      if (!expected) {
        call.outcome.crashed = answer.reason === 'InternalError'
        log.error('request failed', { auditId: call.auditId, method: call.method, path: call.path, error })
      }
      if (call.responder.started) return call.responder.fail()
      try {
        sendStatus(call, answer, encodeStatus)
      } catch (unsendable) {
        // The headers can't be sent. Nothing further up catches errors.
        log.error('an error could not be answered', { auditId: call.auditId, error: unsendable })
        call.responder.fail()
      }
    },
  }
}

function sendStatus(call: ServerCall, error: StatusError, encodeStatus: EncodeStatus): void {
  const pretty = isPretty(call.query, call.headers['user-agent'])
  const { contentType, body } = encodeStatus(error.toStatus(), call.headers['accept'], pretty)
  const retryAfterSeconds = error.details?.retryAfterSeconds ?? 0
  if (retryAfterSeconds > 0) call.responseHeaders.push('retry-after', String(retryAfterSeconds))
  void call.responder.send(error.code, { 'content-type': contentType }, body)
}

/** Answers in plain text, as health and debug pages do. */
export function sendText(call: ServerCall, status: number, text: string): void {
  void call.responder.send(status, plainHeaders, Buffer.from(text))
}

const plainHeaders = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
