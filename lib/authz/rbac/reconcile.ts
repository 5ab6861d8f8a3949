import type { ClusterRole, RoleBinding, Subject } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { type ApiObject, copyObject, deepEqual } from '../../object/index.ts'
import { missingPermissions } from './covers.ts'
import { autoupdate, type DefaultObject } from './defaults.ts'

type Reconciliation =
  | { readonly action: 'none' }
  /** `object` replaces the existing one; a copy. */
  | { readonly action: 'update'; readonly object: ApiObject }
  /** Deletes and creates a binding: its roleRef is immutable. */
  | { readonly action: 'replace'; readonly object: ApiObject }

/**
 * The change that brings a stored default object up to date. Additional rules and subjects are kept, so that servers of
 * several releases and operators don't undo each other's work. 'none' where the annotation disables it.
 */
export function reconcileDefault({ resource, object: wanted }: DefaultObject, existing: ApiObject): Reconciliation {
  if (existing.metadata.annotations?.[autoupdate] === 'false') return { action: 'none' }
  const object = copyObject(existing)
  if (resource === 'clusterroles' || resource === 'roles') addPermissions(object, wanted)
  else {
    const binding = object as RoleBinding
    const { roleRef, subjects = [] } = wanted as RoleBinding
    if (!deepEqual(binding.roleRef, roleRef)) return { action: 'replace', object: copyObject(wanted) }
    addSubjects(binding, subjects)
  }
  object.metadata.labels = { ...wanted.metadata.labels, ...existing.metadata.labels }
  object.metadata.annotations = { ...wanted.metadata.annotations, ...existing.metadata.annotations }
  return deepEqual(object, existing) ? { action: 'none' } : { action: 'update', object }
}

function addPermissions(object: ApiObject, wanted: ApiObject): void {
  const role = object as ClusterRole
  const { rules = [], aggregationRule } = wanted as ClusterRole
  // The aggregation controller writes the rules of an aggregated role.
  if (!aggregationRule) {
    const held = role.rules ?? []
    const missing = rules.filter((rule) => missingPermissions(held, [rule]).missing.length > 0)
    if (missing.length > 0) role.rules = [...held, ...missing]
    return
  }
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? []
  const missing = (aggregationRule.clusterRoleSelectors ?? []).filter(
    (selector) => !selectors.some((each) => deepEqual(each, selector)),
  )
  if (missing.length > 0) role.aggregationRule = { clusterRoleSelectors: [...selectors, ...missing] }
}

function addSubjects(binding: RoleBinding, wanted: readonly Subject[]): void {
  const held = binding.subjects ?? []
  const missing = wanted.filter((subject) => !held.some((each) => sameSubject(each, subject)))
  if (missing.length > 0) binding.subjects = [...held, ...missing]
}

function sameSubject(left: Subject, right: Subject): boolean {
  return (
    left.kind === right.kind &&
    left.name === right.name &&
    (left.namespace ?? '') === (right.namespace ?? '') &&
    (left.apiGroup ?? '') === (right.apiGroup ?? '')
  )
}
