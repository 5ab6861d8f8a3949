import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const storagemigrationV1alpha1: GroupVersionTable = {
  group: 'storagemigration.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.storagemigration.v1alpha1',
  types: {
    GroupVersionResource: {
      doc: 'Names a resource in a version.',
      fields: {
        group: { n: 1, type: 'string', doc: 'Its group; empty is core.' },
        version: { n: 2, type: 'string', doc: 'Version in which the objects are read and written.' },
        resource: { n: 3, type: 'string', doc: 'Its name, in the plural.' },
      },
    },
    MigrationCondition: {
      doc: 'State of a migration at some point.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'MigrationConditionType', doc: 'Running, Succeeded or Failed.' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'True, False or Unknown.' },
        lastUpdateTime: { n: 3, type: 'Time', doc: 'When it was written last.' },
        reason: { n: 4, type: 'string', doc: 'Why it changed last, as one word.' },
        message: { n: 5, type: 'string', doc: 'The same for people.' },
      },
    },
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
        items: { n: 2, type: '[]StorageVersionMigration', omit: 'never', required: true, list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'The objects.' },
      },
    },
    StorageVersionMigrationSpec: {
      doc: 'One resource a migration.',
      fields: {
        resource: { n: 1, type: 'GroupVersionResource', omit: 'never', required: true, doc: 'The resource. Cannot be changed.' },
        continueToken: { n: 2, type: 'string', doc: 'Where the next list begins; shows the progress of a running migration.' },
      },
    },
    StorageVersionMigrationStatus: {
      doc: 'Written by the controller that rewrites the objects.',
      fields: {
        conditions: { n: 1, type: '[]MigrationCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: 'Present state of the migration: Running, Succeeded or Failed.' },
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
      introduced: '1.30',
      deprecated: '1.33',
      removed: '1.36',
      replacement: 'storagemigration.k8s.io/v1beta1 StorageVersionMigration',
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
