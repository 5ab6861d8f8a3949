import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const apiregistrationV1: GroupVersionTable = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.kube_aggregator.pkg.apis.apiregistration.v1',
  types: {
    APIService: {
      doc: 'A group version and the server that serves it; its name is <version>.<group>.',
      kind: true,
      earlierVersions: ['v1beta1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'APIServiceSpec', doc: 'The group version and how to connect to its server.' },
        status: { n: 3, type: 'APIServiceStatus', doc: 'Whether the server is reachable.' },
      },
    },
    APIServiceCondition: {
      doc: 'One aspect of an API service; Available is the only one.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'APIServiceConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        lastTransitionTime: { n: 3, type: 'Time', doc: 'When the status last changed from one value to another.' },
        reason: { n: 4, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 5, type: 'string', doc: 'Details of the last change, for people.' },
      },
    },
    APIServiceList: {
      doc: 'A list of APIService objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]APIService', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    APIServiceSpec: {
      doc: "Requests for the group version are forwarded to the server, with the user's name in headers.",
      fields: {
        service: { n: 1, type: '*ServiceReference', doc: 'Service of the server; unset means this server itself.' },
        group: { n: 2, type: 'string', doc: 'Name of the API group.' },
        version: { n: 3, type: 'string', doc: 'Name of the version.' },
        insecureSkipTLSVerify: { n: 4, type: 'bool', doc: "Does not verify the server's certificate; prefer caBundle." },
        caBundle: { n: 5, type: 'bytes', list: 'atomic', format: 'byte', doc: 'Certificates, in PEM, to verify the server; those of the system when empty.' },
        groupPriorityMinimum: { n: 7, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Rank of the group in discovery; higher ones come first. The highest of its versions counts.' },
        versionPriority: { n: 8, type: 'int32', omit: 'never', required: true, default: 0, format: 'int32', doc: 'Rank of the version within its group; higher ones come first.' },
      },
    },
    APIServiceStatus: {
      doc: 'State of an API service.',
      fields: {
        conditions: { n: 1, type: '[]APIServiceCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the service's state, such as Available." },
      },
    },
    ServiceReference: {
      doc: 'A service to call.',
      fields: {
        namespace: { n: 1, type: 'string', doc: 'Namespace of the service.' },
        name: { n: 2, type: 'string', doc: 'Name of the service.' },
        port: { n: 3, type: '*int32', format: 'int32', doc: 'Port of the service, which speaks https. Defaults to 443.' },
      },
    },
  },
  resources: {
    apiservices: {
      kind: 'APIService',
      singular: 'apiservice',
      listKind: 'APIServiceList',
      namespaced: false,
      categories: ['api-extensions'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'apiregistration.k8s.io/apiservices',
      storageVersionHash: 'InPBPD7+PqM=',
      introduced: '1.10',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'APIService', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
