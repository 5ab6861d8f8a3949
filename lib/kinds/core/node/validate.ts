import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  parseCidr,
  quote,
  validateLabelValue,
  validateLegacyCidr,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkRequiredChoice, checkUnique } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkStrictAddresses, type LocatedAddress, locateCidrs } from '../../meta/strictaddresses.ts'
import { checkResourceAmount } from '../podspec/resources.ts'
import { taintEffects } from '../podspec/scheduling.ts'

const spec = FieldPath.root('spec')
const status = FieldPath.root('status')
// Errors of taints have this path, as clients know it.
const taintsPath = FieldPath.root('metadata').child('taints')
const specOf = (object: ApiObject): core.NodeSpec => object['spec'] as core.NodeSpec
const statusOf = (object: ApiObject): Partial<core.NodeStatus> => (object['status'] ?? {}) as Partial<core.NodeStatus>

/** `old`: the node before an update. */
export function validateNode(object: ApiObject, context: KindContext, old?: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  checkTaints(errors, specOf(object).taints ?? [])
  for (const name of ['capacity', 'allocatable'] as const)
    for (const [resource, amount] of Object.entries(statusOf(object)[name] ?? {}))
      checkResourceAmount(errors, resource, amount, status.child(name).child(resource))
  checkDeclaredFeatures(errors, statusOf(object).declaredFeatures ?? [])
  checkPodCidrs(errors, specOf(object).podCIDRs ?? [])
  checkStrictAddresses(errors, podCidrsOf(object), old ? podCidrsOf(old) : [], context)
  return errors
}

const featureName = /^[A-Z][a-zA-Z0-9]*(\/[a-zA-Z][a-zA-Z0-9]*)*$/
const featureBytesMax = 253

function validateFeatureName(name: string): string[] {
  const about = `invalid feature name ${quote(name)}: must`
  if (Buffer.byteLength(name) > featureBytesMax) return [`${about} be no more than ${featureBytesMax} characters`]
  if (featureName.test(name)) return []
  const example = "subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature)"
  const form = `start with an UpperCamelCase segment, with ${example}, and contain only alphanumeric characters and slashes`
  return [`${about} ${form}`]
}

function checkDeclaredFeatures(errors: FieldError[], features: readonly string[]): void {
  const seen = new Set<string>()
  features.forEach((feature, index) => {
    const at = status.child('declaredFeatures').index(index)
    checkFormat(errors, feature, at, validateFeatureName)
    checkUnique(errors, seen, feature, at)
    if (index > 0 && feature < (features[index - 1] ?? ''))
      errors.push(fieldErrors.invalid(at, feature, 'list must be sorted alphabetically'))
  })
}

/** Key and effect identify a taint. */
function checkTaints(errors: FieldError[], taints: readonly core.Taint[]): void {
  const seen = new Set<string>()
  for (const [index, { key, value = '', effect, timeAdded = null }] of taints.entries()) {
    const at = taintsPath.index(index)
    checkFormat(errors, key, at.child('key'), validateQualifiedName)
    if (value !== '') checkFormat(errors, value, at.child('value'), validateLabelValue)
    checkRequiredChoice(errors, effect, at.child('effect'), taintEffects)
    const identity = `${effect} ${key}`
    if (seen.has(identity)) {
      const repeated = fieldErrors.duplicate(at, { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded })
      errors.push({ ...repeated, message: `${repeated.message}: taints must be unique by key and effect pair` })
    }
    seen.add(identity)
  }
}

function podCidrsOf(object: ApiObject): LocatedAddress[] {
  return locateCidrs(specOf(object).podCIDRs, spec.child('podCIDRs'))
}

function checkPodCidrs(errors: FieldError[], cidrs: readonly string[]): void {
  const at = spec.child('podCIDRs')
  cidrs.forEach((cidr, index) => checkFormat(errors, cidr, at.index(index), validateLegacyCidr))
  if (cidrs.length < 2 || cidrs.some((cidr) => parseCidr(cidr) === undefined)) return
  const families = new Set(cidrs.map((cidr) => parseCidr(cidr)?.family))
  if (cidrs.length > 2 || families.size < 2)
    errors.push(fieldErrors.invalid(at, cidrs, 'may specify no more than one CIDR for each IP family'))
}

export function validateNodeUpdate(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const errors = validateNode(object, context, old)
  const now = specOf(object)
  const before = specOf(old)
  checkAddresses(errors, statusOf(object).addresses ?? [])
  if (before.podCIDRs?.length && !deepEqual(now.podCIDRs ?? [], before.podCIDRs)) {
    const why = 'node updates may not change podCIDR except from "" to valid'
    errors.push(fieldErrors.forbidden(spec.child('podCIDRs'), why))
  }
  if (before.providerID && now.providerID !== before.providerID) {
    const why = 'node updates may not change providerID except from "" to valid'
    errors.push(fieldErrors.forbidden(spec.child('providerID'), why))
  }
  if ((now.externalID ?? '') !== (before.externalID ?? ''))
    errors.push(fieldErrors.forbidden(spec.child('externalID'), 'may not be updated'))
  return errors
}

function checkAddresses(errors: FieldError[], addresses: readonly core.NodeAddress[]): void {
  const seen = new Set<string>()
  for (const [index, { type, address }] of addresses.entries()) {
    const identity = `${type} ${address}`
    if (seen.has(identity))
      errors.push(fieldErrors.duplicate(status.child('addresses').index(index), { Type: type, Address: address }))
    seen.add(identity)
  }
}
