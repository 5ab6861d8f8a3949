import type * as core from '../../../../api/gen/core/v1.ts'
import { appendAll } from '../../../base/index.ts'
import { quantityMilliValue, quote, validateDns1123Label } from '../../../object/index.ts'
import type { KindContext } from '../../definition.ts'
import { ipWarnings } from '../../meta/addresswarnings.ts'
import { nodeLabelText, warnOfExpressions } from './nodelabels.ts'
import { overlapWarnings } from './overlaps.ts'
import { retiredSources } from './retiredsources.ts'

/** A pod, or the template of pods. */
interface PodLike {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> }
  readonly spec?: core.PodSpec
}

/** Maximum number of a pod's ports that are compared with each other; the rest is skipped. */
const portsComparedMax = 200

/** Warns `${path}: ${text}`. */
type Warn = (path: string, text: string) => void

/**
 * Warnings about pods, which don't refuse them: deprecated fields and labels, and settings without the effect that
 * their author may expect. `prefix` is the path of a template, such as `spec.template.`; pods themselves have none.
 * Called for every created pod, so that paths are only built for warnings.
 */
export function podWarnings(
  { metadata, spec = {} as core.PodSpec }: PodLike,
  context: KindContext,
  prefix = '',
): string[] {
  const found: string[] = []
  const warn: Warn = (path, text) => void found.push(`${prefix}${path}: ${text}`)
  warnOfNodeLabels(warn, spec)
  if (metadata?.annotations) warnOfAnnotations(warn, metadata.annotations, spec, prefix !== '')
  warnOfVolumes(warn, spec.volumes ?? [], context)
  appendAll(found, overlapWarnings(spec.volumes ?? []))
  warnOfRepeats(warn, 'spec.hostAliases', 'ip', spec.hostAliases ?? [])
  warnOfRepeats(warn, 'spec.imagePullSecrets', 'name', spec.imagePullSecrets ?? [])
  warnOfContainers(warn, spec, prefix)
  for (const name of fractionless) warnOfFraction(warn, 'spec.overhead', spec.overhead, name)
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0)
    warn('spec.terminationGracePeriodSeconds', 'must be >= 0; negative values are invalid and will be treated as 1')
  warnOfSelectors(warn, spec)
  appendAll(found, addressWarnings(spec, prefix))
  return found
}

/** Warnings for workloads whose pods have its name in theirs, and for pods (`the Pod's hostname`). */
export function hostnameWarnings(name: string | undefined, where = 'Pod names and hostnames'): string[] {
  const findings = validateDns1123Label(name ?? '')
  if (findings.length === 0) return []
  return [
    `metadata.name: this is used in ${where}, which can result in surprising behavior; a DNS label is recommended: [${findings.join(' ')}]`,
  ]
}

function warnOfNodeLabels(warn: Warn, { nodeSelector, affinity, topologySpreadConstraints }: core.PodSpec): void {
  for (const label in nodeSelector) {
    const text = nodeLabelText(label)
    if (text !== undefined) warn(`spec.nodeSelector[${label}]`, text)
  }
  const at = 'spec.affinity.nodeAffinity'
  const { requiredDuringSchedulingIgnoredDuringExecution: required, preferredDuringSchedulingIgnoredDuringExecution } =
    affinity?.nodeAffinity ?? {}
  required?.nodeSelectorTerms?.forEach((term, index) =>
    warnOfExpressions(term, (path, text) =>
      warn(`${at}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[${index}].${path}`, text),
    ),
  )
  preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ preference }, index) =>
    warnOfExpressions(preference, (path, text) =>
      warn(`${at}.preferredDuringSchedulingIgnoredDuringExecution[${index}].preference.${path}`, text),
    ),
  )
  topologySpreadConstraints?.forEach(({ topologyKey }, index) => {
    const text = nodeLabelText(topologyKey)
    if (text !== undefined) warn(`spec.topologySpreadConstraints[${index}].topologyKey`, `${topologyKey} is ${text}`)
  })
}

const deadAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
}
const seccompText = 'non-functional in v1.27+; use the "seccompProfile" field instead'
export const appArmorAnnotation = 'container.apparmor.security.beta.kubernetes.io/'
export const appArmorText = 'deprecated since v1.30; use the "appArmorProfile" field instead'

