import type * as batch from '../../../../api/gen/batch/v1.ts'
import { type FieldError, type FieldPath, fieldErrors, validateQualifiedName } from '../../../object/index.ts'
import { checkFormat, checkNonNegative, checkSupported } from '../../check.ts'
import { withGoNames } from './gonames.ts'

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const rulesMax = 20
const patternsMax = 20
const exitCodesMax = 255
const indexIntervalsCharactersMax = 64 * 1024

export function checkPodFailurePolicy(errors: FieldError[], spec: batch.JobSpec, path: FieldPath): void {
  const rules = spec.podFailurePolicy?.rules ?? []
  if (!spec.podFailurePolicy) return
  const at = path.child('podFailurePolicy').child('rules')
  if (rules.length > rulesMax) errors.push(fieldErrors.tooMany(at, rules.length, rulesMax))
  const pod = spec.template.spec
  const containers = new Set([...(pod.containers ?? []), ...(pod.initContainers ?? [])].map(({ name }) => name))
  rules.forEach((rule, index) => checkFailureRule(errors, rule, spec, containers, at.index(index)))
}

function checkFailureRule(
  errors: FieldError[],
  rule: batch.PodFailurePolicyRule,
  spec: batch.JobSpec,
  containers: ReadonlySet<string>,
  path: FieldPath,
): void {
  const { action, onExitCodes, onPodConditions } = rule
  if (!action)
    errors.push(
      fieldErrors.required(path.child('action'), `valid values: [${actions.map((one) => `"${one}"`).join(' ')}]`),
    )
  else if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined)
    errors.push(fieldErrors.invalid(path.child('action'), action, 'requires the backoffLimitPerIndex to be set'))
  else checkSupported(errors, action, path.child('action'), actions)
  if (onExitCodes) checkExitCodes(errors, onExitCodes, containers, path.child('onExitCodes'))
  const conditions = onPodConditions ?? []
  if (conditions.length > patternsMax)
    errors.push(fieldErrors.tooMany(path.child('onPodConditions'), conditions.length, patternsMax))
  conditions.forEach((pattern, index) => {
    const at = path.child('onPodConditions').index(index)
    checkFormat(errors, pattern.type ?? '', at.child('type'), validateQualifiedName)
    if (!pattern.status)
      errors.push(fieldErrors.required(at.child('status'), 'valid values: ["False" "True" "Unknown"]'))
    else checkSupported(errors, pattern.status, at.child('status'), ['False', 'True', 'Unknown'])
  })
  const both = onExitCodes !== undefined && conditions.length > 0
  if (both)
    errors.push(fieldErrors.invalidBare(path, 'specifying both OnExitCodes and OnPodConditions is not supported'))
  if (!onExitCodes && conditions.length === 0)
    errors.push(fieldErrors.invalidBare(path, 'specifying one of OnExitCodes and OnPodConditions is required'))
}

function checkExitCodes(
  errors: FieldError[],
  requirement: batch.PodFailurePolicyOnExitCodesRequirement,
  containers: ReadonlySet<string>,
  path: FieldPath,
): void {
  const { operator, values = [], containerName } = requirement
  if (!operator) errors.push(fieldErrors.required(path.child('operator'), 'valid values: ["In" "NotIn"]'))
  else checkSupported(errors, operator, path.child('operator'), ['In', 'NotIn'])
  if (containerName !== undefined && !containers.has(containerName)) {
    const why = 'must be one of the container or initContainer names in the pod template'
    errors.push(fieldErrors.invalid(path.child('containerName'), containerName, why))
  }
  const at = path.child('values')
  if (values.length === 0) errors.push(fieldErrors.invalid(at, requirement.values, 'at least one value is required'))
  else if (values.length > exitCodesMax) errors.push(fieldErrors.tooMany(at, values.length, exitCodesMax))
  const seen = new Set<number>()
  let ordered = true
  values.forEach((value, index) => {
    if (operator === 'In' && value === 0)
      errors.push(fieldErrors.invalid(at.index(index), value, 'must not be 0 for the In operator'))
    if (seen.has(value)) errors.push(fieldErrors.duplicate(at.index(index), value))
    seen.add(value)
    if (index > 0 && value < (values[index - 1] ?? value)) ordered = false
  })
  if (!ordered) errors.push(fieldErrors.invalid(at, values, 'must be ordered'))
}

