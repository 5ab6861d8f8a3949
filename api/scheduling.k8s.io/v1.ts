import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const schedulingV1: GroupVersionTable = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.scheduling.v1',
  types: {
    PriorityClass: {
      doc: 'A named priority for pods.',
      kind: true,
      earlierVersions: ['v1beta1', 'v1alpha1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        value: { n: 2, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: "The priority; at most 1000000000 but for the system's own classes. Cannot be changed." },
        globalDefault: { n: 3, type: 'bool', doc: 'Pods that name no class get this one; at most one class should have it. Defaults to false.' },
        description: { n: 4, type: 'string', doc: 'When to use the class, for people.' },
        preemptionPolicy: { n: 5, type: '*string', alias: 'PreemptionPolicy', enum: ['Never', 'PreemptLowerPriority'], doc: 'Whether pods of the class may evict others: PreemptLowerPriority (the default) or Never.' },
      },
    },
    PriorityClassList: {
      doc: 'A list of PriorityClass objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]PriorityClass', omit: 'never', required: true, doc: 'The objects.' },
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
