import type { ApiObject } from '../object/index.ts'
import type { KindCodec } from '../scheme/index.ts'
import { type AuditLevel, type AuditStage, auditLevels, auditStages } from './event.ts'

/** One rule of a policy: the first match decides. Absent and empty lists match everything. */
export interface PolicyRule {
  readonly level: AuditLevel
  readonly users?: readonly string[]
  readonly userGroups?: readonly string[]
  readonly verbs?: readonly string[]
  readonly resources?: readonly GroupResources[]
  readonly namespaces?: readonly string[]
  readonly nonResourceURLs?: readonly string[]
  readonly omitStages?: readonly AuditStage[]
  readonly omitManagedFields?: boolean
}

export interface GroupResources {
  readonly group?: string
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}

/** The kind Policy of audit.k8s.io/v1. */
export interface AuditPolicy {
  readonly rules: readonly PolicyRule[]
  readonly omitStages?: readonly AuditStage[]
  readonly omitManagedFields?: boolean
}

const gvk = { group: 'audit.k8s.io', version: 'v1', kind: 'Policy' }

/**
 * Parses --audit-policy-file (YAML or JSON). Adds unknown fields to `warnings`. Throws an Error of one line for an
 * invalid policy.
 */
export function parsePolicy(text: string, codec: KindCodec): { policy: AuditPolicy; warnings: readonly string[] } {
  const { object, strictErrors } = codec.decodeObject(Buffer.from(text), {
    mediaType: 'application/yaml',
    expected: gvk,
    fieldValidation: 'Warn',
  })
  // The kind's type describes the decoded object.
  const policy = object as ApiObject & AuditPolicy
  const problems = problemsOf(policy)
  if (problems.length > 0) throw new Error(problems.join('; '))
  return { policy, warnings: strictErrors }
}

function problemsOf({ rules = [], omitStages }: Partial<AuditPolicy>): string[] {
  if (rules.length === 0) return ['loaded illegal policy with 0 rules']
  return [
    ...stageProblems('omitStages', omitStages),
    ...rules.flatMap((rule, index) => ruleProblems(`rules[${index}]`, rule)),
  ]
}

function stageProblems(path: string, stages: readonly string[] = []): string[] {
  const known: readonly string[] = auditStages
  return stages
    .filter((stage) => !known.includes(stage))
    .map((stage) => `${path}: Invalid value: "${stage}": allowed stages are ${known.join(',')}`)
}

function ruleProblems(path: string, rule: PolicyRule): string[] {
  const { level, resources = [], namespaces = [], nonResourceURLs = [] } = rule
  const levels: readonly string[] = auditLevels
  const problems = stageProblems(`${path}.omitStages`, rule.omitStages)
  if (!levels.includes(level))
    problems.push(
      `${path}.level: Unsupported value: "${level}": supported values: ${levels.map((each) => `"${each}"`).join(', ')}`,
    )
  if (nonResourceURLs.length > 0 && (resources.length > 0 || namespaces.length > 0))
    problems.push(`${path}.nonResourceURLs: rules cannot apply to both regular resources and non-resource URLs`)
  for (const [index, url] of nonResourceURLs.entries()) {
    if (url === '*') continue
    const where = `${path}.nonResourceURLs[${index}]: Invalid value: "${url}"`
    if (!url.startsWith('/')) problems.push(`${where}: non-resource URL rules must begin with a '/' character`)
    if (url.slice(0, -1).includes('*'))
      problems.push(`${where}: non-resource URL wildcards '*' must be the final character of the rule`)
  }
  for (const [index, { resources: names = [], resourceNames = [], group = '' }] of resources.entries()) {
    const where = `${path}.resources[${index}]`
    if (group.includes('/'))
      problems.push(`${where}.group: Invalid value: "${group}": must be a group without its version`)
    if (resourceNames.length > 0 && names.length === 0)
      problems.push(`${where}.resourceNames: using resourceNames requires at least one resource`)
  }
  return problems
}
