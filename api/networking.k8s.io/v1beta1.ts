import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const networkingV1beta1: GroupVersionTable = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.networking.v1beta1',
  types: {
    HTTPIngressPath: {
      doc: 'Requests for a path and their backend.',
      fields: {
        path: { n: 1, type: 'string', doc: 'Path to match; begins with /.' },
        pathType: { n: 3, type: '*string', alias: 'PathType', doc: 'Exact, Prefix (by whole elements), or ImplementationSpecific.' },
        backend: { n: 2, type: 'IngressBackend', omit: 'never', required: true, doc: 'Backend of the requests.' },
      },
    },
    HTTPIngressRuleValue: {
      doc: 'Requests by path.',
      fields: {
        paths: { n: 1, type: '[]HTTPIngressPath', omit: 'never', required: true, list: 'atomic', doc: 'The paths.' },
      },
    },
    IPAddress: {
      doc: "An allocated address; it is the object's name, so that it is allocated only once.",
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'IPAddressSpec', required: true, doc: 'The user of the address.' },
      },
    },
    IPAddressList: {
      doc: 'A list of IPAddress objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]IPAddress', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    IPAddressSpec: {
      doc: 'An address without a user is released.',
      fields: {
        parentRef: { n: 1, type: '*ParentReference', required: true, rules: ['required @alpha 1.36', 'immutable @alpha 1.36'], doc: 'The object that uses it, such as a service.' },
      },
    },
    Ingress: {
      doc: 'Routes HTTP requests from outside to services, by host and path.',
      kind: true,
      earlierVersions: ['extensions/v1beta1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'IngressSpec', doc: 'Hosts, paths and their backends.' },
        status: { n: 3, type: 'IngressStatus', doc: 'Addresses of the ingress.' },
      },
    },
    IngressBackend: {
      doc: 'Backend of requests: either a service or another object.',
      fields: {
        serviceName: { n: 1, type: 'string', doc: 'Name of the service.' },
        servicePort: { n: 2, type: 'IntOrString', doc: 'Port of the service.' },
        resource: { n: 3, type: '*core/v1.TypedLocalObjectReference', doc: 'Another object of the same namespace; excludes the service.' },
      },
    },
    IngressClass: {
      doc: 'A kind of ingress, and the controller that serves it.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'IngressClassSpec', doc: 'The controller and its parameters. The controller cannot be changed.' },
      },
    },
    IngressClassList: {
      doc: 'A list of IngressClass objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]IngressClass', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    IngressClassParametersReference: {
      doc: 'The controller defines the kind of the object.',
      fields: {
        apiGroup: { n: 1, type: '*string', protoName: 'aPIGroup', doc: 'API group of the object; unset is core.' },
        kind: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'], doc: 'Kind of the object.' },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'], doc: 'Name of the object.' },
        scope: { n: 4, type: '*string', omit: 'never', required: true, doc: 'Cluster (the default), or Namespace when the object has one.' },
        namespace: { n: 5, type: '*string', doc: 'Namespace of the object; required with scope Namespace, and must be unset otherwise.' },
      },
    },
    IngressClassSpec: {
      doc: 'The controller of a class, and its parameters.',
      fields: {
        controller: { n: 1, type: 'string', doc: 'Name of the controller, such as example.com/ingress. Cannot be changed.' },
        parameters: { n: 2, type: '*IngressClassParametersReference', rules: ['optional @alpha 1.36'], doc: 'Object with further settings for the controller.' },
      },
    },
    IngressList: {
      doc: 'A list of Ingress objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]Ingress', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    IngressLoadBalancerIngress: {
      doc: 'An ingress point.',
      fields: {
        ip: { n: 1, type: 'string', doc: 'Its address.' },
        hostname: { n: 2, type: 'string', doc: 'Its host name.' },
        ports: { n: 4, type: '[]IngressPortStatus', list: 'atomic', doc: 'State of its ports.' },
      },
    },
    IngressLoadBalancerStatus: {
      doc: 'Reported by the ingress controller.',
      fields: {
        ingress: { n: 1, type: '[]IngressLoadBalancerIngress', list: 'atomic', doc: 'The ingress points.' },
      },
    },
    IngressPortStatus: {
      doc: 'State of a port of an ingress.',
      fields: {
        port: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Number of the port.' },
        protocol: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'], doc: 'TCP, UDP or SCTP.' },
        error: { n: 3, type: '*string', doc: 'Machine-readable problem with the port; unset when there is none.' },
      },
    },
    IngressRule: {
      doc: 'Requests for a host and their backends.',
      fields: {
        host: { n: 1, type: 'string', doc: 'Host of the requests; *. at the start matches one label; empty is any host.' },
        ingressRuleValue: { n: 2, type: 'IngressRuleValue', inline: true },
      },
    },
    IngressRuleValue: {
      doc: 'Requests of a host.',
      fields: {
        http: { n: 1, type: '*HTTPIngressRuleValue', doc: 'HTTP requests, by path; without it all are sent to the default backend.' },
      },
    },
    IngressSpec: {
      doc: 'Rules are tried by host, then by path, the longest first.',
      fields: {
        ingressClassName: { n: 4, type: '*string', deprecated: true, doc: 'Class of the ingress; unset is the default class, if any.' },
        backend: { n: 1, type: '*IngressBackend', doc: 'Backend of requests that no rule matches.' },
        tls: { n: 2, type: '[]IngressTLS', list: 'atomic', doc: 'Certificates, by host; all serve port 443.' },
        rules: { n: 3, type: '[]IngressRule', list: 'atomic', doc: 'Rules, by host; without any, all requests are sent to the default backend.' },
      },
    },
    IngressStatus: {
      doc: 'State of an ingress.',
      fields: {
        loadBalancer: { n: 1, type: 'IngressLoadBalancerStatus', doc: 'Addresses of the ingress.' },
      },
    },
    IngressTLS: {
      doc: 'A certificate and its hosts.',
      fields: {
        hosts: { n: 1, type: '[]string', list: 'atomic', doc: 'Hosts of the certificate; the controller decides when empty.' },
        secretName: { n: 2, type: 'string', doc: 'Secret with the certificate and key; unset leaves TLS to the controller.' },
      },
    },
    ParentReference: {
      doc: 'Names the object that uses an address.',
      fields: {
        group: { n: 1, type: 'string', doc: 'API group of the object.' },
        resource: { n: 2, type: 'string', required: true, rules: ['required @alpha 1.36'], doc: 'Plural name of the resource.' },
        namespace: { n: 3, type: 'string', doc: 'Namespace of the object.' },
        name: { n: 4, type: 'string', required: true, rules: ['required @alpha 1.36'], doc: 'Name of the object.' },
      },
    },
    ServiceCIDR: {
      doc: 'Blocks that services get their addresses from.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ServiceCIDRSpec', doc: 'The blocks.' },
        status: { n: 3, type: 'ServiceCIDRStatus', doc: 'Whether the blocks can be used.' },
      },
    },
    ServiceCIDRList: {
      doc: 'A list of ServiceCIDR objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ServiceCIDR', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ServiceCIDRSpec: {
      doc: 'Blocks that services get their addresses from.',
      fields: {
        cidrs: { n: 1, type: '[]string', list: 'atomic', doc: 'The blocks, at most one an address family; a second may be added later, nothing else changes.' },
      },
    },
    ServiceCIDRStatus: {
      doc: 'Addresses are allocated only while it is Ready.',
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the blocks' state, such as Ready." },
      },
    },
  },
  resources: {
    ipaddresses: {
      kind: 'IPAddress',
      singular: 'ipaddress',
      listKind: 'IPAddressList',
      namespaced: false,
      shortNames: ['ip'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'ipaddresses',
      storageVersionHash: '3f/plJFChNE=',
      served: false,
      introduced: '1.31',
      deprecated: '1.34',
      removed: '1.37',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
    },
    servicecidrs: {
      kind: 'ServiceCIDR',
      singular: 'servicecidr',
      listKind: 'ServiceCIDRList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'servicecidrs',
      storageVersionHash: 'gNLvruQhW2g=',
      served: false,
      introduced: '1.31',
      deprecated: '1.34',
      removed: '1.37',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'ServiceCIDR', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
  },
}
