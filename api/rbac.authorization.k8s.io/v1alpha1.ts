import type { GroupVersionTable } from '../../lib/schema/index.ts'

/** Not served: roles and bindings that were stored in this version. */
export const rbacAuthorizationV1alpha1: GroupVersionTable = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.rbac.v1alpha1',
  types: {
    ClusterRole: {
      doc: 'A set of permissions for cluster-wide objects, or to grant in single namespaces.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        rules: { n: 2, type: '[]PolicyRule', omit: 'never', list: 'atomic', doc: 'Permissions of the role.' },
        aggregationRule: { n: 3, type: '*rbac.authorization.k8s.io/v1.AggregationRule', doc: 'Fills rules from other cluster roles; rules set by hand are then overwritten.' },
      },
    },
    ClusterRoleBinding: {
      doc: 'Grants a cluster role to subjects, in every namespace and on cluster-wide objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        subjects: { n: 2, type: '[]Subject', list: 'atomic', doc: 'Subjects that get the role.' },
        roleRef: { n: 3, type: 'rbac.authorization.k8s.io/v1.RoleRef', omit: 'never', required: true, doc: 'The cluster role that is granted. Cannot be changed.' },
      },
    },
    PolicyRule: {
      doc: 'Permission for some verbs on some resources, or on some paths. Rules only add permissions.',
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Verbs that are allowed; * is all of them.' },
        apiGroups: { n: 3, type: '[]string', list: 'atomic', doc: 'API groups of the resources; "" is core and * is all of them.' },
        resources: { n: 4, type: '[]string', list: 'atomic', doc: 'Resources by plural name, or resource/subresource; * is all of them.' },
        resourceNames: { n: 5, type: '[]string', list: 'atomic', doc: 'Restricts the rule to objects of these names; empty allows any name.' },
        nonResourceURLs: { n: 6, type: '[]string', list: 'atomic', doc: 'Paths outside of resources; a trailing * matches any rest. Only in cluster roles.' },
      },
    },
    Role: {
      doc: 'A set of permissions within one namespace.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        rules: { n: 2, type: '[]PolicyRule', omit: 'never', list: 'atomic', doc: 'Permissions of the role.' },
      },
    },
    RoleBinding: {
      doc: 'Grants a role to subjects within its own namespace.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        subjects: { n: 2, type: '[]Subject', list: 'atomic', doc: 'Subjects that get the role; the list is replaced as a whole in a merge.' },
        roleRef: { n: 3, type: 'rbac.authorization.k8s.io/v1.RoleRef', omit: 'never', required: true, doc: 'Role of the same namespace, or cluster role, that is granted. Cannot be changed.' },
      },
    },
    Subject: {
      doc: 'A user, group or service account that a binding grants a role to.',
      map: 'atomic',
      fields: {
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'User, Group or ServiceAccount; any other makes the authorizer report an error.' },
        apiVersion: { n: 2, type: 'string', doc: 'Group and version of its kind.' },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the subject.' },
        namespace: { n: 4, type: 'string', doc: 'Namespace of a service account; must be empty for a user or group.' },
      },
    },
  },
}
