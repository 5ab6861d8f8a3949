// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type AllocatedDeviceStatus = {
  driver: string
  pool: string
  device: string
  shareID?: string
  conditions?: metaV1.Condition[]
  data?: JsonValue
  networkData?: NetworkDeviceData
}

export type AllocationResult = {
  devices: DeviceAllocationResult
  nodeSelector?: coreV1.NodeSelector
  allocationTimestamp?: string
}

export type BasicDevice = {
  attributes?: Record<string, DeviceAttribute>
  capacity?: Record<string, DeviceCapacity>
  consumesCounters?: DeviceCounterConsumption[]
  nodeName?: string
  nodeSelector?: coreV1.NodeSelector
  allNodes?: boolean
  taints?: DeviceTaint[]
  bindsToNode?: boolean
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  allowMultipleAllocations?: boolean
  nodeAllocatableResourceMappings?: Record<string, NodeAllocatableResourceMapping>
}

export type CELDeviceSelector = {
  expression: string
}

export type CapacityRequestPolicy = {
  default?: string
  validValues?: string[]
  validRange?: CapacityRequestPolicyRange
}

export type CapacityRequestPolicyRange = {
  min?: string
  max?: string
  step?: string
}

export type CapacityRequirements = {
  requests?: Record<string, string>
}

export type Counter = {
  value: string
}

export type CounterSet = {
  name: string
  counters?: Record<string, Counter>
}

export type Device = {
  name: string
  basic?: BasicDevice
}

export type DeviceAllocationConfiguration = {
  source: string
  requests?: string[]
  opaque?: OpaqueDeviceConfiguration
}

export type DeviceAllocationResult = {
  results?: DeviceRequestAllocationResult[]
  config?: DeviceAllocationConfiguration[]
}

export type DeviceAttribute = {
  int?: number
  bool?: boolean
  string?: string
  version?: string
  ints?: number[]
  bools?: boolean[]
  strings?: string[]
  versions?: string[]
}

export type DeviceCapacity = {
  value: string
  requestPolicy?: CapacityRequestPolicy
}

export type DeviceClaim = {
  requests?: DeviceRequest[]
  constraints?: DeviceConstraint[]
  config?: DeviceClaimConfiguration[]
}

export type DeviceClaimConfiguration = {
  requests?: string[]
  opaque?: OpaqueDeviceConfiguration
}

export type DeviceClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: DeviceClassSpec
}

export type DeviceClassConfiguration = {
  opaque?: OpaqueDeviceConfiguration
}

export type DeviceClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: DeviceClass[]
}

export type DeviceClassSpec = {
  selectors?: DeviceSelector[]
  config?: DeviceClassConfiguration[]
  extendedResourceName?: string
}

export type DeviceConfiguration = {
  opaque?: OpaqueDeviceConfiguration
}

export type DeviceConstraint = {
  requests?: string[]
  matchAttribute?: string
  distinctAttribute?: string
}

export type DeviceCounterConsumption = {
  counterSet: string
  counters?: Record<string, Counter>
}

export type DeviceRequest = {
  name: string
  deviceClassName: string
  selectors?: DeviceSelector[]
  allocationMode?: string
  count?: number
  adminAccess?: boolean
  firstAvailable?: DeviceSubRequest[]
  tolerations?: DeviceToleration[]
  capacity?: CapacityRequirements
}

export type DeviceRequestAllocationResult = {
  request: string
  driver: string
  pool: string
  device: string
  adminAccess?: boolean
  tolerations?: DeviceToleration[]
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  shareID?: string
  consumedCapacity?: Record<string, string>
}

export type DeviceSelector = {
  cel?: CELDeviceSelector
}

export type DeviceSubRequest = {
  name: string
  deviceClassName: string
  selectors?: DeviceSelector[]
  allocationMode?: string
  count?: number
  tolerations?: DeviceToleration[]
  capacity?: CapacityRequirements
}

export type DeviceTaint = {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}

export type DeviceToleration = {
  key?: string
  operator?: string
  value?: string
  effect?: string
  tolerationSeconds?: number
}

export type NetworkDeviceData = {
  interfaceName?: string
  ips?: string[]
  hardwareAddress?: string
}

export type NodeAllocatableResourceMapping = {
  capacityKey?: string
  allocationMultiplier?: string
}

export type OpaqueDeviceConfiguration = {
  driver: string
  parameters?: JsonValue
}

export type ResourceClaim = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ResourceClaimSpec
  status: ResourceClaimStatus
}

export type ResourceClaimConsumerReference = {
  apiGroup?: string
  resource: string
  name: string
  uid: string
}

export type ResourceClaimList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ResourceClaim[]
}

export type ResourceClaimSpec = {
  devices: DeviceClaim
}

export type ResourceClaimStatus = {
  allocation?: AllocationResult
  reservedFor?: ResourceClaimConsumerReference[]
  devices?: AllocatedDeviceStatus[]
}

export type ResourceClaimTemplate = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ResourceClaimTemplateSpec
}

export type ResourceClaimTemplateList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ResourceClaimTemplate[]
}

export type ResourceClaimTemplateSpec = {
  metadata: metaV1.ObjectMeta
  spec: ResourceClaimSpec
}

export type ResourcePool = {
  name: string
  generation: number
  resourceSliceCount: number
}

export type ResourceSlice = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ResourceSliceSpec
}

export type ResourceSliceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ResourceSlice[]
}

export type ResourceSliceSpec = {
  driver: string
  pool: ResourcePool
  nodeName?: string
  nodeSelector?: coreV1.NodeSelector
  allNodes?: boolean
  devices?: Device[]
  perDeviceNodeSelection?: boolean
  sharedCounters?: CounterSet[]
}
