import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const networkingV1: GroupVersionTable = {
  group: 'networking.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.networking.v1',
  types: {
    HTTPIngressPath: {
      fields: {
        path: { n: 1, type: 'string' },
        pathType: { n: 3, type: '*string', omit: 'never', required: true, alias: 'PathType', enum: ['Exact', 'ImplementationSpecific', 'Prefix'] },
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
    IPBlock: {
      fields: {
        cidr: { n: 1, type: 'string', omit: 'never', required: true, default: '', rules: ['required @alpha 1.36'] },
        except: { n: 2, type: '[]string', list: 'atomic' },
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
        service: { n: 4, type: '*IngressServiceBackend' },
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
        scope: { n: 4, type: '*string', omit: 'never' },
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
    IngressServiceBackend: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        port: { n: 2, type: 'ServiceBackendPort' },
      },
    },
    IngressSpec: {
      fields: {
        ingressClassName: { n: 4, type: '*string', deprecated: true },
        defaultBackend: { n: 1, type: '*IngressBackend' },
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
    NetworkPolicy: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'NetworkPolicySpec' },
      },
    },
    NetworkPolicyEgressRule: {
      fields: {
        ports: { n: 1, type: '[]NetworkPolicyPort', list: 'atomic' },
        to: { n: 2, type: '[]NetworkPolicyPeer', list: 'atomic', rules: ['optional @alpha 1.36'] },
      },
    },
    NetworkPolicyIngressRule: {
      fields: {
        ports: { n: 1, type: '[]NetworkPolicyPort', list: 'atomic' },
        from: { n: 2, type: '[]NetworkPolicyPeer', list: 'atomic', rules: ['optional @alpha 1.36'] },
      },
    },
    NetworkPolicyList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]NetworkPolicy', omit: 'never', required: true },
      },
    },
    NetworkPolicyPeer: {
      fields: {
        podSelector: { n: 1, type: '*meta/v1.LabelSelector' },
        namespaceSelector: { n: 2, type: '*meta/v1.LabelSelector' },
        ipBlock: { n: 3, type: '*IPBlock', rules: ['optional @alpha 1.36'] },
      },
    },
    NetworkPolicyPort: {
      fields: {
        protocol: { n: 1, type: '*string', alias: 'Protocol', enum: ['SCTP', 'TCP', 'UDP'] },
        port: { n: 2, type: '*IntOrString' },
        endPort: { n: 3, type: '*int32', format: 'int32' },
      },
    },
    NetworkPolicySpec: {
      fields: {
        podSelector: { n: 1, type: 'meta/v1.LabelSelector', omit: 'never' },
        ingress: { n: 2, type: '[]NetworkPolicyIngressRule', list: 'atomic', rules: ['optional @alpha 1.36'] },
        egress: { n: 3, type: '[]NetworkPolicyEgressRule', list: 'atomic', rules: ['optional @alpha 1.36'] },
        policyTypes: { n: 4, type: '[]string', list: 'atomic', alias: 'PolicyType', itemEnum: ['Egress', 'Ingress'] },
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
    ServiceBackendPort: {
      map: 'atomic',
      fields: {
        name: { n: 1, type: 'string' },
        number: { n: 2, type: 'int32', format: 'int32' },
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
    ingressclasses: {
      kind: 'IngressClass',
      singular: 'ingressclass',
      listKind: 'IngressClassList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'ingressclasses',
      storageVersionHash: 'l/iqIbDgFyQ=',
      introduced: '1.19',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
    },
    ingresses: {
      kind: 'Ingress',
      singular: 'ingress',
      listKind: 'IngressList',
      namespaced: true,
      shortNames: ['ing'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'ingress',
      storageVersionHash: '39NQlfNR+bo=',
      introduced: '1.19',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['spec'] },
      subresources: {
        status: { kind: 'Ingress', verbs: ['get', 'patch', 'update'] },
      },
    },
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
      introduced: '1.33',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
    },
    networkpolicies: {
      kind: 'NetworkPolicy',
      singular: 'networkpolicy',
      listKind: 'NetworkPolicyList',
      namespaced: true,
      shortNames: ['netpol'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'networkpolicies',
      storageVersionHash: 'YpfwF18m1G8=',
      introduced: '1.7',
      fieldSelectors: ['metadata.name', 'metadata.namespace'],
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
      introduced: '1.33',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      resetFields: { '': ['status (only with gate ServiceCIDRStatusFieldWiping)'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'ServiceCIDR', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
