import type { GroupVersionTable } from '../../lib/schema/index.ts'

/** Not served: runtime classes that were stored in this version. */
export const nodeV1alpha1: GroupVersionTable = {
  group: 'node.k8s.io',
  version: 'v1alpha1',
  protoPackage: 'k8s.io.api.node.v1alpha1',
  types: {
    RuntimeClass: {
      doc: 'A way to run containers, such as in a sandbox.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'RuntimeClassSpec', omit: 'never', required: true, doc: 'Runtime and its requirements.' },
      },
    },
    RuntimeClassSpec: {
      doc: 'The runtime, and its requirements.',
      fields: {
        runtimeHandler: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Runtime handler of the nodes.' },
        overhead: { n: 2, type: '*node.k8s.io/v1.Overhead', doc: 'Resources for running a pod.' },
        scheduling: { n: 3, type: '*node.k8s.io/v1.Scheduling', doc: 'Nodes that support the class; all when unset.' },
      },
    },
  },
}
