// audit: events at the stages of a request, as the policy demands, to a log or a webhook: the user, the action, the
// time and the outcome. Invariant: an accepted event is delivered before the end or counted as lost; events contain no
// credentials. Must not know the chain, nor how a request is answered.
export { type Auditor, createAuditor } from './auditor.ts'
export { type AuditEvent, legacyLine } from './event.ts'
export { type AuditLogOptions, createLogDelivery, type LineOutput, openLogFile } from './log.ts'
export { createMatcher } from './match.ts'
export { type PolicyRule, parsePolicy } from './policy.ts'
export { type AuditedCall, AuditRecord } from './record.ts'
export {
  type AuditMode,
  type AuditSink,
  createSink,
  type Delivery,
  type SinkOptions,
  type WrittenEvent,
} from './sink.ts'
export { createWebhookDelivery } from './webhook.ts'
