import type { Clock, Counter, Metrics } from '../base/index.ts'
import { formatMicroTime, statusErrors } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import type { Scheme } from '../scheme/index.ts'
import { type AuditEvent, auditLevels, createEventWriter } from './event.ts'
import { auditLimits, cut } from './limits.ts'
import { createMatcher } from './match.ts'
import { createObjectTexts } from './objects.ts'
import type { AuditPolicy } from './policy.ts'
import { type AuditedCall, AuditRecord, type RecordServices, referenceOf, sourceIpsOf, userAgentOf } from './record.ts'
import type { AuditSink } from './sink.ts'

/** Sends events to the sinks as the policy demands. */
export interface Auditor {
  /**
   * Begins the record of an authenticated request; undefined when it is not audited. Rejects with 500 when a sink that
   * must not lose events (blocking-strict) could not store one.
   */
  begin(call: AuditedCall): AuditRecord | undefined | Promise<AuditRecord>
  /** A request that failed authentication. */
  unauthenticated(call: AuditedCall): void
  /** Resolves when everything has been delivered, or the sinks' time limit has passed. */
  close(): Promise<void>
}

interface AuditorDependencies {
  readonly clock: Clock
  readonly metrics: Metrics
  readonly scheme: Scheme
  readonly sinks: readonly AuditSink[]
}

export function createAuditor({ clock, metrics, scheme, sinks }: AuditorDependencies, policy: AuditPolicy): Auditor {
  const matches = createMatcher(policy)
  const write = createEventWriter()
  const timestamp = createTimestamps(clock)
  const count = createCounters(metrics)
  const strict = sinks.some((sink) => sink.strict)

  /** Returns false when a sink that must not lose events has lost it. */
  function process(event: AuditEvent): boolean | Promise<boolean> {
    count.events.add(count.none)
    const text = write(event)
    let stored = true
    let waits: Promise<boolean>[] | undefined
    for (const sink of sinks) {
      const result = sink.process(event, text)
      if (typeof result === 'boolean') stored &&= result || !sink.strict
      else (waits ??= []).push(result.then((ok) => ok || !sink.strict))
    }
    const before = stored
    return waits === undefined ? stored : Promise.all(waits).then((all) => before && all.every(Boolean))
  }

  const services: RecordServices = {
    texts: createObjectTexts(scheme),
    isConfidential: (info) => info.isResource && scheme.resource(info)?.table.confidential === true,
    timestamp,
    emit: (event) => void process(event),
  }

  function accept(record: AuditRecord, stored: boolean): AuditRecord {
    if (stored || !strict) return record
    count.rejected.add(count.none)
    throw statusErrors.internal('failed to store audit event')
  }

  return {
    begin(call) {
      const decision = matches(call.info, call.user)
      count.level(decision.level)
      if (decision.level === 'None') return undefined
      const record = new AuditRecord(call, decision, services)
      const event = record.received()
      const stored = event === undefined || process(event)
      return typeof stored === 'boolean' ? accept(record, stored) : stored.then((ok) => accept(record, ok))
    },
    unauthenticated(call) {
      const decision = matches(call.info, undefined)
      count.level(decision.level)
      if (decision.level === 'None' || !decision.stages.ResponseStarted) return
      const at = timestamp()
      void process({
        level: decision.level,
        auditId: call.auditId,
        stage: 'ResponseStarted',
        requestUri: cut(call.url, auditLimits.uriCharacters),
        verb: call.info.verb,
        user: undefined,
        impersonatedUser: undefined,
        impersonationConstraint: '',
        sourceIps: sourceIpsOf(call),
        userAgent: userAgentOf(call),
        objectRef: call.info.isResource ? referenceOf(call) : undefined,
        responseStatus: {
          metadata: {},
          status: 'Failure',
          message: triedMethods(call),
          reason: 'Unauthorized',
          code: 401,
        },
        requestObject: undefined,
        responseObject: undefined,
        receivedAt: at,
        stageAt: at,
        annotations: undefined,
      })
    },
    async close() {
      await Promise.all(sinks.map((sink) => sink.close()))
    },
  }
}

/** The kinds of credentials that a client sent; never the credentials. */
function triedMethods(call: Call): string {
  const authorization = call.headers['authorization'] ?? ''
  const methods = [
    /^basic /i.test(authorization) ? 'basic' : undefined,
    /^bearer /i.test(authorization) ? 'bearer' : undefined,
    call.clientCertificates() !== undefined ? 'x509' : undefined,
  ].filter((method) => method !== undefined)
  if (methods.length === 0) return 'Authentication failed, no credentials provided'
  return `Authentication failed, attempted: ${methods.join(', ')}`
}

/** The current time in the format of events, formatted once a millisecond. */
function createTimestamps(clock: Clock): () => string {
  let lastMs = Number.NaN
  let text = ''
  return () => {
    const nowMs = clock.now()
    if (nowMs !== lastMs) {
      lastMs = nowMs
      text = formatMicroTime(nowMs)
    }
    return text
  }
}

function createCounters(metrics: Metrics): {
  none: readonly string[]
  events: Counter
  rejected: Counter
  level(level: string): void
} {
  const levels = metrics.counter({
    name: 'apiserver_audit_level_total',
    help: 'Requests by the level at which the policy has them audited.',
    labels: ['level'],
    stability: 'ALPHA',
  })
  const labels = new Map<string, readonly string[]>(auditLevels.map((level) => [level, [level]]))
  return {
    none: [],
    events: metrics.counter({
      name: 'apiserver_audit_event_total',
      help: 'Audit events made and handed to the sinks.',
      stability: 'ALPHA',
    }),
    rejected: metrics.counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Requests refused because their audit event could not be stored.',
      stability: 'ALPHA',
    }),
    level: (level) => levels.add(labels.get(level) ?? [level]),
  }
}
