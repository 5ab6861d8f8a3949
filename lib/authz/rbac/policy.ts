import type { RoleRef, Subject } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { appendAll } from '../../base/index.ts'
import { quote } from '../../object/index.ts'
import type { UserInfo } from '../../request/index.ts'
import type { AuthorizationResult } from '../authorizer.ts'
import { type PolicyRule, type RbacAction, RuleIndex } from './rules.ts'

/** A subject with at least so many grants gets one index over all of its rules; below, each role is asked. */
export const indexFromGrants = 4
/** Maximum number of cached indexes of subjects. */
export const holderIndexesMax = 1000

/** A role that exists, is bound, or both. */
interface RoleSlot {
  /** '' of a ClusterRole. */
  readonly namespace: string
  readonly name: string
  /** Undefined for a bound role that does not exist. */
  rules: readonly PolicyRule[] | undefined
  /** Made on first use. */
  index: RuleIndex<true> | undefined
  readonly holders: Map<Holder, number>
}

/** The permissions that one binding gives to one of its subjects. */
interface Grant {
  /** `''` of a ClusterRoleBinding. */
  readonly bindingNamespace: string
  readonly bindingName: string
  readonly subject: Subject
  readonly role: RoleSlot
  /** Made on first use. */
  allowed: AuthorizationResult | undefined
}

/** All grants of a user or group in one scope. */
interface Holder {
  readonly grants: Grant[]
  index: RuleIndex<Grant> | undefined
}

/** Holders in one namespace, or in the cluster. */
interface Scope {
  readonly users: Map<string, Holder>
  readonly groups: Map<string, Holder>
  readonly bindings: Map<string, readonly { grant: Grant; holders: Map<string, Holder>; name: string }[]>
}

/**
 * Roles and bindings, arranged so that a decision takes a few look-ups: by scope and subject to the subject's grants.
 * Updated one object at a time, in any order.
 */
export class RbacPolicy {
  readonly #roles = new Map<string, RoleSlot>()
  readonly #cluster = newScope()
  readonly #namespaces = new Map<string, Scope>()
  readonly #indexed = new Set<Holder>()
  /** Roles that are bound but don't exist. */
  #undefined = 0

  /** `namespace` is '' for a ClusterRole. */
  setRole(namespace: string, name: string, rules: readonly PolicyRule[]): void {
    const slot = this.#slot(namespace, name)
    if (slot.rules === undefined && slot.holders.size > 0) this.#undefined--
    this.#change(slot, rules)
  }

  removeRole(namespace: string, name: string): void {
    const slot = this.#roles.get(`${namespace}/${name}`)
    if (slot?.rules === undefined) return
    this.#change(slot, undefined)
    if (slot.holders.size > 0) this.#undefined++
    else this.#roles.delete(`${namespace}/${name}`)
  }

  /** `namespace` is '' for a ClusterRoleBinding. */
  setBinding(namespace: string, name: string, roleRef: RoleRef, subjects: readonly Subject[]): void {
    this.removeBinding(namespace, name)
    const scope = this.#scope(namespace)
    const slot = this.#slot(roleRef.kind === 'Role' ? namespace : '', roleRef.name)
    const placed = subjects.flatMap((subject) => {
      const place = placeOf(scope, subject, namespace)
      if (place === undefined) return []
      const grant = { bindingNamespace: namespace, bindingName: name, subject, role: slot, allowed: undefined }
      this.#give(place.holders, place.name, grant)
      return [{ grant, ...place }]
    })
    scope.bindings.set(name, placed)
    if (placed.length === 0) this.#forgetUnused(slot)
  }

  removeBinding(namespace: string, name: string): void {
    const scope = namespace === '' ? this.#cluster : this.#namespaces.get(namespace)
    const placed = scope?.bindings.get(name)
    if (!scope || !placed) return
    scope.bindings.delete(name)
    for (const { grant, holders, name: subject } of placed) this.#take(holders, subject, grant)
    if (namespace !== '' && scope.bindings.size === 0) this.#namespaces.delete(namespace)
  }

  /** The first grant that allows the action in the namespace ('' for the cluster). */
  find(user: UserInfo, action: RbacAction, namespace: string): Grant | undefined {
    const found = this.#findIn(this.#cluster, user, action)
    if (found !== undefined || namespace === '') return found
    const scope = this.#namespaces.get(namespace)
    return scope && this.#findIn(scope, user, action)
  }

  /** The rules that the user holds, binding by binding, and the errors of the bindings. */
  rulesOf(user: UserInfo, namespace: string): { rules: readonly PolicyRule[]; problems: readonly string[] } {
    const rules: PolicyRule[] = []
    const problems = new Set<string>()
    for (const { role } of this.#grantsOf(user, namespace)) {
      if (role.rules === undefined) problems.add(noSuchRole(role))
      else appendAll(rules, role.rules)
    }
    return { rules, problems: [...problems] }
  }

  /** Roles that the user's bindings name although they do not exist. */
  problemsOf(user: UserInfo, namespace: string): readonly string[] {
    return this.#undefined === 0 ? [] : this.rulesOf(user, namespace).problems
  }

  /** Undefined: no such role. */
  rulesOfRole(namespace: string, name: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(`${namespace}/${name}`)?.rules
  }

  *#grantsOf(user: UserInfo, namespace: string): Iterable<Grant> {
    const local = namespace === '' ? undefined : this.#namespaces.get(namespace)
    for (const scope of local ? [this.#cluster, local] : [this.#cluster]) {
      const seen = new Set<string>()
      const holders = [scope.users.get(user.name), ...user.groups.map((group) => scope.groups.get(group))]
      for (const grant of holders.flatMap((holder) => holder?.grants ?? [])) {
        if (!seen.has(grant.bindingName)) yield grant
        seen.add(grant.bindingName)
      }
    }
  }

