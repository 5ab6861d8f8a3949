import type * as config from '../../api/gen/pod-security.admission.config.k8s.io/v1.ts'
import { type PodSecuritySettings, parseLevel, parseVersion, type Standard } from '../../lib/admission/index.ts'
import { quote } from '../../lib/object/index.ts'
import { decodeConfig } from './admissionfile.ts'

const privileged: Standard = { level: 'privileged', version: 'latest' }

/** The settings without a configuration file: namespaces without labels don't restrict pods. */
export const defaultPodSecurity: PodSecuritySettings = {
  defaults: { enforce: privileged, audit: privileged, warn: privileged },
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
}

const group = 'pod-security.admission.config.k8s.io'

/** Parses a PodSecurityConfiguration (YAML or JSON). Throws an Error of one line with all problems. */
export function parsePodSecurity(text: string): PodSecuritySettings {
  const object = decodeConfig(text, group, ['v1', 'v1beta1', 'v1alpha1'], 'PodSecurityConfiguration', 'v1')
  const { defaults = {}, exemptions = {} } = object as Partial<config.PodSecurityConfiguration>
  const problems: string[] = []
  const standard = (mode: 'enforce' | 'audit' | 'warn'): Standard => {
    const level = parseLevel(defaults[mode] || privileged.level)
    const version = parseVersion(defaults[`${mode}-version`] || 'latest')
    const wrong = (field: string, value: string | undefined, why: string): void =>
      void problems.push(`defaults.${field}: Invalid value: ${quote(value ?? '')}: ${why}`)
    if (level === undefined) wrong(mode, defaults[mode], 'must be one of privileged, baseline, restricted')
    if (version === undefined) wrong(`${mode}-version`, defaults[`${mode}-version`], 'must be "latest" or "v1.x"')
    return { level: level ?? 'restricted', version: version ?? 'latest' }
  }
  const settings: PodSecuritySettings = {
    defaults: { enforce: standard('enforce'), audit: standard('audit'), warn: standard('warn') },
    exemptions: {
      usernames: exemptions.usernames ?? [],
      namespaces: exemptions.namespaces ?? [],
      runtimeClasses: exemptions.runtimeClasses ?? [],
    },
  }
  for (const [field, names] of Object.entries(settings.exemptions))
    names.forEach((name: string, index: number) => {
      const at = `exemptions.${field}[${index}]`
      if (name === '') problems.push(`${at}: Invalid value: "": ${field} must not be empty`)
      else if (names.indexOf(name) < index) problems.push(`${at}: Duplicate value: ${quote(name)}`)
    })
  if (problems.length > 0) throw new Error(problems.join('; '))
  return settings
}
