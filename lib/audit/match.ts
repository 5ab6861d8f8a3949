import type { RequestInfo, UserInfo } from '../request/index.ts'
import { type AuditLevel, type AuditStage, auditStages } from './event.ts'
import type { AuditPolicy, GroupResources, PolicyRule } from './policy.ts'

/** How a request is audited. */
export interface AuditDecision {
  readonly level: AuditLevel
  readonly stages: Readonly<Record<AuditStage, boolean>>
  readonly omitManagedFields: boolean
}

/**
 * Decides by the first matching rule of the policy; without one, the request is not audited. Rules are compiled once.
 */
export function createMatcher(policy: AuditPolicy): (info: RequestInfo, user: UserInfo | undefined) => AuditDecision {
  const rules = policy.rules.map((rule) => ({ matches: compileRule(rule), decision: decisionOf(policy, rule) }))
  const nothing = decisionOf(policy, { level: 'None' })
  return (info, user) => {
    for (const rule of rules) if (rule.matches(info, user)) return rule.decision
    return nothing
  }
}

function decisionOf(policy: AuditPolicy, rule: PolicyRule): AuditDecision {
  const omitted = new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])])
  const stages = Object.fromEntries(auditStages.map((stage) => [stage, !omitted.has(stage)]))
  return {
    level: rule.level,
    // Has a member for every stage.
    stages: stages as Record<AuditStage, boolean>,
    omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
  }
}

type Matches = (info: RequestInfo, user: UserInfo | undefined) => boolean

function compileRule(rule: PolicyRule): Matches {
  const checks: Matches[] = []
  const { users = [], userGroups = [], verbs = [], namespaces = [], resources = [], nonResourceURLs = [] } = rule
  if (users.length > 0) {
    const names = new Set(users)
    checks.push((_info, user) => user !== undefined && names.has(user.name))
  }
  if (userGroups.length > 0) {
    const groups = new Set(userGroups)
    checks.push((_info, user) => user !== undefined && user.groups.some((group) => groups.has(group)))
  }
  if (verbs.length > 0) {
    const wanted = new Set(verbs)
    checks.push(({ verb }) => wanted.has(verb))
  }
  if (namespaces.length > 0 || resources.length > 0) checks.push(compileResources(namespaces, resources))
  else if (nonResourceURLs.length > 0) checks.push(compilePaths(nonResourceURLs))
  return (info, user) => {
    for (const check of checks) if (!check(info, user)) return false
    return true
  }
}

function compileResources(namespaces: readonly string[], resources: readonly GroupResources[]): Matches {
  const names = new Set(namespaces)
  const groups = resources.map(compileGroup)
  return (info) => {
    if (!info.isResource) return false
    if (names.size > 0 && !names.has(info.namespace)) return false
    if (groups.length === 0) return true
    for (const group of groups) if (group(info)) return true
    return false
  }
}

function compileGroup({
  group = '',
  resources = [],
  resourceNames = [],
}: GroupResources): (info: RequestInfo) => boolean {
  if (resources.length === 0) return (info) => info.group === group
  const wanted = new Set(resources)
  const names = new Set(resourceNames)
  return (info) => {
    if (info.group !== group) return false
    if (names.size > 0 && !names.has(info.name)) return false
    const { resource, subresource } = info
    if (wanted.has('*')) return true
    if (subresource === '') return wanted.has(resource) || wanted.has(`${resource}/*`)
    return wanted.has(`${resource}/${subresource}`) || wanted.has(`*/${subresource}`) || wanted.has(`${resource}/*`)
  }
}

function compilePaths(patterns: readonly string[]): Matches {
  const exact = new Set(patterns)
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1))
  return ({ isResource, path }) =>
    !isResource && (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)))
}
