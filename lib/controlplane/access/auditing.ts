import { readFile } from 'node:fs/promises'
import {
  type AuditLogOptions,
  type Auditor,
  type AuditSink,
  createAuditor,
  createLogDelivery,
  createSink,
  createWebhookDelivery,
  openLogFile,
  parsePolicy,
  type SinkOptions,
} from '../../audit/index.ts'
import type { Clock, Counter, Logger, Metrics, Random } from '../../base/index.ts'
import { createEndpointClient, loadKubeconfig, type ServerEndpoint } from '../../client/index.ts'
import type { Egress } from '../../egress/index.ts'
import type { Scheme } from '../../scheme/index.ts'
import { createConfigCodec } from '../configcodec.ts'
import { reasonOf, StartError } from '../process/failure.ts'
import type { ProcessEnvironment } from '../serverservices.ts'

/** The configuration of auditing. */
export interface AuditConfig {
  /** '': nothing is audited. */
  readonly policyFile: string
  readonly log?: { readonly path: string; readonly sink: SinkOptions; readonly file: AuditLogOptions }
  readonly webhook?: { readonly configFile: string; readonly sink: SinkOptions; readonly initialBackoffMs: number }
}

interface Services {
  readonly clock: Clock
  readonly random: Random
  readonly log: Logger
  readonly metrics: Metrics
  readonly environment: ProcessEnvironment['environment']
  readonly egress: Egress
  readonly standardOutput: ProcessEnvironment['standardOutput']
}

/** Undefined without auditing. Rejects with StartError. */
export async function openAuditor(
  config: AuditConfig | undefined,
  scheme: Scheme,
  services: Services,
): Promise<Auditor | undefined> {
  if (config === undefined) return undefined
  const log = services.log.named('audit')
  if (config.policyFile === '') {
    log.warn('no audit policy file was given: no events are recorded')
    return undefined
  }
  const { policy, warnings } = await attempt(`--audit-policy-file: ${config.policyFile}`, async () =>
    parsePolicy(await readFile(config.policyFile, 'utf8'), createConfigCodec()),
  )
  if (!config.log && !config.webhook) return undefined
  for (const warning of warnings) log.warn('the audit policy has a mistake that is passed over', { warning })
  const errors = services.metrics.counter({
    name: 'apiserver_audit_error_total',
    help: 'Audit events that were lost, by the part that lost them.',
    labels: ['plugin'],
    stability: 'ALPHA',
  })
  const parts = { ...services, log, errors }
  const sinks: AuditSink[] = []
  if (config.log) sinks.push(await openLogSink(config.log, parts))
  if (config.webhook) sinks.push(await openWebhookSink(config.webhook, parts))
  return createAuditor({ ...services, scheme, sinks }, policy)
}

type Parts = Services & { readonly errors: Counter }

async function openLogSink({ path, sink, file }: NonNullable<AuditConfig['log']>, parts: Parts): Promise<AuditSink> {
  const output = await attempt(`--audit-log-path: ${path}`, () =>
    path === '-' ? parts.standardOutput : openLogFile(parts, path, file),
  )
  return createSink(parts, createLogDelivery(parts, output, file), sink)
}

async function openWebhookSink(
  { configFile, sink, initialBackoffMs }: NonNullable<AuditConfig['webhook']>,
  parts: Parts,
): Promise<AuditSink> {
  const endpoint: ServerEndpoint = await attempt(
    `--audit-webhook-config-file: ${configFile}`,
    async () => await loadKubeconfig(parts, configFile),
  )
  const client = createEndpointClient(parts, { ...endpoint, dialer: parts.egress.controlplane })
  return createSink(parts, createWebhookDelivery(parts, client, { initialBackoffMs }), sink)
}

async function attempt<Result>(what: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new StartError(`${what}: ${reasonOf(error)}`, { cause: error })
  }
}
