import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const schedulingV1alpha2: GroupVersionTable = {
  group: 'scheduling.k8s.io',
  version: 'v1alpha2',
  protoPackage: 'k8s.io.api.scheduling.v1alpha2',
  types: {
    BasicSchedulingPolicy: {
      doc: 'Pods of the group are scheduled one by one.',
      fields: {},
    },
    GangSchedulingPolicy: {
      doc: 'Prevents that some pods hold nodes while others find none.',
      fields: {
        minCount: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', rules: ['required', 'minimum=1'], doc: 'Number of pods that must fit at once before any is scheduled.' },
      },
    },
    PodGroup: {
      doc: 'A group of pods that are scheduled together.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'PodGroupSpec', omit: 'never', required: true, doc: 'How the group is scheduled.' },
        status: { n: 3, type: 'PodGroupStatus', doc: 'State of scheduling.' },
      },
    },
    PodGroupList: {
      doc: 'A list of PodGroup objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]PodGroup', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    PodGroupResourceClaim: {
      doc: 'A claim of devices that the pods of a group share; one of the two sources is set.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-short-name'], doc: 'Name of the claim within the group.' },
        resourceClaimName: { n: 2, type: '*string', rules: ['optional', 'unionMember', 'format=k8s-long-name'], doc: 'Name of a claim that exists in the namespace.' },
        resourceClaimTemplateName: { n: 3, type: '*string', rules: ['optional', 'unionMember', 'format=k8s-long-name'], doc: 'Template of a claim for this group; the claim is deleted with the group.' },
      },
    },
    PodGroupResourceClaimStatus: {
      doc: "The claim that was made for one of a group's resource claims.",
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the entry in spec.resourceClaims.' },
        resourceClaimName: { n: 2, type: '*string', rules: ['optional', 'format=k8s-long-name'], doc: 'Name of the claim; unset when none was needed.' },
      },
    },
    PodGroupSchedulingConstraints: {
      doc: 'All of them must be met.',
      fields: {
        topology: { n: 1, type: '[]TopologyConstraint', list: 'atomic', rules: ['optional', 'maxItems=1', 'listType=atomic'], doc: 'Topology domains that must hold all pods of the group.' },
      },
    },
    PodGroupSchedulingPolicy: {
      doc: 'How a group is scheduled; exactly one of the fields is set.',
      unions: [{ fields: { basic: 'Basic', gang: 'Gang' } }],
      fields: {
        basic: { n: 1, type: '*BasicSchedulingPolicy', rules: ['optional', 'unionMember'], doc: 'One by one, as without a group.' },
        gang: { n: 2, type: '*GangSchedulingPolicy', rules: ['optional', 'unionMember'], doc: 'Together or not at all.' },
      },
    },
    PodGroupSpec: {
      doc: 'Immutable.',
      fields: {
        podGroupTemplateRef: { n: 1, type: '*PodGroupTemplateReference', omit: 'never', rules: ['optional', 'immutable'], doc: 'Template that the group was made from.' },
        schedulingPolicy: { n: 2, type: 'PodGroupSchedulingPolicy', omit: 'never', required: true, rules: ['immutable'], doc: 'Whether the pods are scheduled one by one or together.' },
        schedulingConstraints: { n: 3, type: '*PodGroupSchedulingConstraints', gate: ['TopologyAwareWorkloadScheduling'], rules: ['ifDisabled(TopologyAwareWorkloadScheduling)=forbidden', 'ifEnabled(TopologyAwareWorkloadScheduling)=optional', 'ifEnabled(TopologyAwareWorkloadScheduling)=immutable'], doc: 'Where the pods may be placed.' },
        resourceClaims: { n: 4, type: '[]PodGroupResourceClaim', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DRAWorkloadResourceClaims'], rules: ['optional', 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable'], doc: 'Claims of devices that the pods share.' },
        disruptionMode: { n: 5, type: '*string', default: 'Pod', alias: 'DisruptionMode', enum: ['Pod', 'PodGroup'], gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=immutable'], doc: 'Unit of preemption: a single Pod (the default) or the whole PodGroup.' },
        priorityClassName: { n: 6, type: 'string', gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=format=k8s-long-name', 'ifEnabled("WorkloadAwarePreemption")=immutable'], doc: 'Priority class of the group.' },
        priority: { n: 7, type: '*int32', format: 'int32', gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=immutable', 'ifEnabled("WorkloadAwarePreemption")=maximum=1000000000 # HighestUserDefinablePriority', 'ifEnabled("WorkloadAwarePreemption")=minimum=-2147483648'], doc: 'Priority of the group; set from the class.' },
      },
    },
    PodGroupStatus: {
      doc: 'Reported by the scheduler.',
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the group's state, such as PodGroupScheduled." },
        resourceClaimStatuses: { n: 2, type: '[]PodGroupResourceClaimStatus', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DRAWorkloadResourceClaims'], rules: ['optional', 'listType=map', 'listMapKey=name', 'maxItems=4'], doc: 'Claims that were made from templates for this group.' },
      },
    },
    PodGroupTemplate: {
      doc: 'A template of pod groups.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-short-name'], doc: 'Name of the template, unique in the workload.' },
        schedulingPolicy: { n: 2, type: 'PodGroupSchedulingPolicy', omit: 'never', required: true, doc: 'Whether the pods are scheduled one by one or together.' },
        schedulingConstraints: { n: 3, type: '*PodGroupSchedulingConstraints', omit: 'never', gate: ['TopologyAwareWorkloadScheduling'], rules: ['ifDisabled(TopologyAwareWorkloadScheduling)=forbidden', 'ifEnabled(TopologyAwareWorkloadScheduling)=optional'], doc: 'Where the pods may be placed.' },
        resourceClaims: { n: 4, type: '[]PodGroupResourceClaim', list: 'map', keys: ['name'], patch: 'merge,retainKeys', patchKey: 'name', gate: ['DRAWorkloadResourceClaims'], rules: ['optional', 'listType=map', 'listMapKey=name', 'maxItems=4', 'immutable'], doc: 'Claims of devices that the pods share.' },
        disruptionMode: { n: 5, type: '*string', alias: 'DisruptionMode', enum: ['Pod', 'PodGroup'], gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional'], doc: 'Unit of preemption: a single Pod (the default) or the whole PodGroup.' },
        priorityClassName: { n: 6, type: 'string', gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=format=k8s-long-name'], doc: 'Priority class of the group.' },
        priority: { n: 7, type: '*int32', format: 'int32', gate: ['WorkloadAwarePreemption'], rules: ['ifDisabled("WorkloadAwarePreemption")=forbidden', 'ifEnabled("WorkloadAwarePreemption")=optional', 'ifEnabled("WorkloadAwarePreemption")=maximum=1000000000 # HighestUserDefinablePriority', 'ifEnabled("WorkloadAwarePreemption")=minimum=-2147483648'], doc: 'Priority of the group; set from the class.' },
      },
    },
    PodGroupTemplateReference: {
      doc: 'For information: later changes of the template do not affect the group.',
      unions: [{ fields: { workload: 'Workload' } }],
      fields: {
        workload: { n: 1, type: '*WorkloadPodGroupTemplateReference', omit: 'never', rules: ['optional', 'unionMember'], doc: 'A template of a workload.' },
      },
    },
    TopologyConstraint: {
      doc: 'A topology domain that must hold all pods of a group.',
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-label-key'], doc: 'Node label; nodes with the same value are one domain.' },
      },
    },
    TypedLocalObjectReference: {
      doc: 'Names an object of any kind in the same namespace.',
      fields: {
        apiGroup: { n: 1, type: 'string', rules: ['optional', 'format=k8s-long-name'], doc: 'API group of the object; empty is core.' },
        kind: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-path-segment-name'], doc: 'Kind of the object.' },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-path-segment-name'], doc: 'Name of the object.' },
      },
    },
    Workload: {
      doc: 'Groups of pods that belong together, as templates for scheduling them.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'WorkloadSpec', omit: 'never', required: true, doc: 'The groups.' },
      },
    },
    WorkloadList: {
      doc: 'A list of Workload objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]Workload', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    WorkloadPodGroupTemplateReference: {
      doc: 'The workload is in the namespace of the group.',
      fields: {
        workloadName: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-long-name'], doc: 'Name of the workload.' },
        podGroupTemplateName: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-short-name'], doc: 'Name of the template within it.' },
      },
    },
    WorkloadSpec: {
      doc: 'Each template can be used for any number of groups.',
      fields: {
        controllerRef: { n: 1, type: '*TypedLocalObjectReference', rules: ['optional', 'immutable'], doc: 'The object that the workload is for, such as a job; for information.' },
        podGroupTemplates: { n: 2, type: '[]PodGroupTemplate', omit: 'never', required: true, list: 'map', keys: ['name'], rules: ['required', 'listType=map', 'listMapKey=name', 'maxItems=8', 'immutable'], doc: 'Templates of the groups. Cannot be changed.' },
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
