// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** A backend of a service. */
export type Endpoint = {
  /** Addresses of the endpoint, all of the slice's family; clients may use only the first. */
  addresses?: string[]
  /** State of the endpoint. */
  conditions: EndpointConditions
  /** Host name of the endpoint; several endpoints may share one. */
  hostname?: string
  /** The object of the endpoint, such as a pod. */
  targetRef?: coreV1.ObjectReference
  /** Deprecated: topology from v1beta1. Ignored on write. */
  deprecatedTopology?: Record<string, string>
  /** Node of the endpoint. */
  nodeName?: string
  /** Zone of the endpoint. */
  zone?: string
  /** Clients that should use the endpoint. */
  hints?: EndpointHints
}

/** State of an endpoint; unset means unknown. */
export type EndpointConditions = {
  /** It accepts traffic; unset counts as true. Never true while terminating, unless the service publishes such addresses. */
  ready?: boolean
  /** It can serve, also while terminating; unset counts as ready. */
  serving?: boolean
  /** It is being terminated; unset counts as false. */
  terminating?: boolean
}

/** Routing components may follow them. */
export type EndpointHints = {
  /** Zones that should use it; at most 8. */
  forZones?: ForZone[]
  /** Nodes that should use it; at most 8. */
  forNodes?: ForNode[]
}

/** A port of endpoints. */
export type EndpointPort = {
  /** Name of the port, as in the service; unique in the slice. */
  name?: string
  /** TCP (the default), UDP or SCTP. */
  protocol?: string
  /** Number of the port; unset is all ports. */
  port?: number
  /** Application protocol, such as kubernetes.io/h2c. */
  appProtocol?: string
}

/** Some of the endpoints of a service. */
export type EndpointSlice = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Family of the addresses: IPv4, IPv6 or (deprecated) FQDN. Cannot be changed. */
  addressType: string
  /** The endpoints; at most 1000. */
  endpoints?: Endpoint[]
  /** Ports of each endpoint; at most 20000. */
  ports?: EndpointPort[]
}

/** A list of EndpointSlice objects. */
export type EndpointSliceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: EndpointSlice[]
}

/** A node that should use an endpoint. */
export type ForNode = {
  /** Name of the node. */
  name: string
}

/** A zone that should use an endpoint. */
export type ForZone = {
  /** Name of the zone. */
  name: string
}
