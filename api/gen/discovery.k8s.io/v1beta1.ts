// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as discoveryK8sIoV1 from '../discovery.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** A backend of a service. */
export type Endpoint = {
  /** Addresses of the endpoint, all of the slice's family. */
  addresses?: string[]
  /** State of the endpoint. */
  conditions: discoveryK8sIoV1.EndpointConditions
  /** Host name of the endpoint; several endpoints may share one. */
  hostname?: string
  /** The object of the endpoint, such as a pod. */
  targetRef?: coreV1.ObjectReference
  /** Labels of the endpoint's node, among them its name and zone. */
  topology?: Record<string, string>
  /** Node of the endpoint. */
  nodeName?: string
  /** Clients that should use the endpoint. */
  hints?: discoveryK8sIoV1.EndpointHints
}

/** Some of the endpoints of a service. */
export type EndpointSlice = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Family of the addresses: IPv4, IPv6 or (deprecated) FQDN. */
  addressType: string
  /** The endpoints; at most 1000. */
  endpoints?: Endpoint[]
  /** Ports of each endpoint; at most 100. */
  ports?: discoveryK8sIoV1.EndpointPort[]
}
