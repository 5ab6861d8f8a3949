import type * as rbac from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import {
  type ApiObject,
  deepEqual,
  type FieldError,
  FieldPath,
  fieldErrors,
  validateDns1123Subdomain,
  validatePathSegmentName,
} from '../../object/index.ts'
import { checkFormat, checkPresent, checkSupported } from '../check.ts'
import type { Column, Strategy } from '../definition.ts'
import { ageColumn, nameColumn, textColumn } from '../meta/columns.ts'

/** A RoleBinding or ClusterRoleBinding: both have the same fields. */
type Binding = rbac.RoleBinding

const rbacGroup = 'rbac.authorization.k8s.io'
const of = (object: ApiObject): Binding => object as Binding

export function defaultBinding(object: ApiObject): void {
  const { roleRef, subjects } = of(object)
  roleRef.apiGroup ||= rbacGroup
  for (const subject of subjects ?? [])
    if (subject.kind === 'User' || subject.kind === 'Group') subject.apiGroup ||= rbacGroup
}

/** `roleKinds`: the kinds to which the binding may refer. */
export function bindingStrategy(options: { namespaced: boolean; roleKinds: readonly string[] }): Strategy {
  const validate = (object: ApiObject): FieldError[] => {
    const errors: FieldError[] = []
    checkRoleRef(errors, of(object).roleRef, options.roleKinds, FieldPath.root('roleRef'))
    const subjects = FieldPath.root('subjects')
    of(object).subjects?.forEach((subject, index) =>
      checkSubject(errors, subject, options.namespaced, subjects.index(index)),
    )
    return errors
  }
  return {
    validateCreate: validate,
    validateUpdate(object, old) {
      const errors = validate(object)
      const { roleRef } = of(object)
      if (!deepEqual(roleRef, of(old).roleRef)) {
        const shown = { APIGroup: roleRef.apiGroup, Kind: roleRef.kind, Name: roleRef.name }
        errors.push(fieldErrors.invalid('roleRef', shown, 'cannot change roleRef'))
      }
      return errors
    },
  }
}

function checkRoleRef(
  errors: FieldError[],
  { apiGroup, kind, name }: rbac.RoleRef,
  kinds: readonly string[],
  path: FieldPath,
): void {
  checkSupported(errors, apiGroup, path.child('apiGroup'), [rbacGroup])
  checkSupported(errors, kind, path.child('kind'), kinds)
  if (checkPresent(errors, name, path.child('name')))
    checkFormat(errors, name, path.child('name'), validatePathSegmentName)
}

function checkSubject(errors: FieldError[], subject: rbac.Subject, namespaced: boolean, path: FieldPath): void {
  const { kind, name, apiGroup = '', namespace = '' } = subject
  checkPresent(errors, name, path.child('name'))
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') checkFormat(errors, name, path.child('name'), validateDns1123Subdomain)
      checkSupported(errors, apiGroup, path.child('apiGroup'), [''])
      // A namespaced binding defaults to its own namespace.
      if (!namespaced) checkPresent(errors, namespace, path.child('namespace'))
      break
    case 'User':
    case 'Group':
      checkSupported(errors, apiGroup, path.child('apiGroup'), [rbacGroup])
      break
    default:
      errors.push(fieldErrors.notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']))
  }
}

function subjectsColumn(name: string, description: string, kind: string): Column {
  const cell = (object: ApiObject): string =>
    (of(object).subjects ?? [])
      .filter((subject) => subject.kind === kind)
      .map((subject) => (kind === 'ServiceAccount' ? `${subject.namespace ?? ''}/${subject.name}` : subject.name))
      .join(', ')
  return textColumn(name, description, cell, 1)
}

export const bindingColumns: readonly Column[] = [
  nameColumn,
  textColumn('Role', 'The role that is granted.', (object) => `${of(object).roleRef.kind}/${of(object).roleRef.name}`),
  ageColumn,
  subjectsColumn('Users', 'Users that have the role.', 'User'),
  subjectsColumn('Groups', 'Groups that have the role.', 'Group'),
  subjectsColumn('ServiceAccounts', 'Service accounts that have the role.', 'ServiceAccount'),
]
