import type { KubeSchedulerConfiguration } from '../../api/gen/kubescheduler.config.k8s.io/v1.ts'
import { createConfigCodec } from '../../lib/controlplane/index.ts'
import { type ApiObject, parseDurationMs, StatusError } from '../../lib/object/index.ts'
import { decodeConfig } from '../apiserver/admissionfile.ts'
import type { SchedulerFlags } from './flags.ts'

const group = 'kubescheduler.config.k8s.io'
const kind = 'KubeSchedulerConfiguration'

type Changes = { -readonly [Name in keyof SchedulerFlags]?: SchedulerFlags[Name] | undefined }

/** Parses --config (YAML or JSON), strictly. Throws an Error of one line. */
export function parseSchedulerConfig(text: string): KubeSchedulerConfiguration {
  // Decoded as this kind.
  return decodeConfig(text, group, ['v1'], kind, 'v1') as unknown as KubeSchedulerConfiguration
}

/** Decodes the arguments of a plugin, whose kind and version may be left out. Throws an Error of one line. */
export function decodePluginArgs(argsKind: string, args: unknown): ApiObject {
  const object = { apiVersion: `${group}/v1`, kind: argsKind, ...(typeof args === 'object' ? args : {}) }
  try {
    return createConfigCodec().decodeObject(Buffer.from(JSON.stringify(object)), {
      mediaType: 'application/json',
      expected: { group, version: 'v1', kind: argsKind },
      fieldValidation: 'Strict',
    }).object
  } catch (error) {
    throw error instanceof StatusError ? new Error(error.message.replaceAll('\n', ' '), { cause: error }) : error
  }
}

/**
 * The flags as if the command line had named the values of the file. As in the stock scheduler, only the
 * command line's flags about the lease have precedence over the file. Throws an Error for an invalid duration.
 */
export function withConfigFile(
  flags: SchedulerFlags,
  given: ReadonlySet<string>,
  { leaderElection: lease, clientConnection: connection }: KubeSchedulerConfiguration,
): SchedulerFlags {
  const duration = (text: string): number | undefined => parseDurationMs(text || '0s') || undefined
  const ofLease: Changes = {
    'leader-elect': lease.leaderElect,
    'leader-elect-lease-duration': duration(lease.leaseDuration),
    'leader-elect-renew-deadline': duration(lease.renewDeadline),
    'leader-elect-retry-period': duration(lease.retryPeriod),
    'leader-elect-resource-lock': lease.resourceLock || undefined,
    'leader-elect-resource-name': lease.resourceName || undefined,
    'leader-elect-resource-namespace': lease.resourceNamespace || undefined,
  }
  const changes: Changes = {
    kubeconfig: connection.kubeconfig,
    'kube-api-content-type': connection.contentType || 'application/vnd.kubernetes.protobuf',
    'kube-api-qps': Math.max(0, connection.qps),
    'kube-api-burst': Math.max(0, connection.burst),
    ...Object.fromEntries(Object.entries(ofLease).filter(([name]) => !given.has(name))),
  }
  const known = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
  // Each value has the type of its flag.
  return { ...flags, ...known } as SchedulerFlags
}

/** The effective configuration: what the file says, with the values of the flags. */
export function effectiveConfig(flags: SchedulerFlags, file: KubeSchedulerConfiguration | undefined): ApiObject {
  const duration = (ms: number): string => `${ms / 1000}s`
  return {
    apiVersion: `${group}/v1`,
    kind,
    metadata: {},
    ...file,
    parallelism: file?.parallelism ?? 16,
    percentageOfNodesToScore: file?.percentageOfNodesToScore ?? 0,
    podInitialBackoffSeconds: file?.podInitialBackoffSeconds ?? 1,
    podMaxBackoffSeconds: file?.podMaxBackoffSeconds ?? 10,
    profiles: file?.profiles ?? [{ schedulerName: 'default-scheduler' }],
    leaderElection: {
      leaderElect: flags['leader-elect'],
      leaseDuration: duration(flags['leader-elect-lease-duration']),
      renewDeadline: duration(flags['leader-elect-renew-deadline']),
      retryPeriod: duration(flags['leader-elect-retry-period']),
      resourceLock: flags['leader-elect-resource-lock'],
      resourceName: flags['leader-elect-resource-name'],
      resourceNamespace: flags['leader-elect-resource-namespace'],
    },
    clientConnection: {
      kubeconfig: flags.kubeconfig,
      acceptContentTypes: file?.clientConnection.acceptContentTypes ?? '',
      contentType: flags['kube-api-content-type'],
      qps: flags['kube-api-qps'],
      burst: flags['kube-api-burst'],
    },
  }
}
