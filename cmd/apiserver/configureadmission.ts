import { FlagError } from '../../lib/flags/index.ts'
import { readAdmissionFile } from './admissionfile.ts'
import type { ApiserverFlags } from './flags.ts'
import { defaultPodSecurity, parsePodSecurity } from './podsecurity.ts'
import { type AdmissionSettings, knownAdmissionPlugins, reasonOf } from '../../lib/controlplane/index.ts'

/** Rejects with FlagError. */
export async function admissionSettings(flags: ApiserverFlags): Promise<AdmissionSettings> {
  const flag = 'admission-control-config-file'
  const podSecurity = (await readAdmissionFile(flags[flag], ['PodSecurity'])).get('PodSecurity')
  try {
    return {
      ...chosenPlugins(flags),
      tolerationSeconds: {
        notReadySeconds: flags['default-not-ready-toleration-seconds'],
        unreachableSeconds: flags['default-unreachable-toleration-seconds'],
      },
      routesToEndpoints: flags['enable-aggregator-routing'],
      podSecurity: podSecurity === undefined ? defaultPodSecurity : parsePodSecurity(podSecurity),
    }
  } catch (error) {
    throw new FlagError(`--${flag}: PodSecurity: ${reasonOf(error)}`, { cause: error })
  }
}

/** --admission-control names all that are to run; the other two flags what differs from the default. */
function chosenPlugins(flags: ApiserverFlags): Pick<AdmissionSettings, 'enable' | 'disable'> {
  const all = flags['admission-control']
  if (all.length > 0) return { enable: all, disable: knownAdmissionPlugins.filter((name) => !all.includes(name)) }
  return { enable: flags['enable-admission-plugins'], disable: flags['disable-admission-plugins'] }
}
