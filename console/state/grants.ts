/** Rules of a role, as RBAC objects hold them. */
export interface PolicyRule {
  readonly verbs?: readonly string[]
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly resourceNames?: readonly string[]
}

export interface Role {
  /** `ClusterRole` or `Role`. */
  readonly kind: string
  readonly name: string
  readonly rules: readonly PolicyRule[]
}

export interface Binding {
  readonly kind: string
  readonly name: string
  readonly roleKind: string
  readonly roleName: string
  readonly subjects: readonly { readonly kind?: string; readonly name?: string; readonly namespace?: string }[]
}

/** An action on one object. */
export interface Action {
  readonly verb: string
  readonly group: string
  readonly resource: string
  readonly name: string
}

export interface Grant {
  /** `User alice`, `ServiceAccount default/builder`. */
  readonly subject: string
  readonly binding: string
  readonly role: string
}

/** Who may do it by RBAC, and by which binding and role. Bindings are those of the object's namespace and of the cluster. */
export function grantsFor(action: Action, bindings: readonly Binding[], roles: readonly Role[]): Grant[] {
  return bindings.flatMap((binding) => {
    const role = roles.find(({ kind, name }) => kind === binding.roleKind && name === binding.roleName)
    if (!role?.rules.some((rule) => covers(rule, action))) return []
    return binding.subjects.map((subject) => ({
      subject: `${subject.kind ?? ''} ${subject.namespace === undefined ? '' : `${subject.namespace}/`}${subject.name ?? ''}`,
      binding: `${binding.kind} ${binding.name}`,
      role: `${role.kind} ${role.name}`,
    }))
  })
}

/** Whether the rule covers the action, as RBAC decides it. */
export function covers(rule: PolicyRule, { verb, group, resource, name }: Action): boolean {
  const has = (list: readonly string[] | undefined, value: string): boolean =>
    list !== undefined && (list.includes('*') || list.includes(value))
  const [, subresource] = resource.split('/')
  const ofAny = subresource !== undefined && (rule.resources?.includes(`*/${subresource}`) ?? false)
  const names = rule.resourceNames ?? []
  return (
    has(rule.verbs, verb) &&
    has(rule.apiGroups, group) &&
    (has(rule.resources, resource) || ofAny) &&
    (names.length === 0 || names.includes(name))
  )
}
