import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const nodeV1: GroupVersionTable = {
  group: 'node.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.node.v1',
  types: {
    Overhead: {
      fields: {
        podFixed: { n: 1, type: 'map[string]Quantity' },
      },
    },
    RuntimeClass: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        handler: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['format="k8s-short-name" @alpha 1.36', 'immutable @alpha 1.36', 'required @alpha 1.36'] },
        overhead: { n: 3, type: '*Overhead' },
        scheduling: { n: 4, type: '*Scheduling' },
      },
    },
    RuntimeClassList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]RuntimeClass', omit: 'never', required: true },
      },
    },
    Scheduling: {
      fields: {
        nodeSelector: { n: 1, type: 'map[string]string', map: 'atomic' },
        tolerations: { n: 2, type: '[]core/v1.Toleration', list: 'atomic' },
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
