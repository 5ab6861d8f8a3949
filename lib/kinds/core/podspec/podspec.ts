import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type ObjectMeta,
  type Validator,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateDns1123SubdomainWithUnderscore,
  validateIp,
  validateLegacyIp,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkRequiredChoice, checkUnique } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkLabels } from '../../meta/labelselector.ts'
import { checkContainers, checkEphemeralContainers, checkInitContainers, type PodContext } from './containers.ts'
import { checkHostName } from './hostname.ts'
import { checkPodResources } from './podlevel.ts'
import { checkResourceAmount, checkResourceName } from './resources.ts'
import { restartGatesOf } from './restartrules.ts'
import { checkAffinity, checkTolerations, checkTopologySpread } from './scheduling.ts'
import { checkPodSecurityContext } from './security.ts'
import { checkVolumes } from './volumes.ts'
import { checkHostProcess, checkOperatingSystem } from './windows.ts'

interface PodSpecOptions {
  readonly allowPrivileged: boolean
  gate(name: string): boolean
}

export function podSpecOptions({ settings, gate }: KindContext): PodSpecOptions {
  return { allowPrivileged: settings?.allowPrivileged ?? true, gate }
}

const int32Max = 2 ** 31 - 1
const nameserversMax = 3
const searchesMax = 32
const searchCharactersMax = 2048

/** The rules of the spec of a pod, or of a template (`meta` undefined). */
export function checkPodSpec(
  errors: FieldError[],
  spec: core.PodSpec,
  meta: ObjectMeta | undefined,
  options: PodSpecOptions,
  path: FieldPath,
): void {
  const volumes = checkVolumes(errors, spec.volumes, meta, path.child('volumes'))
  const claims = checkResourceClaims(errors, spec.resourceClaims, path.child('resourceClaims'))
  const { allowPrivileged, gate } = options
  const pod: PodContext = { spec, volumes, claims, allowPrivileged, gate, restarts: restartGatesOf(gate) }
  const names = new Set<string>()
  checkContainers(errors, pod, names, path.child('containers'))
  checkInitContainers(errors, pod, names, path.child('initContainers'))
  checkEphemeralContainers(errors, pod, names, path.child('ephemeralContainers'))
  checkPodResources(errors, spec, claims, path)
  checkPolicies(errors, spec, path)
  checkHostNetworkPorts(errors, spec, path)
  checkPodSecurityContext(errors, spec, path.child('securityContext'))
  checkPullSecrets(errors, spec.imagePullSecrets, path.child('imagePullSecrets'))
  checkAffinity(errors, spec.affinity, path.child('affinity'))
  const validateAddress = gate('StrictIPCIDRValidation') ? validateIp : validateLegacyIp
  checkDnsConfig(errors, spec, validateAddress, path.child('dnsConfig'))
  spec.readinessGates?.forEach(({ conditionType }, index) =>
    checkFormat(
      errors,
      conditionType,
      path.child('readinessGates').index(index).child('conditionType'),
      validateQualifiedName,
    ),
  )
  checkSchedulingGates(errors, spec.schedulingGates, path.child('schedulingGates'))
  checkTopologySpread(errors, spec.topologySpreadConstraints, path.child('topologySpreadConstraints'))
  checkHostProcess(errors, spec, allowPrivileged, path)
  checkNames(errors, spec, path)
  checkTolerations(errors, spec.tolerations, path.child('tolerations'))
  checkHostAliases(errors, spec.hostAliases, validateAddress, path.child('hostAliases'))
  if (spec.preemptionPolicy !== undefined)
    checkRequiredChoice(errors, spec.preemptionPolicy, path.child('preemptionPolicy'), [
      'PreemptLowerPriority',
      'Never',
    ])
  checkOverhead(errors, spec.overhead, path.child('overhead'))
  checkOperatingSystem(errors, spec, path)
  checkHostUsers(errors, spec, path)
}

function checkPolicies(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  checkRequiredChoice(errors, spec.restartPolicy, path.child('restartPolicy'), ['Always', 'OnFailure', 'Never'])
  checkRequiredChoice(errors, spec.dnsPolicy, path.child('dnsPolicy'), [
    'ClusterFirstWithHostNet',
    'ClusterFirst',
    'Default',
    'None',
  ])
  if (spec.terminationGracePeriodSeconds === undefined)
    errors.push(fieldErrors.required(path.child('terminationGracePeriodSeconds')))
  const deadline = spec.activeDeadlineSeconds
  if (deadline !== undefined && (deadline < 1 || deadline > int32Max))
    errors.push(
      fieldErrors.invalid(
        path.child('activeDeadlineSeconds'),
        deadline,
        `must be between 1 and ${int32Max}, inclusive`,
      ),
    )
}

function checkNames(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  checkLabels(errors, spec.nodeSelector, path.child('nodeSelector'))
  if (spec.serviceAccountName)
    checkFormat(errors, spec.serviceAccountName, path.child('serviceAccountName'), validateDns1123Subdomain)
  if (spec.nodeName) checkFormat(errors, spec.nodeName, path.child('nodeName'), validateDns1123Subdomain)
  checkHostName(errors, spec, path)
  if (spec.priorityClassName)
    checkFormat(errors, spec.priorityClassName, path.child('priorityClassName'), validateDns1123Subdomain)
  if (spec.runtimeClassName !== undefined)
    checkFormat(errors, spec.runtimeClassName, path.child('runtimeClassName'), validateDns1123Subdomain)
}

