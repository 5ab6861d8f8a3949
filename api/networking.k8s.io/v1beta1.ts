import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const networkingV1beta1: GroupVersionTable = {
  group: 'networking.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.networking.v1beta1',
  types: {
    HTTPIngressPath: {
      fields: {
        path: { n: 1, type: 'string' },
        pathType: { n: 3, type: '*string', alias: 'PathType' },
        backend: { n: 2, type: 'IngressBackend', omit: 'never', required: true },
      },
    },
    HTTPIngressRuleValue: {
      fields: {
        paths: { n: 1, type: '[]HTTPIngressPath', omit: 'never', required: true, list: 'atomic' },
      },
    },
    IPAddress: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'IPAddressSpec', required: true },
      },
    },
    IPAddressList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]IPAddress', omit: 'never', required: true },
      },
    },
    IPAddressSpec: {
      fields: {
        parentRef: { n: 1, type: '*ParentReference', required: true, rules: ['required @alpha 1.36', 'immutable @alpha 1.36'] },
      },
    },
    Ingress: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'IngressSpec' },
        status: { n: 3, type: 'IngressStatus' },
      },
    },
    IngressBackend: {
      fields: {
        serviceName: { n: 1, type: 'string' },
        servicePort: { n: 2, type: 'IntOrString' },
        resource: { n: 3, type: '*core/v1.TypedLocalObjectReference' },
      },
    },
    IngressClass: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'IngressClassSpec' },
      },
    },
    IngressClassList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]IngressClass', omit: 'never', required: true },
      },
    },
    IngressClassParametersReference: {
      fields: {
        apiGroup: { n: 1, type: '*string', protoName: 'aPIGroup' },
        kind: { n: 2, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'] },
        name: { n: 3, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'] },
        scope: { n: 4, type: '*string', omit: 'never', required: true },
        namespace: { n: 5, type: '*string' },
      },
    },
    IngressClassSpec: {
      fields: {
        controller: { n: 1, type: 'string' },
        parameters: { n: 2, type: '*IngressClassParametersReference', rules: ['optional @alpha 1.36'] },
      },
    },
    IngressList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]Ingress', omit: 'never', required: true },
      },
    },
    IngressLoadBalancerIngress: {
      fields: {
        ip: { n: 1, type: 'string' },
        hostname: { n: 2, type: 'string' },
        ports: { n: 4, type: '[]IngressPortStatus', list: 'atomic' },
      },
    },
    IngressLoadBalancerStatus: {
      fields: {
        ingress: { n: 1, type: '[]IngressLoadBalancerIngress', list: 'atomic' },
      },
    },
    IngressPortStatus: {
      fields: {
        port: { n: 1, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32' },
        protocol: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'] },
        error: { n: 3, type: '*string' },
      },
    },
    IngressRule: {
      fields: {
        host: { n: 1, type: 'string' },
        ingressRuleValue: { n: 2, type: 'IngressRuleValue', inline: true },
      },
    },
    IngressRuleValue: {
      fields: {
        http: { n: 1, type: '*HTTPIngressRuleValue' },
      },
    },
    IngressSpec: {
      fields: {
        ingressClassName: { n: 4, type: '*string', deprecated: true },
        backend: { n: 1, type: '*IngressBackend' },
        tls: { n: 2, type: '[]IngressTLS', list: 'atomic' },
        rules: { n: 3, type: '[]IngressRule', list: 'atomic' },
      },
    },
    IngressStatus: {
      fields: {
        loadBalancer: { n: 1, type: 'IngressLoadBalancerStatus' },
      },
    },
    IngressTLS: {
      fields: {
        hosts: { n: 1, type: '[]string', list: 'atomic' },
        secretName: { n: 2, type: 'string' },
      },
    },
    ParentReference: {
      fields: {
        group: { n: 1, type: 'string' },
        resource: { n: 2, type: 'string', required: true, rules: ['required @alpha 1.36'] },
        namespace: { n: 3, type: 'string' },
        name: { n: 4, type: 'string', required: true, rules: ['required @alpha 1.36'] },
      },
    },
    ServiceCIDR: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ServiceCIDRSpec' },
        status: { n: 3, type: 'ServiceCIDRStatus' },
      },
    },
    ServiceCIDRList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ServiceCIDR', omit: 'never', required: true },
      },
    },
    ServiceCIDRSpec: {
      fields: {
        cidrs: { n: 1, type: '[]string', list: 'atomic' },
      },
    },
    ServiceCIDRStatus: {
      fields: {
        conditions: { n: 1, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
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
      resetFields: { '': ['status (only with gate ServiceCIDRStatusFieldWiping)'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'ServiceCIDR', verbs: ['get', 'patch', 'update'], served: false },
      },
    },
  },
}
