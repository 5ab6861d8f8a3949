import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const schedulingV1alpha2: GroupVersionTable = {
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  protoPackage: 'k8s.io.api.scheduling.v1alpha2',
  types: {
    BasicSchedulingPolicy: {
      fields: {},
    },
    GangSchedulingPolicy: {
      fields: {
        minCount: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', rules: ['required', 'minimum=1'] },
      },
    },
    PodGroup: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'PodGroupSpec', omit: 'never', required: true },
        status: { n: 3, type: 'PodGroupStatus' },
      },
    },
    PodGroupList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]PodGroup', omit: 'never', required: true },
      },
    },
    PodGroupResourceClaim: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-short-name'] },
        resourceClaimName: { n: 2, type: '*string', rules: ['optional', 'unionMember', 'format=k8s-long-name'] },
        resourceClaimTemplateName: { n: 3, type: '*string', rules: ['optional', 'unionMember', 'format=k8s-long-name'] },
      },
    },
    PodGroupResourceClaimStatus: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        resourceClaimName: { n: 2, type: '*string', rules: ['optional', 'format=k8s-long-name'] },
      },
    },
    PodGroupSchedulingConstraints: {
      fields: {
        topology: { n: 1, type: '[]TopologyConstraint', list: 'atomic', rules: ['optional', 'maxItems=1', 'listType=atomic'] },
      },
    },
    PodGroupSchedulingPolicy: {
      unions: [{ fields: { basic: 'Basic', gang: 'Gang' } }],
      fields: {
        basic: { n: 1, type: '*BasicSchedulingPolicy', rules: ['optional', 'unionMember'] },
        gang: { n: 2, type: '*GangSchedulingPolicy', rules: ['optional', 'unionMember'] },
      },
    },
    PodGroupSpec: {
      fields: {
        podGroupTemplateRef: { n: 1, type: '*PodGroupTemplateReference', omit: 'never', rules: ['optional', 'immutable'] },
        schedulingPolicy: { n: 2, type: 'PodGroupSchedulingPolicy', omit: 'never', required: true, rules: ['immutable'] },
        schedulingConstraints: { n: 3, type: '*PodGroupSchedulingConstraints', gate: ['TopologyAwareWorkloadScheduling'], rules: ['ifDisabled(TopologyAwareWorkloadScheduling)=forbidden', 'ifEnabled(TopologyAwareWorkloadScheduling)=optional', 'ifEnabled(TopologyAwareWorkloadScheduling)=immutable'] },
        resourceClaims: { n: 4, type: '[]PodGroupResourceClaim', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DRAWorkloadResourceClaims'], rules: ['optional', 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable'] },
        disruptionMode: { n: 5, type: '*string', default: 'Pod', alias: 'DisruptionMode', enum: ['Pod', 'PodGroup'], gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=immutable'] },
        priorityClassName: { n: 6, type: 'string', gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=format=k8s-long-name', 'ifEnabled("WorkloadAwarePreemption")=immutable'] },
        priority: { n: 7, type: '*int32', format: 'int32', gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=immutable', 'ifEnabled("WorkloadAwarePreemption")=maximum=1000000000 # HighestUserDefinablePriority', 'ifEnabled("WorkloadAwarePreemption")=minimum=-2147483648'] },
      },
    },
    PodGroupStatus: {
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
        resourceClaimStatuses: { n: 2, type: '[]PodGroupResourceClaimStatus', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DRAWorkloadResourceClaims'], rules: ['optional', 'listType=map', 'listMapKey=name', 'maxItems=4'] },
      },
    },
    PodGroupTemplate: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-short-name'] },
        schedulingPolicy: { n: 2, type: 'PodGroupSchedulingPolicy', omit: 'never', required: true },
        schedulingConstraints: { n: 3, type: '*PodGroupSchedulingConstraints', omit: 'never', gate: ['TopologyAwareWorkloadScheduling'], rules: ['ifDisabled(TopologyAwareWorkloadScheduling)=forbidden', 'ifEnabled(TopologyAwareWorkloadScheduling)=optional'] },
        resourceClaims: { n: 4, type: '[]PodGroupResourceClaim', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DRAWorkloadResourceClaims'], rules: ['optional', 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable'] },
        disruptionMode: { n: 5, type: '*string', alias: 'DisruptionMode', enum: ['Pod', 'PodGroup'], gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional'] },
        priorityClassName: { n: 6, type: 'string', gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=format=k8s-long-name'] },
        priority: { n: 7, type: '*int32', format: 'int32', gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=maximum=1000000000 # HighestUserDefinablePriority', 'ifEnabled("WorkloadAwarePreemption")=minimum=-2147483648'] },
      },
    },
    PodGroupTemplateReference: {
      unions: [{ fields: { workload: 'Workload' } }],
      fields: {
        workload: { n: 1, type: '*WorkloadPodGroupTemplateReference', omit: 'never', rules: ['optional', 'unionMember'] },
      },
    },
    TopologyConstraint: {
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-label-key'] },
      },
    },
    TypedLocalObjectReference: {
      fields: {
        apiGroup: { n: 1, type: 'string', rules: ['optional', 'format=k8s-long-name'] },
        kind: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-path-segment-name'] },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-path-segment-name'] },
      },
    },
    Workload: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'WorkloadSpec', omit: 'never', required: true },
      },
    },
    WorkloadList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]Workload', omit: 'never', required: true },
      },
    },
    WorkloadPodGroupTemplateReference: {
      fields: {
        workloadName: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-long-name'] },
        podGroupTemplateName: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-short-name'] },
      },
    },
    WorkloadSpec: {
      fields: {
        controllerRef: { n: 1, type: '*TypedLocalObjectReference', rules: ['optional', 'immutable'] },
        podGroupTemplates: { n: 2, type: '[]PodGroupTemplate', omit: 'never', required: true, list: 'map', keys: ['name'], rules: ['required', 'listType=map', 'listMapKey=name', 'maxItems=8', 'immutable'] },
      },
    },
  },
  resources: {
    podgroups: {
      kind: 'PodGroup',
      singular: 'podgroup',
      listKind: 'PodGroupList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1alpha2',
      storagePrefix: 'podgroups',
      storageVersionHash: 'YYgX3v5V204=',
      served: false,
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'PodGroup', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
    workloads: {
      kind: 'Workload',
      singular: 'workload',
      listKind: 'WorkloadList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1alpha2',
      storagePrefix: 'workloads',
      storageVersionHash: 'vSX7gJe5Mx8=',
      served: false,
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
    },
  },
}
