import type * as rbac from '../../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { type ApiObject, type FieldError, FieldPath } from '../../../object/index.ts'
import type { KindDefinition } from '../../definition.ts'
import { nameRules } from '../../meta/names.ts'
import { specStrategy } from '../../meta/strategy.ts'
import { checkPolicyRules } from '../rules.ts'

function validate(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  checkPolicyRules(errors, (object as rbac.Role).rules, true, FieldPath.root('rules'))
  return errors
}

export const role: KindDefinition = {
  group: 'rbac.authorization.k8s.io',
  kind: 'Role',
  nameRule: nameRules.pathSegment,
  strategy: specStrategy({ hasStatus: false, validate }),
}
