import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { types } from '../../cel/index.ts'
import { type FieldError, type FieldPath, fieldErrors, validateQualifiedName } from '../../object/index.ts'
import { checkFormat, checkPresent, checkUnique } from '../check.ts'
import type { ExpressionCheck } from './expressions.ts'

const conditionsMax = 64

export function checkMatchConditions(
  errors: FieldError[],
  conditions: readonly v1.MatchCondition[] | undefined,
  expressions: ExpressionCheck,
  path: FieldPath,
): void {
  if (!conditions) return
  if (conditions.length > conditionsMax) errors.push(fieldErrors.tooMany(path, conditions.length, conditionsMax))
  const seen = new Set<string>()
  for (const [index, { name, expression }] of conditions.entries()) {
    const at = path.index(index)
    if (checkPresent(errors, expression.trim(), at.child('expression')))
      expressions.check(expression, at.child('expression'), types.bool)
    if (!checkPresent(errors, name, at.child('name'))) continue
    checkFormat(errors, name, at.child('name'), validateQualifiedName)
    checkUnique(errors, seen, name, at.child('name'))
  }
}
