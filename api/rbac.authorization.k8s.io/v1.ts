import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const rbacAuthorizationV1: GroupVersionTable = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.rbac.v1',
  types: {
    AggregationRule: {
      fields: {
        clusterRoleSelectors: { n: 1, type: '[]meta/v1.LabelSelector', list: 'atomic' },
      },
    },
    ClusterRole: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        rules: { n: 2, type: '[]PolicyRule', omit: 'never', list: 'atomic', rules: ['optional @alpha 1.36'] },
        aggregationRule: { n: 3, type: '*AggregationRule' },
      },
    },
    ClusterRoleBinding: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        subjects: { n: 2, type: '[]Subject', list: 'atomic', rules: ['optional @alpha 1.36'] },
        roleRef: { n: 3, type: 'RoleRef', omit: 'never', required: true },
      },
    },
    ClusterRoleBindingList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ClusterRoleBinding', omit: 'never', required: true },
      },
    },
    ClusterRoleList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ClusterRole', omit: 'never', required: true },
      },
    },
    PolicyRule: {
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'atomic', rules: ['required @alpha 1.36'] },
        apiGroups: { n: 2, type: '[]string', list: 'atomic' },
        resources: { n: 3, type: '[]string', list: 'atomic' },
        resourceNames: { n: 4, type: '[]string', list: 'atomic' },
        nonResourceURLs: { n: 5, type: '[]string', list: 'atomic' },
      },
    },
    Role: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        rules: { n: 2, type: '[]PolicyRule', omit: 'never', list: 'atomic', rules: ['optional @alpha 1.36'] },
      },
    },
    RoleBinding: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        subjects: { n: 2, type: '[]Subject', list: 'atomic', rules: ['optional @alpha 1.36'] },
        roleRef: { n: 3, type: 'RoleRef', omit: 'never', required: true },
      },
    },
    RoleBindingList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]RoleBinding', omit: 'never', required: true },
      },
    },
    RoleList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]Role', omit: 'never', required: true },
      },
    },
    RoleRef: {
      map: 'atomic',
      fields: {
        apiGroup: { n: 1, type: 'string', omit: 'never', default: '' },
        kind: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'] },
      },
    },
    Subject: {
      map: 'atomic',
      fields: {
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        apiGroup: { n: 2, type: 'string' },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'] },
        namespace: { n: 4, type: 'string' },
      },
    },
  },
  resources: {
    clusterrolebindings: {
      kind: 'ClusterRoleBinding',
      singular: 'clusterrolebinding',
      listKind: 'ClusterRoleBindingList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'clusterrolebindings',
      storageVersionHash: '48tpQ8gZHFc=',
      introduced: '1.8',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      createOnUpdate: true,
    },
    clusterroles: {
      kind: 'ClusterRole',
      singular: 'clusterrole',
      listKind: 'ClusterRoleList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'clusterroles',
      storageVersionHash: 'bYE5ZWDrJ44=',
      introduced: '1.8',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      createOnUpdate: true,
    },
    rolebindings: {
      kind: 'RoleBinding',
      singular: 'rolebinding',
      listKind: 'RoleBindingList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'rolebindings',
      storageVersionHash: 'eGsCzGH6b1g=',
      introduced: '1.8',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      createOnUpdate: true,
    },
    roles: {
      kind: 'Role',
      singular: 'role',
      listKind: 'RoleList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'roles',
      storageVersionHash: '7FuwZcIIItM=',
      introduced: '1.8',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      createOnUpdate: true,
    },
  },
}
