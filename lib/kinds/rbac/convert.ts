import type * as rbac from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import type * as former from '../../../api/gen/rbac.authorization.k8s.io/v1alpha1.ts'
import { type ApiObject, parseGroupVersion } from '../../object/index.ts'

const group = 'rbac.authorization.k8s.io'

/** The same binding as v1, whose subjects have a group instead of an apiVersion. */
export function bindingFromV1alpha1(object: ApiObject): ApiObject {
  const { subjects } = object as former.RoleBinding
  return subjects ? { ...object, subjects: subjects.map(subjectOf) } : object
}

function subjectOf({ kind, name, apiVersion = '', namespace }: former.Subject): rbac.Subject {
  const place = namespace === undefined ? {} : { namespace }
  if (kind === 'ServiceAccount') return { kind, name, ...place }
  // In this version it meant all authenticated users.
  if (kind === 'User' && name === '*') return { kind: 'Group', apiGroup: group, name: 'system:authenticated', ...place }
  const apiGroup = kind === 'User' || kind === 'Group' ? group : (parseGroupVersion(apiVersion)?.group ?? '')
  return { kind, name, ...(apiGroup === '' ? {} : { apiGroup }), ...place }
}
