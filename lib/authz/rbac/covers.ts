import { quote } from '../../object/index.ts'
import { type PolicyRule, pathAction, type RbacAction, RuleIndex, resourceAction } from './rules.ts'

/** Maximum number of single permissions of the rules in one comparison. */
export const permissionsMax = 100_000

/**
 * The permissions among `wanted` that `held` don't cover, each one verb on one resource (or name, or path). Compares no
 * more than `permissionsMax`; `tooMany` reports that there were more.
 */
export function missingPermissions(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): { missing: PolicyRule[]; tooMany: boolean } {
  const index = new RuleIndex<true>()
  for (const rule of held) index.add(rule, true)
  const missing: PolicyRule[] = []
  let count = 0
  for (const rule of wanted) {
    if (coversWhole(index, rule)) continue
    for (const [permission, action] of permissionsOf(rule)) {
      if (++count > permissionsMax) return { missing, tooMany: true }
      if (!index.find(action)) missing.push(permission)
    }
  }
  return { missing, tooMany: false }
}

/** A fast path for users that may do everything. */
function coversWhole(index: RuleIndex<true>, { nonResourceURLs }: PolicyRule): boolean {
  const everything = nonResourceURLs?.length ? pathAction('*', '*') : resourceAction('*', '*', '*', '')
  return index.find(everything) === true
}

function* permissionsOf(rule: PolicyRule): Iterable<[PolicyRule, RbacAction]> {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule
  for (const group of apiGroups) {
    for (const resource of resources) {
      const slash = resource.indexOf('/')
      const [main, sub] = slash < 0 ? [resource, ''] : [resource.slice(0, slash), resource.slice(slash + 1)]
      for (const verb of verbs) {
        const of = { apiGroups: [group], resources: [resource], verbs: [verb] }
        if (resourceNames.length === 0) yield [of, resourceAction(verb, group, main, sub)]
        for (const name of resourceNames)
          yield [{ ...of, resourceNames: [name] }, resourceAction(verb, group, main, sub, name)]
      }
    }
  }
  for (const url of nonResourceURLs)
    for (const verb of verbs) yield [{ nonResourceURLs: [url], verbs: [verb] }, pathAction(verb, url)]
}

/** One line a resource or path, in alphabetical order: `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`. */
export function describePermissions(permissions: readonly PolicyRule[]): string {
  const merged = new Map<string, PolicyRule & { verbs: string[] }>()
  const lines = new Set<string>()
  for (const permission of permissions) {
    const { verbs = [], ...of } = permission
    if (permission.nonResourceURLs) {
      lines.add(describeRule(permission))
      continue
    }
    const key = describeRule(of)
    const known = merged.get(key)
    if (known) known.verbs.push(...verbs)
    else merged.set(key, { ...of, verbs: [...verbs] })
  }
  for (const rule of merged.values()) lines.add(describeRule(rule))
  return [...lines].sort(byBytes).join('\n')
}

function describeRule({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: PolicyRule): string {
  const parts = {
    APIGroups: apiGroups,
    Resources: resources,
    NonResourceURLs: nonResourceURLs,
    ResourceNames: resourceNames,
    Verbs: verbs,
  }
  const shown = Object.entries(parts).filter(([, words]) => words?.length)
  return `{${shown.map(([name, words = []]) => `${name}:${quoteAll(words)}`).join(', ')}}`
}

/** `["a" "b"]` */
export function quoteAll(words: readonly string[]): string {
  return `[${words.map(quote).join(' ')}]`
}

function byBytes(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
