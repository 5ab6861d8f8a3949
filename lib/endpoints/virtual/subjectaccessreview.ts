import type * as authorization from '../../../api/gen/authorization.k8s.io/v1.ts'
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../../authz/index.ts'
import { type ApiObject, type FieldError, FieldPath, fieldErrors, statusErrors } from '../../object/index.ts'
import { ensureNamespace } from '../../registry/index.ts'
import { type Call, parseCreateOptions, type UserInfo } from '../../request/index.ts'
import { admitCreation } from './admitcreation.ts'
import { type Selector, selectorsOf } from './reviewselectors.ts'
import type { VirtualHandler, VirtualKit } from './virtualhandler.ts'

type Review = authorization.SubjectAccessReview
type Spec = authorization.SubjectAccessReviewSpec
type ResourceAttributes = authorization.ResourceAttributes

/** The user whom a kind of review is about, and its scope. */
interface ReviewKind {
  readonly kind: string
  readonly resource: string
  readonly local: boolean
  /** The review is about the requesting user. */
  readonly self: boolean
}

const reviewKinds: readonly ReviewKind[] = [
  { kind: 'SubjectAccessReview', resource: 'subjectaccessreviews', local: false, self: false },
  { kind: 'LocalSubjectAccessReview', resource: 'localsubjectaccessreviews', local: true, self: false },
  { kind: 'SelfSubjectAccessReview', resource: 'selfsubjectaccessreviews', local: false, self: true },
]

/** POST: whether a user may do something. */
export function createAccessReviewHandlers({ authorizer }: { authorizer: Authorizer }): VirtualHandler[] {
  return reviewKinds.map((about) => ({
    gvr: { group: 'authorization.k8s.io', version: 'v1', resource: about.resource },
    subresource: '',
    verbs: ['create'],
    namespaced: about.local,
    named: false,
    handle: (call, kit) => review(call, kit, about, authorizer),
  }))
}

async function review(call: Call, kit: VirtualKit, about: ReviewKind, authorizer: Authorizer): Promise<void> {
  const object = await readReview(call, kit, about.kind, about.resource)
  // The kind's type says what a decoded object holds.
  const asked = object as Review
  const errors = validateReview(asked, about)
  // Omits the kind, like other servers.
  if (errors.length > 0) throw statusErrors.invalid({ group: 'authorization.k8s.io', kind: '' }, '', errors)
  const { attributes, problems } = attributesOf(asked.spec, about.self ? call.user : userOf(asked.spec))
  const result = await authorizer.authorize(attributes, call)
  await kit.respond(call, 201, { ...object, status: statusOf(result, problems) } as ApiObject)
}

/** The request's review, after admission. */
export async function readReview(call: Call, kit: VirtualKit, kind: string, resource: string): Promise<ApiObject> {
  const gvk = { group: 'authorization.k8s.io', version: 'v1', kind }
  const options = parseCreateOptions(call.query)
  const object: ApiObject = await kit.read(call, gvk, options.fieldValidation)
  ensureNamespace(object, call.info.namespace)
  await admitCreation(
    call,
    kit,
    { kind: gvk, resource: { group: gvk.group, version: gvk.version, resource } },
    object,
    options,
  )
  return object
}

function statusOf(result: AuthorizationResult, problems: readonly string[]): object {
  const { decision, reason, error } = result
  const errors = error === undefined ? problems : [error.message, ...problems]
  return {
    allowed: decision === 'allow',
    ...(decision === 'deny' ? { denied: true } : {}),
    ...(reason === '' ? {} : { reason }),
    ...(errors.length === 0 ? {} : { evaluationError: errors.length === 1 ? errors[0] : `[${errors.join(', ')}]` }),
  }
}

function userOf({ user = '', uid = '', groups = [], extra = {} }: Spec): UserInfo {
  return { name: user, uid, groups, extra }
}

