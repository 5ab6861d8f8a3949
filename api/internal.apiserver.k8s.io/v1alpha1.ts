import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const internalV1alpha1: GroupVersionTable = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.apiserverinternal.v1alpha1',
  types: {
    ServerStorageVersion: {
      fields: {
        apiServerID: { n: 1, type: 'string', required: true },
        encodingVersion: { n: 2, type: 'string', required: true },
        decodableVersions: { n: 3, type: '[]string', required: true, list: 'set' },
        servedVersions: { n: 4, type: '[]string', list: 'set' },
      },
    },
    StorageVersion: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', required: true },
        spec: { n: 2, type: 'StorageVersionSpec', omit: 'never' },
        status: { n: 3, type: 'StorageVersionStatus', omit: 'never' },
      },
    },
    StorageVersionCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'StorageVersionConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        observedGeneration: { n: 3, type: 'int64', format: 'int64' },
        lastTransitionTime: { n: 4, type: 'Time' },
        reason: { n: 5, type: 'string', omit: 'never', required: true, default: '' },
        message: { n: 6, type: 'string', required: true },
      },
    },
    StorageVersionList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]StorageVersion', omit: 'never', required: true },
      },
    },
    StorageVersionSpec: {
      fields: {},
    },
    StorageVersionStatus: {
      fields: {
        storageVersions: { n: 1, type: '[]ServerStorageVersion', list: 'map', keys: ['apiServerID'] },
        commonEncodingVersion: { n: 2, type: '*string' },
        conditions: { n: 3, type: '[]StorageVersionCondition', list: 'map', keys: ['type'] },
      },
    },
  },
  resources: {
    storageversions: {
      kind: 'StorageVersion',
      singular: 'storageversion',
      listKind: 'StorageVersionList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1alpha1',
      storagePrefix: 'storageversions',
      storageVersionHash: 'c8YZt5U0nPk=',
      served: false,
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'StorageVersion', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
  },
}
