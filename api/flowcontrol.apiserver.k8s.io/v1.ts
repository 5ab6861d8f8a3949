import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const flowcontrolV1: GroupVersionTable = {
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.flowcontrol.v1',
  types: {
    ExemptPriorityLevelConfiguration: {
      fields: {
        nominalConcurrencyShares: { n: 1, type: '*int32', format: 'int32' },
        lendablePercent: { n: 2, type: '*int32', format: 'int32' },
      },
    },
    FlowDistinguisherMethod: {
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'FlowDistinguisherMethodType' },
      },
    },
    FlowSchema: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'FlowSchemaSpec' },
        status: { n: 3, type: 'FlowSchemaStatus' },
      },
    },
    FlowSchemaCondition: {
      fields: {
        type: { n: 1, type: 'string', alias: 'FlowSchemaConditionType' },
        status: { n: 2, type: 'string', alias: 'ConditionStatus' },
        lastTransitionTime: { n: 3, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
      },
    },
    FlowSchemaList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]FlowSchema', omit: 'never', required: true },
      },
    },
    FlowSchemaSpec: {
      fields: {
        priorityLevelConfiguration: { n: 1, type: 'PriorityLevelConfigurationReference', omit: 'never', required: true },
        matchingPrecedence: { n: 2, type: 'int32', omit: 'never', default: 0, format: 'int32' },
        distinguisherMethod: { n: 3, type: '*FlowDistinguisherMethod' },
        rules: { n: 4, type: '[]PolicyRulesWithSubjects', list: 'atomic' },
      },
    },
    FlowSchemaStatus: {
      fields: {
        conditions: { n: 1, type: '[]FlowSchemaCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      },
    },
    GroupSubject: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    LimitResponse: {
      unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }],
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'LimitResponseType', rules: ['required @alpha 1.36', 'discriminator @alpha 1.36'] },
        queuing: { n: 2, type: '*QueuingConfiguration', rules: ['optional @alpha 1.36', 'member("Queue")=required @alpha 1.36', 'member("Reject")=forbidden @alpha 1.36'] },
      },
    },
    LimitedPriorityLevelConfiguration: {
      fields: {
        nominalConcurrencyShares: { n: 1, type: '*int32', omit: 'never', format: 'int32' },
        limitResponse: { n: 2, type: 'LimitResponse' },
        lendablePercent: { n: 3, type: '*int32', format: 'int32' },
        borrowingLimitPercent: { n: 4, type: '*int32', format: 'int32' },
      },
    },
    NonResourcePolicyRule: {
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'set' },
        nonResourceURLs: { n: 6, type: '[]string', omit: 'never', required: true, list: 'set' },
      },
    },
    PolicyRulesWithSubjects: {
      fields: {
        subjects: { n: 1, type: '[]Subject', omit: 'never', required: true, list: 'atomic' },
        resourceRules: { n: 2, type: '[]ResourcePolicyRule', list: 'atomic' },
        nonResourceRules: { n: 3, type: '[]NonResourcePolicyRule', list: 'atomic' },
      },
    },
    PriorityLevelConfiguration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'PriorityLevelConfigurationSpec' },
        status: { n: 3, type: 'PriorityLevelConfigurationStatus' },
      },
    },
    PriorityLevelConfigurationCondition: {
      fields: {
        type: { n: 1, type: 'string', alias: 'PriorityLevelConfigurationConditionType' },
        status: { n: 2, type: 'string', alias: 'ConditionStatus' },
        lastTransitionTime: { n: 3, type: 'Time' },
        reason: { n: 4, type: 'string' },
        message: { n: 5, type: 'string' },
      },
    },
    PriorityLevelConfigurationList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]PriorityLevelConfiguration', omit: 'never', required: true },
      },
    },
    PriorityLevelConfigurationReference: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    PriorityLevelConfigurationSpec: {
      unions: [{ discriminator: 'type', fields: { exempt: 'Exempt', limited: 'Limited' } }],
      fields: {
        type: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'PriorityLevelEnablement', rules: ['required @alpha 1.36', 'discriminator @alpha 1.36'] },
        limited: { n: 2, type: '*LimitedPriorityLevelConfiguration', rules: ['optional @alpha 1.36', 'member("Limited")=required @alpha 1.36', 'member("Exempt")=forbidden @alpha 1.36'] },
        exempt: { n: 3, type: '*ExemptPriorityLevelConfiguration', rules: ['optional @alpha 1.36', 'member("Exempt")=optional @alpha 1.36', 'member("Limited")=forbidden @alpha 1.36'] },
      },
    },
    PriorityLevelConfigurationStatus: {
      fields: {
        conditions: { n: 1, type: '[]PriorityLevelConfigurationCondition', list: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' },
      },
    },
    QueuingConfiguration: {
      fields: {
        queues: { n: 1, type: 'int32', omit: 'never', default: 0, format: 'int32' },
        handSize: { n: 2, type: 'int32', omit: 'never', default: 0, format: 'int32' },
        queueLengthLimit: { n: 3, type: 'int32', omit: 'never', default: 0, format: 'int32' },
      },
    },
    ResourcePolicyRule: {
      fields: {
        verbs: { n: 1, type: '[]string', omit: 'never', required: true, list: 'set' },
        apiGroups: { n: 2, type: '[]string', omit: 'never', required: true, list: 'set' },
        resources: { n: 3, type: '[]string', omit: 'never', required: true, list: 'set' },
        clusterScope: { n: 4, type: 'bool' },
        namespaces: { n: 5, type: '[]string', omit: 'never', list: 'set' },
      },
    },
    ServiceAccountSubject: {
      fields: {
        namespace: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    Subject: {
      unions: [{ discriminator: 'kind', fields: { group: 'Group', serviceAccount: 'ServiceAccount', user: 'User' } }],
      fields: {
        kind: { n: 1, type: 'string', omit: 'never', required: true, default: '', alias: 'SubjectKind' },
        user: { n: 2, type: '*UserSubject' },
        group: { n: 3, type: '*GroupSubject' },
        serviceAccount: { n: 4, type: '*ServiceAccountSubject' },
      },
    },
    UserSubject: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
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
