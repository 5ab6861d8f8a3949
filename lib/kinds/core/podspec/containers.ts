import type * as core from '../../../../api/gen/core/v1.ts'
import { type FieldError, type FieldPath, fieldErrors, jsonText, validateDns1123Label } from '../../../object/index.ts'
import { checkPresent, checkRequiredChoice } from '../../check.ts'
import { checkEnvironment, checkEnvironmentSources } from './env.ts'
import { checkContainerPorts, checkLifecycle, checkLivenessProbe, checkReadinessProbe } from './probes.ts'
import { checkResourceRequirements } from './resources.ts'
import { checkInitRestarts, checkRestarts, type restartGatesOf } from './restartrules.ts'
import { checkSecurityContext } from './security.ts'
import { checkVolumeDevices, checkVolumeMounts, type VolumesByName } from './volumes.ts'

/** The parts of the pod that the rules of its containers read. */
export interface PodContext {
  readonly spec: core.PodSpec
  readonly volumes: VolumesByName
  /** Names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>
  readonly allowPrivileged: boolean
  readonly restarts: ReturnType<typeof restartGatesOf>
  gate(name: string): boolean
}

type AnyContainer = core.Container | core.EphemeralContainer

/** Checks regular containers; `seen` collects names over all lists of containers. */
export function checkContainers(errors: FieldError[], pod: PodContext, seen: Set<string>, path: FieldPath): void {
  const containers = pod.spec.containers ?? []
  if (containers.length === 0) errors.push(fieldErrors.required(path))
  containers.forEach((container, index) => {
    const at = path.index(index)
    checkCommon(errors, container, pod, at)
    if (container.name) {
      if (seen.has(container.name)) errors.push(fieldErrors.duplicate(at.child('name'), container.name))
      seen.add(container.name)
    }
    const grace = graceSeconds(pod.spec)
    checkLifecycle(errors, container.lifecycle, grace, at.child('lifecycle'))
    checkLivenessProbe(errors, container.livenessProbe, at.child('livenessProbe'))
    checkReadinessProbe(errors, container.readinessProbe, at.child('readinessProbe'))
    checkLivenessProbe(errors, container.startupProbe, at.child('startupProbe'))
    checkResizePolicy(errors, container.resizePolicy, pod.spec.restartPolicy, at.child('resizePolicy'))
    checkRestarts(errors, container, pod.restarts, at)
  })
  checkHostPorts(errors, containers, path)
}

/** A negative period counts as one second. */
function graceSeconds(spec: core.PodSpec): number {
  const seconds = Number(spec.terminationGracePeriodSeconds ?? 0)
  return seconds < 0 ? 1 : seconds
}

export function checkInitContainers(errors: FieldError[], pod: PodContext, seen: Set<string>, path: FieldPath): void {
  pod.spec.initContainers?.forEach((container, index) => {
    const at = path.index(index)
    checkCommon(errors, container, pod, at)
    const restartsAlways = container.restartPolicy === 'Always'
    checkInitRestarts(errors, container, pod.restarts, at)
    if (container.name) {
      if (seen.has(container.name)) errors.push(fieldErrors.duplicate(at.child('name'), container.name))
      seen.add(container.name)
    }
    if (restartsAlways) {
      checkLifecycle(errors, container.lifecycle, graceSeconds(pod.spec), at.child('lifecycle'))
      checkLivenessProbe(errors, container.livenessProbe, at.child('livenessProbe'))
      checkReadinessProbe(errors, container.readinessProbe, at.child('readinessProbe'))
      checkLivenessProbe(errors, container.startupProbe, at.child('startupProbe'))
      checkResizePolicy(errors, container.resizePolicy, pod.spec.restartPolicy, at.child('resizePolicy'))
      return
    }
    for (const name of ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const)
      if (container[name] !== undefined)
        errors.push(
          fieldErrors.forbidden(at.child(name), 'may not be set for init containers without restartPolicy=Always'),
        )
    checkInitResizePolicy(errors, container.resizePolicy, pod, at.child('resizePolicy'))
  })
  checkHostPorts(
    errors,
    pod.spec.initContainers?.filter((container) => container.restartPolicy === 'Always') ?? [],
    path,
  )
}

/** Fields that an ephemeral container may not have. */
const notForEphemeral = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
] as const

export function checkEphemeralContainers(
  errors: FieldError[],
  pod: PodContext,
  seen: Set<string>,
  path: FieldPath,
): void {
  const targets = new Set([...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])].map(({ name }) => name))
  pod.spec.ephemeralContainers?.forEach((container, index) => {
    const at = path.index(index)
    checkCommon(errors, container, pod, at)
    if (container.name) {
      if (seen.has(container.name)) errors.push(fieldErrors.duplicate(at.child('name'), container.name))
      seen.add(container.name)
    }
    const target = container.targetContainerName
    if (target && !targets.has(target)) errors.push(fieldErrors.notFound(at.child('targetContainerName'), target))
    for (const name of notForEphemeral) {
      const value = container[name]
      const isSet = value !== undefined && (!Array.isArray(value) || value.length > 0) && jsonText(value) !== '{}'
      if (isSet) errors.push(fieldErrors.forbidden(at.child(name), 'cannot be set for an Ephemeral Container'))
    }
    container.volumeMounts?.forEach((mount, mountIndex) => {
      const mountPath = at.child('volumeMounts').index(mountIndex)
      if (mount.subPath)
        errors.push(fieldErrors.forbidden(mountPath.child('subPath'), 'cannot be set for an Ephemeral Container'))
      if (mount.subPathExpr)
        errors.push(fieldErrors.forbidden(mountPath.child('subPathExpr'), 'cannot be set for an Ephemeral Container'))
    })
  })
}

