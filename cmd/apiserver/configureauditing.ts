import type { AuditLogOptions, AuditMode, SinkOptions } from '../../lib/audit/index.ts'
import type { AuditConfig } from '../../lib/controlplane/index.ts'
import type { ApiserverFlags } from './flags.ts'

/** Undefined without a policy or a sink. A policy is parsed, and may be invalid, also without a sink. */
export function auditConfig(flags: ApiserverFlags): AuditConfig | undefined {
  const policyFile = flags['audit-policy-file']
  const path = flags['audit-log-path']
  const configFile = flags['audit-webhook-config-file']
  if (policyFile === '' && path === '' && configFile === '') return undefined
  return {
    policyFile,
    log: path === '' ? undefined : { path, sink: logSink(flags), file: logOptions(flags) },
    webhook:
      configFile === ''
        ? undefined
        : { configFile, sink: webhookSink(flags), initialBackoffMs: flags['audit-webhook-initial-backoff'] },
  }
}

function logOptions(flags: ApiserverFlags): AuditLogOptions {
  return {
    // auditProblem has checked the value.
    format: flags['audit-log-format'] as AuditLogOptions['format'],
    bytesMax: flags['audit-log-maxsize'] * 1024 * 1024,
    backupsMax: flags['audit-log-maxbackup'],
    daysMax: flags['audit-log-maxage'],
    compress: flags['audit-log-compress'],
  }
}

type SinkName = 'audit-log' | 'audit-webhook'

function logSink(flags: ApiserverFlags): SinkOptions {
  return sinkOptions(flags, 'audit-log')
}

function webhookSink(flags: ApiserverFlags): SinkOptions {
  return sinkOptions(flags, 'audit-webhook')
}

function sinkOptions(flags: ApiserverFlags, name: SinkName): SinkOptions {
  return {
    mode: flags[`${name}-mode`] as AuditMode,
    batch: {
      bufferSize: flags[`${name}-batch-buffer-size`],
      maxSize: flags[`${name}-batch-max-size`],
      maxWaitMs: flags[`${name}-batch-max-wait`],
      throttle: flags[`${name}-batch-throttle-enable`]
        ? { qps: flags[`${name}-batch-throttle-qps`], burst: flags[`${name}-batch-throttle-burst`] }
        : undefined,
    },
    truncate: flags[`${name}-truncate-enabled`]
      ? {
          eventBytesMax: flags[`${name}-truncate-max-event-size`],
          batchBytesMax: flags[`${name}-truncate-max-batch-size`],
        }
      : undefined,
  }
}

const modes = ['batch', 'blocking', 'blocking-strict']

/** The first problem of the audit flags; undefined when there is none. */
export function auditProblem(flags: ApiserverFlags): string | undefined {
  return (
    sinkProblem(flags, 'audit-log') ??
    sinkProblem(flags, 'audit-webhook') ??
    (['json', 'legacy'].includes(flags['audit-log-format'])
      ? undefined
      : `--audit-log-format: "${flags['audit-log-format']}" is none of json, legacy`) ??
    (['audit-log-maxage', 'audit-log-maxbackup', 'audit-log-maxsize'] as const)
      .filter((flag) => flags[flag] < 0)
      .map((flag) => `--${flag} must not be negative`)[0]
  )
}

function sinkProblem(flags: ApiserverFlags, name: SinkName): string | undefined {
  const mode = flags[`${name}-mode`]
  if (!modes.includes(mode)) return `--${name}-mode: "${mode}" is none of ${modes.join(', ')}`
  if (flags[`${name}-version`] !== 'audit.k8s.io/v1')
    return `--${name}-version: "${flags[`${name}-version`]}" is not audit.k8s.io/v1`
  const bufferSize = flags[`${name}-batch-buffer-size`]
  const maxSize = flags[`${name}-batch-max-size`]
  if (mode === 'batch') {
    if (bufferSize <= 0) return `--${name}-batch-buffer-size must be positive`
    if (maxSize <= 0 || maxSize > bufferSize)
      return `--${name}-batch-max-size must be positive, and at most --${name}-batch-buffer-size`
    if (flags[`${name}-batch-throttle-enable`]) {
      if (flags[`${name}-batch-throttle-qps`] <= 0) return `--${name}-batch-throttle-qps must be positive`
      if (flags[`${name}-batch-throttle-burst`] <= 0) return `--${name}-batch-throttle-burst must be positive`
    }
  }
  const eventBytes = flags[`${name}-truncate-max-event-size`]
  const batchBytes = flags[`${name}-truncate-max-batch-size`]
  if (flags[`${name}-truncate-enabled`] && (eventBytes <= 0 || batchBytes < eventBytes))
    return `--${name}-truncate-max-event-size must be positive, and at most --${name}-truncate-max-batch-size`
  return undefined
}
