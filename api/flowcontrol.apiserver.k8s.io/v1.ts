import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const flowcontrolV1: GroupVersionTable = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.flowcontrol.v1',
  types: {
    ExemptPriorityLevelConfiguration: {
      doc: 'Settings of a level whose requests never wait.',
      fields: {
        nominalConcurrencyShares: { n: 1, type: '*int32', format: 'int32', doc: "Share of the server's seats, reserved for lending only. Defaults to 0." },
        lendablePercent: { n: 2, type: '*int32', format: 'int32', doc: 'How many percent of its seats other levels may borrow. Defaults to 0.' },
      },
    },
    FlowDistinguisherMethod: {
      doc: 'How requests of a schema are grouped into flows.',
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'FlowDistinguisherMethodType', doc: 'ByUser or ByNamespace.' },
      },
    },
    FlowSchema: {
      doc: 'Assigns requests to a priority level, and groups them into flows that share it fairly.',
      kind: true,
      earlierVersions: ['v1beta3', 'v1beta2', 'v1beta1', 'v1alpha1'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'FlowSchemaSpec', doc: 'Matching requests, and their level.' },
        status: { n: 3, type: 'FlowSchemaStatus', doc: 'Whether the schema can be used.' },
      },
    },
    FlowSchemaCondition: {
      doc: 'One aspect of a flow schema; Dangling is the only one.',
      fields: {
        type: { n: 1, type: 'string', alias: 'FlowSchemaConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 2, type: 'string', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        lastTransitionTime: { n: 3, type: 'Time', doc: 'When the status last changed from one value to another.' },
        reason: { n: 4, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 5, type: 'string', doc: 'Details of the last change, for people.' },
      },
    },
    FlowSchemaList: {
      doc: 'A list of FlowSchema objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]FlowSchema', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    FlowSchemaSpec: {
      doc: 'Matching requests of a schema, and their level.',
      fields: {
        priorityLevelConfiguration: { n: 1, type: 'PriorityLevelConfigurationReference', omit: 'never', required: true, doc: 'The level. Required; without it the schema is ignored.' },
        matchingPrecedence: { n: 2, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: 'Rank among schemas that match, 1 to 10000; the lowest wins. Defaults to 1000.' },
        distinguisherMethod: { n: 3, type: '*FlowDistinguisherMethod', doc: 'How flows are distinguished; when unset, all requests are one flow.' },
        rules: { n: 4, type: '[]PolicyRulesWithSubjects', list: 'atomic', doc: 'Which requests match; any one rule suffices.' },
      },
    },
    FlowSchemaStatus: {
      doc: 'State of a flow schema.',
      fields: {
        conditions: { n: 1, type: '[]FlowSchemaCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the schema's state." },
      },
    },
    GroupSubject: {
      doc: 'By name, such as system:authenticated.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the group; * is all of them.' },
      },
    },
    LimitResponse: {
      doc: 'By default requests wait in queues; when these are full, clients get 429.',
      unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }],
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'LimitResponseType', rules: ['required @alpha 1.36', 'discriminator @alpha 1.36'], doc: 'Queue or Reject.' },
        queuing: { n: 2, type: '*QueuingConfiguration', rules: ['optional @alpha 1.36', 'member("Queue")=required @alpha 1.36', 'member("Reject")=forbidden @alpha 1.36'], doc: 'Settings of the queues; only for Queue.' },
      },
    },
    LimitedPriorityLevelConfiguration: {
      doc: 'Settings of a level with a limit.',
      fields: {
        nominalConcurrencyShares: { n: 1, type: '*int32', omit: 'never', format: 'int32', doc: "Share of the server's seats, in relation to those of other levels. Defaults to 30." },
        limitResponse: { n: 2, type: 'LimitResponse', doc: 'Treatment of requests beyond the limit.' },
        lendablePercent: { n: 3, type: '*int32', format: 'int32', doc: 'How many percent of its seats other levels may borrow. Defaults to 0.' },
        borrowingLimitPercent: { n: 4, type: '*int32', format: 'int32', doc: 'Maximum number of borrowed seats, in percent of its own; unset is no limit.' },
      },
    },
    NonResourcePolicyRule: {
      doc: 'Requests for paths outside of resources.',
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'set', doc: 'Verbs of the requests; * is all of them.' },
        nonResourceURLs: { n: 6, type: '[]string', omit: 'never', required: true, list: 'set', doc: 'Paths; a trailing /* matches what is below, and * alone is all.' },
      },
    },
    PolicyRulesWithSubjects: {
      doc: 'Requests of some subjects for some resources or paths.',
      fields: {
        subjects: { n: 1, type: '[]Subject', omit: 'never', required: true, list: 'atomic', doc: 'Users of the requests; any one suffices.' },
        resourceRules: { n: 2, type: '[]ResourcePolicyRule', list: 'atomic', doc: 'Requests for resources; one rule of either kind suffices.' },
        nonResourceRules: { n: 3, type: '[]NonResourcePolicyRule', list: 'atomic', doc: 'Requests for other paths.' },
      },
    },
    PriorityLevelConfiguration: {
      doc: 'A priority level: how many requests it may run at a time, and the treatment of the others.',
      kind: true,
      earlierVersions: ['v1beta3'],
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'PriorityLevelConfigurationSpec', doc: 'The limits.' },
        status: { n: 3, type: 'PriorityLevelConfigurationStatus', doc: 'State of the level.' },
      },
    },
    PriorityLevelConfigurationCondition: {
      doc: 'One aspect of a priority level.',
      fields: {
        type: { n: 1, type: 'string', alias: 'PriorityLevelConfigurationConditionType', doc: 'Kind of the condition, in CamelCase; at most one condition of each type.' },
        status: { n: 2, type: 'string', alias: 'ConditionStatus', doc: 'Whether the condition holds: True, False or Unknown.' },
        lastTransitionTime: { n: 3, type: 'Time', doc: 'When the status last changed from one value to another.' },
        reason: { n: 4, type: 'string', doc: 'Machine-readable cause of the last change, in CamelCase.' },
        message: { n: 5, type: 'string', doc: 'Details of the last change, for people.' },
      },
    },
    PriorityLevelConfigurationList: {
      doc: 'A list of PriorityLevelConfiguration objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]PriorityLevelConfiguration', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    PriorityLevelConfigurationReference: {
      doc: 'Names a priority level.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the level.' },
      },
    },
    PriorityLevelConfigurationSpec: {
      doc: 'Limits of a priority level.',
      unions: [{ discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } }],
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PriorityLevelEnablement', rules: ['required @alpha 1.36', 'discriminator @alpha 1.36'], doc: 'Exempt, whose requests never wait, or Limited.' },
        limited: { n: 2, type: '*LimitedPriorityLevelConfiguration', rules: ['optional @alpha 1.36', 'member("Limited")=required @alpha 1.36', 'member("Exempt")=forbidden @alpha 1.36'], doc: 'Settings of a Limited level.' },
        exempt: { n: 3, type: '*ExemptPriorityLevelConfiguration', rules: ['optional @alpha 1.36', 'member("Exempt")=optional @alpha 1.36', 'member("Limited")=forbidden @alpha 1.36'], doc: 'Settings of an Exempt level.' },
      },
    },
    PriorityLevelConfigurationStatus: {
      doc: 'Whether the level works as it is configured.',
      fields: {
        conditions: { n: 1, type: '[]PriorityLevelConfigurationCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type', doc: "Aspects of the level's state." },
      },
    },
    QueuingConfiguration: {
      doc: 'Queues of a priority level.',
      fields: {
        queues: { n: 1, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: 'How many queues there are. Defaults to 64.' },
        handSize: { n: 2, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: 'Number of queues that are considered for a flow; the shortest is used. Defaults to 8.' },
        queueLengthLimit: { n: 3, type: 'int32', omit: 'never', default: 0, format: 'int32', doc: 'Most requests that wait in a queue; further ones are refused. Defaults to 50.' },
      },
    },
    ResourcePolicyRule: {
      doc: 'Requests for resources.',
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'set', doc: 'Verbs of the requests; * is all of them.' },
        apiGroups: { n: 2, type: '[]string', omit: 'never', required: true, list: 'set', doc: 'API groups of the resources; * is all of them.' },
        resources: { n: 3, type: '[]string', omit: 'never', required: true, list: 'set', doc: 'Resources, or resource/subresource; * is all of them.' },
        clusterScope: { n: 4, type: 'bool', doc: 'Also matches requests without a namespace. Defaults to false.' },
        namespaces: { n: 5, type: '[]string', omit: 'never', list: 'set', doc: 'Namespaces of the requests; * is all of them.' },
      },
    },
    ServiceAccountSubject: {
      doc: 'By namespace and name.',
      fields: {
        namespace: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Namespace of the account.' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the account; * is all of them.' },
      },
    },
    Subject: {
      doc: 'A user of requests; the field that kind names is set.',
      unions: [{ discriminator: 'kind', fields: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } }],
      fields: {
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'SubjectKind', doc: 'User, Group or ServiceAccount.' },
        user: { n: 2, type: '*UserSubject', doc: 'A user.' },
        group: { n: 3, type: '*GroupSubject', doc: 'A group of users.' },
        serviceAccount: { n: 4, type: '*ServiceAccountSubject', doc: 'A service account.' },
      },
    },
    UserSubject: {
      doc: 'By name, as authentication identified it.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the user; * is all of them.' },
      },
    },
  },
  resources: {
    flowschemas: {
      kind: 'FlowSchema',
      singular: 'flowschema',
      listKind: 'FlowSchemaList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'flowschemas',
      storageVersionHash: 'GJVAJZSZBIw=',
      introduced: '1.29',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'FlowSchema', verbs: ['get', 'patch', 'update'] },
      },
    },
    prioritylevelconfigurations: {
      kind: 'PriorityLevelConfiguration',
      singular: 'prioritylevelconfiguration',
      listKind: 'PriorityLevelConfigurationList',
      namespaced: false,
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'prioritylevelconfigurations',
      storageVersionHash: 'Kir5PVfvNeI=',
      introduced: '1.29',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'PriorityLevelConfiguration', verbs: ['get', 'patch', 'update'] },
      },
    },
  },
}
