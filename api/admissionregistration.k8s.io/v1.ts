import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const admissionregistrationV1: GroupVersionTable = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  protoPackage: 'k8s.io.api.admissionregistration.v1',
  types: {
    ApplyConfiguration: {
      fields: {
        expression: { n: 1, type: 'string' },
      },
    },
    AuditAnnotation: {
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        valueExpression: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    ExpressionWarning: {
      fields: {
        fieldRef: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        warning: { n: 3, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    JSONPatch: {
      fields: {
        expression: { n: 1, type: 'string' },
      },
    },
    MatchCondition: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        expression: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
      },
    },
    MatchResources: {
      map: 'atomic',
      fields: {
        namespaceSelector: { n: 1, type: '*meta/v1.LabelSelector' },
        objectSelector: { n: 2, type: '*meta/v1.LabelSelector' },
        resourceRules: { n: 3, type: '[]NamedRuleWithOperations', list: 'atomic' },
        excludeResourceRules: { n: 4, type: '[]NamedRuleWithOperations', list: 'atomic' },
        matchPolicy: { n: 7, type: '*string', alias: 'MatchPolicyType', enum: ['Equivalent', 'Exact'] },
      },
    },
    MutatingAdmissionPolicy: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'MutatingAdmissionPolicySpec' },
      },
    },
    MutatingAdmissionPolicyBinding: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'MutatingAdmissionPolicyBindingSpec' },
      },
    },
    MutatingAdmissionPolicyBindingList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]MutatingAdmissionPolicyBinding', omit: 'never', required: true },
      },
    },
    MutatingAdmissionPolicyBindingSpec: {
      fields: {
        policyName: { n: 1, type: 'string' },
        paramRef: { n: 2, type: '*ParamRef' },
        matchResources: { n: 3, type: '*MatchResources' },
      },
    },
    MutatingAdmissionPolicyList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]MutatingAdmissionPolicy', omit: 'never', required: true },
      },
    },
    MutatingAdmissionPolicySpec: {
      fields: {
        paramKind: { n: 1, type: '*ParamKind' },
        matchConstraints: { n: 2, type: '*MatchResources' },
        variables: { n: 3, type: '[]Variable', list: 'atomic' },
        mutations: { n: 4, type: '[]Mutation', list: 'atomic' },
        failurePolicy: { n: 5, type: '*string', alias: 'FailurePolicyType', enum: ['Fail', 'Ignore'] },
        matchConditions: { n: 6, type: '[]MatchCondition', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
        reinvocationPolicy: { n: 7, type: 'string', alias: 'ReinvocationPolicyType', enum: ['IfNeeded', 'Never'] },
      },
    },
    MutatingWebhook: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        clientConfig: { n: 2, type: 'WebhookClientConfig', omit: 'never', required: true },
        rules: { n: 3, type: '[]RuleWithOperations', list: 'atomic' },
        failurePolicy: { n: 4, type: '*string', alias: 'FailurePolicyType', enum: ['Fail', 'Ignore'] },
        matchPolicy: { n: 9, type: '*string', alias: 'MatchPolicyType', enum: ['Equivalent', 'Exact'] },
        namespaceSelector: { n: 5, type: '*meta/v1.LabelSelector' },
        objectSelector: { n: 11, type: '*meta/v1.LabelSelector' },
        sideEffects: { n: 6, type: '*string', omit: 'never', required: true, alias: 'SideEffectClass', enum: ['None', 'NoneOnDryRun', 'Some', 'Unknown'] },
        timeoutSeconds: { n: 7, type: '*int32', format: 'int32' },
        admissionReviewVersions: { n: 8, type: '[]string', omit: 'never', required: true, list: 'atomic' },
        reinvocationPolicy: { n: 10, type: '*string', alias: 'ReinvocationPolicyType', enum: ['IfNeeded', 'Never'] },
        matchConditions: { n: 12, type: '[]MatchCondition', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      },
    },
    MutatingWebhookConfiguration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        webhooks: { n: 2, type: '[]MutatingWebhook', protoName: 'Webhooks', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      },
    },
    MutatingWebhookConfigurationList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]MutatingWebhookConfiguration', omit: 'never', required: true },
      },
    },
    Mutation: {
      fields: {
        patchType: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'PatchType', enum: ['ApplyConfiguration', 'JSONPatch'] },
        applyConfiguration: { n: 3, type: '*ApplyConfiguration' },
        jsonPatch: { n: 4, type: '*JSONPatch' },
      },
    },
    NamedRuleWithOperations: {
      map: 'atomic',
      fields: {
        resourceNames: { n: 1, type: '[]string', list: 'atomic' },
        ruleWithOperations: { n: 2, type: 'RuleWithOperations', inline: true },
      },
    },
    ParamKind: {
      map: 'atomic',
      fields: {
        apiVersion: { n: 1, type: 'string' },
        kind: { n: 2, type: 'string' },
      },
    },
    ParamRef: {
      map: 'atomic',
      fields: {
        name: { n: 1, type: 'string' },
        namespace: { n: 2, type: 'string' },
        selector: { n: 3, type: '*meta/v1.LabelSelector' },
        parameterNotFoundAction: { n: 4, type: '*string', alias: 'ParameterNotFoundActionType' },
      },
    },
    Rule: {
      fields: {
        apiGroups: { n: 1, type: '[]string', list: 'atomic' },
        apiVersions: { n: 2, type: '[]string', list: 'atomic' },
        resources: { n: 3, type: '[]string', list: 'atomic' },
        scope: { n: 4, type: '*string', alias: 'ScopeType', enum: ['*', 'Cluster', 'Namespaced'] },
      },
    },
    RuleWithOperations: {
      fields: {
        operations: { n: 1, type: '[]string', list: 'atomic', alias: 'OperationType', itemEnum: ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'] },
        rule: { n: 2, type: 'Rule', inline: true },
      },
    },
    ServiceReference: {
      fields: {
        namespace: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '' },
        path: { n: 3, type: '*string' },
        port: { n: 4, type: '*int32', format: 'int32' },
      },
    },
    TypeChecking: {
      fields: {
        expressionWarnings: { n: 1, type: '[]ExpressionWarning', list: 'atomic' },
      },
    },
    ValidatingAdmissionPolicy: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ValidatingAdmissionPolicySpec' },
        status: { n: 3, type: 'ValidatingAdmissionPolicyStatus' },
      },
    },
    ValidatingAdmissionPolicyBinding: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        spec: { n: 2, type: 'ValidatingAdmissionPolicyBindingSpec', required: true },
      },
    },
    ValidatingAdmissionPolicyBindingList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ValidatingAdmissionPolicyBinding', omit: 'never', required: true },
      },
    },
    ValidatingAdmissionPolicyBindingSpec: {
      fields: {
        policyName: { n: 1, type: 'string', required: true, rules: ['required @alpha 1.36'] },
        paramRef: { n: 2, type: '*ParamRef' },
        matchResources: { n: 3, type: '*MatchResources' },
        validationActions: { n: 4, type: '[]string', required: true, list: 'set', alias: 'ValidationAction', itemEnum: ['Audit', 'Deny', 'Warn'], rules: ['required @alpha 1.36'] },
      },
    },
    ValidatingAdmissionPolicyList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ValidatingAdmissionPolicy', omit: 'never', required: true },
      },
    },
    ValidatingAdmissionPolicySpec: {
      fields: {
        paramKind: { n: 1, type: '*ParamKind' },
        matchConstraints: { n: 2, type: '*MatchResources' },
        validations: { n: 3, type: '[]Validation', list: 'atomic' },
        failurePolicy: { n: 4, type: '*string', alias: 'FailurePolicyType', enum: ['Fail', 'Ignore'] },
        auditAnnotations: { n: 5, type: '[]AuditAnnotation', list: 'atomic' },
        matchConditions: { n: 6, type: '[]MatchCondition', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
        variables: { n: 7, type: '[]Variable', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      },
    },
    ValidatingAdmissionPolicyStatus: {
      fields: {
        observedGeneration: { n: 1, type: 'int64', format: 'int64' },
        typeChecking: { n: 2, type: '*TypeChecking' },
        conditions: { n: 3, type: '[]meta/v1.Condition', list: 'map', keys: ['type'] },
      },
    },
    ValidatingWebhook: {
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
        clientConfig: { n: 2, type: 'WebhookClientConfig', omit: 'never', required: true },
        rules: { n: 3, type: '[]RuleWithOperations', list: 'atomic' },
        failurePolicy: { n: 4, type: '*string', alias: 'FailurePolicyType', enum: ['Fail', 'Ignore'] },
        matchPolicy: { n: 9, type: '*string', alias: 'MatchPolicyType', enum: ['Equivalent', 'Exact'] },
        namespaceSelector: { n: 5, type: '*meta/v1.LabelSelector' },
        objectSelector: { n: 10, type: '*meta/v1.LabelSelector' },
        sideEffects: { n: 6, type: '*string', omit: 'never', required: true, alias: 'SideEffectClass', enum: ['None', 'NoneOnDryRun', 'Some', 'Unknown'] },
        timeoutSeconds: { n: 7, type: '*int32', format: 'int32' },
        admissionReviewVersions: { n: 8, type: '[]string', omit: 'never', required: true, list: 'atomic' },
        matchConditions: { n: 11, type: '[]MatchCondition', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      },
    },
    ValidatingWebhookConfiguration: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta' },
        webhooks: { n: 2, type: '[]ValidatingWebhook', protoName: 'Webhooks', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' },
      },
    },
    ValidatingWebhookConfigurationList: {
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta' },
        items: { n: 2, type: '[]ValidatingWebhookConfiguration', omit: 'never', required: true },
      },
    },
    Validation: {
      fields: {
        expression: { n: 1, type: 'string', omit: 'never', protoName: 'Expression', required: true, default: '' },
        message: { n: 2, type: 'string' },
        reason: { n: 3, type: '*string', alias: 'StatusReason' },
        messageExpression: { n: 4, type: 'string' },
      },
    },
    Variable: {
      map: 'atomic',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', protoName: 'Name', required: true, default: '' },
        expression: { n: 2, type: 'string', omit: 'never', protoName: 'Expression', required: true, default: '' },
      },
    },
    WebhookClientConfig: {
      fields: {
        url: { n: 3, type: '*string' },
        service: { n: 1, type: '*ServiceReference' },
        caBundle: { n: 2, type: 'bytes', format: 'byte' },
      },
    },
  },
  resources: {
    mutatingadmissionpolicies: {
      kind: 'MutatingAdmissionPolicy',
      singular: 'mutatingadmissionpolicy',
      listKind: 'MutatingAdmissionPolicyList',
      namespaced: false,
      categories: ['api-extensions'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1beta1',
      storagePrefix: 'mutatingadmissionpolicies',
      storageVersionHash: 'LYmCf+UMVdg=',
      introduced: '1.36',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
    },
    mutatingadmissionpolicybindings: {
      kind: 'MutatingAdmissionPolicyBinding',
      singular: 'mutatingadmissionpolicybinding',
      listKind: 'MutatingAdmissionPolicyBindingList',
      namespaced: false,
      categories: ['api-extensions'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1beta1',
      storagePrefix: 'mutatingadmissionpolicybindings',
      storageVersionHash: '90V5FRZZ3Zg=',
      introduced: '1.36',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
    },
    mutatingwebhookconfigurations: {
      kind: 'MutatingWebhookConfiguration',
      singular: 'mutatingwebhookconfiguration',
      listKind: 'MutatingWebhookConfigurationList',
      namespaced: false,
      categories: ['api-extensions'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'mutatingwebhookconfigurations',
      storageVersionHash: 'Sqi0GUgDaX0=',
      introduced: '1.16',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
    },
    validatingadmissionpolicies: {
      kind: 'ValidatingAdmissionPolicy',
      singular: 'validatingadmissionpolicy',
      listKind: 'ValidatingAdmissionPolicyList',
      namespaced: false,
      categories: ['api-extensions'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'validatingadmissionpolicies',
      storageVersionHash: '6OxvlMmQ6is=',
      introduced: '1.30',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
      resetFields: { '': ['status'], status: ['metadata', 'spec'] },
      subresources: {
        status: { kind: 'ValidatingAdmissionPolicy', verbs: ['get', 'patch', 'update'] },
      },
    },
    validatingadmissionpolicybindings: {
      kind: 'ValidatingAdmissionPolicyBinding',
      singular: 'validatingadmissionpolicybinding',
      listKind: 'ValidatingAdmissionPolicyBindingList',
      namespaced: false,
      categories: ['api-extensions'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'validatingadmissionpolicybindings',
      storageVersionHash: 'v9715VZqakg=',
      introduced: '1.30',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
    },
    validatingwebhookconfigurations: {
      kind: 'ValidatingWebhookConfiguration',
      singular: 'validatingwebhookconfiguration',
      listKind: 'ValidatingWebhookConfigurationList',
      namespaced: false,
      categories: ['api-extensions'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      storageVersion: 'v1',
      storagePrefix: 'validatingwebhookconfigurations',
      storageVersionHash: 'B0wHjQmsGNk=',
      introduced: '1.16',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
    },
  },
}
