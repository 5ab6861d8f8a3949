import type * as rbac from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../object/index.ts'

/** Checks the rules of a role. A namespace's role can't have rules for URLs. */
export function checkPolicyRules(
  errors: FieldError[],
  rules: readonly rbac.PolicyRule[] | undefined,
  namespaced: boolean,
  path: FieldPath,
): void {
  rules?.forEach((rule, index) => checkPolicyRule(errors, rule, namespaced, path.index(index)))
}

function checkPolicyRule(errors: FieldError[], rule: rbac.PolicyRule, namespaced: boolean, path: FieldPath): void {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule
  if (!verbs?.length) errors.push(fieldErrors.required(path.child('verbs'), 'verbs must contain at least one value'))
  if (nonResourceURLs?.length) {
    const at = path.child('nonResourceURLs')
    if (namespaced)
      errors.push(fieldErrors.invalid(at, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'))
    if (apiGroups?.length || resources?.length || resourceNames?.length) {
      const why = 'rules cannot apply to both regular resources and non-resource URLs'
      errors.push(fieldErrors.invalid(at, nonResourceURLs, why))
    }
    return
  }
  if (!apiGroups?.length)
    errors.push(fieldErrors.required(path.child('apiGroups'), 'resource rules must supply at least one api group'))
  if (!resources?.length)
    errors.push(fieldErrors.required(path.child('resources'), 'resource rules must supply at least one resource'))
}
