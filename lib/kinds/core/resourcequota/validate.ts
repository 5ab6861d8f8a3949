import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type ApiObject,
  canonicalQuantity,
  compareQuantities,
  type FieldError,
  FieldPath,
  fieldErrors,
  quantityMilliValue,
} from '../../../object/index.ts'
import { nonNegativeText } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkResourceName, isExtendedResource } from '../podspec/resources.ts'
import { countedResources, isStandardQuotaResource } from '../podspec/standardresources.ts'

const path = FieldPath.root('spec')
const statusPath = FieldPath.root('status')
const specOf = (object: ApiObject): core.ResourceQuotaSpec => (object['spec'] ?? {}) as core.ResourceQuotaSpec
const statusOf = (object: ApiObject): core.ResourceQuotaStatus => (object['status'] ?? {}) as core.ResourceQuotaStatus

export function validateQuota(object: ApiObject, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  checkAmounts(errors, spec.hard, path.child('hard'))
  checkScopes(errors, spec, context)
  checkScopeSelector(errors, spec, context)
  checkAmounts(errors, statusOf(object).hard, statusPath.child('hard'))
  checkAmounts(errors, statusOf(object).used, statusPath.child('used'))
  return errors
}

function checkAmounts(errors: FieldError[], list: Record<string, string> | undefined, at: FieldPath): void {
  for (const [name, amount] of Object.entries(list ?? {})) {
    const here = at.key(name)
    checkResourceName(errors, name, here)
    if (!name.includes('/') && !isStandardQuotaResource(name))
      errors.push(fieldErrors.invalid(here, name, 'must be a standard resource for quota'))
    if (compareQuantities(amount, '0') < 0)
      errors.push(fieldErrors.invalid(here, canonicalQuantity(amount), nonNegativeText))
    if ((countedResources.has(name) || isExtendedResource(name)) && quantityMilliValue(amount) % 1000n !== 0n)
      errors.push(fieldErrors.invalid(here, amount, 'must be an integer'))
  }
}

const podResources = new Set([
  'pods', 'cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory',
]) // biome-ignore format: a list of names
const claimResources = new Set(['persistentvolumeclaims', 'requests.storage'])

/** The resources that each scope can count. */
const scopes: Readonly<Record<string, ReadonlySet<string>>> = {
  BestEffort: new Set(['pods']),
  NotBestEffort: podResources,
  Terminating: podResources,
  NotTerminating: podResources,
  PriorityClass: podResources,
  CrossNamespacePodAffinity: podResources,
  VolumeAttributesClass: claimResources,
}

function scopeResources(scope: string, { gate }: KindContext): ReadonlySet<string> | undefined {
  if (scope === 'VolumeAttributesClass' && !gate('VolumeAttributesClass')) return undefined
  return Object.hasOwn(scopes, scope) ? scopes[scope] : undefined
}

const exclusive = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const

function conflicts(names: readonly string[]): number {
  return exclusive.filter((pair) => pair.every((scope) => names.includes(scope))).length
}

/** Standard resources of the quota that the scope can't count. */
function mismatches(spec: core.ResourceQuotaSpec, resources: ReadonlySet<string> | undefined): number {
  if (!resources) return 0
  return Object.keys(spec.hard ?? {}).filter((name) => isStandardQuotaResource(name) && !resources.has(name)).length
}

function checkScopes(errors: FieldError[], spec: core.ResourceQuotaSpec, context: KindContext): void {
  const names = spec.scopes ?? []
  const at = path.child('scopes')
  const invalid = (why: string): void => void errors.push(fieldErrors.invalid(at, names, why))
  for (const scope of names) {
    const resources = scopeResources(scope, context)
    if (!resources) invalid('unsupported scope')
    for (let i = mismatches(spec, resources); i > 0; i--) invalid('unsupported scope applied to resource')
  }
  for (let i = conflicts(names); i > 0; i--) invalid('conflicting scopes')
}

const existential = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'CrossNamespacePodAffinity',
])
const existentialText =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity"

function checkScopeSelector(errors: FieldError[], spec: core.ResourceQuotaSpec, context: KindContext): void {
  const requirements = spec.scopeSelector?.matchExpressions ?? []
  const at = path.child('scopeSelector').child('matchExpressions')
  const shown = {
    MatchExpressions: requirements.map(({ scopeName, operator, values = null }) => ({
      ScopeName: scopeName,
      Operator: operator,
      Values: values,
    })),
  }
  for (const requirement of requirements) {
    const { scopeName, operator } = requirement
    const resources = scopeResources(scopeName, context)
    if (!resources) errors.push(fieldErrors.invalid(at.child('scopeName'), scopeName, 'unsupported scope'))
    for (let i = mismatches(spec, resources); i > 0; i--)
      errors.push(fieldErrors.invalid(at, shown, 'unsupported scope applied to resource'))
    if (existential.has(scopeName) && operator !== 'Exists')
      errors.push(fieldErrors.invalid(at.child('operator'), operator, existentialText))
    checkOperator(errors, requirement, at)
  }
  for (let i = conflicts(requirements.map(({ scopeName }) => scopeName)); i > 0; i--)
    errors.push(fieldErrors.invalid(at, shown, 'conflicting scopes'))
}

function checkOperator(
  errors: FieldError[],
  { operator, values = [] }: core.ScopedResourceSelectorRequirement,
  at: FieldPath,
): void {
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) {
        const why = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"
        errors.push(fieldErrors.required(at.child('values'), why))
      }
      return
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) {
        const why = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"
        errors.push(fieldErrors.invalid(at.child('values'), values, why))
      }
      return
    default:
      errors.push(fieldErrors.invalid(at.child('operator'), operator, 'not a valid selector operator'))
  }
}

export function validateQuotaUpdate(object: ApiObject, old: ApiObject): FieldError[] {
  const now = specOf(object).scopes
  const before = new Set(specOf(old).scopes)
  const after = new Set(now)
  if (after.size === before.size && [...after].every((scope) => before.has(scope))) return []
  return [fieldErrors.immutable(path.child('scopes'), now)]
}

export function validateQuotaStatusUpdate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  if (!object.metadata.resourceVersion) errors.push(fieldErrors.required('resourceVersion'))
  checkAmounts(errors, statusOf(object).hard, statusPath.child('hard'))
  checkAmounts(errors, statusOf(object).used, statusPath.child('used'))
  return errors
}
