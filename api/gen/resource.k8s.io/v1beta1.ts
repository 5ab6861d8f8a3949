// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** State of an allocated device, as its driver reports it. */
export type AllocatedDeviceStatus = {
  /** Name of the driver. */
  driver: string
  /** Pool of the device. */
  pool: string
  /** Name of the device in the pool. */
  device: string
  /** Identifier of the share, when a device is allocated several times. */
  shareID?: string
  /** Aspects of the device's state; at most 8. */
  conditions?: metaV1.Condition[]
  /** Further data of the driver; at most 10 KiB. */
  data?: JsonValue
  /** State of a network device. */
  networkData?: NetworkDeviceData
}

/** State of a claim. */
export type AllocationResult = {
  /** The devices. */
  devices: DeviceAllocationResult
  /** Nodes that the devices can be used from; all when unset. */
  nodeSelector?: coreV1.NodeSelector
  /** When they were allocated; for binding conditions to time out. */
  allocationTimestamp?: string
}

/** Devices differ by attributes; capacity and counters say how much is there. */
export type BasicDevice = {
  /** Attributes; names without a domain belong to the driver. */
  attributes?: Record<string, DeviceAttribute>
  /** Capacities; names without a domain belong to the driver. */
  capacity?: Record<string, DeviceCapacity>
  /** Amounts that it consumes of the pool's counters. */
  consumesCounters?: DeviceCounterConsumption[]
  /** Node that it is on; only with perDeviceNodeSelection. */
  nodeName?: string
  /** Nodes that it can be used from; only with perDeviceNodeSelection. */
  nodeSelector?: coreV1.NodeSelector
  /** It can be used from every node; only with perDeviceNodeSelection. */
  allNodes?: boolean
  /** Taints, which repel claims that do not tolerate them. */
  taints?: DeviceTaint[]
  /** Allocating it limits the claim to the node of the first pod. Defaults to false. */
  bindsToNode?: boolean
  /** Conditions of the device status that must be True before the pod is bound; at most 4. */
  bindingConditions?: string[]
  /** Conditions; any one that is True means that binding has failed; at most 4. */
  bindingFailureConditions?: string[]
  /** Several requests may share it, each taking part of its capacity. Defaults to false. */
  allowMultipleAllocations?: boolean
  /** Allocatable node resources that it uses, by resource. */
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>
}

/** An error during evaluation stops the allocation. */
export type CELDeviceSelector = {
  /** CEL over device (driver, attributes, capacity) that is true for matching devices. */
  expression: string
}

/** Without one, a request uses exactly its amount. */
export type CapacityRequestPolicy = {
  /** Default amount of a request. */
  default?: string
  /** Allowed amounts; others are rounded up. Excludes validRange. */
  validValues?: string[]
  /** Range of allowed amounts. Excludes validValues. */
  validRange?: CapacityRequestPolicyRange
}

/** Amounts in between are rounded up to the next step. */
export type CapacityRequestPolicyRange = {
  /** Minimum amount; smaller requests get it. */
  min?: string
  /** Maximum amount; larger requests find no device. */
  max?: string
  /** Amounts are min plus multiples of this; others are rounded up. */
  step?: string
}

/** Amounts of a device's capacities. */
export type CapacityRequirements = {
  /** Amounts by capacity. */
  requests?: Record<string, string>
}

/** An amount of something countable. */
export type Counter = {
  /** The amount. */
  value: string
}

/** Counters that devices of a pool consume. */
export type CounterSet = {
  /** Name of the set, unique in the pool. */
  name: string
  /** The counters by name. */
  counters?: Record<string, Counter>
}

/** A device. */
export type Device = {
  /** Name of the device, unique in the pool. */
  name: string
  /** What it is and what it has. */
  basic?: BasicDevice
}

/** Settings for allocated devices and their origin. */
export type DeviceAllocationConfiguration = {
  /** FromClass or FromClaim. */
  source: string
  /** Requests that the settings are for; all when empty. */
  requests?: string[]
  /** Settings that the driver alone understands. */
  opaque?: OpaqueDeviceConfiguration
}

/** Devices of a claim. */
export type DeviceAllocationResult = {
  /** One entry a device. */
  results?: DeviceRequestAllocationResult[]
  /** Settings of class and claim together, for the drivers. */
  config?: DeviceAllocationConfiguration[]
}

/** Value of an attribute; exactly one of the fields is set. */
export type DeviceAttribute = {
  /** An integer. */
  int?: number
  /** True or false. */
  bool?: boolean
  /** A text; at most 64 characters. */
  string?: string
  /** A semantic version (semver.org); at most 64 characters. */
  version?: string
  /** Integers. */
  ints?: number[]
  /** Truth values. */
  bools?: boolean[]
  /** Texts; at most 64 characters each. */
  strings?: string[]
  /** Versions; at most 64 characters each. */
  versions?: string[]
}

