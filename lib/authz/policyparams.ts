import type * as v1 from '../../api/gen/admissionregistration.k8s.io/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  parseGroupVersion,
} from '../object/index.ts'
import { mastersGroup, type UserInfo } from '../request/index.ts'
import type { Authorizer } from './authorizer.ts'

/** An admission policy or a binding before its creation or update. */
interface ParamWrite {
  readonly user: UserInfo
  readonly object: ApiObject
  readonly old: ApiObject | undefined
  readonly signal: AbortSignal
}

interface ParamAccessDependencies {
  readonly authorizer: Authorizer
  /** Plural name of a kind; undefined when it isn't served. */
  resourceOf(group: string, version: string, kind: string): string | undefined
  /** Reads the current policy of a binding from the store. */
  findPolicy(name: string, signal: AbortSignal): Promise<ApiObject | undefined>
}

/** Returns the fault of a write whose author may not read what it refers to. */
export type ParamAccess = (write: ParamWrite) => Promise<FieldError | undefined>

const paramKindPath = FieldPath.root('spec').child('paramKind')
const paramRefPath = FieldPath.root('spec').child('paramRef')

/**
 * Expressions of a policy can read its parameters and return them in messages, so the author must be allowed to read
 * all objects of its paramKind. An update that keeps the paramKind is not checked.
 */
export function createPolicyParamAccess(dependencies: Omit<ParamAccessDependencies, 'findPolicy'>): ParamAccess {
  return async (write) => {
    const { paramKind } = policySpec(write.object)
    if (!paramKind || (write.old && deepEqual(paramKind, policySpec(write.old).paramKind))) return undefined
    const question = { verb: 'get', namespace: '*', name: '*', ...paramsOf(dependencies, paramKind) }
    if (await mayRead(dependencies, write, question)) return undefined
    const { kind = '', apiVersion = '' } = paramKind
    const what = `all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`
    return fieldErrors.forbidden(paramKindPath, `user ${describe(write.user)} must have "get" permission on ${what}`)
  }
}

/**
 * The author of a binding must be allowed to read the objects of its paramRef: one by name, all of a namespace, or all.
 * An update that keeps the policy and the paramRef is not checked. `selectVerb` is checked where the paramRef names no
 * object: stock servers check get in validating bindings, and list in mutating ones.
 */
export function createBindingParamAccess(
  dependencies: ParamAccessDependencies,
  { selectVerb }: { readonly selectVerb: 'get' | 'list' },
): ParamAccess {
  return async (write) => {
    const { paramRef, policyName = '' } = bindingSpec(write.object)
    const old = write.old && bindingSpec(write.old)
    if (!paramRef || (old?.policyName === policyName && deepEqual(paramRef, old.paramRef))) return undefined
    const policy = await dependencies.findPolicy(policyName, write.signal)
    const { name = '', namespace = '' } = paramRef
    const verb = name === '' ? selectVerb : 'get'
    const params = paramsOf(dependencies, policy && policySpec(policy).paramKind)
    if (await mayRead(dependencies, write, { verb, namespace, name, ...params })) return undefined
    const why = `user ${describe(write.user)} does not have "${verb}" permission on the object referenced by paramRef`
    return fieldErrors.forbidden(paramRefPath, why)
  }
}

type Params = Readonly<Record<'group' | 'version' | 'resource', string>>

/** All resources where the kind isn't served: it may be served later. */
function paramsOf(
  { resourceOf }: Pick<ParamAccessDependencies, 'resourceOf'>,
  paramKind: v1.ParamKind | undefined,
): Params {
  const parsed = paramKind && parseGroupVersion(paramKind.apiVersion ?? '')
  if (!parsed) return { group: '*', version: '*', resource: '*' }
  return { ...parsed, resource: resourceOf(parsed.group, parsed.version, paramKind.kind ?? '') ?? '*' }
}

async function mayRead(
  { authorizer }: Pick<ParamAccessDependencies, 'authorizer'>,
  { user, signal }: ParamWrite,
  question: Params & Readonly<Record<'verb' | 'namespace' | 'name', string>>,
): Promise<boolean> {
  if (user.groups.includes(mastersGroup)) return true
  const attributes = { ...question, user, isResource: true, path: '', subresource: '' }
  return (await authorizer.authorize(attributes, { signal })).decision === 'allow'
}

/** As Go prints the structure. */
function describe({ name, uid, groups, extra }: UserInfo): string {
  const members = Object.keys(extra)
    .toSorted()
    .map((key) => `${key}:[${(extra[key] ?? []).join(' ')}]`)
  return `&{${name} ${uid} [${groups.join(' ')}] map[${members.join(' ')}]}`
}

/** The kinds' own validation has checked these shapes. */
function policySpec(object: ApiObject): { readonly paramKind?: v1.ParamKind } {
  return (object['spec'] ?? {}) as { paramKind?: v1.ParamKind }
}

function bindingSpec(object: ApiObject): { readonly policyName?: string; readonly paramRef?: v1.ParamRef } {
  return (object['spec'] ?? {}) as { policyName?: string; paramRef?: v1.ParamRef }
}
