// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type Endpoint = {
  addresses?: string[]
  conditions: EndpointConditions
  hostname?: string
  targetRef?: coreV1.ObjectReference
  deprecatedTopology?: Record<string, string>
  nodeName?: string
  zone?: string
  hints?: EndpointHints
}

export type EndpointConditions = {
  ready?: boolean
  serving?: boolean
  terminating?: boolean
}

export type EndpointHints = {
  forZones?: ForZone[]
  forNodes?: ForNode[]
}

export type EndpointPort = {
  name?: string
  protocol?: string
  port?: number
  appProtocol?: string
}

export type EndpointSlice = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  addressType: string
  endpoints?: Endpoint[]
  ports?: EndpointPort[]
}

export type EndpointSliceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: EndpointSlice[]
}

export type ForNode = {
  name: string
}

export type ForZone = {
  name: string
}
