import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const policyV1: GroupVersionTable = {
  group: 'policy',
  version: 'v1',
  protoPackage: 'k8s.io.api.policy.v1',
  types: {
    Eviction: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        deleteOptions: { n: 2, type: '*meta/v1.DeleteOptions' },
      },
    },
    PodDisruptionBudget: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'PodDisruptionBudgetSpec' },
        status: { n: 3, type: 'PodDisruptionBudgetStatus' },
      },
    },
    PodDisruptionBudgetList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]PodDisruptionBudget', omit: 'never', required: true },
      },
    },
    PodDisruptionBudgetSpec: {
      fields: {
        minAvailable: { n: 1, type: '*IntOrString' },
        selector: { n: 2, type: '*meta/v1.LabelSelector', patch: 'replace' },
        maxUnavailable: { n: 3, type: '*IntOrString' },
        unhealthyPodEvictionPolicy: { n: 4, type: '*string', alias: 'UnhealthyPodEvictionPolicyType', enum: ['AlwaysAllow', 'IfHealthyBudget'] },
      },
    },
    PodDisruptionBudgetStatus: {
      fields: {
        observedGeneration: { n: 1, type: 'int64', format: 'int64' },
        disruptedPods: { n: 2, type: 'map[string]Time' },
        disruptionsAllowed: { n: 3, type: 'int32', omit: 'never', default: 0, format: 'int32' },
        currentHealthy: { n: 4, type: 'int32', omit: 'never', default: 0, format: 'int32' },
        desiredHealthy: { n: 5, type: 'int32', omit: 'never', default: 0, format: 'int32' },
        expectedPods: { n: 6, type: 'int32', omit: 'never', default: 0, format: 'int32' },
        conditions: { n: 7, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      },
    },
  },
  resources: {
    poddisruptionbudgets: {
      kind: 'PodDisruptionBudget',
      singular: 'poddisruptionbudget',
      listKind: 'PodDisruptionBudgetList',
      namespaced: true,
      shortNames: ['pdb'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'poddisruptionbudgets',
      storageVersionHash: 'EVWiDmWqyJw=',
      introduced: '1.21',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
      resetFields: { '': ['status'], status: ['spec'] },
      subresources: {
        status: { kind: 'PodDisruptionBudget', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
