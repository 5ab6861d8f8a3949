import type { Binding, Role } from '../state/grants.ts'
import { collectionPath, findKind, records, text } from './kinds.ts'
import { isRecord, readJson } from './session.ts'

const group = 'rbac.authorization.k8s.io'

interface Policies {
  readonly roles: readonly Role[]
  readonly bindings: readonly Binding[]
  /** False where the user may not list all of them. */
  readonly isComplete: boolean
}

/** The roles and bindings of the cluster and of the namespace. */
export async function readPolicies(namespace: string): Promise<Policies> {
  const lists = await Promise.all(
    (['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'] as const).map((resource) =>
      readAll(resource, namespace),
    ),
  )
  const [clusterRoles = [], clusterBindings = [], roles = [], bindings = []] = lists.map((list) => list ?? [])
  return {
    roles: [...clusterRoles.map(toRole('ClusterRole')), ...roles.map(toRole('Role'))],
    bindings: [...clusterBindings.map(toBinding('ClusterRoleBinding')), ...bindings.map(toBinding('RoleBinding'))],
    isComplete: !lists.includes(undefined),
  }
}

/** Undefined where the user may not list them. */
async function readAll(resource: string, namespace: string): Promise<Record<string, unknown>[] | undefined> {
  const kind = findKind(group, resource)
  if (!kind || (kind.namespaced && namespace === '')) return []
  return await readJson(collectionPath(kind, namespace)).then(
    ({ items }) => records(items),
    () => undefined,
  )
}

function nameOf({ metadata }: Record<string, unknown>): string {
  return isRecord(metadata) ? text(metadata['name']) : ''
}

function toRole(kind: string): (role: Record<string, unknown>) => Role {
  return (role) => ({ kind, name: nameOf(role), rules: records(role['rules']) })
}

function toBinding(kind: string): (binding: Record<string, unknown>) => Binding {
  return (binding) => {
    const roleRef = isRecord(binding['roleRef']) ? binding['roleRef'] : {}
    const subjects = records(binding['subjects'])
    return { kind, name: nameOf(binding), roleKind: text(roleRef['kind']), roleName: text(roleRef['name']), subjects }
  }
}
