import type { ClusterRole, PolicyRule } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { equalityKey, labelSelectorFromObject } from '../../object/index.ts'

/**
 * The rules of an aggregated cluster role: those of the selected roles in order of their names, each rule once.
 * Undefined for other roles. Throws for an invalid selector.
 */
export function aggregatedRules(role: ClusterRole, roles: Iterable<ClusterRole>): PolicyRule[] | undefined {
  if (!role.aggregationRule) return undefined
  const others = new Set([...roles].filter(({ metadata }) => metadata.name !== role.metadata.name).sort(byName))
  const rules = new Map<string, PolicyRule>()
  for (const labels of role.aggregationRule.clusterRoleSelectors ?? []) {
    const selector = labelSelectorFromObject(labels)
    for (const other of others) {
      if (!selector.matches(other.metadata.labels)) continue
      // A role that a second selector matches adds nothing.
      others.delete(other)
      for (const rule of other.rules ?? []) {
        const key = equalityKey(rule)
        if (!rules.has(key)) rules.set(key, rule)
      }
    }
  }
  return [...rules.values()]
}

function byName(left: ClusterRole, right: ClusterRole): number {
  return (left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1
}
