// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Requests for a path and their backend. */
export type HTTPIngressPath = {
  /** Path to match; begins with /. */
  path?: string
  /** Exact, Prefix (by whole elements), or ImplementationSpecific. */
  pathType?: string
  /** Backend of the requests. */
  backend: IngressBackend
}

/** Requests by path. */
export type HTTPIngressRuleValue = {
  /** The paths. */
  paths?: HTTPIngressPath[]
}

/** An allocated address; it is the object's name, so that it is allocated only once. */
export type IPAddress = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The user of the address. */
  spec: IPAddressSpec
}

/** A list of IPAddress objects. */
export type IPAddressList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: IPAddress[]
}

/** An address without a user is released. */
export type IPAddressSpec = {
  /** The object that uses it, such as a service. */
  parentRef?: ParentReference
}

/** Routes HTTP requests from outside to services, by host and path. */
export type Ingress = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Hosts, paths and their backends. */
  spec: IngressSpec
  /** Addresses of the ingress. */
  status: IngressStatus
}

/** Backend of requests: either a service or another object. */
export type IngressBackend = {
  /** Name of the service. */
  serviceName?: string
  /** Port of the service. */
  servicePort: number | string
  /** Another object of the same namespace; excludes the service. */
  resource?: coreV1.TypedLocalObjectReference
}

/** A kind of ingress, and the controller that serves it. */
export type IngressClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The controller and its parameters. The controller cannot be changed. */
  spec: IngressClassSpec
}

/** A list of IngressClass objects. */
export type IngressClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: IngressClass[]
}

/** The controller defines the kind of the object. */
export type IngressClassParametersReference = {
  /** API group of the object; unset is core. */
  apiGroup?: string
  /** Kind of the object. */
  kind: string
  /** Name of the object. */
  name: string
  /** Cluster (the default), or Namespace when the object has one. */
  scope?: string
  /** Namespace of the object; required with scope Namespace, and must be unset otherwise. */
  namespace?: string
}

/** The controller of a class, and its parameters. */
export type IngressClassSpec = {
  /** Name of the controller, such as example.com/ingress. Cannot be changed. */
  controller?: string
  /** Object with further settings for the controller. */
  parameters?: IngressClassParametersReference
}

/** A list of Ingress objects. */
export type IngressList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Ingress[]
}

/** An ingress point. */
export type IngressLoadBalancerIngress = {
  /** Its address. */
  ip?: string
  /** Its host name. */
  hostname?: string
  /** State of its ports. */
  ports?: IngressPortStatus[]
}

/** Reported by the ingress controller. */
export type IngressLoadBalancerStatus = {
  /** The ingress points. */
  ingress?: IngressLoadBalancerIngress[]
}

/** State of a port of an ingress. */
export type IngressPortStatus = {
  /** Number of the port. */
  port: number
  /** TCP, UDP or SCTP. */
  protocol: string
  /** Machine-readable problem with the port; unset when there is none. */
  error?: string
}

/** Requests for a host and their backends. */
export type IngressRule = {
  /** Host of the requests; *. at the start matches one label; empty is any host. */
  host?: string
  /** HTTP requests, by path; without it all are sent to the default backend. */
  http?: HTTPIngressRuleValue
}

/** Requests of a host. */
export type IngressRuleValue = {
  /** HTTP requests, by path; without it all are sent to the default backend. */
  http?: HTTPIngressRuleValue
}

/** Rules are tried by host, then by path, the longest first. */
export type IngressSpec = {
  /** Class of the ingress; unset is the default class, if any. */
  ingressClassName?: string
  /** Backend of requests that no rule matches. */
  backend?: IngressBackend
  /** Certificates, by host; all serve port 443. */
  tls?: IngressTLS[]
  /** Rules, by host; without any, all requests are sent to the default backend. */
  rules?: IngressRule[]
}

/** State of an ingress. */
export type IngressStatus = {
  /** Addresses of the ingress. */
  loadBalancer: IngressLoadBalancerStatus
}

/** A certificate and its hosts. */
export type IngressTLS = {
  /** Hosts of the certificate; the controller decides when empty. */
  hosts?: string[]
  /** Secret with the certificate and key; unset leaves TLS to the controller. */
  secretName?: string
}

/** Names the object that uses an address. */
export type ParentReference = {
  /** API group of the object. */
  group?: string
  /** Plural name of the resource. */
  resource?: string
  /** Namespace of the object. */
  namespace?: string
  /** Name of the object. */
  name?: string
}

/** Blocks that services get their addresses from. */
export type ServiceCIDR = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The blocks. */
  spec: ServiceCIDRSpec
  /** Whether the blocks can be used. */
  status: ServiceCIDRStatus
}

/** A list of ServiceCIDR objects. */
export type ServiceCIDRList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ServiceCIDR[]
}

/** Blocks that services get their addresses from. */
export type ServiceCIDRSpec = {
  /** The blocks, at most one an address family; a second may be added later, nothing else changes. */
  cidrs?: string[]
}

/** Addresses are allocated only while it is Ready. */
export type ServiceCIDRStatus = {
  /** Aspects of the blocks' state, such as Ready. */
  conditions?: metaV1.Condition[]
}
