import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const nodeV1: GroupVersionTable = {
  group: 'node.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.node.v1',
  types: {
    Overhead: {
      doc: 'Counts for scheduling and quotas, and limits the pod on its node.',
      fields: {
        podFixed: { n: 1, type: 'map[string]Quantity', doc: 'The resources, for each pod.' },
      },
    },
    RuntimeClass: {
      doc: 'A way to run containers, such as in a sandbox.',
      kind: true,
      earlierVersions: ['v1beta1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        handler: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['format="k8s-short-name" @alpha 1.36', 'immutable @alpha 1.36', 'required @alpha 1.36'], doc: 'Runtime handler of the nodes. Cannot be changed.' },
        overhead: { n: 3, type: '*Overhead', doc: 'Resources for running a pod; added to each pod of the class.' },
        scheduling: { n: 4, type: '*Scheduling', doc: 'Nodes that support the class; all when unset.' },
      },
    },
    RuntimeClassList: {
      doc: 'A list of RuntimeClass objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]RuntimeClass', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    Scheduling: {
      doc: 'Restricts pods of the class to these nodes.',
      fields: {
        nodeSelector: { n: 1, type: 'map[string]string', map: 'atomic', doc: 'Labels of the nodes; joined with the selector of the pod.' },
        tolerations: { n: 2, type: '[]core/v1.Toleration', list: 'atomic', doc: 'Tolerations to add to pods of the class.' },
      },
    },
  },
  resources: {
    runtimeclasses: {
      kind: 'RuntimeClass',
      singular: 'runtimeclass',
      listKind: 'RuntimeClassList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'runtimeclasses',
      storageVersionHash: 'WQTu1GL3T2Q=',
      introduced: '1.20',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      createOnUpdate: true,
      conditionalUpdateOnly: true,
    },
  },
}
