import type * as core from '../../../../api/gen/core/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../../object/index.ts'

const notForWindows = 'cannot be set for a windows pod'
const notForLinux = 'windows options cannot be set for a linux pod'

/** Fields of a pod without meaning on Windows: their parent, then their names. */
const podContextFields = [
  'appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'fsGroup', 'fsGroupChangePolicy', 'sysctls', 'runAsUser',
  'runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy',
] as const // biome-ignore format: a list of names
const podFields = ['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace'] as const
const containerContextFields = [
  'appArmorProfile', 'seLinuxOptions', 'seccompProfile', 'capabilities', 'readOnlyRootFilesystem', 'privileged',
  'allowPrivilegeEscalation', 'procMount', 'runAsUser', 'runAsGroup',
] as const // biome-ignore format: a list of names

/** A pod that names its operating system may only use the features of that system. */
export function checkOperatingSystem(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  if (!spec.os) return
  if (!spec.os.name) errors.push(fieldErrors.required(path.child('os').child('name')))
  else if (spec.os.name === 'windows') checkWindows(errors, spec, path)
  else if (spec.os.name === 'linux') checkLinux(errors, spec, path)
  else errors.push(fieldErrors.notSupported(path.child('os'), spec.os.name, ['linux', 'windows']))
}

function checkLinux(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  if (spec.securityContext?.windowsOptions)
    errors.push(fieldErrors.forbidden(path.child('securityContext').child('windowsOptions'), notForLinux))
  forEachContext(spec, path, (context, at) => {
    if (context.windowsOptions) errors.push(fieldErrors.forbidden(at.child('windowsOptions'), notForLinux))
  })
}

function checkWindows(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  for (const name of podContextFields)
    if (isSet(spec.securityContext?.[name]))
      errors.push(fieldErrors.forbidden(path.child('securityContext').child(name), notForWindows))
  for (const name of podFields) {
    const value = spec[name]
    // hostPID and hostIPC are booleans, the others count as soon as they are set.
    const given = name === 'hostPID' || name === 'hostIPC' ? value === true : value !== undefined
    if (given) errors.push(fieldErrors.forbidden(path.child(name), notForWindows))
  }
  forEachContext(spec, path, (context, at) => {
    for (const name of containerContextFields)
      if (isSet(context[name])) errors.push(fieldErrors.forbidden(at.child(name), notForWindows))
  })
}

function isSet(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0)
}

/** Host process containers of Windows: all containers of the pod or none, and only with the host's network. */
export function checkHostProcess(
  errors: FieldError[],
  spec: core.PodSpec,
  allowPrivileged: boolean,
  path: FieldPath,
): void {
  const own = spec.securityContext?.windowsOptions?.hostProcess
  let containers = 0
  let onHost = 0
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const)
    spec[list]?.forEach(({ securityContext }, index) => {
      const given = securityContext?.windowsOptions?.hostProcess
      containers++
      if (given ?? own ?? false) onHost++
      if (own === undefined || given === undefined || own === given) return
      const at = path.child(list).index(index).child('securityContext').child('windowsOptions').child('hostProcess')
      const why = `pod hostProcess value must be identical if both are specified, was ${own}`
      errors.push(fieldErrors.invalid(at, given, why))
    })
  if (onHost === 0) return
  if (onHost !== containers) errors.push(fieldErrors.invalid(path, '', onlyHostProcesses))
  if (spec.hostNetwork !== true) errors.push(fieldErrors.invalid(path.child('hostNetwork'), false, needsHostNetwork))
  if (!allowPrivileged)
    errors.push(fieldErrors.forbidden(path, 'hostProcess containers are disallowed by cluster policy'))
}

const onlyHostProcesses =
  'If pod contains any hostProcess containers then all containers must be HostProcess containers'
const needsHostNetwork = 'hostNetwork must be true if pod contains any hostProcess containers'

function forEachContext(
  spec: core.PodSpec,
  path: FieldPath,
  visit: (context: core.SecurityContext, path: FieldPath) => void,
): void {
  for (const list of ['containers', 'initContainers', 'ephemeralContainers'] as const)
    spec[list]?.forEach((container, index) => {
      if (container.securityContext)
        visit(container.securityContext, path.child(list).index(index).child('securityContext'))
    })
}
