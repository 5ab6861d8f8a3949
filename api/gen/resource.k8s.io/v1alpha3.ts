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
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: DeviceTaintRuleSpec
  status: DeviceTaintRuleStatus
}

export type DeviceTaintRuleList = {
  kind: string
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
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ResourcePoolStatusRequestSpec
  status?: ResourcePoolStatusRequestStatus
}

export type ResourcePoolStatusRequestList = {
  kind: string
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
