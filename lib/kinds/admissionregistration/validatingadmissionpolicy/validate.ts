import type * as v1 from '../../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { types } from '../../../cel/index.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateQualifiedName,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkSupported, checkUnique } from '../../check.ts'
import type { KindContext } from '../../definition.ts'
import { createPolicyEnvironments, ExpressionCheck } from '../expressions.ts'
import { checkMatchConditions } from '../matchconditions.ts'
import { checkFailurePolicy, checkMatchConstraints, checkParamKind, checkVariables } from '../policy.ts'

const path = FieldPath.root('spec')
const auditAnnotationsMax = 20
const valueExpressionBytesMax = 5 * 1024

const environments = createPolicyEnvironments({ patches: false })

export const specOf = (object: ApiObject): v1.ValidatingAdmissionPolicySpec =>
  object['spec'] as v1.ValidatingAdmissionPolicySpec

export function validatePolicy(object: ApiObject, old: ApiObject | undefined, context: KindContext): FieldError[] {
  const errors: FieldError[] = []
  const spec = specOf(object)
  const known = new Set(old ? expressionsOf(specOf(old)) : [])
  const hasParams = spec.paramKind !== undefined
  const places = {
    fresh: environments(hasParams, context.settings?.newExpressionsMinor),
    stored: environments(hasParams),
  }
  // Conditions are checked first, as they have no variables.
  const conditions = new ExpressionCheck(errors, places, known, context.work)
  const expressions = new ExpressionCheck(errors, places, known, context.work)
  checkFailurePolicy(errors, spec.failurePolicy, path.child('failurePolicy'))
  if (spec.paramKind) checkParamKind(errors, spec.paramKind, path.child('paramKind'))
  checkMatchConstraints(errors, spec.matchConstraints, path.child('matchConstraints'))
  checkMatchConditions(errors, spec.matchConditions, conditions, path.child('matchConditions'))
  checkVariables(errors, spec.variables, expressions, path.child('variables'))
  const { validations = [], auditAnnotations = [] } = spec
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const why = 'validations or auditAnnotations must contain at least one item'
    for (const field of ['validations', 'auditAnnotations']) errors.push(fieldErrors.required(path.child(field), why))
  }
  for (const [index, each] of validations.entries()) {
    checkValidation(errors, each, expressions, path.child('validations').index(index))
  }
  checkAuditAnnotations(errors, auditAnnotations, object.metadata.name ?? '', expressions)
  return errors
}

function expressionsOf(spec: v1.ValidatingAdmissionPolicySpec): string[] {
  return [
    ...(spec.matchConditions ?? []).map(({ expression }) => expression),
    ...(spec.variables ?? []).map(({ expression }) => expression),
    ...(spec.validations ?? []).flatMap(({ expression, messageExpression = '' }) => [expression, messageExpression]),
    ...(spec.auditAnnotations ?? []).map(({ valueExpression }) => valueExpression),
  ]
}

function checkValidation(
  errors: FieldError[],
  validation: v1.Validation,
  expressions: ExpressionCheck,
  at: FieldPath,
): void {
  const { expression, message = '', messageExpression = '', reason } = validation
  if (checkPresent(errors, expression.trim(), at.child('expression'), 'expression is not specified'))
    expressions.check(expression, at.child('expression'), types.bool)
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const why = 'must be non-empty if specified'
    errors.push(fieldErrors.invalid(at.child('messageExpression'), messageExpression, why))
  } else if (messageExpression !== '') expressions.checkMessage(messageExpression, at.child('messageExpression'))
  const trimmed = message.trim()
  if (message !== '' && trimmed === '')
    errors.push(fieldErrors.invalid(at.child('message'), message, 'must be non-empty if specified'))
  else if (/[\r\n]/.test(trimmed))
    errors.push(fieldErrors.invalid(at.child('message'), message, 'must not contain line breaks'))
  else if (/[\r\n]/.test(expression.trim()) && trimmed === '')
    errors.push(
      fieldErrors.required(at.child('message'), 'message must be specified if expression contains line breaks'),
    )
  if (reason !== undefined)
    checkSupported(errors, reason, at.child('reason'), ['Forbidden', 'Invalid', 'RequestEntityTooLarge'])
}

function checkAuditAnnotations(
  errors: FieldError[],
  annotations: readonly v1.AuditAnnotation[],
  name: string,
  expressions: ExpressionCheck,
): void {
  const at = path.child('auditAnnotations')
  if (annotations.length > auditAnnotationsMax)
    errors.push(fieldErrors.invalid(at, annotations, `must not have more than ${auditAnnotationsMax} auditAnnotations`))
  const seen = new Set<string>()
  annotations.forEach(({ key, valueExpression }, index) => {
    const here = at.index(index)
    if (name === '') errors.push(fieldErrors.invalid(here.child('key'), key, 'requires metadata.name be non-empty'))
    else checkFormat(errors, `${name}/${key}`, here.child('key'), validateQualifiedName)
    const value = here.child('valueExpression')
    if (checkPresent(errors, valueExpression.trim(), value, 'valueExpression is not specified')) {
      if (Buffer.byteLength(valueExpression) > valueExpressionBytesMax)
        errors.push(fieldErrors.required(value, `must not exceed ${valueExpressionBytesMax} bytes in length`))
      else expressions.check(valueExpression, value, [types.string, types.null])
    }
    checkUnique(errors, seen, key, here.child('key'))
  })
}