function attributesOf(spec: Spec, user: UserInfo): { attributes: AuthorizationAttributes; problems: string[] } {
  const { resourceAttributes, nonResourceAttributes } = spec
  const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' }
  if (!resourceAttributes) {
    const { path = '', verb = '' } = nonResourceAttributes ?? {}
    return { attributes: { ...none, user, verb, path, isResource: false }, problems: [] }
  }
  const {
    verb = '',
    group = '',
    version,
    resource = '',
    subresource = '',
    namespace = '',
    name = '',
  } = resourceAttributes
  const problems: string[] = []
  const of = { group, version: version || '*', resource, subresource, namespace, name }
  const selectors = selectorsOf(resourceAttributes, problems)
  return { attributes: { ...of, ...selectors, user, verb, path: '', isResource: true }, problems }
}

function validateReview({ spec, metadata }: Review, { local, self }: ReviewKind): FieldError[] {
  const errors: FieldError[] = []
  const path = FieldPath.root('spec')
  const { resourceAttributes, nonResourceAttributes, user = '', groups = [] } = spec
  if (resourceAttributes && nonResourceAttributes) {
    const why = 'cannot be specified in combination with resourceAttributes'
    errors.push(fieldErrors.invalid(path.child('nonResourceAttributes'), nonResourceAttributes, why))
  }
  if (!resourceAttributes && !nonResourceAttributes) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified'
    errors.push(fieldErrors.invalid(path.child('resourceAttributes'), null, why))
  }
  if (!self && user === '' && groups.length === 0)
    errors.push(fieldErrors.invalid(path.child('user'), user, 'at least one of user or group must be specified'))
  if (resourceAttributes) checkSelectors(errors, resourceAttributes, path.child('resourceAttributes'))
  const { managedFields: _managed, namespace, creationTimestamp: _created, ...rest } = metadata
  if (Object.keys(rest).length > 0 || (!local && namespace))
    errors.push(
      fieldErrors.invalid('metadata', metadata, local ? 'must be empty except for namespace' : 'must be empty'),
    )
  if (!local) return errors
  const within = path.child('resourceAttributes').child('namespace')
  if (resourceAttributes && (resourceAttributes.namespace ?? '') !== (namespace ?? ''))
    errors.push(fieldErrors.invalid(within, resourceAttributes.namespace ?? '', 'must match metadata.namespace'))
  if (nonResourceAttributes) {
    const why = 'disallowed on this kind of request'
    errors.push(fieldErrors.invalid(path.child('nonResourceAttributes'), nonResourceAttributes, why))
  }
  return errors
}

function checkSelectors(errors: FieldError[], attributes: ResourceAttributes, path: FieldPath): void {
  for (const name of ['fieldSelector', 'labelSelector'] as const) {
    const selector: Selector | undefined = attributes[name]
    if (!selector) continue
    const at = path.child(name)
    const { rawSelector = '', requirements = [] } = selector
    if (rawSelector !== '' && requirements.length > 0) {
      const why = 'may not specified at the same time as requirements'
      errors.push(fieldErrors.invalid(at.child('rawSelector'), rawSelector, why))
    }
    if (rawSelector === '' && requirements.length === 0) {
      const why = `when ${at.toString()} is specified, requirements or rawSelector is required`
      errors.push(fieldErrors.required(at.child('requirements'), why))
    }
    requirements.forEach((requirement, index) =>
      checkRequirement(errors, requirement, at.child('requirements').index(index)),
    )
  }
}

function checkRequirement(
  errors: FieldError[],
  { key, operator, values = [] }: { key: string; operator: string; values?: readonly string[] },
  path: FieldPath,
): void {
  if (key === '') errors.push(fieldErrors.required(path.child('key'), 'must be specified'))
  if (operator === 'In' || operator === 'NotIn') {
    const why = "must be specified when `operator` is 'In' or 'NotIn'"
    if (values.length === 0) errors.push(fieldErrors.required(path.child('values'), why))
  } else if (operator === 'Exists' || operator === 'DoesNotExist') {
    const why = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"
    if (values.length > 0) errors.push(fieldErrors.forbidden(path.child('values'), why))
  } else errors.push(fieldErrors.invalid(path.child('operator'), operator, 'not a valid selector operator'))
}
