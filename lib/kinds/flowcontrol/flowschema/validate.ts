import { mandatorySchemas } from '../../../../api/bootstrap/flowcontrol/index.ts'
import type * as flowcontrol from '../../../../api/gen/flowcontrol.apiserver.k8s.io/v1.ts'
import {
  type ApiObject,
  type FieldError,
  FieldPath,
  fieldErrors,
  semanticEqual,
  validateDns1123Label,
  validateDns1123Subdomain,
} from '../../../object/index.ts'
import { checkFormat, checkPresent, checkRequiredFormat } from '../../check.ts'
import { validateConditions } from '../conditions.ts'

const path = FieldPath.root('spec')
const precedenceMax = 10_000
const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch']

export const specOf = (object: ApiObject): flowcontrol.FlowSchemaSpec => object['spec'] as flowcontrol.FlowSchemaSpec

export function validateSchema(object: ApiObject): FieldError[] {
  const errors: FieldError[] = []
  const { name = '' } = object.metadata
  const spec = specOf(object)
  checkSpec(errors, spec, name)
  const fixed = mandatorySchemas[name]
  if (fixed && !semanticEqual(spec, fixed))
    errors.push(fieldErrors.invalid(path, spec, `spec of '${name}' must equal the fixed value`))
  return [...errors, ...validateConditions(object)]
}

function checkSpec(errors: FieldError[], spec: flowcontrol.FlowSchemaSpec, name: string): void {
  const { matchingPrecedence, distinguisherMethod, priorityLevelConfiguration } = spec
  const at = path.child('matchingPrecedence')
  if (matchingPrecedence <= 0) errors.push(fieldErrors.invalid(at, matchingPrecedence, 'must be a positive value'))
  if (matchingPrecedence > precedenceMax)
    errors.push(fieldErrors.invalid(at, matchingPrecedence, `must not be greater than ${precedenceMax}`))
  if (matchingPrecedence === 1 && name !== 'exempt') {
    const why = "only the schema named 'exempt' may have matchingPrecedence 1"
    errors.push(fieldErrors.invalid(at, matchingPrecedence, why))
  }
  if (distinguisherMethod && !['ByNamespace', 'ByUser'].includes(distinguisherMethod.type)) {
    const method = path.child('distinguisherMethod').child('type')
    errors.push(fieldErrors.notSupported(method, { Type: distinguisherMethod.type }, ['ByNamespace', 'ByUser']))
  }
  const level = path.child('priorityLevelConfiguration').child('name')
  if (checkPresent(errors, priorityLevelConfiguration.name, level, 'must reference a priority level'))
    checkFormat(errors, priorityLevelConfiguration.name, level, validateDns1123Subdomain)
  spec.rules?.forEach((rule, index) => checkRule(errors, rule, path.child('rules').index(index)))
}

function checkRule(errors: FieldError[], rule: flowcontrol.PolicyRulesWithSubjects, at: FieldPath): void {
  const { subjects, resourceRules, nonResourceRules } = rule
  if (!subjects?.length)
    errors.push(fieldErrors.required(at.child('subjects'), 'subjects must contain at least one value'))
  subjects?.forEach((subject, index) => checkSubject(errors, subject, at.child('subjects').index(index)))
  if (!resourceRules?.length && !nonResourceRules?.length)
    errors.push(fieldErrors.required(at, 'at least one of resourceRules and nonResourceRules has to be non-empty'))
  resourceRules?.forEach((each, index) => checkResourceRule(errors, each, at.child('resourceRules').index(index)))
  nonResourceRules?.forEach((each, index) => checkUrlRule(errors, each, at.child('nonResourceRules').index(index)))
}

const subjectFields = { ServiceAccount: 'serviceAccount', User: 'user', Group: 'group' } as const
type SubjectKind = keyof typeof subjectFields

