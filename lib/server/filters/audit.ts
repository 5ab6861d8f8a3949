import type { Auditor, AuditRecord } from '../../audit/index.ts'
import type { Finisher, ServerCall } from '../call.ts'
import type { Next } from '../chain.ts'
import type { AuditSeam } from '../contract.ts'

/** Reports each authenticated request to the auditor, at its start and at its end. */
export function createAudit(auditor: Auditor): AuditSeam {
  const finisher: Finisher = {
    finish(call) {
      const { audit, bodyRead, user, responder, outcome } = call
      if (bodyRead !== undefined && bodyRead.length > 0)
        audit.requestBody(call.headers['content-type'] ?? 'application/json', bodyRead)
      audit.finished({ user, status: responder.status, failure: outcome.failure, crashed: outcome.crashed })
    },
  }

  function goOn(call: ServerCall, next: Next, record: AuditRecord): void | Promise<void> {
    call.audit = record
    call.onFinish(finisher)
    for (const key in call.credentialAnnotations) record.annotate(key, call.credentialAnnotations[key] ?? '')
    return next(call)
  }

  return {
    filter(call, next) {
      const record = auditor.begin(call)
      if (record === undefined) return next(call)
      return record instanceof Promise ? record.then((begun) => goOn(call, next, begun)) : goOn(call, next, record)
    },
    unauthenticated: (call) => auditor.unauthenticated(call),
  }
}
