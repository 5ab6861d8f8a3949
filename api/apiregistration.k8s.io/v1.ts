import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiregistrationV1: GroupVersionTable = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.kube_aggregator.pkg.apis.apiregistration.v1',
  types: {
    APIService: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'APIServiceSpec' },
        status: { n: 3, type: 'APIServiceStatus' },
      },
    },
    APIServiceCondition: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'APIServiceConditionType' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus' },
        lastTransitionTime: { n: 3, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
      },
    },
    APIServiceList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]APIService', omit: 'never', required: true },
      },
    },
    APIServiceSpec: {
      fields: {
        service: { n: 1, type: '*ServiceReference' },
        group: { n: 2, type: 'string' },
        version: { n: 3, type: 'string' },
        insecureSkipTLSVerify: { n: 4, type: 'bool' },
        caBundle: { n: 5, type: 'bytes', list: 'atomic', format: 'byte' },
        groupPriorityMinimum: { n: 7, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        versionPriority: { n: 8, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
      },
    },
    APIServiceStatus: {
      fields: {
        conditions: { n: 1, type: '[]APIServiceCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      },
    },
    ServiceReference: {
      fields: {
        namespace: { n: 1, type: 'string' },
        name: { n: 2, type: 'string' },
        port: { n: 3, type: '*int32', format: 'int32' },
      },
    },
  },
  resources: {
    apiservices: {
      kind: 'APIService',
      singular: 'apiservice',
      listKind: 'APIServiceList',
      namespaced: false,
      categories: ['api-extensions'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'apiregistration.k8s.io/apiservices',
      storageVersionHash: 'InPBPD7+PqM=',
      introduced: '1.10',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'APIService', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
