import type * as rbac from '../../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { checkLabelSelector } from '../../meta/labelselector.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkPolicyRules } from '../rules.ts'

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { rules, aggregationRule } = object as rbac.ClusterRole
  checkPolicyRules(errors, rules, false, FieldPath.root('rules'))
  if (aggregationRule) checkAggregation(errors, aggregationRule, FieldPath.root('aggregationRule'))
  return errors
}

function checkAggregation(errors: FieldError[], rule: rbac.AggregationRule, path: FieldPath): void {
  const at = path.child('clusterRoleSelectors')
  if (!rule.clusterRoleSelectors?.length)
    errors.push(fieldErrors.required(at, 'at least one clusterRoleSelector required if aggregationRule is non-nil'))
  rule.clusterRoleSelectors?.forEach((selector, index) => {
    const before = errors.length
    checkLabelSelector(errors, selector, at.index(index))
    // Reported again for the whole selector, whose value clients see as null.
    if (errors.length > before) errors.push(fieldErrors.invalid(at.index(index), null, 'invalid label selector.'))
  })
}

export const clusterRole: KindDefinition = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  nameRule: nameRules.pathSegment,
  strategy: specStrategy({ hasStatus: false, validate }),
}
