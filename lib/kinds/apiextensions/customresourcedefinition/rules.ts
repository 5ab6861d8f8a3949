import type * as v1 from '../../../../api/gen/apiextensions.k8s.io/v1.ts'
import { type CelType, compile, createEnvironment, kubernetesLibraries, types } from '../../../cel/index.ts'
import { type FieldError, type FieldPath, fieldErrors } from '../../../object/index.ts'
import { checkSupported } from '../../check.ts'
import { celTypeOf } from './celtypes.ts'
import { parseFieldPath } from './serving.ts'

/** Cost that one rule may have at worst, over all values that a request can have for it, and all rules together. */
const ruleCostMax = 10_000_000
const schemaCostMax = 100_000_000
const requestBytesMax = 3 * 1024 * 1024
const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

/** What all rules of one schema cost together. */
export class RuleBudget {
  #spent = 0
  #isReported = false

  /** True the first time that there is nothing left. */
  spend(cost: number): boolean {
    this.#spent += cost
    if (this.#spent <= schemaCostMax || this.#isReported) return false
    this.#isReported = true
    return true
  }
}

interface Place {
  readonly budget: RuleBudget
  readonly isRoot: boolean
  readonly cardinality: number | undefined
}

export function checkRules(errors: FieldError[], schema: v1.JSONSchemaProps, place: Place, at: FieldPath): void {
  const self = celTypeOf(schema, 'self', place.isRoot)
  schema['x-kubernetes-validations']?.forEach((rule, index) => {
    const here = at.child('x-kubernetes-validations').index(index)
    if (checkTexts(errors, rule, here)) checkExpressions(errors, rule, self, place, here)
    if (rule.reason !== undefined) checkSupported(errors, rule.reason, here.child('reason'), reasons)
    checkFieldPath(errors, rule, schema, here.child('fieldPath'))
  })
}

/** False when there is no expression to compile. */
function checkTexts(errors: FieldError[], rule: v1.ValidationRule, at: FieldPath): boolean {
  const text = rule.rule.trim()
  const { message = '' } = rule
  if (text === '') errors.push(fieldErrors.required(at.child('rule'), 'rule is not specified'))
  if (message !== '' && message.trim() === '')
    errors.push(fieldErrors.invalid(at.child('message'), message, 'must be non-empty if specified'))
  else if (/[\r\n]/.test(message.trim()))
    errors.push(fieldErrors.invalid(at.child('message'), message, 'must not contain line breaks'))
  else if (/[\r\n]/.test(text) && message.trim() === '')
    errors.push(fieldErrors.required(at.child('message'), 'message must be specified if rule contains line breaks'))
  if (rule.messageExpression && rule.messageExpression.trim() === '')
    errors.push(fieldErrors.required(at.child('messageExpression'), 'messageExpression must be non-empty if specified'))
  return text !== ''
}

function checkExpressions(
  errors: FieldError[],
  rule: v1.ValidationRule,
  self: CelType,
  place: Place,
  at: FieldPath,
): void {
  const oldSelf = rule.optionalOldSelf ? { kind: 'opaque' as const, name: 'optional_type', parameters: [self] } : self
  const environment = createEnvironment({
    libraries: kubernetesLibraries(),
    variables: { self, oldSelf },
  })
  const compiled = compile(environment, rule.rule, { expectedType: types.bool })
  const path = at.child('rule')
  if (!compiled.ok) errors.push(fieldErrors.invalid(path, shownRule(rule), compiled.message))
  else {
    if (rule.optionalOldSelf !== undefined && !compiled.program.variables.includes('oldSelf')) {
      const why = 'may not be set if oldSelf is not used in rule'
      errors.push(fieldErrors.invalid(at.child('optionalOldSelf'), rule.optionalOldSelf, why))
    }
    checkCost(errors, compiled.costEstimate.max, place, path)
  }
  if (!rule.messageExpression?.trim()) return
  const text = compile(environment, rule.messageExpression, { expectedType: types.string })
  if (!text.ok) errors.push(fieldErrors.invalid(at.child('messageExpression'), shownRule(rule), text.message))
}

/** A list without a bound can have as many items as fit a request. */
function checkCost(errors: FieldError[], each: number, place: Place, path: FieldPath): void {
  const cost = each * (place.cardinality ?? requestBytesMax / 2)
  if (cost > ruleCostMax) {
    const factor = cost / ruleCostMax
    const shown = factor > 100 ? 'more than 100x' : `${factor.toFixed(1)}x`
    const why = `estimated rule cost exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`
    errors.push(fieldErrors.forbidden(path, why))
  }
  if (place.budget.spend(cost)) {
    const why = 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    errors.push(fieldErrors.forbidden(path, why))
  }
}

function checkFieldPath(
  errors: FieldError[],
  rule: v1.ValidationRule,
  schema: v1.JSONSchemaProps,
  at: FieldPath,
): void {
  const { fieldPath } = rule
  if (fieldPath === undefined || fieldPath === '') return
  if (fieldPath.trim() === '') errors.push(fieldErrors.invalid(at, fieldPath, 'must be non-empty if specified'))
  else if (/[\r\n]/.test(fieldPath)) errors.push(fieldErrors.invalid(at, fieldPath, 'must not contain line breaks'))
  else if (!leadsSomewhere(parseFieldPath(fieldPath.trim()), schema))
    errors.push(fieldErrors.invalid(at, fieldPath, 'fieldPath must be a valid path'))
}

function leadsSomewhere(names: readonly string[] | undefined, schema: v1.JSONSchemaProps): boolean {
  let at: v1.JSONSchemaProps | undefined = schema
  for (const name of names ?? []) {
    const values: v1.JSONSchemaProps | boolean | undefined = at?.additionalProperties
    at = at?.properties?.[name] ?? (typeof values === 'object' ? values : undefined)
  }
  return names !== undefined && at !== undefined
}

/** As errors print it: the internal type's field names, as Go writes JSON. */
function shownRule(rule: v1.ValidationRule): Record<string, unknown> {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  }
}
