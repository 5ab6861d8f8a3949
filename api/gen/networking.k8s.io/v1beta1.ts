// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as coreV1 from '../core/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type HTTPIngressPath = {
  path?: string
  pathType?: string
  backend: IngressBackend
}

export type HTTPIngressRuleValue = {
  paths?: HTTPIngressPath[]
}

export type IPAddress = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: IPAddressSpec
}

export type IPAddressList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: IPAddress[]
}

export type IPAddressSpec = {
  parentRef?: ParentReference
}

export type Ingress = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: IngressSpec
  status: IngressStatus
}

export type IngressBackend = {
  serviceName?: string
  servicePort: number | string
  resource?: coreV1.TypedLocalObjectReference
}

export type IngressClass = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: IngressClassSpec
}

export type IngressClassList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: IngressClass[]
}

export type IngressClassParametersReference = {
  apiGroup?: string
  kind: string
  name: string
  scope?: string
  namespace?: string
}

export type IngressClassSpec = {
  controller?: string
  parameters?: IngressClassParametersReference
}

export type IngressList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Ingress[]
}

export type IngressLoadBalancerIngress = {
  ip?: string
  hostname?: string
  ports?: IngressPortStatus[]
}

export type IngressLoadBalancerStatus = {
  ingress?: IngressLoadBalancerIngress[]
}

export type IngressPortStatus = {
  port: number
  protocol: string
  error?: string
}

export type IngressRule = {
  host?: string
  http?: HTTPIngressRuleValue
}

export type IngressRuleValue = {
  http?: HTTPIngressRuleValue
}

export type IngressSpec = {
  ingressClassName?: string
  backend?: IngressBackend
  tls?: IngressTLS[]
  rules?: IngressRule[]
}

export type IngressStatus = {
  loadBalancer: IngressLoadBalancerStatus
}

export type IngressTLS = {
  hosts?: string[]
  secretName?: string
}

export type ParentReference = {
  group?: string
  resource?: string
  namespace?: string
  name?: string
}

export type ServiceCIDR = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ServiceCIDRSpec
  status: ServiceCIDRStatus
}

export type ServiceCIDRList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ServiceCIDR[]
}

export type ServiceCIDRSpec = {
  cidrs?: string[]
}

export type ServiceCIDRStatus = {
  conditions?: metaV1.Condition[]
}
