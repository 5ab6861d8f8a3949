import type { Auditor, AuditRecord } from '../../audit/index.ts'
import type { Finisher, ServerCall } from '../call.ts'
import type { Next } from '../chain.ts'
import type { AuditSeam } from '../contract.ts'

/** Tells the auditor of every request that has a user, as it comes and as it ends. */
export function createAudit(auditor: Auditor): AuditSeam {
  const finisher: Finisher = {
    finish(call) {
      const { observer, bodyRead } = call
      if (bodyRead !== undefined && bodyRead.length > 0)
        observer?.requestBody(call.headers['content-type'] ?? 'application/json', bodyRead)
      observer?.finished({
        user: call.user,
        status: call.transport.status,
        failure: call.failure,
        crashed: call.crashed,
      })
    },
  }

  function goOn(call: ServerCall, next: Next, record: AuditRecord): void | Promise<void> {
    call.audit = record
    call.observer = record
    call.onFinish(finisher)
    for (const key in call.credentialNotes) record.annotate(key, call.credentialNotes[key] ?? '')
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
