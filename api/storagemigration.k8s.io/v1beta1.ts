import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const storagemigrationV1beta1: GroupVersionTable = {
  group: 'storagemigration.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.storagemigration.v1beta1',
  types: {
    StorageVersionMigration: {
      doc: 'Rewrites every object of a resource so that all are stored in the present version.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'StorageVersionMigrationSpec', doc: 'The resource to migrate.' },
        status: { n: 3, type: 'StorageVersionMigrationStatus', doc: 'State of the migration.' },
      },
    },
    StorageVersionMigrationList: {
      doc: 'A list of StorageVersionMigration objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]StorageVersionMigration', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    StorageVersionMigrationSpec: {
      doc: 'One resource a migration.',
      fields: {
        resource: { n: 1, type: 'meta/v1.GroupResource', omit: 'never', required: true, doc: 'The resource. Cannot be changed.' },
      },
    },
    StorageVersionMigrationStatus: {
      doc: 'Written by the controller that rewrites the objects.',
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'Present state of the migration: Running, Succeeded or Failed.' },
        resourceVersion: { n: 2, type: 'string', doc: 'Version of the store at the start; the caches must have reached it before objects are rewritten.' },
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
