import type * as v1 from '../../../api/gen/admissionregistration.k8s.io/v1.ts'
import { type FieldError, type FieldPath, fieldErrors, validatePathSegmentName } from '../../object/index.ts'
import { checkFormat, checkSupported, checkUnique } from '../check.ts'
import { checkLabelSelector } from '../meta/labelselector.ts'

const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']

/** Checks a rule, which selects the requests of a webhook or policy. */
export function checkRule(errors: FieldError[], rule: v1.RuleWithOperations, path: FieldPath): void {
  checkList(errors, rule.operations, path.child('operations'), 'operations')
  rule.operations?.forEach((operation, index) =>
    checkSupported(errors, operation, path.child('operations').index(index), operations),
  )
  checkList(errors, rule.apiGroups, path.child('apiGroups'), 'API groups')
  const versions = path.child('apiVersions')
  checkList(errors, rule.apiVersions, versions, 'API versions')
  rule.apiVersions?.forEach((version, index) => {
    if (version === '') errors.push(fieldErrors.required(versions.index(index)))
  })
  checkResources(errors, rule.resources ?? [], path.child('resources'))
  if (rule.scope !== undefined) checkSupported(errors, rule.scope, path.child('scope'), ['*', 'Cluster', 'Namespaced'])
}

/** Requires values, or '*' alone. */
function checkList(errors: FieldError[], values: readonly string[] | undefined, path: FieldPath, noun: string): void {
  if (!values?.length) errors.push(fieldErrors.required(path))
  else if (values.length > 1 && values.includes('*'))
    errors.push(fieldErrors.invalid(path, values, `if '*' is present, must not specify other ${noun}`))
}

/** A wildcard covers other resources: naming one of them in addition is an error. */
function checkResources(errors: FieldError[], resources: readonly string[], path: FieldPath): void {
  if (resources.length === 0) errors.push(fieldErrors.required(path))
  const wholes = new Set<string>()
  const subresources = new Set<string>()
  resources.forEach((each, index) => {
    const at = path.index(index)
    if (each === '') errors.push(fieldErrors.required(at))
    const slash = each.indexOf('/')
    if (slash < 0) return
    const [resource, subresource] = [each.slice(0, slash), each.slice(slash + 1)]
    if (wholes.has(resource))
      errors.push(fieldErrors.invalid(at, each, `if '${resource}/*' is present, must not specify ${each}`))
    if (subresources.has(subresource))
      errors.push(fieldErrors.invalid(at, each, `if '*/${subresource}' is present, must not specify ${each}`))
    if (subresource === '*') wholes.add(resource)
    if (resource === '*') subresources.add(subresource)
  })
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(fieldErrors.invalid(path, resources, "if '*/*' is present, must not specify other resources"))
  // The last name without a subresource decides: `pods` before `*` has always been accepted.
  const last = resources.findLast((each) => each !== '' && !each.includes('/'))
  if (resources.includes('*') && last !== '*' && last !== undefined) {
    const why = "if '*' is present, must not specify other resources without subresources"
    errors.push(fieldErrors.invalid(path, resources, why))
  }
}

export function checkMatchResources(errors: FieldError[], match: v1.MatchResources, path: FieldPath): void {
  const policy = path.child('matchPolicy')
  if (match.matchPolicy === undefined) errors.push(fieldErrors.required(policy))
  else checkSupported(errors, match.matchPolicy, policy, ['Equivalent', 'Exact'])
  for (const name of ['namespaceSelector', 'objectSelector'] as const) {
    const selector = match[name]
    if (selector) checkLabelSelector(errors, selector, path.child(name))
    else errors.push(fieldErrors.required(path.child(name)))
  }
  for (const name of ['resourceRules', 'excludeResourceRules'] as const)
    match[name]?.forEach((rule, index) => checkNamedRule(errors, rule, path.child(name).index(index)))
}

function checkNamedRule(errors: FieldError[], rule: v1.NamedRuleWithOperations, path: FieldPath): void {
  const seen = new Set<string>()
  rule.resourceNames?.forEach((name, index) => {
    const at = path.child('resourceNames').index(index)
    checkFormat(errors, name, at, validatePathSegmentName)
    checkUnique(errors, seen, name, at)
  })
  checkRule(errors, rule, path)
}

/** Policies that change objects only apply to operations with an object to change. Reported once for all rules. */
export function checkMutatingOperations(
  errors: FieldError[],
  rules: readonly v1.RuleWithOperations[] | undefined,
  path: FieldPath,
): void {
  const allowed = operations.filter((operation) => operation !== 'DELETE')
  for (const { operations: given } of rules ?? [])
    for (const operation of given ?? []) checkSupported(errors, operation, path.child('operations'), allowed)
}

export function defaultMatchResources(match: v1.MatchResources): void {
  match.matchPolicy ??= 'Equivalent'
  match.namespaceSelector ??= {}
  match.objectSelector ??= {}
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) rule.scope ??= '*'
}