/** An annotation whose field is set causes no warning: it exists for older clusters. */
function warnOfAnnotations(
  warn: Warn,
  annotations: Readonly<Record<string, string>>,
  spec: core.PodSpec,
  isTemplate: boolean,
): void {
  const check = (name: string, text: string): void => {
    if (Object.hasOwn(annotations, name)) warn(`metadata.annotations[${name}]`, text)
  }
  for (const [name, text] of Object.entries(deadAnnotations)) check(name, text)
  const { seccompProfile, appArmorProfile } = spec.securityContext ?? {}
  if (!seccompProfile) check('seccomp.security.alpha.kubernetes.io/pod', seccompText)
  for (const { name, securityContext } of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (!securityContext?.seccompProfile) check(`container.seccomp.security.alpha.kubernetes.io/${name}`, seccompText)
    if (isTemplate && !appArmorProfile && !securityContext?.appArmorProfile)
      check(`${appArmorAnnotation}${name}`, appArmorText)
  }
}

function warnOfVolumes(warn: Warn, volumes: readonly core.Volume[], { gate }: KindContext): void {
  volumes.forEach((volume, index) => {
    const at = `spec.volumes[${index}]`
    for (const { field, shown, text } of retiredSources) if (volume[field] !== undefined) warn(`${at}.${shown}`, text)
    if (volume.gitRepo)
      warn(
        `${at}.gitRepo`,
        `deprecated in v1.11${gate('GitRepoVolumeDriver') ? '' : ', and disabled by default in v1.33+'}`,
      )
    warnOfClaim(warn, `${at}.ephemeral.volumeClaimTemplate.spec`, volume.ephemeral?.volumeClaimTemplate?.spec)
  })
}

function warnOfClaim(warn: Warn, path: string, spec: core.PersistentVolumeClaimSpec | undefined): void {
  warnOfFraction(warn, `${path}.resources.requests`, spec?.resources?.requests, 'storage')
  warnOfFraction(warn, `${path}.resources.limits`, spec?.resources?.limits, 'storage')
}

/** Warnings about a claim at `path`, which may be a template. */
export function claimWarnings(path: string, spec: core.PersistentVolumeClaimSpec | undefined): string[] {
  const found: string[] = []
  warnOfClaim((at, text) => void found.push(`${at}: ${text}`), path, spec)
  return found
}

function addressWarnings({ dnsConfig, hostAliases }: core.PodSpec, prefix: string): string[] {
  const servers = dnsConfig?.nameservers ?? []
  return [
    ...servers.flatMap((server, index) => ipWarnings(`${prefix}spec.dnsConfig.nameservers[${index}]`, server)),
    ...(hostAliases ?? []).flatMap(({ ip }, index) => ipWarnings(`${prefix}spec.hostAliases[${index}].ip`, ip)),
  ]
}

function warnOfRepeats<Field extends string>(
  warn: Warn,
  path: string,
  field: Field,
  items: readonly { readonly [Name in Field]?: string }[],
): void {
  const seen = createSeen()
  items.forEach((item, index) => {
    const value = item[field] ?? ''
    if (value === '') warn(`${path}[${index}].${field}`, `invalid empty ${field} ""`)
    else if (seen(value)) warn(`${path}[${index}].${field}`, `duplicate ${field} ${quote(value)}`)
  })
}

/**
 * Returns a function that reports whether a text came before. No Set: creating one is too expensive for every write.
 */
function createSeen(): (text: string) => boolean {
  const texts = Object.create(null) as Record<string, true>
  return (text) => {
    const before = texts[text] === true
    texts[text] = true
    return before
  }
}

/** Resources without fractional amounts. */
const fractionless = ['memory', 'ephemeral-storage'] as const

function warnOfFraction(
  warn: Warn,
  path: string,
  amounts: Readonly<Record<string, string>> | undefined,
  name: string,
): void {
  const amount = amounts?.[name]
  if (amount !== undefined && amount.endsWith('m') && quantityMilliValue(amount) % 1000n !== 0n)
    warn(`${path}[${name}]`, `fractional byte value ${quote(amount)} is invalid, must be an integer`)
}

/** A port, and its path. */
interface SeenPort {
  readonly port: core.ContainerPort
  readonly path: string
}