function checkSubject(errors: FieldError[], subject: flowcontrol.Subject, at: FieldPath): void {
  if (!Object.hasOwn(subjectFields, subject.kind)) {
    errors.push(fieldErrors.notSupported(at.child('kind'), subject.kind, Object.keys(subjectFields).toSorted()))
    return
  }
  const kind = subject.kind as SubjectKind
  const field = subjectFields[kind]
  const given = subject[field]
  const here = at.child(field)
  if (!given) errors.push(fieldErrors.required(here, `${field} is required when subject kind is '${kind}'`))
  else if (kind === 'ServiceAccount') checkServiceAccount(errors, given as flowcontrol.ServiceAccountSubject, here)
  else checkPresent(errors, given.name, here.child('name'))
  for (const [otherKind, other] of Object.entries(subjectFields))
    if (other !== field && subject[other])
      errors.push(
        fieldErrors.forbidden(at.child(other), `${other} is forbidden when subject kind is not '${otherKind}'`),
      )
}

function checkServiceAccount(errors: FieldError[], account: flowcontrol.ServiceAccountSubject, at: FieldPath): void {
  // `*` is every account of the namespace.
  if (account.name !== '*') checkRequiredFormat(errors, account.name, at.child('name'), validateDns1123Subdomain)
  const namespace = at.child('namespace')
  if (checkPresent(errors, account.namespace, namespace, 'must specify namespace for service account'))
    checkFormat(errors, account.namespace, namespace, validateDns1123Label)
}

function checkResourceRule(errors: FieldError[], rule: flowcontrol.ResourcePolicyRule, at: FieldPath): void {
  checkVerbs(errors, rule.verbs, at)
  const groups = 'resource rules must supply at least one api group'
  checkWildcard(errors, rule.apiGroups, at.child('apiGroups'), groups, 'api groups')
  const resources = 'resource rules must supply at least one resource'
  checkWildcard(errors, rule.resources, at.child('resources'), resources, 'resources')
  const namespaces = at.child('namespaces')
  if (!rule.namespaces?.length) {
    const why = 'resource rules that are not cluster scoped must supply at least one namespace'
    if (!rule.clusterScope) errors.push(fieldErrors.required(namespaces, why))
  } else if (checkWildcard(errors, rule.namespaces, namespaces, '', 'namespaces')) return
  else
    rule.namespaces.forEach((namespace, index) => {
      const findings = validateDns1123Label(namespace).map(
        (finding) => `each member of this list must be '*' or a DNS-1123 label; ${finding}`,
      )
      checkFormat(errors, namespace, namespaces.index(index), () => findings)
    })
}

function checkUrlRule(errors: FieldError[], rule: flowcontrol.NonResourcePolicyRule, at: FieldPath): void {
  checkVerbs(errors, rule.verbs, at)
  const urls = at.child('nonResourceURLs')
  const missing = 'nonResourceURLs must contain at least one value'
  if (checkWildcard(errors, rule.nonResourceURLs, urls, missing, 'non-resource URLs')) return
  rule.nonResourceURLs?.forEach((url, index) => {
    const finding = urlFinding(url)
    if (finding !== '') errors.push(fieldErrors.invalid(urls.index(index), url, finding))
  })
}

function urlFinding(url: string): string {
  if (url === '') return 'must not be empty'
  if (url === '/') return ''
  if (!url.startsWith('/')) return 'must start with slash'
  if (url.includes(' ')) return 'must not contain white-space'
  if (url.includes('//')) return 'must not contain double slash'
  const star = url.indexOf('*')
  return star >= 0 && (star !== url.length - 1 || !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : ''
}

function checkVerbs(errors: FieldError[], given: readonly string[] | undefined, at: FieldPath): void {
  const path = at.child('verbs')
  if (checkWildcard(errors, given, path, 'verbs must contain at least one value', 'verbs')) return
  if (given?.some((verb) => !verbs.includes(verb))) errors.push(fieldErrors.notSupported(path, given, verbs))
}

/** True when '*' is among the values, which then must be alone. */
function checkWildcard(
  errors: FieldError[],
  values: readonly string[] | undefined,
  at: FieldPath,
  missing: string,
  noun: string,
): boolean {
  if (!values?.length) errors.push(fieldErrors.required(at, missing))
  if (!values?.includes('*')) return false
  if (values.length > 1)
    errors.push(fieldErrors.invalid(at, values, `if '*' is present, must not specify other ${noun}`))
  return true
}
