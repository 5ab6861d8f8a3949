import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const resourceV1alpha3: GroupVersionTable = {
  group: 'resource.k8s.io',
  version: 'v1alpha3',
  protoPackage: 'k8s.io.api.resource.v1alpha3',
  types: {
    CELDeviceSelector: {
      fields: {
        expression: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    DeviceSelector: {
      fields: {
        cel: { n: 1, type: '*CELDeviceSelector' },
      },
    },
    DeviceTaint: {
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        value: { n: 2, type: 'string' },
        effect: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'DeviceTaintEffect', enum: ['NoExecute', 'NoSchedule', 'None'], rules: ['required'] },
        timeAdded: { n: 4, type: '*Time' },
      },
    },
    DeviceTaintRule: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'DeviceTaintRuleSpec', omit: 'never', required: true },
        status: { n: 3, type: 'DeviceTaintRuleStatus' },
      },
    },
    DeviceTaintRuleList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]DeviceTaintRule', omit: 'never', required: true },
      },
    },
    DeviceTaintRuleSpec: {
      fields: {
        deviceSelector: { n: 1, type: '*DeviceTaintSelector' },
        taint: { n: 2, type: 'DeviceTaint', required: true },
      },
    },
    DeviceTaintRuleStatus: {
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      },
    },
    DeviceTaintSelector: {
      fields: {
        driver: { n: 2, type: '*string' },
        pool: { n: 3, type: '*string' },
        device: { n: 4, type: '*string' },
      },
    },
    PoolStatus: {
      fields: {
        driver: { n: 1, type: 'string', required: true, rules: ['required', 'format=k8s-long-name-caseless'] },
        poolName: { n: 2, type: 'string', required: true, rules: ['required', 'format=k8s-resource-pool-name'] },
        generation: { n: 9, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64', rules: ['required', 'minimum=0'] },
        resourceSliceCount: { n: 8, type: '*int32', format: 'int32', rules: ['optional', 'minimum=1'] },
        totalDevices: { n: 4, type: '*int32', format: 'int32', rules: ['optional', 'minimum=0'] },
        allocatedDevices: { n: 5, type: '*int32', format: 'int32', rules: ['optional', 'minimum=0'] },
        availableDevices: { n: 6, type: '*int32', format: 'int32', rules: ['optional', 'minimum=0'] },
        unavailableDevices: { n: 7, type: '*int32', format: 'int32', rules: ['optional', 'minimum=0'] },
        nodeName: { n: 3, type: '*string', rules: ['optional', 'format=k8s-long-name'] },
        validationError: { n: 10, type: '*string', rules: ['optional', 'maxBytes=256'] },
      },
    },
    ResourcePoolStatusRequest: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', required: true },
        spec: { n: 2, type: 'ResourcePoolStatusRequestSpec', omit: 'never', required: true, rules: ['immutable'] },
        status: { n: 3, type: '*ResourcePoolStatusRequestStatus', rules: ['optional'] },
      },
    },
    ResourcePoolStatusRequestList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ResourcePoolStatusRequest', omit: 'never', required: true },
      },
    },
    ResourcePoolStatusRequestSpec: {
      fields: {
        driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required', 'format=k8s-long-name-caseless'] },
        poolName: { n: 2, type: '*string', rules: ['optional', 'format=k8s-resource-pool-name'] },
        limit: { n: 3, type: '*int32', default: 100, format: 'int32', rules: ['optional', 'minimum=1', 'maximum=1000'] },
      },
    },
    ResourcePoolStatusRequestStatus: {
      fields: {
        poolCount: { n: 6, type: '*int32', required: true, format: 'int32', rules: ['required', 'minimum=0'] },
        pools: { n: 2, type: '[]PoolStatus', list: 'atomic', rules: ['optional', 'listType=atomic', 'maxItems=1000'] },
        conditions: { n: 3, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', rules: ['optional', 'listType=map', 'listMapKey=type', 'maxItems=10'] },
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
