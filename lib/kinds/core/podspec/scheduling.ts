import type * as core from '../../../../api/gen/core/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type LabelSelectorObject,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelValue,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkSupported } from '../../check.ts'
import { checkLabelSelector } from '../../meta/labelselector.ts'

export function checkAffinity(errors: FieldError[], affinity: core.Affinity | undefined, path: FieldPath): void {
  if (affinity?.nodeAffinity) checkNodeAffinity(errors, affinity.nodeAffinity, path.child('nodeAffinity'))
  for (const name of ['podAffinity', 'podAntiAffinity'] as const) {
    const rules = affinity?.[name]
    if (rules) checkPodAffinity(errors, rules, path.child(name))
  }
}

function checkNodeAffinity(errors: FieldError[], affinity: core.NodeAffinity, path: FieldPath): void {
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution
  if (required) checkNodeSelector(errors, required, path.child('requiredDuringSchedulingIgnoredDuringExecution'))
  affinity.preferredDuringSchedulingIgnoredDuringExecution?.forEach((term, index) => {
    const at = path.child('preferredDuringSchedulingIgnoredDuringExecution').index(index)
    checkWeight(errors, term.weight, at.child('weight'))
    checkNodeSelectorTerm(errors, term.preference ?? {}, at.child('preference'))
  })
}

/** For pods, volumes and resource slices. */
export function checkNodeSelector(errors: FieldError[], selector: core.NodeSelector, path: FieldPath): void {
  const terms = path.child('nodeSelectorTerms')
  if (!selector.nodeSelectorTerms?.length)
    errors.push(fieldErrors.required(terms, 'must have at least one node selector term'))
  selector.nodeSelectorTerms?.forEach((term, index) => checkNodeSelectorTerm(errors, term, terms.index(index)))
}

function checkNodeSelectorTerm(errors: FieldError[], term: core.NodeSelectorTerm, path: FieldPath): void {
  term.matchExpressions?.forEach((requirement, index) =>
    checkNodeRequirement(errors, requirement, path.child('matchExpressions').index(index)),
  )
  term.matchFields?.forEach((requirement, index) =>
    checkNodeField(errors, requirement, path.child('matchFields').index(index)),
  )
}

