import {
  type AnyContainer,
  containersOf,
  containersThat,
  counted,
  type PodShape,
  plural,
  quoted,
  setters,
  sorted,
  type Violation,
} from './check.ts'

/** Profiles of AppArmor and seccomp that confine at least as well as the runtime's default. */
const confining = new Set(['RuntimeDefault', 'Localhost'])
const appArmorPrefix = 'container.apparmor.security.beta.kubernetes.io/'
const seccompPod = 'seccomp.security.alpha.kubernetes.io/pod'
const seccompPrefix = 'container.seccomp.security.alpha.kubernetes.io/'

function isBad(type: string | undefined): type is string {
  return type !== undefined && !confining.has(type)
}

export function appArmorProfile({ annotations, spec }: PodShape): Violation | undefined {
  const own = spec.securityContext?.appArmorProfile?.type
  const typeOf = (container: AnyContainer) => container.securityContext?.appArmorProfile?.type
  const bad = containersThat(spec, (container) => isBad(typeOf(container)))
  const notes = Object.entries(annotations)
    .filter(([key, value]) => key.startsWith(appArmorPrefix) && !/^(|runtime\/default|localhost\/.*)$/s.test(value))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .sort()
  const types = sorted([own, ...containersOf(spec).map(typeOf)].filter(isBad))
  const values = [...types, ...notes]
  if (values.length === 0) return undefined
  const who = [setters(isBad(own), bad), notes.length > 0 ? plural('annotation', notes) : '']
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${who.filter(Boolean).join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  }
}

/** Checks the annotations from before the field existed. */
export function seccompAnnotations({ annotations, spec }: PodShape): Violation | undefined {
  const keys = [seccompPod, ...containersOf(spec).map(({ name }) => seccompPrefix + name)]
  const bad = sorted(
    keys
      .filter((key) => Object.hasOwn(annotations, key))
      .filter((key) => !/^(runtime\/default|docker\/default|localhost\/.*)$/s.test(annotations[key] ?? ''))
      .map((key) => `${key}=${JSON.stringify(annotations[key])}`),
  )
  if (bad.length === 0) return undefined
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', bad)} ${bad.join(', ')}` }
}

/** Baseline: a seccomp profile that is set must confine. */
export function seccompBaseline({ spec }: PodShape): Violation | undefined {
  const typeOf = (container: AnyContainer) => container.securityContext?.seccompProfile?.type
  const own = spec.securityContext?.seccompProfile?.type
  const types = sorted([own, ...containersOf(spec).map(typeOf)].filter(isBad))
  if (types.length === 0) return undefined
  const who = setters(
    isBad(own),
    containersThat(spec, (container) => isBad(typeOf(container))),
  )
  const detail = `${who} must not set securityContext.seccompProfile.type to ${quoted(types)}`
  return { reason: 'seccompProfile', detail }
}

/** A confining profile must be set, for the pod or for each container. */
export function seccompRestricted(pod: PodShape): Violation | undefined {
  const wrong = seccompBaseline(pod)
  if (wrong) return wrong
  const { spec } = pod
  if (spec.securityContext?.seccompProfile) return undefined
  const bare = containersThat(spec, ({ securityContext }) => !securityContext?.seccompProfile)
  if (bare.length === 0) return undefined
  const who = `pod or ${counted('container', bare)}`
  const detail = `${who} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`
  return { reason: 'seccompProfile', detail }
}
