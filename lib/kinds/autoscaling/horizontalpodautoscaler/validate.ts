import type * as v2 from '../../../../api/gen/autoscaling/v2.ts'
import {
  type ApiObject,
  compareQuantities,
  type FieldError,
  FieldPath,
  fieldErrors,
  parseGroupVersion,
} from '../../../object/index.ts'
import { checkNonNegative, checkSupported, nonNegativeText } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { checkMetricSource, checkReference, metricSources } from './sources.ts'

const path = FieldPath.root('spec')
const windowSecondsMax = 3600
const periodSecondsMax = 1800

export const specOf = (object: ApiObject): v2.HorizontalPodAutoscalerSpec =>
  object['spec'] as v2.HorizontalPodAutoscalerSpec
export const statusOf = (object: ApiObject): Partial<v2.HorizontalPodAutoscalerStatus> =>
  (object['status'] ?? {}) as Partial<v2.HorizontalPodAutoscalerStatus>

export function validate(object: ApiObject, context: KindContext): FieldError[] {
  return validateSpec(specOf(object), { least: context.gate('HPAScaleToZero') ? 0 : 1, anyTarget: false })
}

/** Errors that were accepted once may stay: a target without a group, zero replicas. */
export function validateUpdate(object: ApiObject, old: ApiObject, context: KindContext): FieldError[] {
  const before = specOf(old)
  const least = context.gate('HPAScaleToZero') || before.minReplicas === 0 ? 0 : 1
  return validateSpec(specOf(object), { least, anyTarget: apiVersionFinding(before.scaleTargetRef) !== '' })
}

function validateSpec(spec: v2.HorizontalPodAutoscalerSpec, rule: { least: number; anyTarget: boolean }): FieldError[] {
  const errors: FieldError[] = []
  const { minReplicas, maxReplicas, scaleTargetRef } = spec
  if (minReplicas !== undefined && minReplicas < rule.least) {
    const why = `must be greater than or equal to ${rule.least}`
    errors.push(fieldErrors.invalid(path.child('minReplicas'), minReplicas, why))
  }
  const most = path.child('maxReplicas')
  if (maxReplicas === 0) errors.push(fieldErrors.required(most, 'must be set and greater than 0'))
  else if (maxReplicas < 0) errors.push(fieldErrors.invalid(most, maxReplicas, 'must be greater than or equal to 1'))
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(fieldErrors.invalid(most, maxReplicas, 'must be greater than or equal to `minReplicas`'))
  const target = path.child('scaleTargetRef')
  checkReference(errors, scaleTargetRef, target)
  const finding = rule.anyTarget ? '' : apiVersionFinding(scaleTargetRef)
  if (finding !== '')
    errors.push(fieldErrors.invalid(target.child('apiVersion'), scaleTargetRef.apiVersion ?? '', finding))
  checkMetrics(errors, spec.metrics, minReplicas === 0)
  for (const name of ['scaleUp', 'scaleDown'] as const) {
    const rules = spec.behavior?.[name]
    if (rules) checkScalingRules(errors, rules, path.child('behavior').child(name))
  }
  return errors
}

/** A target needs a group, except for the one kind of the core group that can be scaled. */
function apiVersionFinding({ apiVersion = '', kind }: v2.CrossVersionObjectReference): string {
  const groupVersion = parseGroupVersion(apiVersion)
  if (apiVersion !== '' && !groupVersion) return `unexpected GroupVersion string: ${apiVersion}`
  if ((groupVersion?.group ?? '') !== '') return ''
  return kind === 'ReplicationController' && apiVersion !== '' ? '' : 'apiVersion must specify API group'
}

function checkMetrics(errors: FieldError[], metrics: readonly v2.MetricSpec[] | undefined, toZero: boolean): void {
  const at = path.child('metrics')
  metrics?.forEach((metric, index) => checkMetric(errors, metric, at.index(index)))
  if (toZero && !metrics?.some(({ object, external }) => object ?? external)) {
    const why = 'must specify at least one Object or External metric to support scaling to zero replicas'
    errors.push(fieldErrors.forbidden(at, why))
  }
}

/** When several sources are set, the first in this order is checked. */
const sourceOrder = ['object', 'external', 'pods', 'resource', 'containerResource'] as const

function checkMetric(errors: FieldError[], metric: v2.MetricSpec, at: FieldPath): void {
  if (metric.type === '') errors.push(fieldErrors.required(at.child('type'), 'must specify a metric source type'))
  checkSupported(errors, metric.type, at.child('type'), Object.keys(metricSources))
  const present = sourceOrder.filter((field) => metric[field] !== undefined)
  const [first] = present
  if (first) checkMetricSource(errors, metric, first, at.child(first))
  const expected = metricSources[metric.type as keyof typeof metricSources]
  if (expected && !present.includes(expected))
    errors.push(fieldErrors.required(at.child(expected), 'must populate information for the given metric source'))
  if (present.length !== 1)
    for (const field of present.filter((field) => field !== expected).toSorted())
      errors.push(fieldErrors.forbidden(at.child(field), 'must populate the given metric source only'))
}

function checkScalingRules(errors: FieldError[], rules: v2.HPAScalingRules, at: FieldPath): void {
  const seconds = rules.stabilizationWindowSeconds
  const window = at.child('stabilizationWindowSeconds')
  if (seconds !== undefined && seconds < 0)
    errors.push(fieldErrors.invalid(window, seconds, 'must be greater than or equal to zero'))
  if (seconds !== undefined && seconds > windowSecondsMax)
    errors.push(fieldErrors.invalid(window, seconds, `must be less than or equal to ${windowSecondsMax}`))
  if (rules.selectPolicy !== undefined)
    checkSupported(errors, rules.selectPolicy, at.child('selectPolicy'), ['Disabled', 'Max', 'Min'])
  const policies = at.child('policies')
  if (!rules.policies?.length) errors.push(fieldErrors.required(policies, 'must specify at least one Policy'))
  rules.policies?.forEach((policy, index) => checkScalingPolicy(errors, policy, policies.index(index)))
  if (rules.tolerance !== undefined && compareQuantities(rules.tolerance, '0') < 0)
    errors.push(fieldErrors.invalid(at.child('tolerance'), rules.tolerance, nonNegativeText))
}

function checkScalingPolicy(errors: FieldError[], policy: v2.HPAScalingPolicy, at: FieldPath): void {
  const { type, value, periodSeconds } = policy
  checkSupported(errors, type, at.child('type'), ['Percent', 'Pods'])
  if (value <= 0) errors.push(fieldErrors.invalid(at.child('value'), value, 'must be greater than zero'))
  const period = at.child('periodSeconds')
  if (periodSeconds <= 0) errors.push(fieldErrors.invalid(period, periodSeconds, 'must be greater than zero'))
  if (periodSeconds > periodSecondsMax)
    errors.push(fieldErrors.invalid(period, periodSeconds, `must be less than or equal to ${periodSecondsMax}`))
}

export function validateStatusUpdate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { currentReplicas, desiredReplicas } = statusOf(object)
  checkNonNegative(errors, currentReplicas, FieldPath.root('status').child('currentReplicas'))
  checkNonNegative(errors, desiredReplicas, FieldPath.root('status').child('desiredReplicas'))
  return errors
}
