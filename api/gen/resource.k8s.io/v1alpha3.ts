// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type CELDeviceSelector = {
  expression: string
}

export type DeviceSelector = {
  cel?: CELDeviceSelector
}

export type DeviceTaint = {
  key: string
  value?: string
  effect: string
  timeAdded?: string
}

export type DeviceTaintRule = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: DeviceTaintRuleSpec
  status: DeviceTaintRuleStatus
}

export type DeviceTaintRuleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: DeviceTaintRule[]
}

export type DeviceTaintRuleSpec = {
  deviceSelector?: DeviceTaintSelector
  taint: DeviceTaint
}

export type DeviceTaintRuleStatus = {
  conditions?: metaV1.Condition[]
}

export type DeviceTaintSelector = {
  driver?: string
  pool?: string
  device?: string
}

export type PoolStatus = {
  driver?: string
  poolName?: string
  generation: number
  resourceSliceCount?: number
  totalDevices?: number
  allocatedDevices?: number
  availableDevices?: number
  unavailableDevices?: number
  nodeName?: string
  validationError?: string
}

export type ResourcePoolStatusRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ResourcePoolStatusRequestSpec
  status?: ResourcePoolStatusRequestStatus
}

export type ResourcePoolStatusRequestList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ResourcePoolStatusRequest[]
}

export type ResourcePoolStatusRequestSpec = {
  driver: string
  poolName?: string
  limit?: number
}

export type ResourcePoolStatusRequestStatus = {
  poolCount?: number
  pools?: PoolStatus[]
  conditions?: metaV1.Condition[]
}
