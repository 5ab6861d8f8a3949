import type * as core from '../../../api/gen/core/v1.ts'
import { forbiddenCapabilities } from './baseline.ts'
import {
  type Check,
  containersThat,
  counted,
  isWindows,
  type PodShape,
  plural,
  quoted,
  type Run,
  setters,
  sorted,
  type Violation,
} from './check.ts'
import { seccompRestricted } from './profiles.ts'

function allowPrivilegeEscalation({ spec }: PodShape): Violation | undefined {
  const bad = containersThat(spec, ({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false)
  if (bad.length === 0) return undefined
  const detail = `${counted('container', bad)} must set securityContext.allowPrivilegeEscalation=false`
  return { reason: 'allowPrivilegeEscalation != false', detail }
}

const onlyBindService = new Set(['NET_BIND_SERVICE'])

function capabilitiesRestricted(pod: PodShape): Violation | undefined {
  const keeping = containersThat(
    pod.spec,
    ({ securityContext }) => !securityContext?.capabilities?.drop?.includes('ALL'),
  )
  const adding = forbiddenCapabilities(pod, onlyBindService)
  const details = [
    ...(keeping.length > 0
      ? [`${counted('container', keeping)} must set securityContext.capabilities.drop=["ALL"]`]
      : []),
    ...(adding === '' ? [] : [adding]),
  ]
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') }
}

// biome-ignore format: a list of names
const allowedSources = [
  'configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected', 'secret',
] as const

function restrictedVolumes({ spec }: PodShape): Violation | undefined {
  const bad = (spec.volumes ?? []).filter((volume) => !allowedSources.some((source) => volume[source] !== undefined))
  if (bad.length === 0) return undefined
  const names = bad.map(({ name }) => name)
  const types = sorted(bad.map(sourceOf))
  const verb = bad.length === 1 ? 'uses' : 'use'
  const detail = `${counted('volume', names)} ${verb} ${plural('restricted volume type', types)} ${quoted(types)}`
  return { reason: 'restricted volume types', detail }
}

function sourceOf({ name: _, ...sources }: core.Volume): string {
  return Object.entries(sources).find(([, source]) => source !== undefined)?.[0] ?? 'unknown'
}

function runAsNonRoot({ spec }: PodShape): Violation | undefined {
  const own = spec.securityContext?.runAsNonRoot
  const reason = 'runAsNonRoot != true'
  const roots = containersThat(spec, ({ securityContext }) => securityContext?.runAsNonRoot === false)
  if (own === false || roots.length > 0)
    return { reason, detail: `${setters(own === false, roots)} must not set securityContext.runAsNonRoot=false` }
  if (own === true) return undefined
  const silent = containersThat(spec, ({ securityContext }) => securityContext?.runAsNonRoot === undefined)
  if (silent.length === 0) return undefined
  return { reason, detail: `pod or ${counted('container', silent)} must set securityContext.runAsNonRoot=true` }
}

function runAsUser({ spec }: PodShape): Violation | undefined {
  const own = spec.securityContext?.runAsUser === 0
  const roots = containersThat(spec, ({ securityContext }) => securityContext?.runAsUser === 0)
  if (!own && roots.length === 0) return undefined
  return { reason: 'runAsUser=0', detail: `${setters(own, roots)} must not set runAsUser=0` }
}

/** Skips a check whose fields have no meaning on Windows. */
function onLinux(run: Run): Run {
  return (pod) => (isWindows(pod.spec) ? undefined : run(pod))
}

/** Rules of the level restricted beyond those of baseline, in the order of findings. */
export const restrictedChecks: readonly Check[] = [
  {
    id: 'allowPrivilegeEscalation',
    versions: [
      { since: 8, run: allowPrivilegeEscalation },
      { since: 25, run: onLinux(allowPrivilegeEscalation) },
    ],
  },
  {
    id: 'capabilities_restricted',
    overrides: 'capabilities_baseline',
    versions: [
      { since: 22, run: capabilitiesRestricted },
      { since: 25, run: onLinux(capabilitiesRestricted) },
    ],
  },
  { id: 'restrictedVolumes', overrides: 'hostPathVolumes', versions: [{ since: 0, run: restrictedVolumes }] },
  { id: 'runAsNonRoot', versions: [{ since: 0, run: runAsNonRoot }] },
  { id: 'runAsUser', versions: [{ since: 23, run: runAsUser }] },
  {
    id: 'seccompProfile_restricted',
    overrides: 'seccompProfile_baseline',
    versions: [
      { since: 19, run: seccompRestricted },
      { since: 25, run: onLinux(seccompRestricted) },
    ],
  },
]
