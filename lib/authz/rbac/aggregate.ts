import type { ClusterRole, PolicyRule } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { equalityKey, labelSelectorFromObject } from '../../object/index.ts'

/**
 * The rules of a cluster role that aggregates those of others: role by role in order of names, each rule once. Undefined:
 * it aggregates none. Throws for a selector that can't be read.
 */
export function aggregatedRules(role: ClusterRole, roles: Iterable<ClusterRole>): PolicyRule[] | undefined {
  if (!role.aggregationRule) return undefined
  const others = new Set([...roles].filter(({ metadata }) => metadata.name !== role.metadata.name).sort(byName))
  const rules = new Map<string, PolicyRule>()
  for (const labels of role.aggregationRule.clusterRoleSelectors ?? []) {
    const selector = labelSelectorFromObject(labels)
    for (const other of others) {
      if (!selector.matches(other.metadata.labels)) continue
      // Another selector that matches it adds nothing.
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