export function checkSuccessPolicy(errors: FieldError[], spec: batch.JobSpec, path: FieldPath): void {
  const policy = spec.successPolicy
  if (!policy) return
  const at = path.child('successPolicy')
  if (spec.completionMode !== 'Indexed') {
    errors.push(fieldErrors.invalid(at, withGoNames(policy, 'successPolicy'), 'requires indexed completion mode'))
    return
  }
  const rules = policy.rules ?? []
  if (rules.length === 0)
    errors.push(
      fieldErrors.required(
        at.child('rules'),
        'at least one rules must be specified when the successPolicy is specified',
      ),
    )
  if (rules.length > rulesMax) errors.push(fieldErrors.tooMany(at.child('rules'), rules.length, rulesMax))
  rules.forEach((rule, index) => checkSuccessRule(errors, rule, spec.completions ?? 0, at.child('rules').index(index)))
}

function checkSuccessRule(
  errors: FieldError[],
  rule: batch.SuccessPolicyRule,
  completions: number,
  path: FieldPath,
): void {
  const { succeededCount, succeededIndexes } = rule
  if (succeededCount === undefined && succeededIndexes === undefined)
    errors.push(fieldErrors.required(path, 'at least one of succeededCount or succeededIndexes must be specified'))
  let indexes = 0
  if (succeededIndexes !== undefined) {
    const at = path.child('succeededIndexes')
    if (succeededIndexes.length > indexIntervalsCharactersMax)
      errors.push(fieldErrors.tooLong(at, indexIntervalsCharactersMax))
    const parsed = parseIndexes(succeededIndexes, completions)
    if ('error' in parsed)
      errors.push(fieldErrors.invalid(at, succeededIndexes, `error parsing succeededIndexes: ${parsed.error}`))
    else indexes = parsed.intervals.reduce((sum, [first, last]) => sum + last - first + 1, 0)
  }
  if (succeededCount === undefined) return
  const at = path.child('succeededCount')
  checkNonNegative(errors, succeededCount, at)
  if (succeededCount > completions) {
    const why = `must be less than or equal to ${completions} (the number of specified completions)`
    errors.push(fieldErrors.invalid(at, succeededCount, why))
  }
  if (succeededIndexes !== undefined && succeededCount > indexes) {
    const why = `must be less than or equal to ${indexes} (the number of indexes in the specified succeededIndexes field)`
    errors.push(fieldErrors.invalid(at, succeededCount, why))
  }
}

/** First and last index. */
export type Interval = readonly [first: number, last: number]

/** `0-3,5`: ascending intervals of indexes below `completions`. */
export function parseIndexes(text: string, completions: number): { intervals: Interval[] } | { error: string } {
  const intervals: Interval[] = []
  let last = -1
  for (const interval of text === '' ? [] : text.split(',')) {
    const ends = interval.split('-')
    if (ends.length > 2)
      return {
        error: `the fragment "${interval}" violates the requirement that an index interval can have at most two parts separated by '-'`,
      }
    let first: number | undefined
    for (const end of ends) {
      if (!/^\d{1,10}$/.test(end)) return { error: `cannot convert string to integer for index: "${end}"` }
      const number = Number(end)
      if (number >= completions) return { error: `too large index: "${end}"` }
      if (number <= last) return { error: `non-increasing order, previous: ${last}, current: ${number}` }
      last = number
      first ??= number
    }
    intervals.push([first ?? last, last])
  }
  return { intervals }
}
