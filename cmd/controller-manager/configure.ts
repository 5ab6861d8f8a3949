import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import {
  type ControllerSettings,
  defaultControllerSettings,
  type LeaderElectionOptions,
  type SigningFiles,
} from '../../lib/controller/index.ts'
import { checkControllerNames } from '../../lib/controlplane/index.ts'
import { createFeatureGates, type Emulation, type FeatureGates, parseEmulation } from '../../lib/features/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import { readOptional, withFlagName } from '../apiserver/flagfiles.ts'
import type { ManagerFlags } from './flags.ts'
import { recyclerPodsOf } from './recyclerpods.ts'

/** The controller manager's configuration, made from its flags. */
export interface ManagerConfig {
  readonly controllers: readonly string[]
  readonly settings: ControllerSettings
  readonly emulation: Emulation
  readonly gates: FeatureGates
  /** Undefined: it is active at once, without leader election. */
  readonly election: LeaderElectionOptions | undefined
  readonly shutdownMs: number
  /** '' for a pod's own service account. */
  readonly kubeconfig: string
  readonly master: string
  readonly accounts: boolean
  readonly protobuf: boolean
  readonly rateLimit: { readonly qps: number; readonly burst: number } | undefined
}

/** Throws FlagError. */
export async function configure(flags: ManagerFlags): Promise<ManagerConfig> {
  checkFlags(flags)
  const emulation = withFlagName('emulated-version', () =>
    parseEmulation(flags['emulated-version'], flags['min-compatibility-version']),
  )
  return {
    emulation,
    controllers: flags.controllers,
    settings: await settingsOf(flags),
    gates: withFlagName('feature-gates', () =>
      createFeatureGates({ set: flags['feature-gates'], release: emulation.release }),
    ),
    election: flags['leader-elect'] ? electionOf(flags) : undefined,
    shutdownMs: flags['controller-shutdown-timeout'],
    kubeconfig: flags.kubeconfig,
    master: flags.master,
    accounts: flags['use-service-account-credentials'],
    protobuf: flags['kube-api-content-type'] !== 'application/json',
    rateLimit:
      flags['kube-api-qps'] > 0 ? { qps: flags['kube-api-qps'], burst: flags['kube-api-burst'] || 30 } : undefined,
  }
}

function checkFlags(flags: ManagerFlags): void {
  withFlagName('controllers', () => checkControllerNames(flags.controllers))
  if (flags['leader-elect-resource-lock'] !== 'leases')
    throw new FlagError('--leader-elect-resource-lock: only leases are supported')
  if (flags['leader-elect-lease-duration'] <= flags['leader-elect-renew-deadline'])
    throw new FlagError('--leader-elect-lease-duration must be greater than --leader-elect-renew-deadline')
  if (flags['leader-elect-renew-deadline'] <= 1.2 * flags['leader-elect-retry-period'])
    throw new FlagError('--leader-elect-renew-deadline must be greater than 1.2 times --leader-elect-retry-period')
  if ((flags['tls-cert-file'] === '') !== (flags['tls-private-key-file'] === ''))
    throw new FlagError('--tls-cert-file and --tls-private-key-file go together')
}

function electionOf(flags: ManagerFlags): LeaderElectionOptions {
  return {
    namespace: flags['leader-elect-resource-namespace'],
    name: flags['leader-elect-resource-name'],
    identity: `${hostname()}_${randomUUID()}`,
    leaseDurationMs: flags['leader-elect-lease-duration'],
    renewDeadlineMs: flags['leader-elect-renew-deadline'],
    retryPeriodMs: flags['leader-elect-retry-period'],
  }
}

async function settingsOf(flags: ManagerFlags): Promise<ControllerSettings> {
  return {
    ...namesakes(flags),
    rootCa: (await readOptional('root-ca-file', flags['root-ca-file'])) ?? '',
    serviceAccountPrivateKey:
      (await readOptional('service-account-private-key-file', flags['service-account-private-key-file'])) ?? '',
    clusterSigning: signersOf(flags),
    recyclerPods: await recyclerPodsOf(flags),
  }
}

/** Settings are named like their flags: `concurrentJobSyncs` is `--concurrent-job-syncs`. */
function namesakes(flags: ManagerFlags): ControllerSettings {
  const given = new Map(
    Object.entries(flags).map(([name, value]) => [
      name.replace(/[-_]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  )
  const settings = Object.entries(defaultControllerSettings).map(([name, initial]) => {
    const value = given.get(name)
    return [name, typeof value === typeof initial ? value : initial]
  })
  // Each value has the type of the setting's default.
  return Object.freeze(Object.fromEntries(settings) as ControllerSettings)
}

function signersOf(flags: ManagerFlags): ControllerSettings['clusterSigning'] {
  const all = { certFile: flags['cluster-signing-cert-file'], keyFile: flags['cluster-signing-key-file'] }
  const pair = (of: 'kube-apiserver-client' | 'kubelet-client' | 'kubelet-serving' | 'legacy-unknown') => {
    const own = { certFile: flags[`cluster-signing-${of}-cert-file`], keyFile: flags[`cluster-signing-${of}-key-file`] }
    if ((own.certFile === '') !== (own.keyFile === ''))
      throw new FlagError(`--cluster-signing-${of}-cert-file and --cluster-signing-${of}-key-file go together`)
    return own.certFile === '' ? all : own
  }
  const chosen: [keyof ControllerSettings['clusterSigning'], SigningFiles][] = [
    ['kubeApiserverClient', pair('kube-apiserver-client')],
    ['kubeletClient', pair('kubelet-client')],
    ['kubeletServing', pair('kubelet-serving')],
    ['legacyUnknown', pair('legacy-unknown')],
  ]
  return Object.fromEntries(chosen.filter(([, { certFile }]) => certFile !== ''))
}
