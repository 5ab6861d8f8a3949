import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const internalV1alpha1: GroupVersionTable = {
  group: 'internal.apiserver.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.apiserverinternal.v1alpha1',
  types: {
    ServerStorageVersion: {
      doc: 'Versions of a resource that one server knows.',
      fields: {
        apiServerID: { n: 1, type: 'string', required: true, doc: 'Identifier of the server.' },
        encodingVersion: { n: 2, type: 'string', required: true, doc: 'Version that it stores objects in.' },
        decodableVersions: { n: 3, type: '[]string', required: true, list: 'set', doc: 'Versions that it can read from the store.' },
        servedVersions: { n: 4, type: '[]string', list: 'set', doc: 'Versions that it serves.' },
      },
    },
    StorageVersion: {
      doc: 'Versions of a resource over all servers; its name is <group>.<resource>.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', required: true, doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'StorageVersionSpec', omit: 'never', doc: 'Empty: everything is in the status.' },
        status: { n: 3, type: 'StorageVersionStatus', omit: 'never', doc: 'What the servers report.' },
      },
    },
    StorageVersionCondition: {
      doc: 'One aspect of a storage version, such as AllEncodingVersionsEqual.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'StorageVersionConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        observedGeneration: { n: 3, type: 'int64', format: 'int64', doc: 'Generation of the object that the condition was derived from.' },
        lastTransitionTime: { n: 4, type: 'Time', doc: 'When the status last changed from one value to another.' },
        reason: { n: 5, type: 'string', omit: 'never', required: true, default: '', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 6, type: 'string', required: true, doc: 'Details of the last change, for people.' },
      },
    },
    StorageVersionList: {
      doc: 'A list of StorageVersion objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]StorageVersion', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    StorageVersionSpec: {
      doc: 'It has no fields.',
      fields: {},
    },
    StorageVersionStatus: {
      doc: 'Each server reports for itself; the rest is derived from that.',
      fields: {
        storageVersions: { n: 1, type: '[]ServerStorageVersion', list: 'map', keys: ['apiServerID'], doc: 'One entry a server.' },
        commonEncodingVersion: { n: 2, type: '*string', doc: 'The version that all servers store objects in; unset when they differ.' },
        conditions: { n: 3, type: '[]StorageVersionCondition', list: 'map', keys: ['type'], doc: 'Aspects of the state over all servers.' },
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