/** Amount of something that a device has. */
export type DeviceCapacity = {
  /** The amount. */
  value: string
  /** Amounts that one request may use, for shared devices. */
  requestPolicy?: CapacityRequestPolicy
}

/** All requests are met together or none is. */
export type DeviceClaim = {
  /** Requested devices; each request must be met. */
  requests?: DeviceRequest[]
  /** Constraints on the devices of several requests. */
  constraints?: DeviceConstraint[]
  /** Settings for the drivers. */
  config?: DeviceClaimConfiguration[]
}

/** Settings for the devices of a claim. */
export type DeviceClaimConfiguration = {
  /** Requests that the settings are for; all when empty. */
  requests?: string[]
  /** Settings that the driver alone understands. */
  opaque?: OpaqueDeviceConfiguration
}

/** A class of devices, for claims to name. */
export type DeviceClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Selectors and settings of the devices. Changes do not affect allocated devices. */
  spec: DeviceClassSpec
}

/** Settings for the devices of a class. */
export type DeviceClassConfiguration = {
  /** Settings that the driver alone understands. */
  opaque?: OpaqueDeviceConfiguration
}

/** A list of DeviceClass objects. */
export type DeviceClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: DeviceClass[]
}

/** Devices of a class. */
export type DeviceClassSpec = {
  /** Selectors that a device must all match. */
  selectors?: DeviceSelector[]
  /** Settings for the drivers. */
  config?: DeviceClassConfiguration[]
  /** Extended resource by which pods can request a device of the class. */
  extendedResourceName?: string
}

/** Settings for devices; exactly one of the fields is set. */
export type DeviceConfiguration = {
  /** Settings that the driver alone understands. */
  opaque?: OpaqueDeviceConfiguration
}

/** A constraint on the devices of several requests; one of the attributes is set. */
export type DeviceConstraint = {
  /** The requests; all when empty. */
  requests?: string[]
  /** Attribute that all devices must have with the same value. */
  matchAttribute?: string
  /** Attribute that all devices must have with different values. */
  distinctAttribute?: string
}

/** Amounts that a device consumes of a set of counters. */
export type DeviceCounterConsumption = {
  /** Name of the set. */
  counterSet: string
  /** Amounts by counter. */
  counters?: Record<string, Counter>
}

/** Requested devices: of one kind, or of the first available kind. */
export type DeviceRequest = {
  /** Name of the request, unique in the claim. */
  name: string
  /** Class of the devices. */
  deviceClassName: string
  /** Further selectors that a device must all match. */
  selectors?: DeviceSelector[]
  /** ExactCount (the default), or All devices that match. */
  allocationMode?: string
  /** How many devices, for ExactCount. Defaults to 1. */
  count?: number
  /** Access for administration beside other users; only in namespaces with the label for it. */
  adminAccess?: boolean
  /** Kinds by preference; the first available one is used. */
  firstAvailable?: DeviceSubRequest[]
  /** Device taints that are tolerated. */
  tolerations?: DeviceToleration[]
  /** Amounts that each device must have available. */
  capacity?: CapacityRequirements
}

/** An allocated device of a request. */
export type DeviceRequestAllocationResult = {
  /** Name of the request, or <request>/<subrequest>. */
  request: string
  /** Name of the driver. */
  driver: string
  /** Pool of the device. */
  pool: string
  /** Name of the device in the pool. */
  device: string
  /** Access is for administration. */
  adminAccess?: boolean
  /** Tolerations of the request, copied. */
  tolerations?: DeviceToleration[]
  /** Conditions that must be True before the pod is bound; copied from the device. */
  bindingConditions?: string[]
  /** Conditions; any one that is True means that binding has failed; copied from the device. */
  bindingFailureConditions?: string[]
  /** Identifier of the share of a device that is allocated several times. */
  shareID?: string
  /** Amounts of capacity that the share takes. */
  consumedCapacity?: Record<string, string>
}

/** Selects devices; exactly one of the fields is set. */
export type DeviceSelector = {
  /** Selects by an expression. */
  cel?: CELDeviceSelector
}

/** One of several kinds of device in a request. */
export type DeviceSubRequest = {
  /** Name of the kind, unique in the request. */
  name: string
  /** Class of the devices. */
  deviceClassName: string
  /** Further selectors that a device must all match. */
  selectors?: DeviceSelector[]
  /** ExactCount (the default), or All devices that match. */
  allocationMode?: string
  /** How many devices, for ExactCount. Defaults to 1. */
  count?: number
  /** Device taints that are tolerated. */
  tolerations?: DeviceToleration[]
  /** Amounts that each device must have available. */
  capacity?: CapacityRequirements
}

