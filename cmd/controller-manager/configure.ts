import { type ControllerSettings, defaultControllerSettings, type SigningFiles } from '../../lib/controller/index.ts'
import { checkControllerNames } from '../../lib/controlplane/index.ts'
import { createFeatureGates, parseEmulation } from '../../lib/features/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import { readOptional, withFlagName } from '../apiserver/flagfiles.ts'
import { type ComponentConfig, checkComponentFlags, electionOf } from '../component/configure.ts'
import type { ManagerFlags } from './flags.ts'
import { recyclerPodsOf } from './recyclerpods.ts'

/** The controller manager's configuration, made from its flags. */
export interface ManagerConfig extends ComponentConfig {
  readonly controllers: readonly string[]
  readonly settings: ControllerSettings
  readonly shutdownMs: number
  readonly accounts: boolean
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
    election: electionOf(flags),
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
  checkComponentFlags(flags)
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
