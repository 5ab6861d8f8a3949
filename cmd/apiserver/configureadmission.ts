import { stat } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import type { Clock } from '../../lib/base/index.ts'
import { type CredentialsFor, loadKubeconfig, loadServerUsers } from '../../lib/client/index.ts'
import {
  type AdmissionSettings,
  knownAdmissionPlugins,
  reasonOf,
  type WebhookPlugin,
} from '../../lib/controlplane/index.ts'
import type { FeatureGates } from '../../lib/features/index.ts'
import { FlagError } from '../../lib/flags/index.ts'
import { quote } from '../../lib/object/index.ts'
import { readAdmissionFile } from './admissionfile.ts'
import type { ApiserverFlags } from './flags.ts'
import {
  parseEventLimits,
  parseImagePolicy,
  parseLimitedResources,
  parsePodNodeSelector,
  parsePodTolerations,
  parsePolicyAdmission,
  parseWebhookAdmission,
} from './pluginsettings.ts'
import { defaultPodSecurity, parsePodSecurity } from './podsecurity.ts'

/** Settings in the configuration file by the plugin's name. */
const parsers = {
  PodSecurity: parsePodSecurity,
  PodNodeSelector: parsePodNodeSelector,
  PodTolerationRestriction: parsePodTolerations,
  EventRateLimit: parseEventLimits,
  ImagePolicyWebhook: parseImagePolicy,
  ResourceQuota: parseLimitedResources,
  MutatingAdmissionWebhook: parseWebhookAdmission,
  ValidatingAdmissionWebhook: parseWebhookAdmission,
  MutatingAdmissionPolicy: parsePolicyAdmission('MutatingAdmissionPolicyConfiguration'),
  ValidatingAdmissionPolicy: parsePolicyAdmission('ValidatingAdmissionPolicyConfiguration'),
} as const

const ruled = [
  'MutatingAdmissionWebhook',
  'ValidatingAdmissionWebhook',
  'MutatingAdmissionPolicy',
  'ValidatingAdmissionPolicy',
] as const

/** Rejects with FlagError. */
export async function admissionSettings(
  flags: ApiserverFlags,
  { clock, gates }: { clock: Clock; gates: FeatureGates },
): Promise<AdmissionSettings> {
  const flag = 'admission-control-config-file'
  const texts = await readAdmissionFile(flags[flag], Object.keys(parsers))
  function settingsOf<Name extends keyof typeof parsers>(name: Name): ReturnType<(typeof parsers)[Name]> | undefined {
    const text = texts.get(name)
    try {
      // TypeScript can't call a union of functions with the union of their parameters.
      return text === undefined ? undefined : (parsers[name](text) as ReturnType<(typeof parsers)[Name]>)
    } catch (error) {
      throw new FlagError(`--${flag}: ${name}: ${reasonOf(error)}`, { cause: error })
    }
  }
  async function credentialsOf(name: WebhookPlugin): Promise<CredentialsFor | undefined> {
    const path = settingsOf(name)?.kubeConfigFile ?? ''
    if (path === '') return undefined
    return await readBeside(name, path, loadServerUsers)
  }
  /** Paths are relative to the folder of the file that contains them. */
  async function readBeside<Value>(
    name: string,
    path: string,
    load: (dependencies: { clock: Clock; environment: NodeJS.ProcessEnv }, file: string) => Promise<Value>,
  ): Promise<Value> {
    const file = resolve(dirname(flags[flag]), path)
    return await load({ clock, environment: process.env }, file).catch((error: unknown) => {
      throw new FlagError(`--${flag}: ${name}: ${file}: ${reasonOf(error)}`, { cause: error })
    })
  }
  const folders: Record<string, string> = {}
  for (const name of ruled) {
    const folder = settingsOf(name)?.staticManifestsDir ?? ''
    if (folder === '') continue
    const wrong = await folderProblem(folder, gates)
    if (wrong !== undefined) throw new FlagError(`--${flag}: ${name}: staticManifestsDir: ${wrong}`)
    folders[name] = folder
  }
  const images = settingsOf('ImagePolicyWebhook')
  const [nodes, tolerations] = [settingsOf('PodNodeSelector'), settingsOf('PodTolerationRestriction')]
  const [events, limited] = [settingsOf('EventRateLimit'), settingsOf('ResourceQuota')]
  return {
    ...chosenPlugins(flags),
    tolerationSeconds: {
      notReadySeconds: flags['default-not-ready-toleration-seconds'],
      unreachableSeconds: flags['default-unreachable-toleration-seconds'],
    },
    podSecurity: settingsOf('PodSecurity') ?? defaultPodSecurity,
    podNodeSelector: nodes,
    podTolerations: tolerations,
    eventLimits: events,
    limitedResources: limited,
    imagePolicy: images && {
      ...images,
      endpoint: await readBeside('ImagePolicyWebhook', images.kubeConfigFile, loadKubeconfig),
    },
    staticManifests: folders,
    webhookCredentials: {
      MutatingAdmissionWebhook: await credentialsOf('MutatingAdmissionWebhook'),
      ValidatingAdmissionWebhook: await credentialsOf('ValidatingAdmissionWebhook'),
    },
  }
}

/** The stock server's message. */
async function folderProblem(folder: string, gates: FeatureGates): Promise<string | undefined> {
  const gate = 'ManifestBasedAdmissionControlConfig'
  if (!gates.enabled(gate)) return `Forbidden: staticManifestsDir requires the ${gate} feature gate to be enabled`
  const wrong = (why: string): string => `Invalid value: ${quote(folder)}: ${why}`
  if (!isAbsolute(folder)) return wrong('must be an absolute file path')
  try {
    return (await stat(folder)).isDirectory() ? undefined : wrong('must be a directory')
  } catch (error) {
    return wrong(`unable to read: ${reasonOf(error)}`)
  }
}

/** --admission-control lists all plugins to run; the other two flags differ from the default. */
function chosenPlugins(flags: ApiserverFlags): Pick<AdmissionSettings, 'enable' | 'disable'> {
  const all = flags['admission-control']
  if (all.length > 0) return { enable: all, disable: knownAdmissionPlugins.filter((name) => !all.includes(name)) }
  return { enable: flags['enable-admission-plugins'], disable: flags['disable-admission-plugins'] }
}