  #findIn(scope: Scope, user: UserInfo, action: RbacAction): Grant | undefined {
    const own = scope.users.get(user.name)
    const found = own && this.#findHeld(own, action)
    if (found !== undefined || scope.groups.size === 0) return found
    for (const group of user.groups) {
      const holder = scope.groups.get(group)
      const held = holder && this.#findHeld(holder, action)
      if (held !== undefined) return held
    }
    return undefined
  }

  #findHeld(holder: Holder, action: RbacAction): Grant | undefined {
    if (holder.index !== undefined) return holder.index.find(action)
    if (holder.grants.length >= indexFromGrants) return this.#buildIndex(holder).find(action)
    for (const grant of holder.grants) {
      if (indexOf(grant.role)?.find(action)) return grant
    }
    return undefined
  }

  #buildIndex(holder: Holder): RuleIndex<Grant> {
    const index = new RuleIndex<Grant>()
    for (const grant of holder.grants) for (const rule of grant.role.rules ?? []) index.add(rule, grant)
    holder.index = index
    this.#indexed.add(holder)
    for (const oldest of this.#indexed) {
      if (this.#indexed.size <= holderIndexesMax) break
      this.#dropIndex(oldest)
    }
    return index
  }

  #dropIndex(holder: Holder): void {
    holder.index = undefined
    this.#indexed.delete(holder)
  }

  #change(slot: RoleSlot, rules: readonly PolicyRule[] | undefined): void {
    slot.rules = rules
    slot.index = undefined
    for (const holder of slot.holders.keys()) this.#dropIndex(holder)
  }

  #give(holders: Map<string, Holder>, subject: string, grant: Grant): void {
    let holder = holders.get(subject)
    if (!holder) holders.set(subject, (holder = { grants: [], index: undefined }))
    holder.grants.push(grant)
    const { role } = grant
    if (role.rules === undefined && role.holders.size === 0) this.#undefined++
    role.holders.set(holder, (role.holders.get(holder) ?? 0) + 1)
    this.#dropIndex(holder)
  }

  #take(holders: Map<string, Holder>, subject: string, grant: Grant): void {
    const holder = holders.get(subject)
    if (!holder) return
    holder.grants.splice(holder.grants.indexOf(grant), 1)
    if (holder.grants.length === 0) holders.delete(subject)
    this.#dropIndex(holder)
    const { role } = grant
    const times = (role.holders.get(holder) ?? 1) - 1
    if (times > 0) role.holders.set(holder, times)
    else role.holders.delete(holder)
    if (role.holders.size > 0 || role.rules !== undefined) return
    this.#undefined--
    this.#forgetUnused(role)
  }

  #forgetUnused(slot: RoleSlot): void {
    if (slot.rules === undefined && slot.holders.size === 0) this.#roles.delete(`${slot.namespace}/${slot.name}`)
  }

  #slot(namespace: string, name: string): RoleSlot {
    const key = `${namespace}/${name}`
    let slot = this.#roles.get(key)
    if (!slot)
      this.#roles.set(key, (slot = { namespace, name, rules: undefined, index: undefined, holders: new Map() }))
    return slot
  }

  #scope(namespace: string): Scope {
    if (namespace === '') return this.#cluster
    let scope = this.#namespaces.get(namespace)
    if (!scope) this.#namespaces.set(namespace, (scope = newScope()))
    return scope
  }
}

/** The result for a grant that allows the action; the same object each time. */
export function allowedBy(grant: Grant): AuthorizationResult {
  return (grant.allowed ??= { decision: 'allow', reason: `RBAC: allowed by ${describe(grant)}` })
}

function describe({ bindingNamespace, bindingName, subject, role }: Grant): string {
  const binding =
    bindingNamespace === ''
      ? `ClusterRoleBinding ${quote(bindingName)}`
      : `RoleBinding ${quote(`${bindingName}/${bindingNamespace}`)}`
  const of = `${role.namespace === '' ? 'ClusterRole' : 'Role'} ${quote(role.name)}`
  const who =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace || bindingNamespace}` : subject.name
  return `${binding} of ${of} to ${subject.kind} ${quote(who)}`
}

function noSuchRole({ namespace, name }: RoleSlot): string {
  return `${namespace === '' ? 'clusterrole' : 'role'}.rbac.authorization.k8s.io ${quote(name)} not found`
}

function indexOf(role: RoleSlot): RuleIndex<true> | undefined {
  if (role.rules === undefined) return undefined
  if (role.index === undefined) {
    role.index = new RuleIndex()
    for (const rule of role.rules) role.index.add(rule, true)
  }
  return role.index
}

/** The map and the key of a subject's grants; undefined for an impossible subject. */
function placeOf(
  { users, groups }: Scope,
  { kind, name, namespace }: Subject,
  bindingNamespace: string,
): { holders: Map<string, Holder>; name: string } | undefined {
  if (kind === 'User') return { holders: users, name }
  if (kind === 'Group') return { holders: groups, name }
  const home = namespace || bindingNamespace
  if (kind !== 'ServiceAccount' || home === '') return undefined
  return { holders: users, name: `system:serviceaccount:${home}:${name}` }
}

function newScope(): Scope {
  return { users: new Map(), groups: new Map(), bindings: new Map() }
}