function checkNodeRequirement(errors: FieldError[], requirement: core.NodeSelectorRequirement, path: FieldPath): void {
  const count = requirement.values?.length ?? 0
  const values = path.child('values')
  switch (requirement.operator) {
    case 'In':
    case 'NotIn':
      if (count === 0) errors.push(fieldErrors.required(values, "must be specified when `operator` is 'In' or 'NotIn'"))
      break
    case 'Exists':
    case 'DoesNotExist':
      if (count > 0)
        errors.push(fieldErrors.forbidden(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"))
      break
    case 'Gt':
    case 'Lt':
      if (count !== 1)
        errors.push(fieldErrors.required(values, "must be specified single value when `operator` is 'Lt' or 'Gt'"))
      break
    default:
      errors.push(
        fieldErrors.invalid(path.child('operator'), requirement.operator ?? '', 'not a valid selector operator'),
      )
  }
  checkFormat(errors, requirement.key ?? '', path.child('key'), validateQualifiedName)
  requirement.values?.forEach((value, index) => checkFormat(errors, value, values.index(index), validateLabelValue))
}

/** The only selectable field of nodes is their name. */
function checkNodeField(errors: FieldError[], requirement: core.NodeSelectorRequirement, path: FieldPath): void {
  if (requirement.operator !== 'In' && requirement.operator !== 'NotIn')
    errors.push(
      fieldErrors.invalid(path.child('operator'), requirement.operator ?? '', 'not a valid selector operator'),
    )
  else if (requirement.values?.length !== 1) {
    const why = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"
    errors.push(fieldErrors.required(path.child('values'), why))
  }
  if (requirement.key !== 'metadata.name')
    errors.push(fieldErrors.invalid(path.child('key'), requirement.key ?? '', 'not a valid field selector key'))
  else
    requirement.values?.forEach((value, index) =>
      checkFormat(errors, value, path.child('values').index(index), validateDns1123Subdomain),
    )
}

function checkPodAffinity(
  errors: FieldError[],
  affinity: core.PodAffinity | core.PodAntiAffinity,
  path: FieldPath,
): void {
  affinity.requiredDuringSchedulingIgnoredDuringExecution?.forEach((term, index) =>
    checkPodAffinityTerm(errors, term, path.child('requiredDuringSchedulingIgnoredDuringExecution').index(index)),
  )
  affinity.preferredDuringSchedulingIgnoredDuringExecution?.forEach((weighted, index) => {
    const at = path.child('preferredDuringSchedulingIgnoredDuringExecution').index(index)
    checkWeight(errors, weighted.weight, at.child('weight'))
    checkPodAffinityTerm(errors, weighted.podAffinityTerm ?? { topologyKey: '' }, at.child('podAffinityTerm'))
  })
}

function checkPodAffinityTerm(errors: FieldError[], term: core.PodAffinityTerm, path: FieldPath): void {
  if (term.labelSelector) checkLabelSelector(errors, term.labelSelector, path.child('labelSelector'))
  if (term.namespaceSelector) checkLabelSelector(errors, term.namespaceSelector, path.child('namespaceSelector'))
  for (const namespace of term.namespaces ?? [])
    checkFormat(errors, namespace, path.child('namespace'), validateDns1123Label)
  checkLabelKeys(errors, term.matchLabelKeys, term.labelSelector, path.child('matchLabelKeys'))
  checkLabelKeys(errors, term.mismatchLabelKeys, term.labelSelector, path.child('mismatchLabelKeys'))
  const mismatched = new Set(term.mismatchLabelKeys)
  term.matchLabelKeys?.forEach((key, index) => {
    if (mismatched.has(key))
      errors.push(
        fieldErrors.invalid(
          path.child('matchLabelKeys').index(index),
          key,
          'exists in both matchLabelKeys and mismatchLabelKeys',
        ),
      )
  })
  const topology = path.child('topologyKey')
  if (!term.topologyKey) errors.push(fieldErrors.required(topology, 'can not be empty'))
  checkFormat(errors, term.topologyKey ?? '', topology, validateQualifiedName)
}

function checkLabelKeys(
  errors: FieldError[],
  keys: readonly string[] | undefined,
  selector: LabelSelectorObject | undefined,
  path: FieldPath,
): void {
  if (!keys?.length) return
  if (!selector) errors.push(fieldErrors.forbidden(path, 'must not be specified when labelSelector is not set'))
  keys.forEach((key, index) => checkFormat(errors, key, path.index(index), validateQualifiedName))
}

function checkWeight(errors: FieldError[], weight: number | undefined, path: FieldPath): void {
  const value = weight ?? 0
  if (value < 1 || value > 100) errors.push(fieldErrors.invalid(path, value, 'must be in the range 1-100'))
}

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** For pods, runtime classes and device requests. */
export function checkTolerations(
  errors: FieldError[],
  tolerations: readonly core.Toleration[] | undefined,
  path: FieldPath,
): void {
  tolerations?.forEach((toleration, index) => checkToleration(errors, toleration, path.index(index)))
}

function checkToleration(errors: FieldError[], toleration: core.Toleration, path: FieldPath): void {
  const { key, effect, value } = toleration
  const operator = toleration.operator ?? ''
  if (key) checkFormat(errors, key, path.child('key'), validateQualifiedName)
  if (!key && operator !== 'Exists') {
    const why = 'operator must be Exists when `key` is empty, which means "match all values and all keys"'
    errors.push(fieldErrors.invalid(path.child('operator'), operator, why))
  }
  if (toleration.tolerationSeconds !== undefined && effect !== 'NoExecute')
    errors.push(
      fieldErrors.invalid(
        path.child('effect'),
        effect ?? '',
        "effect must be 'NoExecute' when `tolerationSeconds` is set",
      ),
    )
  if (operator === 'Equal' || operator === '') {
    for (const finding of validateLabelValue(value ?? ''))
      errors.push(fieldErrors.invalid(path.child('operator'), value ?? '', finding))
  } else if (operator === 'Exists') {
    if (value)
      errors.push(
        fieldErrors.invalid(
          path.child('operator'),
          shownToleration(toleration),
          "value must be empty when `operator` is 'Exists'",
        ),
      )
  } else errors.push(fieldErrors.notSupported(path.child('operator'), operator, ['Equal', 'Exists']))
  if (effect) checkSupported(errors, effect, path.child('effect'), taintEffects)
}

/** A toleration in the form of errors: the internal type's field names. */
export function shownToleration(toleration: core.Toleration): Record<string, unknown> {
  const { key = '', operator = '', value = '', effect = '', tolerationSeconds = null } = toleration
  return { Key: key, Operator: operator, Value: value, Effect: effect, TolerationSeconds: tolerationSeconds }
}

export function checkTopologySpread(
  errors: FieldError[],
  constraints: readonly core.TopologySpreadConstraint[] | undefined,
  path: FieldPath,
): void {
  const pairOf = ({ topologyKey, whenUnsatisfiable }: core.TopologySpreadConstraint): string =>
    `{${topologyKey}, ${whenUnsatisfiable}}`
  const last = new Map(constraints?.map((constraint, index) => [pairOf(constraint), index]))
  constraints?.forEach((constraint, index) => {
    const at = path.index(index)
    checkSpreadConstraint(errors, constraint, at)
    const pair = pairOf(constraint)
    if (last.get(pair) !== index) {
      errors.push(fieldErrors.duplicate(at.child('{topologyKey, whenUnsatisfiable}'), pair))
    }
    if (constraint.labelSelector) checkLabelSelector(errors, constraint.labelSelector, at.child('labelSelector'))
    checkLabelKeys(errors, constraint.matchLabelKeys, constraint.labelSelector, at.child('matchLabelKeys'))
  })
}

function checkSpreadConstraint(errors: FieldError[], constraint: core.TopologySpreadConstraint, path: FieldPath): void {
  const skew = constraint.maxSkew ?? 0
  if (skew <= 0) errors.push(fieldErrors.invalid(path.child('maxSkew'), skew, 'must be greater than zero'))
  if (!constraint.topologyKey) errors.push(fieldErrors.required(path.child('topologyKey'), 'can not be empty'))
  const when = constraint.whenUnsatisfiable ?? ''
  checkSupported(errors, when, path.child('whenUnsatisfiable'), ['DoNotSchedule', 'ScheduleAnyway'])
  const domains = constraint.minDomains
  if (domains !== undefined) {
    if (domains <= 0) errors.push(fieldErrors.invalid(path.child('minDomains'), domains, 'must be greater than zero'))
    if (when !== 'DoNotSchedule') {
      const why = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${when}`
      errors.push(fieldErrors.invalid(path.child('minDomains'), domains, why))
    }
  }
  for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
    const policy = constraint[name]
    if (policy !== undefined) checkSupported(errors, policy, path.child(name), ['Honor', 'Ignore'])
  }
}
