import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const storagemigrationV1beta1: GroupVersionTable = {
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.storagemigration.v1beta1',
  types: {
    StorageVersionMigration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'StorageVersionMigrationSpec' },
        status: { n: 3, type: 'StorageVersionMigrationStatus' },
      },
    },
    StorageVersionMigrationList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]StorageVersionMigration', omit: 'never', required: true },
      },
    },
    StorageVersionMigrationSpec: {
      fields: {
        resource: { n: 1, type: 'meta/v1.GroupResource', omit: 'never', required: true },
      },
    },
    StorageVersionMigrationStatus: {
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
        resourceVersion: { n: 2, type: 'string' },
      },
    },
  },
  resources: {
    storageversionmigrations: {
      kind: 'StorageVersionMigration',
      singular: 'storageversionmigration',
      listKind: 'StorageVersionMigrationList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1beta1',
      storagePrefix: 'storageversionmigrations',
      storageVersionHash: 'pCjmmKOkLy4=',
      served: false,
      introduced: '1.35',
      deprecated: '1.38',
      removed: '1.41',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'StorageVersionMigration', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
  },
}
