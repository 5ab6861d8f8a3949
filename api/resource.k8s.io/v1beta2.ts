import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const resourceV1beta2: GroupVersionTable = {
  group: 'resource.k8s.io',
  version: 'v1beta2',
  protoPackage: 'k8s.io.api.resource.v1beta2',
  types: {
    AllocatedDeviceStatus: {
      doc: 'State of an allocated device, as its driver reports it.',
      fields: {
        driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the driver.' },
        pool: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Pool of the device.' },
        device: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the device in the pool.' },
        shareID: { n: 7, type: '*string', gate: ['DRAConsumableCapacity'], rules: ['optional @alpha 1.36', 'format=k8s-uuid @alpha 1.36'], doc: 'Identifier of the share, when a device is allocated several times.' },
        conditions: { n: 4, type: '[]meta/v1.Condition', omit: 'never', list: 'map', keys: ['type'], doc: "Aspects of the device's state; at most 8." },
        data: { n: 5, type: '*RawExtension', doc: 'Further data of the driver; at most 10 KiB.' },
        networkData: { n: 6, type: '*NetworkDeviceData', rules: ['optional @alpha 1.36'], doc: 'State of a network device.' },
      },
    },
    AllocationResult: {
      doc: 'State of a claim.',
      fields: {
        devices: { n: 1, type: 'DeviceAllocationResult', doc: 'The devices.' },
        nodeSelector: { n: 3, type: '*core/v1.NodeSelector', doc: 'Nodes that the devices can be used from; all when unset.' },
        allocationTimestamp: { n: 5, type: '*Time', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], doc: 'When they were allocated; for binding conditions to time out.' },
      },
    },
    CELDeviceSelector: {
      doc: 'An error during evaluation stops the allocation.',
      fields: {
        expression: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'CEL over device (driver, attributes, capacity) that is true for matching devices.' },
      },
    },
    CapacityRequestPolicy: {
      doc: 'Without one, a request uses exactly its amount.',
      fields: {
        default: { n: 1, type: '*Quantity', omit: 'never', doc: 'Default amount of a request.' },
        validValues: { n: 3, type: '[]Quantity', list: 'atomic', doc: 'Allowed amounts; others are rounded up. Excludes validRange.' },
        validRange: { n: 4, type: '*CapacityRequestPolicyRange', doc: 'Range of allowed amounts. Excludes validValues.' },
      },
    },
    CapacityRequestPolicyRange: {
      doc: 'Amounts in between are rounded up to the next step.',
      fields: {
        min: { n: 1, type: '*Quantity', required: true, doc: 'Minimum amount; smaller requests get it.' },
        max: { n: 2, type: '*Quantity', doc: 'Maximum amount; larger requests find no device.' },
        step: { n: 3, type: '*Quantity', doc: 'Amounts are min plus multiples of this; others are rounded up.' },
      },
    },
    CapacityRequirements: {
      doc: "Amounts of a device's capacities.",
      fields: {
        requests: { n: 1, type: 'map[string]Quantity', doc: 'Amounts by capacity.' },
      },
    },
    Counter: {
      doc: 'An amount of something countable.',
      fields: {
        value: { n: 1, type: 'Quantity', omit: 'never', required: true, doc: 'The amount.' },
      },
    },
    CounterSet: {
      doc: 'Counters that devices of a pool consume.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format=k8s-short-name @alpha 1.36'], doc: 'Name of the set, unique in the pool.' },
        counters: { n: 2, type: 'map[string]Counter', required: true, rules: ['required @alpha 1.36', 'eachKey=format=k8s-short-name @alpha 1.36'], doc: 'The counters by name.' },
      },
    },
    Device: {
      doc: 'A device.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the device, unique in the pool.' },
        attributes: { n: 2, type: 'map[string]DeviceAttribute', rules: ['optional @alpha 1.36'], doc: 'Attributes; names without a domain belong to the driver.' },
        capacity: { n: 3, type: 'map[string]DeviceCapacity', doc: 'Capacities; names without a domain belong to the driver.' },
        consumesCounters: { n: 4, type: '[]DeviceCounterConsumption', list: 'atomic', gate: ['DRAPartitionableDevices'], rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=map @alpha 1.36', 'listMapKey=counterSet @alpha 1.36', 'maxItems=2 @alpha 1.36'], doc: "Amounts that it consumes of the pool's counters." },
        nodeName: { n: 5, type: '*string', gate: ['DRAPartitionableDevices'], doc: 'Node that it is on; only with perDeviceNodeSelection.' },
        nodeSelector: { n: 6, type: '*core/v1.NodeSelector', gate: ['DRAPartitionableDevices'], doc: 'Nodes that it can be used from; only with perDeviceNodeSelection.' },
        allNodes: { n: 7, type: '*bool', gate: ['DRAPartitionableDevices'], doc: 'It can be used from every node; only with perDeviceNodeSelection.' },
        taints: { n: 8, type: '[]DeviceTaint', list: 'atomic', gate: ['DRADeviceTaints'], rules: ['optional @alpha 1.36'], doc: 'Taints, which repel claims that do not tolerate them.' },
        bindsToNode: { n: 9, type: '*bool', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], doc: 'Allocating it limits the claim to the node of the first pod. Defaults to false.' },
        bindingConditions: { n: 10, type: '[]string', list: 'atomic', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'maxItems=4 @alpha 1.36'], doc: 'Conditions of the device status that must be True before the pod is bound; at most 4.' },
        bindingFailureConditions: { n: 11, type: '[]string', list: 'atomic', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'maxItems=4 @alpha 1.36'], doc: 'Conditions; any one that is True means that binding has failed; at most 4.' },
        allowMultipleAllocations: { n: 12, type: '*bool', gate: ['DRAConsumableCapacity'], doc: 'Several requests may share it, each taking part of its capacity. Defaults to false.' },
        nodeAllocatableResourceMappings: { n: 13, type: 'map[string]NodeAllocatableResourceMapping', gate: ['DRANodeAllocatableResources'], doc: 'Allocatable node resources that it uses, by resource.' },
      },
    },
    DeviceAllocationConfiguration: {
      doc: 'Settings for allocated devices and their origin.',
      fields: {
        source: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'AllocationConfigSource', enum: ['FromClaim', 'FromClass'], rules: ['required @alpha 1.36'], doc: 'FromClass or FromClaim.' },
        requests: { n: 2, type: '[]string', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=set @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Requests that the settings are for; all when empty.' },
        deviceConfiguration: { n: 3, type: 'DeviceConfiguration', inline: true },
      },
    },
    DeviceAllocationResult: {
      doc: 'Devices of a claim.',
      fields: {
        results: { n: 1, type: '[]DeviceRequestAllocationResult', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'One entry a device.' },
        config: { n: 2, type: '[]DeviceAllocationConfiguration', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=64 @alpha 1.36'], doc: 'Settings of class and claim together, for the drivers.' },
      },
    },
    DeviceAttribute: {
      doc: 'Value of an attribute; exactly one of the fields is set.',
      fields: {
        int: { n: 2, type: '*int64', format: 'int64', rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'], doc: 'An integer.' },
        bool: { n: 3, type: '*bool', rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'], doc: 'True or false.' },
        string: { n: 4, type: '*string', rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'], doc: 'A text; at most 64 characters.' },
        version: { n: 5, type: '*string', rules: ['optional @alpha 1.36', 'unionMember @alpha 1.36'], doc: 'A semantic version (semver.org); at most 64 characters.' },
        ints: { n: 6, type: '[]int64', list: 'atomic', itemFormat: 'int64', gate: ['DRAListTypeAttributes'], rules: ['listType=atomic', 'optional @alpha 1.36', 'unionMember @alpha 1.36'], doc: 'Integers.' },
        bools: { n: 7, type: '[]bool', list: 'atomic', gate: ['DRAListTypeAttributes'], rules: ['listType=atomic', 'optional @alpha 1.36', 'unionMember @alpha 1.36'], doc: 'Truth values.' },
        strings: { n: 8, type: '[]string', list: 'atomic', gate: ['DRAListTypeAttributes'], rules: ['listType=atomic', 'optional @alpha 1.36', 'unionMember @alpha 1.36'], doc: 'Texts; at most 64 characters each.' },
        versions: { n: 9, type: '[]string', list: 'atomic', gate: ['DRAListTypeAttributes'], rules: ['listType=atomic', 'optional @alpha 1.36', 'unionMember @alpha 1.36'], doc: 'Versions; at most 64 characters each.' },
      },
    },
    DeviceCapacity: {
      doc: 'Amount of something that a device has.',
      fields: {
        value: { n: 1, type: 'Quantity', omit: 'never', required: true, doc: 'The amount.' },
        requestPolicy: { n: 2, type: '*CapacityRequestPolicy', gate: ['DRAConsumableCapacity'], doc: 'Amounts that one request may use, for shared devices.' },
      },
    },
    DeviceClaim: {
      doc: 'All requests are met together or none is.',
      fields: {
        requests: { n: 1, type: '[]DeviceRequest', omit: 'never', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=map @alpha 1.36', 'listMapKey=name @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Requested devices; each request must be met.' },
        constraints: { n: 2, type: '[]DeviceConstraint', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Constraints on the devices of several requests.' },
        config: { n: 3, type: '[]DeviceClaimConfiguration', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Settings for the drivers.' },
      },
    },
    DeviceClaimConfiguration: {
      doc: 'Settings for the devices of a claim.',
      fields: {
        requests: { n: 1, type: '[]string', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=set @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Requests that the settings are for; all when empty.' },
        deviceConfiguration: { n: 2, type: 'DeviceConfiguration', inline: true },
      },
    },
    DeviceClass: {
      doc: 'A class of devices, for claims to name.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', rules: ['subfield(name)=optional @alpha 1.36', 'subfield(name)=format=k8s-long-name @alpha 1.36'], doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'DeviceClassSpec', omit: 'never', required: true, doc: 'Selectors and settings of the devices. Changes do not affect allocated devices.' },
      },
    },
    DeviceClassConfiguration: {
      doc: 'Settings for the devices of a class.',
      fields: {
        deviceConfiguration: { n: 1, type: 'DeviceConfiguration', inline: true },
      },
    },
    DeviceClassList: {
      doc: 'A list of DeviceClass objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]DeviceClass', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    DeviceClassSpec: {
      doc: 'Devices of a class.',
      fields: {
        selectors: { n: 1, type: '[]DeviceSelector', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Selectors that a device must all match.' },
        config: { n: 2, type: '[]DeviceClassConfiguration', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Settings for the drivers.' },
        extendedResourceName: { n: 4, type: '*string', gate: ['DRAExtendedResource'], rules: ['optional @alpha 1.36', 'format=k8s-extended-resource-name @alpha 1.36'], doc: 'Extended resource by which pods can request a device of the class.' },
      },
    },
    DeviceConfiguration: {
      doc: 'Settings for devices; exactly one of the fields is set.',
      fields: {
        opaque: { n: 1, type: '*OpaqueDeviceConfiguration', rules: ['optional @alpha 1.36'], doc: 'Settings that the driver alone understands.' },
      },
    },
    DeviceConstraint: {
      doc: 'A constraint on the devices of several requests; one of the attributes is set.',
      fields: {
        requests: { n: 1, type: '[]string', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=set @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'The requests; all when empty.' },
        matchAttribute: { n: 2, type: '*string', alias: 'FullyQualifiedName', rules: ['optional @alpha 1.36', 'format=k8s-resource-fully-qualified-name @alpha 1.36'], doc: 'Attribute that all devices must have with the same value.' },
        distinctAttribute: { n: 3, type: '*string', alias: 'FullyQualifiedName', gate: ['DRAConsumableCapacity'], doc: 'Attribute that all devices must have with different values.' },
      },
    },
    DeviceCounterConsumption: {
      doc: 'Amounts that a device consumes of a set of counters.',
      fields: {
        counterSet: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format=k8s-short-name @alpha 1.36'], doc: 'Name of the set.' },
        counters: { n: 2, type: 'map[string]Counter', required: true, rules: ['required @alpha 1.36', 'eachKey=format=k8s-short-name @alpha 1.36'], doc: 'Amounts by counter.' },
      },
    },
    DeviceRequest: {
      doc: 'Requested devices: of one kind, or of the first available kind.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the request, unique in the claim.' },
        exactly: { n: 2, type: '*ExactDeviceRequest', rules: ['optional @alpha 1.36'], doc: 'The only requested kind.' },
        firstAvailable: { n: 3, type: '[]DeviceSubRequest', list: 'atomic', gate: ['DRAPrioritizedList'], rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=map @alpha 1.36', 'listMapKey=name @alpha 1.36', 'maxItems=8 @alpha 1.36'], doc: 'Kinds by preference; the first available one is used.' },
      },
    },
    DeviceRequestAllocationResult: {
      doc: 'An allocated device of a request.',
      fields: {
        request: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the request, or <request>/<subrequest>.' },
        driver: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['format=k8s-long-name-caseless @alpha 1.36', 'maxLength=63 @alpha 1.36', 'required @alpha 1.36'], doc: 'Name of the driver.' },
        pool: { n: 3, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format=k8s-resource-pool-name @alpha 1.36'], doc: 'Pool of the device.' },
        device: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the device in the pool.' },
        adminAccess: { n: 5, type: '*bool', gate: ['DRAAdminAccess'], doc: 'Access is for administration.' },
        tolerations: { n: 6, type: '[]DeviceToleration', list: 'atomic', gate: ['DRADeviceTaints'], rules: ['optional @alpha 1.36'], doc: 'Tolerations of the request, copied.' },
        bindingConditions: { n: 7, type: '[]string', list: 'atomic', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'maxItems=4 @alpha 1.36'], doc: 'Conditions that must be True before the pod is bound; copied from the device.' },
        bindingFailureConditions: { n: 8, type: '[]string', list: 'atomic', gate: ['DRADeviceBindingConditions', 'DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'maxItems=4 @alpha 1.36'], doc: 'Conditions; any one that is True means that binding has failed; copied from the device.' },
        shareID: { n: 9, type: '*string', alias: 'UID', gate: ['DRAConsumableCapacity'], rules: ['optional @alpha 1.36', 'format=k8s-uuid @alpha 1.36'], doc: 'Identifier of the share of a device that is allocated several times.' },
        consumedCapacity: { n: 10, type: 'map[string]Quantity', gate: ['DRAConsumableCapacity'], doc: 'Amounts of capacity that the share takes.' },
      },
    },
    DeviceSelector: {
      doc: 'Selects devices; exactly one of the fields is set.',
      fields: {
        cel: { n: 1, type: '*CELDeviceSelector', doc: 'Selects by an expression.' },
      },
    },
    DeviceSubRequest: {
      doc: 'One of several kinds of device in a request.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the kind, unique in the request.' },
        deviceClassName: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'format=k8s-long-name @alpha 1.36'], doc: 'Class of the devices.' },
        selectors: { n: 3, type: '[]DeviceSelector', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Further selectors that a device must all match.' },
        allocationMode: { n: 4, type: 'string', alias: 'DeviceAllocationMode', enum: ['All', 'ExactCount'], rules: ['optional @alpha 1.36'], doc: 'ExactCount (the default), or All devices that match.' },
        count: { n: 5, type: 'int64', format: 'int64', doc: 'How many devices, for ExactCount. Defaults to 1.' },
        tolerations: { n: 6, type: '[]DeviceToleration', list: 'atomic', gate: ['DRADeviceTaints'], rules: ['optional @alpha 1.36'], doc: 'Device taints that are tolerated.' },
        capacity: { n: 7, type: '*CapacityRequirements', gate: ['DRAConsumableCapacity'], doc: 'Amounts that each device must have available.' },
      },
    },
    DeviceTaint: {
      doc: 'Repels claims that do not tolerate it from a device.',
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the taint.' },
        value: { n: 2, type: 'string', doc: 'Value of the taint.' },
        effect: { n: 3, type: 'string', omit: 'never', required: true, default: '', alias: 'DeviceTaintEffect', enum: ['NoExecute', 'NoSchedule', 'None'], rules: ['required @alpha 1.36'], doc: 'None, NoSchedule, or NoExecute, which also evicts pods that use the device.' },
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
        driver: { n: 2, type: '*string', doc: 'Name of the driver.' },
        pool: { n: 3, type: '*string', doc: 'Name of the pool.' },
        device: { n: 4, type: '*string', doc: 'Name of the device in its pool.' },
      },
    },
    DeviceToleration: {
      doc: 'Allows a request to use devices with matching taints.',
      fields: {
        key: { n: 1, type: 'string', rules: ['optional @alpha 1.36', 'format=k8s-label-key @alpha 1.36'], doc: 'Key of the taint; empty, with Exists, matches every taint.' },
        operator: { n: 2, type: 'string', default: 'Equal', alias: 'DeviceTolerationOperator', enum: ['Equal', 'Exists'], rules: ['optional @alpha 1.36'], doc: 'Equal (the default), or Exists to take any value.' },
        value: { n: 3, type: 'string', doc: 'Value of the taint to compare with; empty for Exists.' },
        effect: { n: 4, type: 'string', alias: 'DeviceTaintEffect', enum: ['NoExecute', 'NoSchedule', 'None'], rules: ['optional @alpha 1.36'], doc: 'Effect of the taint; empty matches all effects.' },
        tolerationSeconds: { n: 5, type: '*int64', format: 'int64', doc: 'Seconds that a pod stays after a NoExecute taint appears; unset is forever.' },
      },
    },
    ExactDeviceRequest: {
      doc: 'One kind of device.',
      fields: {
        deviceClassName: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Class of the devices.' },
        selectors: { n: 2, type: '[]DeviceSelector', list: 'atomic', rules: ['optional @alpha 1.36', 'maxItems=32 @alpha 1.36'], doc: 'Further selectors that a device must all match.' },
        allocationMode: { n: 3, type: 'string', alias: 'DeviceAllocationMode', enum: ['All', 'ExactCount'], rules: ['optional @alpha 1.36'], doc: 'ExactCount (the default), or All devices that match.' },
        count: { n: 4, type: 'int64', format: 'int64', doc: 'How many devices, for ExactCount. Defaults to 1.' },
        adminAccess: { n: 5, type: '*bool', gate: ['DRAAdminAccess'], doc: 'Access for administration beside other users; only in namespaces with the label for it.' },
        tolerations: { n: 6, type: '[]DeviceToleration', list: 'atomic', gate: ['DRADeviceTaints'], rules: ['optional @alpha 1.36'], doc: 'Device taints that are tolerated.' },
        capacity: { n: 7, type: '*CapacityRequirements', gate: ['DRAConsumableCapacity'], doc: 'Amounts that each device must have available.' },
      },
    },
    NetworkDeviceData: {
      doc: 'For components that route to the pod by this interface.',
      fields: {
        interfaceName: { n: 1, type: 'string', rules: ['optional @alpha 1.36', 'maxBytes=256 @alpha 1.36'], doc: 'Name of the interface in the pod.' },
        ips: { n: 2, type: '[]string', list: 'atomic', rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=set @alpha 1.36', 'maxItems=16 @alpha 1.36'], doc: 'Addresses of the interface, with prefix length.' },
        hardwareAddress: { n: 3, type: 'string', rules: ['optional @alpha 1.36', 'maxBytes=128 @alpha 1.36'], doc: 'Hardware address of the interface.' },
      },
    },
    NodeAllocatableResourceMapping: {
      doc: 'Amount of a node resource that a device uses.',
      fields: {
        capacityKey: { n: 1, type: '*string', alias: 'QualifiedName', doc: 'Capacity of the device with the amount; unset counts devices.' },
        allocationMultiplier: { n: 2, type: '*Quantity', doc: 'Factor of the amount. Defaults to 1.' },
      },
    },
    OpaqueDeviceConfiguration: {
      doc: 'The server does not interpret it.',
      fields: {
        driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36', 'maxLength=63 @alpha 1.36', 'format=k8s-long-name-caseless @alpha 1.36'], doc: 'Name of the driver.' },
        parameters: { n: 2, type: 'RawExtension', omit: 'never', required: true, doc: 'The settings; at most 10 KiB.' },
      },
    },
    ResourceClaim: {
      doc: 'Requests devices, and holds the allocated ones.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ResourceClaimSpec', omit: 'never', required: true, rules: ['immutable @alpha 1.36'], doc: 'Requested devices. Cannot be changed.' },
        status: { n: 3, type: 'ResourceClaimStatus', doc: 'Allocated devices.' },
      },
    },
    ResourceClaimConsumerReference: {
      doc: 'Names an object that uses a claim.',
      fields: {
        apiGroup: { n: 1, type: 'string', doc: 'API group of the object; empty is core.' },
        resource: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Plural name of the resource, such as pods.' },
        name: { n: 4, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the object.' },
        uid: { n: 5, type: 'string', omit: 'never', required: true, default: '', alias: 'UID', doc: 'UID of the object.' },
      },
    },
    ResourceClaimList: {
      doc: 'A list of ResourceClaim objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ResourceClaim', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ResourceClaimSpec: {
      doc: 'Requests for devices, constraints over them and settings for them.',
      fields: {
        devices: { n: 1, type: 'DeviceClaim', omit: 'never', doc: 'The requested devices.' },
      },
    },
    ResourceClaimStatus: {
      doc: 'Written by the scheduler and by drivers.',
      fields: {
        allocation: { n: 1, type: '*AllocationResult', rules: ['optional @alpha 1.36', 'update=NoModify @alpha 1.36'], doc: 'The devices; unset while there are none.' },
        reservedFor: { n: 2, type: '[]ResourceClaimConsumerReference', list: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid', rules: ['optional @alpha 1.36', 'listType=map @alpha 1.36', 'listMapKey=uid @alpha 1.36', 'maxItems=256 @alpha 1.36'], doc: 'Objects that may use the claim; at most 256. The devices are released when it is empty.' },
        devices: { n: 4, type: '[]AllocatedDeviceStatus', list: 'map', keys: ['driver', 'device', 'pool', 'shareID'], gate: ['DRAResourceClaimDeviceStatus'], rules: ['optional @alpha 1.36', 'listType=map @alpha 1.36', 'listMapKey=driver @alpha 1.36', 'listMapKey=device @alpha 1.36', 'listMapKey=pool @alpha 1.36', 'listMapKey=shareID @alpha 1.36'], doc: 'State of the devices, as their drivers report it.' },
      },
    },
    ResourceClaimTemplate: {
      doc: 'A template of claims, one a pod.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ResourceClaimTemplateSpec', omit: 'never', required: true, doc: 'The claims. Cannot be changed.' },
      },
    },
    ResourceClaimTemplateList: {
      doc: 'A list of ResourceClaimTemplate objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ResourceClaimTemplate', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ResourceClaimTemplateSpec: {
      doc: 'Claims of a template.',
      fields: {
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Labels and annotations of the claims; nothing else is allowed.' },
        spec: { n: 2, type: 'ResourceClaimSpec', omit: 'never', required: true, doc: 'Requested devices.' },
      },
    },
    ResourcePool: {
      doc: 'Devices that a driver manages together, in one or more slices.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the pool; often that of a node.' },
        generation: { n: 2, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64', doc: 'Counts changes of the pool; only slices of the highest one count.' },
        resourceSliceCount: { n: 3, type: 'int64', omit: 'never', required: true, default: 0, format: 'int64', doc: 'How many slices of this generation make up the pool.' },
      },
    },
    ResourceSlice: {
      doc: 'Devices of a pool, or part of them, as a driver offers them.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ResourceSliceSpec', omit: 'never', required: true, doc: 'The devices.' },
      },
    },
    ResourceSliceList: {
      doc: 'A list of ResourceSlice objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ResourceSlice', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ResourceSliceSpec: {
      doc: 'Devices of a slice; exactly one field determines their nodes.',
      fields: {
        driver: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the driver. Cannot be changed.' },
        pool: { n: 2, type: 'ResourcePool', omit: 'never', required: true, doc: 'Pool that the devices belong to.' },
        nodeName: { n: 3, type: '*string', doc: 'Node that all devices are on. Cannot be changed.' },
        nodeSelector: { n: 4, type: '*core/v1.NodeSelector', doc: 'Nodes that all devices can be used from.' },
        allNodes: { n: 5, type: '*bool', doc: 'All devices can be used from every node.' },
        devices: { n: 6, type: '[]Device', list: 'atomic', rules: ['optional @alpha 1.36'], doc: 'The devices; at most 128.' },
        perDeviceNodeSelection: { n: 7, type: '*bool', gate: ['DRAPartitionableDevices'], doc: 'Each device has its own node selection.' },
        sharedCounters: { n: 8, type: '[]CounterSet', list: 'atomic', gate: ['DRAPartitionableDevices'], rules: ['optional @alpha 1.36', 'listType=atomic', 'unique=map @alpha 1.36', 'listMapKey=name @alpha 1.36', 'maxItems=8 @alpha 1.36'], doc: 'Counters that the devices consume; a slice with them has no devices.' },
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
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'object',
    },
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
      introduced: '1.36',
      deprecated: '1.39',
      removed: '1.42',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'object',
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'DeviceTaintRule', verbs: ['get', 'patch', 'update'], served: false },
      },
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
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
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
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
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
      introduced: '1.33',
      deprecated: '1.36',
      removed: '1.39',
      fieldSelectors: ['metadata.name', 'spec.nodeName', 'spec.driver'],
      deleteReturns: 'object',
    },
  },
}
