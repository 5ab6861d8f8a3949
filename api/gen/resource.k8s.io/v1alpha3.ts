// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** An error during evaluation stops the allocation. */
export type CELDeviceSelector = {
  /** CEL over device (driver, attributes, capacity) that is true for matching devices. */
  expression: string
}

/** Selects devices; exactly one of the fields is set. */
export type DeviceSelector = {
  /** Selects by an expression. */
  cel?: CELDeviceSelector
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

/** Taints all devices that match. */
export type DeviceTaintRule = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The taint and the devices. */
  spec: DeviceTaintRuleSpec
  /** State of the rule. */
  status: DeviceTaintRuleStatus
}

/** A list of DeviceTaintRule objects. */
export type DeviceTaintRuleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: DeviceTaintRule[]
}

/** The taint is in force as long as the rule exists. */
export type DeviceTaintRuleSpec = {
  /** The devices; none when unset, all when empty. */
  deviceSelector?: DeviceTaintSelector
  /** The taint. */
  taint: DeviceTaint
}

/** Progress of evictions. */
export type DeviceTaintRuleStatus = {
  /** Aspects of the rule's state, such as EvictionInProgress. */
  conditions?: metaV1.Condition[]
}

/** Selects devices; all fields that are set must match. */
export type DeviceTaintSelector = {
  /** Class whose selectors must match. */
  deviceClassName?: string
  /** Name of the driver. */
  driver?: string
  /** Name of the pool. */
  pool?: string
  /** Name of the device in its pool. */
  device?: string
  /** Expressions that must all be true of the device. */
  selectors?: DeviceSelector[]
}

/** State of a pool. */
export type PoolStatus = {
  /** Name of the driver. */
  driver?: string
  /** Name of the pool. */
  poolName?: string
  /** Newest generation of the pool. */
  generation: number
  /** How many slices make up the pool. */
  resourceSliceCount?: number
  /** Devices in the pool. */
  totalDevices?: number
  /** Devices that are allocated to claims. */
  allocatedDevices?: number
  /** Devices that can be allocated. */
  availableDevices?: number
  /** Devices that cannot be allocated, such as for their taints. */
  unavailableDevices?: number
  /** Node of the pool, when it is on one. */
  nodeName?: string
  /** Why the pool cannot be counted, such as that slices are missing. */
  validationError?: string
}

/** Requests the state of pools once; delete and create it again for another answer. */
export type ResourcePoolStatusRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Requested pools. Cannot be changed. */
  spec: ResourcePoolStatusRequestSpec
  /** The answer; unset until there is one. */
  status?: ResourcePoolStatusRequestStatus
}

/** A list of ResourcePoolStatusRequest objects. */
export type ResourcePoolStatusRequestList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ResourcePoolStatusRequest[]
}

/** Requested pools. */
export type ResourcePoolStatusRequestSpec = {
  /** Name of the driver. */
  driver: string
  /** Name of the pool; all of the driver when unset. */
  poolName?: string
  /** Maximum number of pools in the answer. Defaults to 100. */
  limit?: number
}

/** State of pools. */
export type ResourcePoolStatusRequestStatus = {
  /** How many pools match, also beyond the limit. */
  poolCount?: number
  /** The pools; at most limit. */
  pools?: PoolStatus[]
  /** Whether the answer is complete or failed. */
  conditions?: metaV1.Condition[]
}
