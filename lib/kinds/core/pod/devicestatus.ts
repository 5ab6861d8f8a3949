import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkRequiredFormat, checkSupported, checkUnique } from '../../check.ts'

/** The claim that serves a pod's extended resources names requests of its containers. */
export function checkExtendedResourceClaim(
  errors: FieldError[],
  status: core.PodExtendedResourceClaimStatus,
  { containers = [], initContainers = [] }: Pick<core.PodSpec, 'containers' | 'initContainers'>,
  path: FieldPath,
): void {
  const byName = new Map([...initContainers, ...containers].map((container) => [container.name, container]))
  const mappings = path.child('requestMappings')
  const requestMappings = status.requestMappings ?? []
  if (requestMappings.length === 0)
    errors.push(fieldErrors.required(mappings, 'at least one request mapping is required'))
  const seen = new Set<string>()
  requestMappings.forEach(({ containerName, resourceName, requestName }, index) => {
    const at = mappings.index(index)
    const container = byName.get(containerName)
    const requested = container?.resources?.requests ?? {}
    if (!container) {
      const why = 'must match the name of an entry in spec.initContainers.name or spec.containers.name'
      errors.push(fieldErrors.invalid(at.child('containerName'), containerName, why))
    } else if (!Object.hasOwn(requested, resourceName)) {
      const lists = 'spec.initContainers.resources.requests or spec.containers.resources.requests'
      const why = `must match the extended resource name of an entry in ${lists}`
      errors.push(fieldErrors.invalid(at.child('resourceName'), resourceName, why))
    }
    // Reported at the status, not at the mapping, as clients know it.
    checkFormat(errors, requestName, path.child('requestName'), validateDns1123Label)
    const key = JSON.stringify([containerName, resourceName, requestName])
    if (seen.has(key))
      for (const [name, value] of Object.entries({ containerName, resourceName, requestName }))
        errors.push(fieldErrors.duplicate(at.child(name), value))
    seen.add(key)
  })
  checkRequiredFormat(errors, status.resourceClaimName, path.child('resourceClaimName'), validateDns1123Subdomain)
}

const messageBytesMax = 1024

/** Kubelets report the health of devices that a container requests, by resource or by claim. */
export function checkResourceHealth(
  errors: FieldError[],
  statuses: readonly core.ContainerStatus[] | undefined,
  containers: readonly Pick<core.Container, 'name' | 'resources'>[] | undefined,
  path: FieldPath,
): void {
  statuses?.forEach(({ name, allocatedResourcesStatus }, index) => {
    const container = containers?.find((each) => each.name === name)
    allocatedResourcesStatus?.forEach((resource, place) => {
      const at = path.index(index).child('allocatedResourcesStatus').index(place)
      const fault = container && nameFault(resource.name, container.resources ?? {})
      if (fault !== undefined) errors.push(fieldErrors.invalid(at.child('name'), resource.name, fault))
      checkDevices(errors, resource.resources ?? [], at.child('resources'))
    })
  })
}

function checkDevices(errors: FieldError[], devices: readonly core.ResourceHealth[], path: FieldPath): void {
  const seen = new Set<string>()
  devices.forEach(({ resourceID, health = '', message }, index) => {
    const at = path.index(index)
    checkSupported(errors, health, at.child('health'), ['Healthy', 'Unhealthy', 'Unknown'])
    if (message === '') errors.push(fieldErrors.required(at.child('message'), 'must be non-empty if specified'))
    else if (message !== undefined && Buffer.byteLength(message) > messageBytesMax)
      errors.push(fieldErrors.tooLong(at.child('message'), messageBytesMax))
    checkUnique(errors, seen, resourceID, at.child('resourceID'))
  })
}

/** A name is that of a resource, or `claim:<claim>` with the request after a slash. */
function nameFault(name: string, { claims = [], requests = {} }: core.ResourceRequirements): string | undefined {
  if (!name.startsWith('claim:'))
    return Object.hasOwn(requests, name) ? undefined : "must match one of the container's resource requests"
  const names = claims.map((claim) => `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}`)
  if (names.includes(name)) return undefined
  const forms = "'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
  return `must match one of the container's resource claims in a format ${forms}`
}
