import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const policyV1: GroupVersionTable = {
  group: 'policy',
  version: 'v1',
  protoPackage: 'k8s.io.api.policy.v1',
  types: {
    Eviction: {
      doc: 'Requests the deletion of a pod, as far as disruption budgets allow.',
      kind: true,
      earlierVersions: ['v1beta1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name and namespace of the pod.' },
        deleteOptions: { n: 2, type: '*meta/v1.DeleteOptions', doc: 'Options of the deletion.' },
      },
    },
    PodDisruptionBudget: {
      doc: 'How many of a set of pods may be evicted at a time.',
      kind: true,
      earlierVersions: ['v1beta1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'PodDisruptionBudgetSpec', doc: 'The pods and the limit.' },
        status: { n: 3, type: 'PodDisruptionBudgetStatus', doc: 'How many may be evicted now.' },
      },
    },
    PodDisruptionBudgetList: {
      doc: 'A list of PodDisruptionBudget objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]PodDisruptionBudget', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    PodDisruptionBudgetSpec: {
      doc: 'Pods, and how many of them may be missing.',
      fields: {
        minAvailable: { n: 1, type: '*IntOrString', doc: 'Pods, by number or share, that must stay available; excludes maxUnavailable.' },
        selector: { n: 2, type: '*meta/v1.LabelSelector', patch: 'replace', doc: 'Selects the pods: none when unset, all of the namespace when empty.' },
        maxUnavailable: { n: 3, type: '*IntOrString', doc: 'Pods, by number or share, that may be missing; excludes minAvailable.' },
        unhealthyPodEvictionPolicy: { n: 4, type: '*string', alias: 'UnhealthyPodEvictionPolicyType', enum: ['AlwaysAllow', 'IfHealthyBudget'], doc: 'When pods that are not ready may be evicted: IfHealthyBudget (the default) or AlwaysAllow.' },
      },
    },
    PodDisruptionBudgetStatus: {
      doc: 'Updated whenever pods change.',
      fields: {
        observedGeneration: { n: 1, type: 'int64', format: 'int64', doc: 'Newest generation of the object that its controller has acted on.' },
        disruptedPods: { n: 2, type: 'map[string]Time', doc: 'Pods whose eviction was granted but is not observed yet, and when it was.' },
        disruptionsAllowed: { n: 3, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: 'How many pods may be evicted now.' },
        currentHealthy: { n: 4, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: 'Pods that are healthy.' },
        desiredHealthy: { n: 5, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: 'Healthy pods that are needed.' },
        expectedPods: { n: 6, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: 'Pods that the budget is for.' },
        conditions: { n: 7, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the budget's state, such as DisruptionAllowed." },
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
