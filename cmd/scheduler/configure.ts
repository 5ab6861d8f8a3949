import { createSeededRandom, type Random, systemRandom } from '../../lib/base/index.ts'
import { createFeatureGates, parseEmulation } from '../../lib/features/index.ts'
import type { ParsedFlags } from '../../lib/flags/index.ts'
import type { ApiObject } from '../../lib/object/index.ts'
import { type SchedulerSettings, schedulerSettings } from '../../lib/scheduler/index.ts'
import { readOptional, withFlagName } from '../apiserver/flagfiles.ts'
import { type ComponentConfig, checkComponentFlags, electionOf } from '../component/configure.ts'
import { decodePluginArgs, effectiveConfig, parseSchedulerConfig, withConfigFile } from './configfile.ts'
import type { SchedulerFlags, schedulerFlags } from './flags.ts'

/** The scheduler's configuration, made from its flags and its file. */
export interface SchedulerConfig extends ComponentConfig {
  /** The flags with the values of the file. */
  readonly flags: SchedulerFlags
  readonly settings: SchedulerSettings
  readonly random: Random
  /** How long a pod waits for changes before it is tried again without any. */
  readonly unschedulableMsMax: number
  /** For /configz and --write-config-to. */
  readonly effective: ApiObject
}

const emptyFile = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n'

/** Rejects with FlagError. */
export async function configureScheduler({
  values,
  given,
}: ParsedFlags<typeof schedulerFlags>): Promise<SchedulerConfig> {
  const text = await readOptional('config', values.config)
  const file = withFlagName('config', () => parseSchedulerConfig(text ?? emptyFile))
  const flags = text === undefined ? values : withFlagName('config', () => withConfigFile(values, given, file))
  checkComponentFlags(flags)
  const emulation = withFlagName('emulated-version', () =>
    parseEmulation(flags['emulated-version'], flags['min-compatibility-version']),
  )
  return {
    flags,
    settings: withFlagName('config', () => schedulerSettings(file, decodePluginArgs)),
    random: flags.seed === 0 ? systemRandom : createSeededRandom(flags.seed),
    unschedulableMsMax: flags['pod-max-in-unschedulable-pods-duration'],
    effective: effectiveConfig(flags, text === undefined ? undefined : file),
    emulation,
    gates: withFlagName('feature-gates', () =>
      createFeatureGates({ set: flags['feature-gates'], release: emulation.release }),
    ),
    election: electionOf(flags),
    kubeconfig: flags.kubeconfig,
    master: flags.master,
    protobuf: flags['kube-api-content-type'] !== 'application/json',
    rateLimit:
      flags['kube-api-qps'] > 0 ? { qps: flags['kube-api-qps'], burst: flags['kube-api-burst'] || 100 } : undefined,
  }
}
