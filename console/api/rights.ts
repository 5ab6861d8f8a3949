import { type Kind, records } from './kinds.ts'
import { actingUser, isRecord, readJson, session } from './session.ts'

interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
}

/** What the acting user may do in one namespace. */
export interface Rights {
  /** `resource` may end in a subresource: pods/exec. Without a name: for objects of any name. */
  may(verb: string, group: string, resource: string, name?: string): boolean
}

/** By session, user and namespace. */
const known = new Map<string, { readAtMs: number; rights: Promise<Rights> }>()
const knownMax = 100
const keptMs = 30_000

/** The rights in a namespace, '' for those in all. Some authorizers can't list rules: then everything counts as allowed,
 * and the server refuses what is not. */
export async function rightsIn(namespace: string): Promise<Rights> {
  const key = `${session.value?.id}\n${actingUser.value}\n${namespace}`
  const found = known.get(key)
  if (found && Date.now() - found.readAtMs < keptMs) return await found.rights
  const rights = readRights(namespace)
  if (known.size >= knownMax) known.clear()
  known.set(key, { readAtMs: Date.now(), rights })
  rights.catch(() => known.delete(key))
  return await rights
}

async function readRights(namespace: string): Promise<Rights> {
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectRulesReview',
    spec: { namespace: namespace === '' ? 'default' : namespace },
  }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'
  const { status } = await readJson(path, { method: 'POST', body: JSON.stringify(review) })
  if (!isRecord(status)) return { may: () => true }
  const rules = records(status['resourceRules']).map(toRule)
  const incomplete = status['incomplete'] === true
  return {
    may: (verb, group, resource, name) => incomplete || rules.some((rule) => allows(rule, verb, group, resource, name)),
  }
}

function toRule(rule: Record<string, unknown>): Rule {
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])
  return {
    verbs: list(rule['verbs']),
    apiGroups: list(rule['apiGroups']),
    resources: list(rule['resources']),
    resourceNames: list(rule['resourceNames']),
  }
}

function allows(rule: Rule, verb: string, group: string, resource: string, name: string | undefined): boolean {
  const has = (list: readonly string[], value: string): boolean => list.includes('*') || list.includes(value)
  const subresource = resource.split('/')[1]
  const named = rule.resourceNames.length === 0 || (name !== undefined && rule.resourceNames.includes(name))
  const resources =
    has(rule.resources, resource) || (subresource !== undefined && rule.resources.includes(`*/${subresource}`))
  return named && resources && has(rule.verbs, verb) && has(rule.apiGroups, group)
}

/** The sentence that explains why a control is grey. */
export function lackingRight(verb: string, kind: Pick<Kind, 'group' | 'resource'>, subresource = ''): string {
  const resource = subresource === '' ? kind.resource : `${kind.resource}/${subresource}`
  return `${actingUser.value} may not ${verb} ${kind.group === '' ? resource : `${resource}.${kind.group}`} here`
}
