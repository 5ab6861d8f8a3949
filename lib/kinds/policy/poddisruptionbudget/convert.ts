import type * as policy from '../../../../api/gen/policy/v1.ts'
import type { ApiObject } from '../../../object/index.ts'

const emptySelectorLabel = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match'

/** The same budget as v1, where an empty selector selects all pods of the namespace; in v1beta1 it selects none. */
export function budgetFromV1beta1(object: ApiObject): ApiObject {
  const spec = object['spec'] as policy.PodDisruptionBudgetSpec | undefined
  const selector = spec?.selector
  if (!selector || Object.keys(selector.matchLabels ?? {}).length > 0) return object
  const [first, ...more] = selector.matchExpressions ?? []
  if (first === undefined)
    return withSelector(object, { matchExpressions: [{ key: emptySelectorLabel, operator: 'Exists' }] })
  // v1beta1 selects all with this expression.
  const isAll = more.length === 0 && first.key === emptySelectorLabel && first.operator === 'DoesNotExist'
  return isAll ? withSelector(object, {}) : object
}

function withSelector(object: ApiObject, selector: policy.PodDisruptionBudgetSpec['selector']): ApiObject {
  return { ...object, spec: { ...(object['spec'] as policy.PodDisruptionBudgetSpec), selector } }
}
