import type * as policy from '../../../../api/gen/policy/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkIntOrPercent, checkNotAboveAll } from '../../apps/replicas.ts'
import { checkNonNegative, checkSupported } from '../../check.ts'
import type { KindDefinition } from '../../definition.ts'
import { ageColumn, countColumn, nameColumn, textColumn } from '../../meta/columns.ts'
import { checkConditions } from '../../meta/conditions.ts'
import { checkLabelSelector } from '../../meta/labelselector.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy, statusStrategy } from '../../meta/strategy.ts'
import { budgetFromV1beta1 } from './convert.ts'

const path = FieldPath.root('spec')
const statusPath = FieldPath.root('status')
const specOf = (object: ApiObject): policy.PodDisruptionBudgetSpec =>
  (object['spec'] ?? {}) as policy.PodDisruptionBudgetSpec
const statusOf = (object: ApiObject): Partial<policy.PodDisruptionBudgetStatus> =>
  (object['status'] ?? {}) as Partial<policy.PodDisruptionBudgetStatus>

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { minAvailable, maxUnavailable, selector, unhealthyPodEvictionPolicy } = specOf(object)
  if (minAvailable !== undefined && maxUnavailable !== undefined) {
    const shown = {
      MinAvailable: minAvailable,
      Selector: selector ?? null,
      MaxUnavailable: maxUnavailable,
      UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy ?? null,
    }
    errors.push(fieldErrors.invalid(path, shown, 'minAvailable and maxUnavailable cannot be both set'))
  }
  for (const [name, value] of Object.entries({ minAvailable, maxUnavailable })) {
    checkIntOrPercent(errors, value, path.child(name))
    checkNotAboveAll(errors, value, path.child(name))
  }
  if (selector) checkLabelSelector(errors, selector, path.child('selector'))
  if (unhealthyPodEvictionPolicy !== undefined)
    checkSupported(errors, unhealthyPodEvictionPolicy, path.child('unhealthyPodEvictionPolicy'), [
      'AlwaysAllow',
      'IfHealthyBudget',
    ])
  return errors
}

const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'] as const

function validateStatus(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  checkConditions(errors, statusOf(object).conditions, statusPath.child('conditions'))
  for (const name of counts) checkNonNegative(errors, statusOf(object)[name], statusPath.child(name))
  return errors
}

function amount(value: number | string | undefined): string {
  return value === undefined ? 'N/A' : String(value)
}

export const podDisruptionBudget: KindDefinition = {
  group: 'policy',
  kind: 'PodDisruptionBudget',
  convert: { v1beta1: { toHub: budgetFromV1beta1 } },
  nameRule: nameRules.pathSegment,
  strategy: specStrategy({ generation: true, validate }),
  subresources: { status: statusStrategy(validateStatus) },
  columns: [
    nameColumn,
    textColumn('Min Available', 'Pods that must stay available.', (object) => amount(specOf(object).minAvailable)),
    textColumn('Max Unavailable', 'Pods that may be missing.', (object) => amount(specOf(object).maxUnavailable)),
    countColumn(
      'Allowed Disruptions',
      'Pods that may be evicted now.',
      (object) => statusOf(object).disruptionsAllowed,
    ),
    ageColumn,
  ],
}
