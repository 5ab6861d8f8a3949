import type * as flowcontrol from '../../api/gen/flowcontrol.apiserver.k8s.io/v1.ts'
import type { RequestInfo, UserInfo } from '../request/index.ts'

/** The part of a FlowSchema object that matching needs. */
export interface FlowSchemaObject {
  readonly metadata: { readonly name?: string; readonly uid?: string }
  readonly spec?: flowcontrol.FlowSchemaSpec
}

/** A compiled flow schema. */
export interface FlowSchema {
  readonly name: string
  readonly uid: string
  readonly level: string
  readonly precedence: number
  /** How the schema's requests are split into flows; undefined makes them one flow. */
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined
  readonly rules: readonly Rule[]
}

interface Rule {
  readonly subjects: readonly flowcontrol.Subject[]
  readonly resourceRules: readonly ResourceRule[]
  readonly nonResourceRules: readonly NonResourceRule[]
}

/** An undefined set contains everything (`*`). */
interface ResourceRule {
  readonly verbs: ReadonlySet<string> | undefined
  readonly groups: ReadonlySet<string> | undefined
  readonly resources: ReadonlySet<string> | undefined
  readonly clusterScope: boolean
  readonly namespaces: ReadonlySet<string> | undefined
}

interface NonResourceRule {
  readonly verbs: ReadonlySet<string> | undefined
  readonly paths: ReadonlySet<string>
  readonly prefixes: readonly string[]
}

/** Finds the first schema that matches a request, by precedence and then by name. */
interface FlowSchemaMatcher {
  match(user: UserInfo, info: RequestInfo): FlowSchema | undefined
}

const serviceAccountPrefix = 'system:serviceaccount:'

export function compileFlowSchema({ metadata, spec }: FlowSchemaObject): FlowSchema {
  const type = spec?.distinguisherMethod?.type
  return {
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    level: spec?.priorityLevelConfiguration.name ?? '',
    precedence: spec?.matchingPrecedence ?? 0,
    distinguisher: type === 'ByUser' || type === 'ByNamespace' ? type : undefined,
    rules: (spec?.rules ?? []).map(({ subjects, resourceRules, nonResourceRules }) => ({
      subjects: subjects ?? [],
      resourceRules: (resourceRules ?? []).map((rule) => ({
        verbs: setOf(rule.verbs),
        groups: setOf(rule.apiGroups),
        resources: setOf(rule.resources),
        clusterScope: rule.clusterScope ?? false,
        namespaces: setOf(rule.namespaces),
      })),
      nonResourceRules: (nonResourceRules ?? []).map(({ verbs, nonResourceURLs: paths = [] }) => ({
        verbs: setOf(verbs),
        paths: new Set(paths),
        // `/healthz/*` matches all paths below it; `*` alone matches every path.
        prefixes: paths.filter((path) => path.endsWith('*')).map((path) => path.slice(0, -1)),
      })),
    })),
  }
}

function setOf(values: readonly string[] = []): ReadonlySet<string> | undefined {
  return values.includes('*') ? undefined : new Set(values)
}

interface Candidate {
  readonly schema: FlowSchema
  /** The rules that match the user. */
  readonly resourceRules: readonly ResourceRule[]
  readonly nonResourceRules: readonly NonResourceRule[]
}

/** Matches users to rules once: a request is only compared with its user's rules. */
export function createFlowSchemaMatcher(schemas: readonly FlowSchema[]): FlowSchemaMatcher {
  const sorted = [...schemas].sort((a, b) => a.precedence - b.precedence || (a.name < b.name ? -1 : 1))
  const byUser = new WeakMap<UserInfo, readonly Candidate[]>()

  function candidatesOf(user: UserInfo): readonly Candidate[] {
    const candidates: Candidate[] = []
    for (const schema of sorted) {
      const rules = schema.rules.filter(({ subjects }) => subjects.some((subject) => isAbout(subject, user)))
      if (rules.length === 0) continue
      candidates.push({
        schema,
        resourceRules: rules.flatMap((rule) => rule.resourceRules),
        nonResourceRules: rules.flatMap((rule) => rule.nonResourceRules),
      })
    }
    return candidates
  }

  return {
    match(user, info) {
      let candidates = byUser.get(user)
      if (candidates === undefined) byUser.set(user, (candidates = candidatesOf(user)))
      for (const { schema, resourceRules, nonResourceRules } of candidates) {
        const matches = info.isResource
          ? resourceRules.some((rule) => matchesResource(rule, info))
          : nonResourceRules.some((rule) => matchesPath(rule, info))
        if (matches) return schema
      }
      return undefined
    },
  }
}

function isAbout({ kind, user, group, serviceAccount }: flowcontrol.Subject, { name, groups }: UserInfo): boolean {
  switch (kind) {
    case 'User':
      return user !== undefined && (user.name === '*' || user.name === name)
    case 'Group':
      return group !== undefined && (group.name === '*' || groups.includes(group.name))
    case 'ServiceAccount': {
      if (serviceAccount === undefined) return false
      const prefix = `${serviceAccountPrefix}${serviceAccount.namespace}:`
      if (serviceAccount.name !== '*') return name === prefix + serviceAccount.name
      return name.startsWith(prefix) && name.length > prefix.length
    }
    default:
      return false
  }
}

function matchesResource({ verbs, groups, resources, clusterScope, namespaces }: ResourceRule, info: RequestInfo) {
  if (verbs !== undefined && !verbs.has(info.verb)) return false
  if (groups !== undefined && !groups.has(info.group)) return false
  if (resources !== undefined && !resources.has(resourceOf(info))) return false
  if (info.namespace === '') return clusterScope
  return namespaces === undefined || namespaces.has(info.namespace)
}

function resourceOf({ resource, subresource }: RequestInfo): string {
  return subresource === '' ? resource : `${resource}/${subresource}`
}

function matchesPath({ verbs, paths, prefixes }: NonResourceRule, { verb, path }: RequestInfo): boolean {
  if (verbs !== undefined && !verbs.has(verb)) return false
  return paths.has(path) || prefixes.some((prefix) => path.startsWith(prefix))
}
