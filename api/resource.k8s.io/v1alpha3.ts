import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const resourceV1alpha3: GroupVersionTable = {
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  protoPackage: 'k8s.io.api.resource.v1alpha3',
  types: {
    CELDeviceSelector: {
      doc: 'An error during evaluation stops the allocation.',
      fields: {
        expression: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'CEL over device (driver, attributes, capacity) that is true for matching devices.' },
      },
    },
    DeviceSelector: {
      doc: 'Selects devices; exactly one of the fields is set.',
      fields: {
        cel: { n: 1, type: '*CELDeviceSelector', doc: 'Selects by an expression.' },
      },
    },
    DeviceTaint: {
      doc: 'Repels claims that do not tolerate it from a device.',
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the taint.' },
        value: { n: 2, type: 'string', doc: 'Value of the taint.' },
        effect: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'DeviceTaintEffect', enum: ['NoExecute', 'NoSchedule', 'None'], rules: ['required'], doc: 'None, NoSchedule, or NoExecute, which also evicts pods that use the device.' },
        timeAdded: { n: 4, type: '*Time', doc: 'When the taint was added. Set by the server when unset.' },
      },
    },
    DeviceTaintRule: {
      doc: 'Taints all devices that match.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'DeviceTaintRuleSpec', omit: 'never', required: true, doc: 'The taint and the devices.' },
        status: { n: 3, type: 'DeviceTaintRuleStatus', doc: 'State of the rule.' },
      },
    },
    DeviceTaintRuleList: {
      doc: 'A list of DeviceTaintRule objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]DeviceTaintRule', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    DeviceTaintRuleSpec: {
      doc: 'The taint is in force as long as the rule exists.',
      fields: {
        deviceSelector: { n: 1, type: '*DeviceTaintSelector', doc: 'The devices; none when unset, all when empty.' },
        taint: { n: 2, type: 'DeviceTaint', required: true, doc: 'The taint.' },
      },
    },
    DeviceTaintRuleStatus: {
      doc: 'Progress of evictions.',
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the rule's state, such as EvictionInProgress." },
      },
    },
    DeviceTaintSelector: {
      doc: 'Selects devices; all fields that are set must match.',
      fields: {
        // Only in 1.33 and 1.34, hence not in v1beta2.
        deviceClassName: { n: 1, type: '*string', doc: 'Class whose selectors must match.' },
        driver: { n: 2, type: '*string', doc: 'Name of the driver.' },
        pool: { n: 3, type: '*string', doc: 'Name of the pool.' },
        device: { n: 4, type: '*string', doc: 'Name of the device in its pool.' },
        selectors: { n: 5, type: '[]DeviceSelector', list: 'atomic', doc: 'Expressions that must all be true of the device.' },
      },
    },
    PoolStatus: {
      doc: 'State of a pool.',
      fields: {
        driver: { n: 1, type: 'string', required: true, rules: ['required', 'format=k8s-long-name-caseless'], doc: 'Name of the driver.' },
        poolName: { n: 2, type: 'string', required: true, rules: ['required', 'format=k8s-resource-pool-name'], doc: 'Name of the pool.' },
        generation: { n: 9, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64', rules: ['required', 'minimum=0'], doc: 'Newest generation of the pool.' },
        resourceSliceCount: { n: 8, type: '*int32', format: 'int32', rules: ['optional', 'minimum=1'], doc: 'How many slices make up the pool.' },
        totalDevices: { n: 4, type: '*int32', format: 'int32', rules: ['optional', 'minimum=0'], doc: 'Devices in the pool.' },
        allocatedDevices: { n: 5, type: '*int32', format: 'int32', rules: ['optional', 'minimum=0'], doc: 'Devices that are allocated to claims.' },
        availableDevices: { n: 6, type: '*int32', format: 'int32', rules: ['optional', 'minimum=0'], doc: 'Devices that can be allocated.' },
        unavailableDevices: { n: 7, type: '*int32', format: 'int32', rules: ['optional', 'minimum=0'], doc: 'Devices that cannot be allocated, such as for their taints.' },
        nodeName: { n: 3, type: '*string', rules: ['optional', 'format=k8s-long-name'], doc: 'Node of the pool, when it is on one.' },
        validationError: { n: 10, type: '*string', rules: ['optional', 'maxBytes=256'], doc: 'Why the pool cannot be counted, such as that slices are missing.' },
      },
    },
    ResourcePoolStatusRequest: {
      doc: 'Requests the state of pools once; delete and create it again for another answer.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', required: true, doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ResourcePoolStatusRequestSpec', omit: 'never', required: true, rules: ['immutable'], doc: 'Requested pools. Cannot be changed.' },
        status: { n: 3, type: '*ResourcePoolStatusRequestStatus', rules: ['optional'], doc: 'The answer; unset until there is one.' },
      },
    },
    ResourcePoolStatusRequestList: {
      doc: 'A list of ResourcePoolStatusRequest objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ResourcePoolStatusRequest', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ResourcePoolStatusRequestSpec: {
      doc: 'Requested pools.',
      fields: {
        driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-long-name-caseless'], doc: 'Name of the driver.' },
        poolName: { n: 2, type: '*string', rules: ['optional', 'format=k8s-resource-pool-name'], doc: 'Name of the pool; all of the driver when unset.' },
        limit: { n: 3, type: '*int32', default: 100, format: 'int32', rules: ['optional', 'minimum=1', 'maximum=1000'], doc: 'Maximum number of pools in the answer. Defaults to 100.' },
      },
    },
    ResourcePoolStatusRequestStatus: {
      doc: 'State of pools.',
      fields: {
        poolCount: { n: 6, type: '*int32', required: true, format: 'int32', rules: ['required', 'minimum=0'], doc: 'How many pools match, also beyond the limit.' },
        pools: { n: 2, type: '[]PoolStatus', list: 'atomic', rules: ['optional', 'listType=atomic', 'maxItems=1000'], doc: 'The pools; at most limit.' },
        conditions: { n: 3, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', rules: ['optional', 'listType=map', 'listMapKey=type', 'maxItems=10'], doc: 'Whether the answer is complete or failed.' },
      },
    },
  },
  resources: {
    devicetaintrules: {
      kind: 'DeviceTaintRule',
      singular: 'devicetaintrule',
      listKind: 'DeviceTaintRuleList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1alpha3',
      storagePrefix: 'devicetaintrules',
      storageVersionHash: 'DJ3UJ0fj8MI=',
      served: false,
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'object',
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'DeviceTaintRule', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
    resourcepoolstatusrequests: {
      kind: 'ResourcePoolStatusRequest',
      singular: 'resourcepoolstatusrequest',
      listKind: 'ResourcePoolStatusRequestList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1alpha3',
      storagePrefix: 'resourcepoolstatusrequests',
      storageVersionHash: 'iy583CtMwdY=',
      served: false,
      introduced: '1.36',
      deprecated: '1.39',
      removed: '1.42',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'object',
      conditionalUpdateOnly: true,
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'ResourcePoolStatusRequest', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
  },
}