function checkHostNetworkPorts(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  if (spec.hostNetwork !== true) return
  for (const list of ['containers', 'initContainers'] as const)
    spec[list]?.forEach((container, containerIndex) =>
      container.ports?.forEach((port, index) => {
        if (port.hostPort === port.containerPort) return
        const at = path.child(list).index(containerIndex).child('ports').index(index).child('hostPort')
        errors.push(
          fieldErrors.invalid(at, port.hostPort ?? 0, 'must match `containerPort` when `hostNetwork` is true'),
        )
      }),
    )
}

/** Returns the names that containers may claim. */
function checkResourceClaims(
  errors: FieldError[],
  claims: readonly core.PodResourceClaim[] | undefined,
  path: FieldPath,
): Set<string> {
  const names = new Set<string>()
  claims?.forEach((claim, index) => {
    const at = path.index(index)
    if (checkPresent(errors, claim.name, at.child('name'))) {
      checkFormat(errors, claim.name, at.child('name'), validateDns1123Label)
      checkUnique(errors, names, claim.name, at.child('name'))
    }
    const { resourceClaimName, resourceClaimTemplateName } = claim
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      const why = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'
      errors.push(fieldErrors.invalid(at, claim, why))
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      errors.push(
        fieldErrors.invalid(at, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'),
      )
    if (resourceClaimName !== undefined)
      checkFormat(errors, resourceClaimName, at.child('resourceClaimName'), validateDns1123Subdomain)
    if (resourceClaimTemplateName !== undefined)
      checkFormat(errors, resourceClaimTemplateName, at.child('resourceClaimTemplateName'), validateDns1123Subdomain)
  })
  return names
}

function checkPullSecrets(
  errors: FieldError[],
  secrets: readonly core.LocalObjectReference[] | undefined,
  path: FieldPath,
): void {
  secrets?.forEach((secret, index) => {
    const others = Object.keys(secret).filter((key) => key !== 'name')
    if (others.length > 0) errors.push(fieldErrors.invalid(path.index(index), secret, 'only name may be set'))
  })
}

function checkDnsConfig(errors: FieldError[], spec: core.PodSpec, validateAddress: Validator, path: FieldPath): void {
  const config = spec.dnsConfig
  if (spec.dnsPolicy === 'None') {
    if (!config) {
      errors.push(fieldErrors.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'))
      return
    }
    if (!config.nameservers?.length) {
      const why = 'must provide at least one DNS nameserver when `dnsPolicy` is None'
      errors.push(fieldErrors.required(path.child('nameservers'), why))
      return
    }
  }
  if (!config) return
  const servers = config.nameservers ?? []
  if (servers.length > nameserversMax)
    errors.push(
      fieldErrors.invalid(path.child('nameservers'), servers, `must not have more than ${nameserversMax} nameservers`),
    )
  servers.forEach((server, index) =>
    checkFormat(errors, server, path.child('nameservers').index(index), validateAddress),
  )
  checkSearches(errors, config.searches ?? [], path.child('searches'))
  config.options?.forEach((option, index) =>
    checkPresent(errors, option.name, path.child('options').index(index), 'must not be empty'),
  )
}

function checkSearches(errors: FieldError[], searches: readonly string[], path: FieldPath): void {
  if (searches.length > searchesMax)
    errors.push(fieldErrors.invalid(path, searches, `must not have more than ${searchesMax} search paths`))
  if (searches.join(' ').length > searchCharactersMax) {
    const why = `must not have more than ${searchCharactersMax} characters (including spaces) in the search list`
    errors.push(fieldErrors.invalid(path, searches, why))
  }
  searches.forEach((search, index) => {
    // The root domain may be searched, and a domain may have its final dot.
    if (search === '.') return
    for (const finding of validateDns1123SubdomainWithUnderscore(search.replace(/\.$/, '')))
      errors.push(fieldErrors.invalid(path.index(index), search, finding))
  })
}

function checkSchedulingGates(
  errors: FieldError[],
  gates: readonly core.PodSchedulingGate[] | undefined,
  path: FieldPath,
): void {
  const seen = new Set<string>()
  gates?.forEach((gate, index) => {
    checkFormat(errors, gate.name ?? '', path.index(index), validateQualifiedName)
    checkUnique(errors, seen, gate.name, path.index(index))
  })
}

function checkHostAliases(
  errors: FieldError[],
  aliases: readonly core.HostAlias[] | undefined,
  validateAddress: Validator,
  path: FieldPath,
): void {
  aliases?.forEach((alias, index) => {
    const at = path.index(index)
    checkFormat(errors, alias.ip ?? '', at.child('ip'), validateAddress)
    alias.hostnames?.forEach((name, nameIndex) =>
      checkFormat(errors, name, at.child('hostnames').index(nameIndex), validateDns1123Subdomain),
    )
  })
}

function checkOverhead(
  errors: FieldError[],
  overhead: Readonly<Record<string, string>> | undefined,
  path: FieldPath,
): void {
  for (const [name, amount] of Object.entries(overhead ?? {})) {
    checkResourceName(errors, name, path.key(name))
    checkResourceAmount(errors, name, amount, path.key(name))
  }
}

/** A pod with its own user namespace can't use the host's other namespaces. */
function checkHostUsers(errors: FieldError[], spec: core.PodSpec, path: FieldPath): void {
  if (spec.hostUsers !== false) return
  const why = 'when `hostUsers` is false'
  if (spec.hostNetwork === true) errors.push(fieldErrors.forbidden(path.child('hostNetwork'), why))
  if (spec.hostPID === true) errors.push(fieldErrors.forbidden(path.child('HostPID'), why))
  if (spec.hostIPC === true) errors.push(fieldErrors.forbidden(path.child('HostIPC'), why))
  for (const list of ['containers', 'initContainers'] as const)
    spec[list]?.forEach((container, index) => {
      if (container.volumeDevices?.length)
        errors.push(fieldErrors.forbidden(path.child(list).index(index).child('volumeDevices'), why))
    })
}
