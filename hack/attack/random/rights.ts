import type { AttackClient } from '../client.ts'
import type { UserName } from '../plane.ts'
import type { Attributes } from './requests.ts'

export type Attacker = Extract<UserName, 'nobody' | 'editor' | 'node' | 'author' | 'admin'> | 'anonymous'

/**
 * By how often they attack. The administrator only sends reads and dry runs: requests that others may not send at all
 * must not harm the server either.
 */
export const attackers: readonly Attacker[] = [
  ...(['editor', 'editor', 'editor', 'editor', 'node', 'node', 'author', 'author'] as const),
  ...(['admin', 'admin', 'admin', 'nobody', 'anonymous'] as const),
]

/** The permissions of each attacker: a model that is independent of the server's authorizers. */
export interface Rights {
  allows(user: Attacker, attributes: Attributes): boolean
}

interface Rule {
  readonly verbs: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}

/**
 * Roles of authenticated users, and of everybody; the attackers' own roles in addition. `editor` has its own in `team`
 * alone.
 */
const everybody = ['system:public-info-viewer']
const known = [...everybody, 'system:basic-user', 'system:discovery']
const own: Readonly<Record<Attacker, readonly string[]>> = {
  anonymous: [],
  nobody: [],
  editor: ['edit'],
  node: ['system:node'],
  author: ['attack-author'],
  admin: ['cluster-admin'],
}

/**
 * Objects that pods on the node's own machine use, by name; a node may read no others of these kinds. In addition to
 * its role, the authorizer of nodes lets them write resource slices, which admission restricts to their own.
 */
const ofNode: Readonly<Record<string, readonly string[]>> = {
  secrets: ['on-n1', 'secret', 'x0', 'x1', 'x2', 'x3', 'config', 'default', 'editor', 'widget', 'on-n2'],
  configmaps: ['kube-root-ca.crt', 'config', 'x0', 'x1', 'x2', 'x3', 'secret', 'default', 'editor', 'widget'],
}
const reads = new Set(['get', 'list', 'watch'])

/** Reads the rules of the server's roles. */
export async function readRights(admin: AttackClient): Promise<Rights> {
  const rulesOf = async (role: string): Promise<readonly Rule[]> => {
    const { status, json } = await admin.ask('GET', `/apis/rbac.authorization.k8s.io/v1/clusterroles/${role}`)
    if (status !== 200) throw new Error(`the role ${role} can't be read: ${status}`)
    return (json.rules ?? []) as readonly Rule[]
  }
  const roles = new Map<string, readonly Rule[]>()
  for (const role of new Set([...known, ...Object.values(own).flat()])) roles.set(role, await rulesOf(role))
  const granted = (role: string, attributes: Attributes): boolean =>
    (roles.get(role) ?? []).some((rule) => covers(rule, attributes))
  return {
    allows(user, attributes) {
      if ((user === 'anonymous' ? everybody : known).some((role) => granted(role, attributes))) return true
      const { namespace } = attributes
      if (user === 'editor' && namespace !== 'team') return false
      if (user === 'node' && !isOfNode(attributes)) return false
      if (user === 'node' && attributes.resource === 'resourceslices') return true
      return own[user].some((role) => granted(role, attributes))
    },
  }
}

/** Pods refer to Secrets and ConfigMaps of their own namespace, and attackers create pods in `team` alone. */
function isOfNode({ resource, verb, namespace, name }: Attributes): boolean {
  const names = ofNode[resource]
  return names === undefined || !reads.has(verb) || (namespace === 'team' && names.includes(name))
}

function covers({ verbs, apiGroups = [], resources = [], resourceNames = [] }: Rule, asked: Attributes): boolean {
  const has = (list: readonly string[], text: string): boolean => list.includes('*') || list.includes(text)
  const resource = asked.subresource === '' ? asked.resource : `${asked.resource}/${asked.subresource}`
  return (
    has(verbs, asked.verb) &&
    has(apiGroups, asked.group) &&
    (has(resources, resource) || (asked.subresource !== '' && resources.includes(`*/${asked.subresource}`))) &&
    (resourceNames.length === 0 || resourceNames.includes(asked.name))
  )
}
