import type * as core from '../../../../api/gen/core/v1.ts'
import {
  canonicalQuantity,
  compareQuantities,
  type FieldError,
  type FieldPath,
  fieldErrors,
  quantityMilliValue,
  validateQualifiedName,
} from '../../../object/index.ts'
import { nonNegativeText } from '../../check.ts'
import { countedResources, isStandardResource } from './standardresources.ts'

type ResourceList = Readonly<Record<string, string>>

const overcommittable = new Set(['cpu', 'memory', 'ephemeral-storage', 'storage'])
const containerStandard = new Set(['cpu', 'memory', 'ephemeral-storage'])

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

/** Names without a domain, or of Kubernetes' own domain, are native. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** A resource from another vendor: `vendor.example/gadget`. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false
  return validateQualifiedName(`requests.${name}`).length === 0
}

/** Resources with whole amounts only. */
function isIntegerResource(name: string): boolean {
  return isHugePages(name) || isExtendedResource(name) || countedResources.has(name)
}

/** A name that a quota, claim or container may use. */
export function checkResourceName(errors: FieldError[], name: string, path: FieldPath): boolean {
  const findings = validateQualifiedName(name)
  for (const finding of findings) errors.push(fieldErrors.invalid(path, name, finding))
  if (findings.length === 0 && !name.includes('/') && !isStandardResource(name))
    errors.push(fieldErrors.invalid(path, name, 'must be a standard resource type or fully qualified'))
  return findings.length === 0
}

export function checkContainerResourceName(errors: FieldError[], name: string, path: FieldPath): void {
  checkResourceName(errors, name, path)
  if (!name.includes('/')) {
    if (!containerStandard.has(name) && !isHugePages(name))
      errors.push(fieldErrors.invalid(path, name, 'must be a standard resource for containers'))
  } else if (!isNativeResource(name) && !isExtendedResource(name))
    errors.push(fieldErrors.invalid(path, name, "doesn't follow extended resource name standard"))
}

/** Checks the amount of a resource: not negative, and whole if the resource is. */
export function checkResourceAmount(errors: FieldError[], name: string, amount: string, path: FieldPath): void {
  if (compareQuantities(amount, '0') < 0)
    errors.push(fieldErrors.invalid(path, canonicalQuantity(amount), nonNegativeText))
  if (isIntegerResource(name) && quantityMilliValue(amount) % 1000n !== 0n)
    errors.push(fieldErrors.invalid(path, amount, 'must be an integer'))
}

/** `claims`: names of the pod's resource claims. */
export function checkResourceRequirements(
  errors: FieldError[],
  resources: core.ResourceRequirements | undefined,
  claims: ReadonlySet<string>,
  path: FieldPath,
  checkName = checkContainerResourceName,
): void {
  if (!resources) return
  const limits: ResourceList = resources.limits ?? {}
  const requests: ResourceList = resources.requests ?? {}
  for (const [name, amount] of Object.entries(limits)) {
    const at = path.child('limits').key(name)
    checkName(errors, name, at)
    checkResourceAmount(errors, name, amount, at)
  }
  for (const [name, amount] of Object.entries(requests)) {
    const at = path.child('requests').key(name)
    checkName(errors, name, at)
    checkResourceAmount(errors, name, amount, at)
    checkAgainstLimit(errors, name, amount, limits[name], path.child('requests'), path.child('limits'))
  }
  const named = [...Object.keys(limits), ...Object.keys(requests)]
  if (named.some(isHugePages) && !named.includes('cpu') && !named.includes('memory'))
    errors.push(fieldErrors.forbidden(path, 'HugePages require cpu or memory'))
  checkClaimNames(errors, resources.claims, claims, path.child('claims'))
}

function checkAgainstLimit(
  errors: FieldError[],
  name: string,
  amount: string,
  limit: string | undefined,
  requests: FieldPath,
  limits: FieldPath,
): void {
  const canOvercommit = overcommittable.has(name) || (isNativeResource(name) && !isHugePages(name))
  if (limit === undefined) {
    if (!canOvercommit) errors.push(fieldErrors.required(limits, 'Limit must be set for non overcommitable resources'))
    return
  }
  const order = compareQuantities(amount, limit)
  if (!canOvercommit && order !== 0)
    errors.push(fieldErrors.invalid(requests, amount, `must be equal to ${name} limit of ${limit}`))
  else if (canOvercommit && order > 0)
    errors.push(fieldErrors.invalid(requests, amount, `must be less than or equal to ${name} limit of ${limit}`))
}

function checkClaimNames(
  errors: FieldError[],
  used: readonly core.ResourceClaim[] | undefined,
  claims: ReadonlySet<string>,
  path: FieldPath,
): void {
  const seen = new Set<string>()
  used?.forEach((claim, index) => {
    const at = path.index(index)
    const key = claim.request ? `${claim.name}/${claim.request}` : claim.name
    if (!claim.name) errors.push(fieldErrors.required(at))
    else {
      if (seen.has(key) || seen.has(claim.name)) errors.push(fieldErrors.duplicate(at, key))
      seen.add(key)
      if (!claims.has(claim.name)) errors.push(fieldErrors.notFound(at, claim.name))
    }
  })
}
