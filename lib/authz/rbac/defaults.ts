import {
  clusterRoleBindings,
  clusterRoles,
  controllerRoles,
  type DefaultBinding,
  type DefaultRole,
  type DefaultRule,
  roleBindings,
  roles,
} from '../../../api/bootstrap/rbac/index.ts'
import type { PolicyRule, Subject } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import type { ApiObject } from '../../object/index.ts'

const group = 'rbac.authorization.k8s.io'

/** A default object and its resource. */
export interface DefaultObject {
  readonly resource: 'clusterroles' | 'clusterrolebindings' | 'roles' | 'rolebindings'
  readonly object: ApiObject
}

/** Roles before their bindings. Controllers of disabled features have neither, and rules for them are left out. */
export function defaultObjects(gate: (name: string) => boolean): DefaultObject[] {
  const running = Object.entries(controllerRoles).filter(([, role]) => role.gate === undefined || gate(role.gate))
  const controllers = running.map(([name, role]) => [`system:controller:${name}`, role] as const)
  const ofControllers = running.map(
    ([name]) => [`system:controller:${name}`, [`system:controller:${name}`, `account kube-system/${name}`]] as const,
  )
  return [
    ...[...Object.entries(clusterRoles), ...controllers].map(([name, role]) =>
      roleObject('ClusterRole', name, withGated(role, gate)),
    ),
    ...namespaced(roles).map(([namespace, name, role]) => roleObject('Role', name, role, namespace)),
    ...[...Object.entries(clusterRoleBindings), ...ofControllers].map(([name, binding]) =>
      bindingObject(name, binding),
    ),
    ...namespaced(roleBindings).map(([namespace, name, binding]) => bindingObject(name, binding, namespace)),
  ]
}

/** The permissions of every kubelet, except those for the pods on its node. */
export function nodeRules(): PolicyRule[] {
  return clusterRoles['system:node']?.rules?.map(ruleOf) ?? []
}

function namespaced<Value>(
  byNamespace: Readonly<Record<string, Readonly<Record<string, Value>>>>,
): (readonly [string, string, Value])[] {
  return Object.entries(byNamespace).flatMap(([namespace, byName]) =>
    Object.entries(byName).map(([name, value]) => [namespace, name, value] as const),
  )
}

function withGated(role: DefaultRole, gate: (name: string) => boolean): DefaultRole {
  const gated = Object.entries(role.gated ?? {}).filter(([name]) => gate(name))
  return gated.length === 0 ? role : { ...role, rules: [...(role.rules ?? []), ...gated.flatMap(([, rules]) => rules)] }
}

function roleObject(kind: 'ClusterRole' | 'Role', name: string, role: DefaultRole, namespace?: string): DefaultObject {
  const { rules, aggregates, adds } = role
  const object = {
    apiVersion: `${group}/v1`,
    kind,
    metadata: metadataOf(name, namespace, adds),
    ...(rules ? { rules: rules.map(ruleOf) } : {}),
    ...(aggregates ? { aggregationRule: { clusterRoleSelectors: words(aggregates).map(selectorOf) } } : {}),
  }
  return { resource: kind === 'Role' ? 'roles' : 'clusterroles', object }
}

function bindingObject(name: string, [role, ...subjects]: DefaultBinding, namespace?: string): DefaultObject {
  const object = {
    apiVersion: `${group}/v1`,
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    metadata: metadataOf(name, namespace),
    ...(subjects.length > 0 ? { subjects: subjects.map(subjectOf) } : {}),
    roleRef: { apiGroup: group, kind: namespace === undefined ? 'ClusterRole' : 'Role', name: role },
  }
  return { resource: namespace === undefined ? 'clusterrolebindings' : 'rolebindings', object }
}

function metadataOf(name: string, namespace: string | undefined, adds = ''): ApiObject['metadata'] {
  const labels = Object.fromEntries(words(adds).map((role) => [aggregationLabel(role), 'true']))
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: { [autoupdate]: 'true' },
  }
}

function ruleOf([verbs, second, resources, names]: DefaultRule): PolicyRule {
  if (resources === undefined) return { verbs: words(verbs), nonResourceURLs: words(second) }
  return {
    verbs: words(verbs),
    apiGroups: words(second).map((each) => (each === 'core' ? '' : each)),
    resources: words(resources),
    ...(names === undefined ? {} : { resourceNames: words(names) }),
  }
}

function selectorOf(role: string): { matchLabels: Record<string, string> } {
  return { matchLabels: { [aggregationLabel(role)]: 'true' } }
}

function aggregationLabel(role: string): string {
  return `${group}/aggregate-to-${role}`
}

function subjectOf(text: string): Subject {
  const [kind = '', who = ''] = text.split(' ')
  if (kind === 'account') {
    const [namespace = '', name = ''] = who.split('/')
    return { kind: 'ServiceAccount', namespace, name }
  }
  return { kind: kind === 'user' ? 'User' : 'Group', apiGroup: group, name: who }
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ')
}

/** On a default object, `false` disables its reconciliation. */
export const autoupdate = 'rbac.authorization.kubernetes.io/autoupdate'