function warnOfContainers(warn: Warn, { initContainers = [], containers = [] }: core.PodSpec, prefix: string): void {
  const ports: SeenPort[] = []
  const names: SeenPort[] = []
  const look = (container: core.Container, path: string, serves: boolean): void => {
    warnOfEnv(warn, container.env ?? [], `${path}.env`)
    for (const name of fractionless) {
      warnOfFraction(warn, `${path}.resources.limits`, container.resources?.limits, name)
      warnOfFraction(warn, `${path}.resources.requests`, container.resources?.requests, name)
    }
    container.ports?.forEach((port, index) => {
      if (ports.length >= portsComparedMax) return
      const seen = { port, path: `${path}.ports[${index}]` }
      warnOfPort(warn, seen, ports, prefix)
      if (serves) warnOfPortName(warn, seen, names, prefix)
    })
  }
  initContainers.forEach((container, index) =>
    look(container, `spec.initContainers[${index}]`, container.restartPolicy === 'Always'),
  )
  containers.forEach((container, index) => look(container, `spec.containers[${index}]`, true))
}

/** A later variable may refer to the earlier one of the same name, but not repeat or replace it. */
function warnOfEnv(warn: Warn, env: readonly core.EnvVar[], path: string): void {
  const seen = createSeen()
  env.forEach(({ name, value = '', valueFrom }, index) => {
    if (!seen(name)) return
    const reference = `$(${name})`
    if (valueFrom || value === reference || !value.includes(reference))
      warn(`${path}[${index}]`, `hides previous definition of ${quote(name)}, which may be dropped when using apply`)
  })
}

function warnOfPort(warn: Warn, { port, path }: SeenPort, ports: SeenPort[], prefix: string): void {
  const { containerPort, protocol, hostPort = 0, hostIP = '' } = port
  for (const other of ports) {
    if (other.port.containerPort !== containerPort || other.port.protocol !== protocol) continue
    const { hostPort: otherPort = 0, hostIP: otherIP = '' } = other.port
    const where = `port definition with ${prefix}${other.path}`
    if (hostIP === otherIP && hostPort === otherPort) warn(path, `duplicate ${where}`)
    else if (hostPort === 0 || otherPort === 0) warn(path, `overlapping ${where}`)
    else if (hostPort === otherPort && (hostIP === '' || otherIP === '')) warn(path, `dangerously ambiguous ${where}`)
  }
  ports.push({ port, path })
  if (hostIP !== '' && hostPort === 0)
    warn(
      path,
      `hostIP set without hostPort: {Name:${port.name ?? ''} HostPort:0 ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`,
    )
}

function warnOfPortName(warn: Warn, { port, path }: SeenPort, names: SeenPort[], prefix: string): void {
  if (!port.name) return
  const first = names.find((other) => other.port.name === port.name)
  if (!first) names.push({ port, path })
  else if (first.path.replace(/\.ports.*/, '') !== path.replace(/\.ports.*/, '')) {
    const where = `${prefix}${first.path}`
    const used = `services and probes that select ports by name will use ${where}`
    warn(path, `duplicate port name ${quote(port.name)} with ${where}, ${used}`)
  }
}

const selectsNothing = 'a null labelSelector results in matching no pod'

function warnOfSelectors(warn: Warn, { topologySpreadConstraints, affinity }: core.PodSpec): void {
  topologySpreadConstraints?.forEach(({ labelSelector }, index) => {
    if (!labelSelector) warn(`spec.topologySpreadConstraints[${index}].labelSelector`, selectsNothing)
  })
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const at = `spec.affinity.${kind}`
    affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution?.forEach(({ labelSelector }, index) => {
      if (!labelSelector)
        warn(`${at}.requiredDuringSchedulingIgnoredDuringExecution[${index}].labelSelector`, selectsNothing)
    })
    affinity?.[kind]?.preferredDuringSchedulingIgnoredDuringExecution?.forEach(({ podAffinityTerm }, index) => {
      const term = `preferredDuringSchedulingIgnoredDuringExecution[${index}].podAffinityTerm`
      if (!podAffinityTerm?.labelSelector) warn(`${at}.${term}.labelSelector`, selectsNothing)
    })
  }
}
