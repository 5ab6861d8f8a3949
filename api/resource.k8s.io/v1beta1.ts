import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const resourceV1beta1: GroupVersionTable = {
  group: 'resource.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.resource.v1beta1',
  types: {
    AllocatedDeviceStatus: {
      fields: {
        driver: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        pool: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        device: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
        shareID: { n: 7, type: '*string', gate: ['DRAConsumableCapacity'], rules: ['optional @alpha 1.36', 'format=k8s-uuid @alpha 1.36'] },
        conditions: { n: 4, type: '[]meta/v1.Condition', omit: 'never', list: 'map', keys: ['type'] },
        data: { n: 5, type: '*RawExtension' },
        networkData: { n: 6, type: '*NetworkDeviceData', rules: ['optional @alpha 1.36'] },
      },
    },
    AllocationResult: {
      fields: {
        devices: { n: 1, type: 'DeviceAllocationResult' },
        nodeSelector: { n: 3, type: '*core/v1.NodeSelector' },
        allocationTimestamp: { n: 5, type: '*Time', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'] },
      },
    },
    BasicDevice: {
      fields: {
        attributes: { n: 1, type: 'map[string]DeviceAttribute', rules: ['optional @alpha 1.36'] },
        capacity: { n: 2, type: 'map[string]DeviceCapacity' },
        consumesCounters: { n: 3, type: '[]DeviceCounterConsumption', list: 'atomic', gate: ['DRAPartitionableDevices'], rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=map @alpha 1.36', 'listMapKey=counterSet @alpha 1.36', 'maxItems=2 @alpha 1.36'] },
        nodeName: { n: 4, type: '*string', gate: ['DRAPartitionableDevices'] },
        nodeSelector: { n: 5, type: '*core/v1.NodeSelector' },
        allNodes: { n: 6, type: '*bool', gate: ['DRAPartitionableDevices'] },
        taints: { n: 7, type: '[]DeviceTaint', list: 'atomic', gate: ['DRADeviceTaints'], rules: ['optional @alpha 1.36'] },
        bindsToNode: { n: 8, type: '*bool', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'] },
        bindingConditions: { n: 9, type: '[]string', list: 'atomic', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'maxItems=4 @alpha 1.36'] },
        bindingFailureConditions: { n: 10, type: '[]string', list: 'atomic', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'maxItems=4 @alpha 1.36'] },
        allowMultipleAllocations: { n: 11, type: '*bool', gate: ['DRAConsumableCapacity'] },
        nodeAllocatableResourceMappings: { n: 12, type: 'map[string]NodeAllocatableResourceMapping', gate: ['DRANodeAllocatableResources'] },
      },
    },
    CELDeviceSelector: {
      fields: {
        expression: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    CapacityRequestPolicy: {
      fields: {
        default: { n: 1, type: '*Quantity', omit: 'never' },
        validValues: { n: 3, type: '[]Quantity', list: 'atomic' },
        validRange: { n: 4, type: '*CapacityRequestPolicyRange' },
      },
    },
    CapacityRequestPolicyRange: {
      fields: {
        min: { n: 1, type: '*Quantity', required: true },
        max: { n: 2, type: '*Quantity' },
        step: { n: 3, type: '*Quantity' },
      },
    },
    CapacityRequirements: {
      fields: {
        requests: { n: 1, type: 'map[string]Quantity' },
      },
    },
    Counter: {
      fields: {
        value: { n: 1, type: 'Quantity', omit: 'never', required: true },
      },
    },
    CounterSet: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format=k8s-short-name @alpha 1.36'] },
        counters: { n: 2, type: 'map[string]Counter', required: true, rules: ['required @alpha 1.36', 'eachKey=format=k8s-short-name @alpha 1.36'] },
      },
    },
    Device: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        basic: { n: 2, type: '*BasicDevice', rules: ['optional @alpha 1.36'] },
      },
    },
    DeviceAllocationConfiguration: {
      fields: {
        source: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'AllocationConfigSource', enum: ['FromClaim', 'FromClass'], rules: ['required @alpha 1.36'] },
        requests: { n: 2, type: '[]string', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=set @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        deviceConfiguration: { n: 3, type: 'DeviceConfiguration', inline: true },
      },
    },
    DeviceAllocationResult: {
      fields: {
        results: { n: 1, type: '[]DeviceRequestAllocationResult', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        config: { n: 2, type: '[]DeviceAllocationConfiguration', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=64 @alpha 1.36'] },
      },
    },
    DeviceAttribute: {
      fields: {
        int: { n: 2, type: '*int64', format: 'int64', rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'] },
        bool: { n: 3, type: '*bool', rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'] },
        string: { n: 4, type: '*string', rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'] },
        version: { n: 5, type: '*string', rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'] },
        ints: { n: 6, type: '[]int64', list: 'atomic', itemFormat: 'int64', gate: ['DRAListTypeAttributes'], rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'] },
        bools: { n: 7, type: '[]bool', list: 'atomic', gate: ['DRAListTypeAttributes'], rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'] },
        strings: { n: 8, type: '[]string', list: 'atomic', gate: ['DRAListTypeAttributes'], rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'] },
        versions: { n: 9, type: '[]string', list: 'atomic', gate: ['DRAListTypeAttributes'], rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'] },
      },
    },
    DeviceCapacity: {
      fields: {
        value: { n: 1, type: 'Quantity', omit: 'never', required: true },
        requestPolicy: { n: 2, type: '*CapacityRequestPolicy', gate: ['DRAConsumableCapacity'] },
      },
    },
    DeviceClaim: {
      fields: {
        requests: { n: 1, type: '[]DeviceRequest', omit: 'never', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=map @alpha 1.36', 'listMapKey=name @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        constraints: { n: 2, type: '[]DeviceConstraint', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        config: { n: 3, type: '[]DeviceClaimConfiguration', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
      },
    },
    DeviceClaimConfiguration: {
      fields: {
        requests: { n: 1, type: '[]string', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=set @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        deviceConfiguration: { n: 2, type: 'DeviceConfiguration', inline: true },
      },
    },
    DeviceClass: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', rules: ['subfield(name)=optional @alpha 1.36', 'subfield(name)=format=k8s-long-name @alpha 1.36'] },
        spec: { n: 2, type: 'DeviceClassSpec', omit: 'never', required: true },
      },
    },
    DeviceClassConfiguration: {
      fields: {
        deviceConfiguration: { n: 1, type: 'DeviceConfiguration', inline: true },
      },
    },
    DeviceClassList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]DeviceClass', omit: 'never', required: true },
      },
    },
    DeviceClassSpec: {
      fields: {
        selectors: { n: 1, type: '[]DeviceSelector', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        config: { n: 2, type: '[]DeviceClassConfiguration', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        extendedResourceName: { n: 4, type: '*string', gate: ['DRAExtendedResource'], rules: ['optional @alpha 1.36', 'format=k8s-extended-resource-name @alpha 1.36'] },
      },
    },
    DeviceConfiguration: {
      fields: {
        opaque: { n: 1, type: '*OpaqueDeviceConfiguration', rules: ['optional @alpha 1.36'] },
      },
    },
    DeviceConstraint: {
      fields: {
        requests: { n: 1, type: '[]string', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=set @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        matchAttribute: { n: 2, type: '*string', alias: 'FullyQualifiedName', rules: ['optional @alpha 1.36', 'format=k8s-resource-fully-qualified-name @alpha 1.36'] },
        distinctAttribute: { n: 3, type: '*string', alias: 'FullyQualifiedName', gate: ['DRAConsumableCapacity'] },
      },
    },
    DeviceCounterConsumption: {
      fields: {
        counterSet: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format=k8s-short-name @alpha 1.36'] },
        counters: { n: 2, type: 'map[string]Counter', required: true, rules: ['required @alpha 1.36', 'eachKey=format=k8s-short-name @alpha 1.36'] },
      },
    },
    DeviceRequest: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        deviceClassName: { n: 2, type: 'string', omit: 'never', default: '' },
        selectors: { n: 3, type: '[]DeviceSelector', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'] },
        allocationMode: { n: 4, type: 'string', alias: 'DeviceAllocationMode', enum: ['All', 'ExactCount'], rules: ['optional @alpha 1.36'] },
        count: { n: 5, type: 'int64', format: 'int64' },
        adminAccess: { n: 6, type: '*bool', gate: ['DRAAdminAccess'] },
        firstAvailable: { n: 7, type: '[]DeviceSubRequest', list: 'atomic', gate: ['DRAPrioritizedList'], rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=map @alpha 1.36', 'listMapKey=name @alpha 1.36', 'maxItems=8 @alpha 1.36'] },
        tolerations: { n: 8, type: '[]DeviceToleration', list: 'atomic', gate: ['DRADeviceTaints'], rules: ['optional @alpha 1.36'] },
        capacity: { n: 9, type: '*CapacityRequirements', gate: ['DRAConsumableCapacity'] },
      },
    },
    DeviceRequestAllocationResult: {
      fields: {
        request: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        driver: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['format=k8s-long-name-caseless @alpha 1.36', 'required @alpha 1.36', 'maxLength=63 @alpha 1.36'] },
        pool: { n: 3, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format=k8s-resource-pool-name @alpha 1.36'] },
        device: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
        adminAccess: { n: 5, type: '*bool', gate: ['DRAAdminAccess'] },
        tolerations: { n: 6, type: '[]DeviceToleration', list: 'atomic', gate: ['DRADeviceTaints'], rules: ['optional @alpha 1.36', 'maxItems=16 @alpha 1.36'] },
        bindingConditions: { n: 7, type: '[]string', list: 'atomic', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'maxItems=4 @alpha 1.36'] },
        bindingFailureConditions: { n: 8, type: '[]string', list: 'atomic', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'maxItems=4 @alpha 1.36'] },
        shareID: { n: 9, type: '*string', alias: 'UID', gate: ['DRAConsumableCapacity'], rules: ['optional @alpha 1.36', 'format=k8s-uuid @alpha 1.36'] },
        consumedCapacity: { n: 10, type: 'map[string]Quantity', gate: ['DRAConsumableCapacity'] },
      },
    },
    DeviceSelector: {
      fields: {
        cel: { n: 1, type: '*CELDeviceSelector' },
      },
    },
    DeviceSubRequest: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        deviceClassName: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format=k8s-long-name @alpha 1.36'] },
        selectors: { n: 3, type: '[]DeviceSelector', list: 'atomic', rules: ['maxItems=32 @alpha 1.36', 'optional @alpha 1.36'] },
        allocationMode: { n: 4, type: 'string', alias: 'DeviceAllocationMode', enum: ['All', 'ExactCount'], rules: ['optional @alpha 1.36'] },
        count: { n: 5, type: 'int64', format: 'int64' },
        tolerations: { n: 7, type: '[]DeviceToleration', list: 'atomic', gate: ['DRADeviceTaints'], rules: ['optional @alpha 1.36'] },
        capacity: { n: 8, type: '*CapacityRequirements', gate: ['DRAConsumableCapacity'] },
      },
    },
    DeviceTaint: {
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        value: { n: 2, type: 'string' },
        effect: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'DeviceTaintEffect', enum: ['NoExecute', 'NoSchedule', 'None'], rules: ['required @alpha 1.36'] },
        timeAdded: { n: 4, type: '*Time' },
      },
    },
    DeviceToleration: {
      fields: {
        key: { n: 1, type: 'string', rules: ['optional @alpha 1.36', 'format=k8s-label-key @alpha 1.36'] },
        operator: { n: 2, type: 'string', default: 'Equal', alias: 'DeviceTolerationOperator', enum: ['Equal', 'Exists'], rules: ['optional @alpha 1.36'] },
        value: { n: 3, type: 'string' },
        effect: { n: 4, type: 'string', alias: 'DeviceTaintEffect', enum: ['NoExecute', 'NoSchedule', 'None'], rules: ['optional @alpha 1.36'] },
        tolerationSeconds: { n: 5, type: '*int64', format: 'int64' },
      },
    },
    NetworkDeviceData: {
      fields: {
        interfaceName: { n: 1, type: 'string', rules: ['optional @alpha 1.36', 'maxBytes=256 @alpha 1.36'] },
        ips: { n: 2, type: '[]string', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=set @alpha 1.36', 'maxItems=16 @alpha 1.36'] },
        hardwareAddress: { n: 3, type: 'string', rules: ['optional @alpha 1.36', 'maxBytes=128 @alpha 1.36'] },
      },
    },
    NodeAllocatableResourceMapping: {
      fields: {
        capacityKey: { n: 1, type: '*string', alias: 'QualifiedName' },
        allocationMultiplier: { n: 2, type: '*Quantity' },
      },
    },
    OpaqueDeviceConfiguration: {
      fields: {
        driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'maxLength=63 @alpha 1.36', 'format=k8s-long-name-caseless @alpha 1.36'] },
        parameters: { n: 2, type: 'RawExtension', omit: 'never', required: true },
      },
    },
    ResourceClaim: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ResourceClaimSpec', omit: 'never', required: true, rules: ['immutable @alpha 1.36'] },
        status: { n: 3, type: 'ResourceClaimStatus' },
      },
    },
    ResourceClaimConsumerReference: {
      fields: {
        apiGroup: { n: 1, type: 'string' },
        resource: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
        name: { n: 4, type: 'string', omit: 'never', required: true, default: '' },
        uid: { n: 5, type: 'string', omit: 'never', required: true, default: '', alias: 'UID' },
      },
    },
    ResourceClaimList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ResourceClaim', omit: 'never', required: true },
      },
    },
    ResourceClaimSpec: {
      fields: {
        devices: { n: 1, type: 'DeviceClaim', omit: 'never' },
      },
    },
    ResourceClaimStatus: {
      fields: {
        allocation: { n: 1, type: '*AllocationResult', rules: ['optional @alpha 1.36', 'update=NoModify @alpha 1.36'] },
        reservedFor: { n: 2, type: '[]ResourceClaimConsumerReference', list: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid', rules: ['optional @alpha 1.36', 'listType=map @alpha 1.36', 'listMapKey=uid @alpha 1.36', 'maxItems=256 @alpha 1.36'] },
        devices: { n: 4, type: '[]AllocatedDeviceStatus', list: 'map', keys: ['driver', 'device', 'pool', 'shareID'], gate: ['DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'listType=map @alpha 1.36', 'listMapKey=driver @alpha 1.36', 'listMapKey=device @alpha 1.36', 'listMapKey=pool @alpha 1.36', 'listMapKey=shareID @alpha 1.36'] },
      },
    },
    ResourceClaimTemplate: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ResourceClaimTemplateSpec', omit: 'never', required: true },
      },
    },
    ResourceClaimTemplateList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ResourceClaimTemplate', omit: 'never', required: true },
      },
    },
    ResourceClaimTemplateSpec: {
      fields: {
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ResourceClaimSpec', omit: 'never', required: true },
      },
    },
    ResourcePool: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        generation: { n: 2, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64' },
        resourceSliceCount: { n: 3, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64' },
      },
    },
    ResourceSlice: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ResourceSliceSpec', omit: 'never', required: true },
      },
    },
    ResourceSliceList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ResourceSlice', omit: 'never', required: true },
      },
    },
    ResourceSliceSpec: {
      fields: {
        driver: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        pool: { n: 2, type: 'ResourcePool', omit: 'never', required: true },
        nodeName: { n: 3, type: 'string' },
        nodeSelector: { n: 4, type: '*core/v1.NodeSelector' },
        allNodes: { n: 5, type: 'bool' },
        devices: { n: 6, type: '[]Device', list: 'atomic', rules: ['optional @alpha 1.36'] },
        perDeviceNodeSelection: { n: 7, type: '*bool', gate: ['DRAPartitionableDevices'] },
        sharedCounters: { n: 8, type: '[]CounterSet', list: 'atomic', gate: ['DRAPartitionableDevices'], rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=map @alpha 1.36', 'listMapKey=name @alpha 1.36', 'maxItems=8 @alpha 1.36'] },
      },
    },
  },
  resources: {
    deviceclasses: {
      kind: 'DeviceClass',
      singular: 'deviceclass',
      listKind: 'DeviceClassList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'deviceclasses',
      storageVersionHash: 'Yk2PTc1Ybxk=',
      served: false,
      introduced: '1.32',
      deprecated: '1.35',
      removed: '1.38',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'object',
    },
    resourceclaims: {
      kind: 'ResourceClaim',
      singular: 'resourceclaim',
      listKind: 'ResourceClaimList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'resourceclaims',
      storageVersionHash: 'wgAZaHcZxUg=',
      served: false,
      introduced: '1.32',
      deprecated: '1.35',
      removed: '1.38',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'object',
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'ResourceClaim', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
    resourceclaimtemplates: {
      kind: 'ResourceClaimTemplate',
      singular: 'resourceclaimtemplate',
      listKind: 'ResourceClaimTemplateList',
      namespaced: true,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'resourceclaimtemplates',
      storageVersionHash: 'TuzjC49aUfM=',
      served: false,
      introduced: '1.32',
      deprecated: '1.35',
      removed: '1.38',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'object',
    },
    resourceslices: {
      kind: 'ResourceSlice',
      singular: 'resourceslice',
      listKind: 'ResourceSliceList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'resourceslices',
      storageVersionHash: 'KsC072WgaEY=',
      served: false,
      introduced: '1.32',
      deprecated: '1.35',
      removed: '1.38',
      fieldSelectors: ['metadata.name', 'spec.nodeName', 'spec.driver'],
      deleteReturns: 'object',
    },
  },
}
