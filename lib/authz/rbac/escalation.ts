import type { ClusterRole, PolicyRule, RoleBinding } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { type ApiObject, deepEqual, quote, statusErrors } from '../../object/index.ts'
import { mastersGroup, type UserInfo } from '../../request/index.ts'
import type { AuthorizationAttributes, Authorizer } from '../authorizer.ts'
import { joined } from './authorizer.ts'
import { describePermissions, missingPermissions, permissionsMax, quoteAll } from './covers.ts'
import type { RbacPolicy } from './policy.ts'

export const rbacGroup = 'rbac.authorization.k8s.io'

/** A role or binding before its creation or update. */
interface PolicyWrite {
  /** Plural name within the group. */
  readonly resource: string
  /** '' for cluster-scoped ones. */
  readonly namespace: string
  /** The name in the request's path: '' for a creation. */
  readonly requestName: string
  readonly user: UserInfo
  readonly object: ApiObject
  readonly old: ApiObject | undefined
  readonly signal: AbortSignal
}

interface EscalationDependencies {
  /** The union of all authorizers. */
  readonly authorizer: Authorizer
  /** Updated by events, so it may be slightly behind. */
  readonly policy: RbacPolicy
  /** The current policy in the namespace and the cluster, from the store: read before a refusal. */
  fresh(namespace: string, signal: AbortSignal): Promise<RbacPolicy>
}

/** Throws StatusError for a write by which the user would grant permissions that they do not hold. */
export type EscalationCheck = (write: PolicyWrite) => Promise<void>

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
]

/**
 * Keeps users from granting permissions that they do not hold, whatever mode authorizes requests: a role contains no
 * more than its writer holds, unless the writer may `escalate` roles; a binding grants no more than its writer holds,
 * unless the writer may `bind` the role.
 */
export function createEscalationCheck({ authorizer, policy, fresh }: EscalationDependencies): EscalationCheck {
  async function allows({ user, signal }: PolicyWrite, what: Partial<AuthorizationAttributes>): Promise<boolean> {
    const question = { verb: '', group: rbacGroup, resource: '', namespace: '', name: '', ...what }
    const attributes = { ...question, user, isResource: true, path: '', version: '*', subresource: '' }
    const { decision } = await authorizer.authorize(attributes, { signal })
    return decision === 'allow'
  }

  /** Decides by the cached policy, and before a refusal by the current one. */
  async function twice({ namespace, signal }: PolicyWrite, check: (policy: RbacPolicy) => void): Promise<void> {
    try {
      check(policy)
    } catch {
      check(await fresh(namespace, signal))
    }
  }

  async function checkRole(write: PolicyWrite): Promise<void> {
    const { resource, namespace, requestName, object, old } = write
    if (await allows(write, { verb: 'escalate', resource, namespace, name: requestName })) return
    await twice(write, (known) => {
      const { rules = [], aggregationRule } = object as ClusterRole
      refuseBeyond(known, write, rules)
      const aggregates = aggregationRule ?? (old as ClusterRole | undefined)?.aggregationRule
      const held = (): readonly PolicyRule[] => known.rulesOf(write.user, namespace).rules
      // Aggregation may add any rule to the role.
      if (aggregates && missingPermissions(held(), everything).missing.length > 0)
        throw forbidden(write, 'must have cluster-admin privileges to use the aggregationRule')
    })
  }

  async function checkBinding(write: PolicyWrite): Promise<void> {
    const { namespace, object } = write
    const { apiGroup, kind, name } = (object as RoleBinding).roleRef
    // Validation refuses other kinds.
    if (kind !== 'ClusterRole' && kind !== 'Role') return
    const resource = kind === 'Role' ? 'roles' : 'clusterroles'
    if (await allows(write, { verb: 'bind', group: apiGroup, resource, namespace, name })) return
    await twice(write, (known) => {
      const rules = known.rulesOfRole(kind === 'Role' ? namespace : '', name)
      if (rules === undefined) throw statusErrors.notFound({ group: rbacGroup, resource }, name)
      refuseBeyond(known, write, rules)
    })
  }

  return async (write) => {
    if (write.user.groups.includes(mastersGroup) || changesNothingGranted(write)) return
    const isRole = write.resource === 'roles' || write.resource === 'clusterroles'
    await (isRole ? checkRole(write) : checkBinding(write))
  }
}

function refuseBeyond(policy: RbacPolicy, write: PolicyWrite, wanted: readonly PolicyRule[]): void {
  const { user, namespace } = write
  const { rules, problems } = policy.rulesOf(user, namespace)
  const { missing, tooMany } = missingPermissions(rules, wanted)
  const who = `user ${quote(user.name)} (groups=${quoteAll(user.groups)})`
  if (tooMany)
    throw forbidden(write, `${who} is attempting to grant more than ${permissionsMax} RBAC permissions at once`)
  if (missing.length === 0) return
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${describePermissions(missing)}`
  throw forbidden(write, problems.length === 0 ? why : `${why}; resolution errors: [${joined(problems)}]`)
}

function forbidden({ resource, object }: PolicyWrite, why: string): Error {
  return statusErrors.forbidden({ group: rbacGroup, resource }, object.metadata.name ?? '', why)
}

/** Garbage collection (owner references and finalizers) needs none of the permissions that the object grants. */
function changesNothingGranted({ object, old }: PolicyWrite): boolean {
  return old !== undefined && deepEqual(bare(object), bare(old))
}

function bare({ metadata, ...rest }: ApiObject): object {
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...others } = metadata
  const { resourceVersion: _version, generation: _generation, ...kept } = others
  return { ...rest, metadata: kept }
}
