import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type LabelSelectorObject,
  labelSelectorFromObject,
  validateCIdentifier,
  validateDns1035Label,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from '../../object/index.ts'
import { checkFormat, checkPresent, checkRequiredFormat, checkSupported } from '../check.ts'
import type { ExpressionCheck } from './expressions.ts'
import { checkMatchResources } from './rules.ts'

/** Rules that validating policies, mutating policies and their bindings share. */

export function checkFailurePolicy(errors: FieldError[], policy: string | undefined, path: FieldPath): void {
  if (policy === undefined) errors.push(fieldErrors.required(path))
  else checkSupported(errors, policy, path, ['Fail', 'Ignore'])
}

export function checkParamKind(errors: FieldError[], param: v1.ParamKind, path: FieldPath): void {
  const { apiVersion = '', kind = '' } = param
  const at = path.child('apiVersion')
  if (checkPresent(errors, apiVersion, at)) checkApiVersion(errors, apiVersion, at)
  if (!checkPresent(errors, kind, path.child('kind'))) return
  const findings = validateDns1035Label(kind.toLowerCase())
  if (findings.length > 0) {
    const why = `may have mixed case, but should otherwise match: ${findings.join(',')}`
    errors.push(fieldErrors.invalid(path.child('kind'), kind, why))
  }
}

function checkApiVersion(errors: FieldError[], apiVersion: string, at: FieldPath): void {
  const parts = apiVersion.split('/')
  const version = parts.at(-1) ?? ''
  if (parts.length > 2) {
    errors.push(fieldErrors.invalid(at, apiVersion, `unexpected GroupVersion string: ${apiVersion}`))
    return
  }
  if (parts.length === 2 && parts[0]) checkFormat(errors, parts[0], at, validateDns1123Subdomain)
  if (version === '') errors.push(fieldErrors.invalid(at, apiVersion, 'version must be specified'))
  else checkFormat(errors, version, at, validateDns1035Label)
}

export function checkMatchConstraints(
  errors: FieldError[],
  match: v1.MatchResources | undefined,
  path: FieldPath,
): void {
  if (!match) {
    errors.push(fieldErrors.required(path))
    return
  }
  checkMatchResources(errors, match, path)
  // The resources determine the types that expressions are checked against.
  if (!match.resourceRules?.length) errors.push(fieldErrors.required(path.child('resourceRules')))
}

export function checkVariables(
  errors: FieldError[],
  variables: readonly v1.Variable[] | undefined,
  expressions: ExpressionCheck,
  path: FieldPath,
): void {
  for (const [index, { name, expression }] of (variables ?? []).entries()) {
    const at = path.index(index)
    let isNamed = false
    if (checkPresent(errors, name, at.child('name'), 'name is not specified')) {
      isNamed = validateCIdentifier(name).length === 0
      if (!isNamed) errors.push(fieldErrors.invalid(at.child('name'), name, 'must be a valid CEL identifier'))
    }
    if (checkPresent(errors, expression.trim(), at.child('expression'), 'expression is not specified'))
      expressions.declare(isNamed ? name : '', expression, at.child('expression'))
  }
}

export function checkPolicyName(errors: FieldError[], name: string | undefined, path: FieldPath): void {
  checkRequiredFormat(errors, name, path, validateDns1123Subdomain)
}

export function checkParamRef(errors: FieldError[], ref: v1.ParamRef, path: FieldPath): void {
  const { name = '', selector, parameterNotFoundAction: action } = ref
  if (name !== '') {
    checkFormat(errors, name, path.child('name'), validatePathSegmentName)
    if (selector)
      for (const field of ['name', 'selector'])
        errors.push(fieldErrors.forbidden(path.child(field), 'name and selector are mutually exclusive'))
  } else if (!selector) errors.push(fieldErrors.required(path, 'one of name or selector must be specified'))
  if (action === undefined || action === '') errors.push(fieldErrors.required(path.child('parameterNotFoundAction')))
  else checkSupported(errors, action, path.child('parameterNotFoundAction'), ['Deny', 'Allow'])
}

export function shownParamKind(param: v1.ParamKind | undefined): string {
  return param ? `${param.apiVersion ?? ''}/${param.kind ?? ''}` : '<unset>'
}

export function shownParamRef(ref: v1.ParamRef | undefined): string {
  if (!ref) return '<unset>'
  if (ref.name) return `${ref.namespace || '*'}/${ref.name}`
  return shownSelector(ref.selector)
}

function shownSelector(selector: LabelSelectorObject | undefined): string {
  try {
    return selector === undefined ? '<none>' : labelSelectorFromObject(selector).toString() || '<none>'
  } catch {
    return '<error>'
  }
}
