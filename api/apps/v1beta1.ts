import type { GroupVersionTable } from '../../lib/schema/index.ts'

/** Not served: deployments and daemon sets that releases before 1.16 stored. */
export const appsV1beta1: GroupVersionTable = {
  group: 'apps',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.apps.v1beta1',
  types: {
    DaemonSet: {
      doc: 'Keeps a pod running on every node, or on those that match.',
      kind: true,
      earlierVersions: ['extensions/v1beta1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'DaemonSetSpec', doc: 'Pods, and the nodes that run them.' },
        status: { n: 3, type: 'apps/v1.DaemonSetStatus', doc: 'State of the pods.' },
      },
    },
    DaemonSetSpec: {
      doc: 'Each node that the template matches gets one pod.',
      fields: {
        selector: { n: 1, type: '*meta/v1.LabelSelector', omit: 'never', required: true, doc: 'Selects the pods that belong to the set; must match the template. Cannot be changed.' },
        template: { n: 2, type: 'core/v1.PodTemplateSpec', omit: 'never', required: true, doc: 'Template of the pods, one on each matching node.' },
        updateStrategy: { n: 3, type: 'apps/v1.DaemonSetUpdateStrategy', doc: 'How pods are replaced after the template changed.' },
        minReadySeconds: { n: 4, type: 'int32', format: 'int32', doc: 'Seconds that a pod must be ready before it counts as available. Defaults to 0.' },
        templateGeneration: { n: 5, type: 'int64', format: 'int64', deprecated: true, doc: 'Counts the changes of the template.' },
        revisionHistoryLimit: { n: 6, type: '*int32', format: 'int32', doc: 'How many old revisions are kept for rolling back. Defaults to 10.' },
      },
    },
    Deployment: {
      doc: 'Keeps a number of equal pods running, and replaces them step by step when their template changes.',
      kind: true,
      earlierVersions: ['extensions/v1beta1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'DeploymentSpec', doc: 'Pods to keep running.' },
        status: { n: 3, type: 'apps/v1.DeploymentStatus', doc: 'State of the pods.' },
      },
    },
    DeploymentSpec: {
      doc: 'Each state of the template gets its own replica set.',
      fields: {
        replicas: { n: 1, type: '*int32', format: 'int32', doc: 'How many pods there should be. Defaults to 1.' },
        selector: { n: 2, type: '*meta/v1.LabelSelector', omit: 'never', required: true, doc: 'Selects the pods that belong to the deployment; must match the template. Cannot be changed.' },
        template: { n: 3, type: 'core/v1.PodTemplateSpec', omit: 'never', required: true, doc: 'Template of the pods; their restartPolicy must be Always.' },
        strategy: { n: 4, type: 'apps/v1.DeploymentStrategy', patch: 'retainKeys', doc: 'How pods are replaced after the template changed.' },
        minReadySeconds: { n: 5, type: 'int32', format: 'int32', doc: 'Seconds that a pod must be ready before it counts as available. Defaults to 0.' },
        revisionHistoryLimit: { n: 6, type: '*int32', format: 'int32', doc: 'How many old replica sets are kept for rolling back. Defaults to 10.' },
        paused: { n: 7, type: 'bool', doc: 'Ignores changes of the template until it is false again. Defaults to false.' },
        rollbackTo: { n: 8, type: '*RollbackConfig', deprecated: true, doc: 'Requests an earlier template, once.' },
        progressDeadlineSeconds: { n: 9, type: '*int32', format: 'int32', doc: 'Seconds without progress after which the deployment counts as failed. Defaults to 600.' },
      },
    },
    RollbackConfig: {
      doc: 'The template to roll back to.',
      fields: {
        revision: { n: 1, type: 'int64', format: 'int64', doc: 'Its revision; 0 is the last one.' },
      },
    },
  },
}
