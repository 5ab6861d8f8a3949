import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const schedulingV1: GroupVersionTable = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.scheduling.v1',
  types: {
    PriorityClass: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        value: { n: 2, type: 'int32', omit: 'never', default: 0, format: 'int32' },
        globalDefault: { n: 3, type: 'bool' },
        description: { n: 4, type: 'string' },
        preemptionPolicy: { n: 5, type: '*string', alias: 'PreemptionPolicy', enum: ['Never', 'PreemptLowerPriority'] },
      },
    },
    PriorityClassList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]PriorityClass', omit: 'never', required: true },
      },
    },
  },
  resources: {
    priorityclasses: {
      kind: 'PriorityClass',
      singular: 'priorityclass',
      listKind: 'PriorityClassList',
      namespaced: false,
      shortNames: ['pc'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'priorityclasses',
      storageVersionHash: '1QwjyaZjj3Y=',
      introduced: '1.14',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
    },
  },
}