/** Rules for containers of every list. */
function checkCommon(errors: FieldError[], container: AnyContainer, pod: PodContext, path: FieldPath): void {
  if (checkPresent(errors, container.name, path.child('name')))
    for (const finding of validateDns1123Label(container.name))
      errors.push(fieldErrors.invalid(path.child('name'), container.name, finding))
  checkPresent(errors, container.image, path.child('image'))
  const policy = path.child('terminationMessagePolicy')
  checkRequiredChoice(errors, container.terminationMessagePolicy, policy, ['File', 'FallbackToLogsOnError'])
  checkContainerPorts(errors, container.ports, path.child('ports'))
  checkEnvironment(errors, container.env, pod, path.child('env'))
  checkEnvironmentSources(errors, container.envFrom, path.child('envFrom'))
  checkVolumeMounts(errors, container.volumeMounts, container, pod.volumes, path.child('volumeMounts'))
  checkVolumeDevices(errors, container.volumeDevices, container, pod.volumes, path.child('volumeDevices'))
  checkRequiredChoice(errors, container.imagePullPolicy, path.child('imagePullPolicy'), [
    'Always',
    'IfNotPresent',
    'Never',
  ])
  checkResourceRequirements(errors, container.resources, pod.claims, path.child('resources'))
  const security = { allowPrivileged: pod.allowPrivileged, hostUsers: pod.spec.hostUsers !== false }
  checkSecurityContext(errors, container.securityContext, security, path.child('securityContext'))
}

/** Images of pods, unlike those of templates, may not have surrounding spaces. */
export function checkImagePadding(
  errors: FieldError[],
  containers: readonly AnyContainer[] | undefined,
  path: FieldPath,
): void {
  containers?.forEach((container, index) => {
    const { image } = container
    if (image !== undefined && image !== image.trim())
      errors.push(
        fieldErrors.invalid(path.index(index).child('image'), image, 'must not have leading or trailing whitespace'),
      )
  })
}

function checkResizePolicy(
  errors: FieldError[],
  policies: readonly core.ContainerResizePolicy[] | undefined,
  restartPolicy: string | undefined,
  path: FieldPath,
): void {
  const seen = new Set<string>()
  policies?.forEach((policy, index) => {
    const { resourceName } = policy
    if (seen.has(resourceName)) errors.push(fieldErrors.duplicate(path.index(index), resourceName))
    seen.add(resourceName)
    checkRequiredChoice(errors, resourceName, path, ['cpu', 'memory'])
    // Both are reported at the list: one error of each kind is enough.
    if (resourceName) checkRequiredChoice(errors, policy.restartPolicy, path, ['NotRequired', 'RestartContainer'])
    if (restartPolicy === 'Never' && policy.restartPolicy !== 'NotRequired')
      errors.push(
        fieldErrors.invalid(path, policy.restartPolicy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"),
      )
  })
}

/** Containers that end before the others begin are not restarted. */
function checkInitResizePolicy(
  errors: FieldError[],
  policies: readonly core.ContainerResizePolicy[] | undefined,
  { spec, gate }: PodContext,
  path: FieldPath,
): void {
  if (!policies?.length) return
  if (!gate('InPlacePodVerticalScalingInitContainers')) {
    errors.push(fieldErrors.invalid(path, policies, 'must not be set for init containers'))
    return
  }
  checkResizePolicy(errors, policies, spec.restartPolicy, path)
  policies.forEach(({ restartPolicy }, index) => {
    if (restartPolicy !== 'RestartContainer') return
    const why = "must not be set to 'RestartContainer' for non-sidecar initContainers"
    errors.push(fieldErrors.invalid(path.index(index).child('restartPolicy'), restartPolicy, why))
  })
}

/** A host port can be used once for each protocol and address. */
function checkHostPorts(errors: FieldError[], containers: readonly core.Container[], path: FieldPath): void {
  const taken = new Set<string>()
  containers.forEach((container, containerIndex) =>
    container.ports?.forEach((port, index) => {
      if (!port.hostPort) return
      const key = `${port.protocol}/${port.hostIP ?? ''}/${port.hostPort}`
      if (taken.has(key))
        errors.push(
          fieldErrors.duplicate(path.index(containerIndex).child('ports').index(index).child('hostPort'), key),
        )
      taken.add(key)
    }),
  )
}