/** Repels claims that do not tolerate it from a device. */
export type DeviceTaint = {
  /** Key of the taint. */
  key: string
  /** Value of the taint. */
  value?: string
  /** None, NoSchedule, or NoExecute, which also evicts pods that use the device. */
  effect: string
  /** When the taint was added. Set by the server when unset. */
  timeAdded?: string
}

/** Allows a request to use devices with matching taints. */
export type DeviceToleration = {
  /** Key of the taint; empty, with Exists, matches every taint. */
  key?: string
  /** Equal (the default), or Exists to take any value. */
  operator?: string
  /** Value of the taint to compare with; empty for Exists. */
  value?: string
  /** Effect of the taint; empty matches all effects. */
  effect?: string
  /** Seconds that a pod stays after a NoExecute taint appears; unset is forever. */
  tolerationSeconds?: number
}

/** For components that route to the pod by this interface. */
export type NetworkDeviceData = {
  /** Name of the interface in the pod. */
  interfaceName?: string
  /** Addresses of the interface, with prefix length. */
  ips?: string[]
  /** Hardware address of the interface. */
  hardwareAddress?: string
}

/** Amount of a node resource that a device uses. */
export type NodeAllocatableResourceMapping = {
  /** Capacity of the device with the amount; unset counts devices. */
  capacityKey?: string
  /** Factor of the amount. Defaults to 1. */
  allocationMultiplier?: string
}

/** The server does not interpret it. */
export type OpaqueDeviceConfiguration = {
  /** Name of the driver. */
  driver: string
  /** The settings; at most 10 KiB. */
  parameters?: JsonValue
}

/** Requests devices, and holds the allocated ones. */
export type ResourceClaim = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Requested devices. Cannot be changed. */
  spec: ResourceClaimSpec
  /** Allocated devices. */
  status: ResourceClaimStatus
}

/** Names an object that uses a claim. */
export type ResourceClaimConsumerReference = {
  /** API group of the object; empty is core. */
  apiGroup?: string
  /** Plural name of the resource, such as pods. */
  resource: string
  /** Name of the object. */
  name: string
  /** UID of the object. */
  uid: string
}

/** A list of ResourceClaim objects. */
export type ResourceClaimList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ResourceClaim[]
}

/** Requests for devices, constraints over them and settings for them. */
export type ResourceClaimSpec = {
  /** The requested devices. */
  devices: DeviceClaim
}

/** Written by the scheduler and by drivers. */
export type ResourceClaimStatus = {
  /** The devices; unset while there are none. */
  allocation?: AllocationResult
  /** Objects that may use the claim; at most 256. The devices are released when it is empty. */
  reservedFor?: ResourceClaimConsumerReference[]
  /** State of the devices, as their drivers report it. */
  devices?: AllocatedDeviceStatus[]
}

/** A template of claims, one a pod. */
export type ResourceClaimTemplate = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The claims. Cannot be changed. */
  spec: ResourceClaimTemplateSpec
}

/** A list of ResourceClaimTemplate objects. */
export type ResourceClaimTemplateList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ResourceClaimTemplate[]
}

/** Claims of a template. */
export type ResourceClaimTemplateSpec = {
  /** Labels and annotations of the claims; nothing else is allowed. */
  metadata: metaV1.ObjectMeta
  /** Requested devices. */
  spec: ResourceClaimSpec
}

/** Devices that a driver manages together, in one or more slices. */
export type ResourcePool = {
  /** Name of the pool; often that of a node. */
  name: string
  /** Counts changes of the pool; only slices of the highest one count. */
  generation: number
  /** How many slices of this generation make up the pool. */
  resourceSliceCount: number
}

/** Devices of a pool, or part of them, as a driver offers them. */
export type ResourceSlice = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The devices. */
  spec: ResourceSliceSpec
}

/** A list of ResourceSlice objects. */
export type ResourceSliceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ResourceSlice[]
}

/** Devices of a slice; exactly one field determines their nodes. */
export type ResourceSliceSpec = {
  /** Name of the driver. Cannot be changed. */
  driver: string
  /** Pool that the devices belong to. */
  pool: ResourcePool
  /** Node that all devices are on. Cannot be changed. */
  nodeName?: string
  /** Nodes that all devices can be used from. */
  nodeSelector?: coreV1.NodeSelector
  /** All devices can be used from every node. */
  allNodes?: boolean
  /** The devices; at most 128. */
  devices?: Device[]
  /** Each device has its own node selection. */
  perDeviceNodeSelection?: boolean
  /** Counters that the devices consume; a slice with them has no devices. */
  sharedCounters?: CounterSet[]
}
