import type { GroupVersionTable } from '../../lib/schema/index.ts'

export const admissionregistrationV1beta1: GroupVersionTable = {
  group: 'admissionregistration.k8s.io',
  version: 'v1beta1',
  protoPackage: 'k8s.io.api.admissionregistration.v1beta1',
  types: {
    ApplyConfiguration: {
      doc: 'Absent fields are unchanged; lists are merged by their keys.',
      fields: {
        expression: { n: 1, type: 'string', doc: 'CEL that returns an apply configuration, such as Object{spec: Object.spec{replicas: 1}}.' },
      },
    },
    AuditAnnotation: {
      doc: 'An annotation for the audit event of a request.',
      fields: {
        key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: "Key of the annotation; the policy's name becomes its prefix. Unique in the policy." },
        valueExpression: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'CEL that returns the value; null leaves the annotation out.' },
      },
    },
    ExpressionWarning: {
      doc: 'A type error that type checking found in an expression.',
      fields: {
        fieldRef: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Path of the expression in the policy.' },
        warning: { n: 3, type: 'string', omit: 'never', required: true, default: '', doc: 'Description of the type error, by kind.' },
      },
    },
    JSONPatch: {
      doc: 'Operations are carried out in order; the first that fails fails the change.',
      fields: {
        expression: { n: 1, type: 'string', doc: 'CEL that returns a list of JSONPatch operations.' },
      },
    },
    MatchCondition: {
      doc: 'A condition on requests, in CEL; all must be true for a request to match.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the condition, unique in its list.' },
        expression: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'CEL that is true for matching requests; can use object, oldObject, request and authorizer.' },
      },
    },
    MatchResources: {
      doc: 'Exclusion has precedence over other matches.',
      map: 'atomic',
      fields: {
        namespaceSelector: { n: 1, type: '*meta/v1.LabelSelector', doc: "Selects by labels of the object's namespace; all when empty." },
        objectSelector: { n: 2, type: '*meta/v1.LabelSelector', doc: 'Selects by labels of the object, new or old; all when empty.' },
        resourceRules: { n: 3, type: '[]NamedRuleWithOperations', list: 'atomic', doc: 'Requests that match; any one rule suffices.' },
        excludeResourceRules: { n: 4, type: '[]NamedRuleWithOperations', list: 'atomic', doc: 'Requests that are excluded.' },
        matchPolicy: { n: 7, type: '*string', alias: 'MatchPolicyType', doc: 'Exact, or Equivalent (the default) to also match requests in other versions of a resource.' },
      },
    },
    MutatingAdmissionPolicy: {
      doc: 'Changes requests by CEL expressions; in force when a binding names it.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'MutatingAdmissionPolicySpec', doc: 'Changes, and the requests that they apply to.' },
      },
    },
    MutatingAdmissionPolicyBinding: {
      doc: 'Puts a mutating policy in force, with parameters.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'MutatingAdmissionPolicyBindingSpec', doc: 'Policy, parameters and scope.' },
      },
    },
    MutatingAdmissionPolicyBindingList: {
      doc: 'A list of MutatingAdmissionPolicyBinding objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]MutatingAdmissionPolicyBinding', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    MutatingAdmissionPolicyBindingSpec: {
      doc: 'Policy that is put in force, its parameters and scope.',
      fields: {
        policyName: { n: 1, type: 'string', doc: 'Name of the policy; without one the binding does nothing.' },
        paramRef: { n: 2, type: '*ParamRef', doc: 'Objects that are the parameters.' },
        matchResources: { n: 3, type: '*MatchResources', doc: 'Narrows the requests that the policy applies to.' },
      },
    },
    MutatingAdmissionPolicyList: {
      doc: 'A list of MutatingAdmissionPolicy objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]MutatingAdmissionPolicy', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    MutatingAdmissionPolicySpec: {
      doc: 'Changes of a policy, and the requests that they apply to.',
      fields: {
        paramKind: { n: 1, type: '*ParamKind', doc: 'Kind of the parameters; none when unset.' },
        matchConstraints: { n: 2, type: '*MatchResources', doc: 'Requests that the policy applies to. Required.' },
        variables: { n: 3, type: '[]Variable', list: 'atomic', doc: 'Expressions that others can use by name.' },
        mutations: { n: 4, type: '[]Mutation', list: 'atomic', doc: 'Changes, made in their order.' },
        failurePolicy: { n: 5, type: '*string', alias: 'FailurePolicyType', doc: 'When the policy cannot be evaluated: Fail the request (the default) or Ignore the policy.' },
        matchConditions: { n: 6, type: '[]MatchCondition', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Further conditions on requests; at most 64.' },
        reinvocationPolicy: { n: 7, type: 'string', alias: 'ReinvocationPolicyType', enum: ['IfNeeded', 'Never'], doc: 'Never, or IfNeeded to be evaluated again after later changes of the object.' },
      },
    },
    MutatingWebhook: {
      doc: 'A webhook that may change requests.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the webhook, as a full domain name.' },
        clientConfig: { n: 2, type: 'WebhookClientConfig', omit: 'never', required: true, doc: 'How to connect to it.' },
        rules: { n: 3, type: '[]admissionregistration.k8s.io/v1.RuleWithOperations', list: 'atomic', doc: 'Requests that are sent to it; any one rule suffices.' },
        failurePolicy: { n: 4, type: '*string', alias: 'FailurePolicyType', doc: 'When the webhook fails: Fail the request (the default) or Ignore the webhook.' },
        matchPolicy: { n: 9, type: '*string', alias: 'MatchPolicyType', doc: 'Exact, or Equivalent (the default) to also match requests in other versions of a resource.' },
        namespaceSelector: { n: 5, type: '*meta/v1.LabelSelector', doc: "Selects by labels of the object's namespace; all when empty." },
        objectSelector: { n: 11, type: '*meta/v1.LabelSelector', doc: 'Selects by labels of the object, new or old; all when empty.' },
        sideEffects: { n: 6, type: '*string', alias: 'SideEffectClass', doc: 'Whether calls have other effects: None or NoneOnDryRun; other webhooks are not called for dry runs.' },
        timeoutSeconds: { n: 7, type: '*int32', format: 'int32', doc: 'Seconds after which a call has failed, 1 to 30. Defaults to 10.' },
        admissionReviewVersions: { n: 8, type: '[]string', list: 'atomic', doc: 'Versions of AdmissionReview that it accepts, the preferred first.' },
        reinvocationPolicy: { n: 10, type: '*string', alias: 'ReinvocationPolicyType', enum: ['IfNeeded', 'Never'], doc: 'Never (the default), or IfNeeded to be called again after later changes of the object.' },
        matchConditions: { n: 12, type: '[]MatchCondition', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Further conditions on requests; at most 64.' },
      },
    },
    MutatingWebhookConfiguration: {
      doc: 'Webhooks that may change requests.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        webhooks: { n: 2, type: '[]MutatingWebhook', protoName: 'Webhooks', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'The webhooks.' },
      },
    },
    MutatingWebhookConfigurationList: {
      doc: 'A list of MutatingWebhookConfiguration objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]MutatingWebhookConfiguration', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    Mutation: {
      doc: 'One change; the field that patchType names is set.',
      fields: {
        patchType: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'PatchType', enum: ['ApplyConfiguration', 'JSONPatch'], doc: 'ApplyConfiguration or JSONPatch.' },
        applyConfiguration: { n: 3, type: '*ApplyConfiguration', doc: 'A change as an apply configuration that an expression returns.' },
        jsonPatch: { n: 4, type: '*JSONPatch', doc: 'A change as operations of a JSON patch.' },
      },
    },
    NamedRuleWithOperations: {
      doc: 'Matching requests, by operation, resource and name.',
      map: 'atomic',
      fields: {
        resourceNames: { n: 1, type: '[]string', list: 'atomic', doc: 'Names of the objects; all when empty.' },
        ruleWithOperations: { n: 2, type: 'admissionregistration.k8s.io/v1.RuleWithOperations', inline: true },
      },
    },
    ParamKind: {
      doc: 'A kind of parameters.',
      map: 'atomic',
      fields: {
        apiVersion: { n: 1, type: 'string', doc: 'Group version of the kind.' },
        kind: { n: 2, type: 'string', doc: 'Name of the kind.' },
      },
    },
    ParamRef: {
      doc: 'A name refers to one object; a selector to each that matches.',
      map: 'atomic',
      fields: {
        name: { n: 1, type: 'string', doc: 'Name of the object; excludes selector.' },
        namespace: { n: 2, type: 'string', doc: 'Namespace of the objects; defaults to that of the request.' },
        selector: { n: 3, type: '*meta/v1.LabelSelector', doc: 'Selects objects by label; the policy is evaluated for each. Excludes name.' },
        parameterNotFoundAction: { n: 4, type: '*string', alias: 'ParameterNotFoundActionType', doc: 'When there are no such objects: Allow, or Deny as failurePolicy determines.' },
      },
    },
    ServiceReference: {
      doc: 'A service to call.',
      fields: {
        namespace: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Namespace of the service.' },
        name: { n: 2, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the service.' },
        path: { n: 3, type: '*string', doc: 'Path of the calls.' },
        port: { n: 4, type: '*int32', format: 'int32', doc: 'Port of the service. Defaults to 443.' },
      },
    },
    TypeChecking: {
      doc: 'Results of type checking a policy.',
      fields: {
        expressionWarnings: { n: 1, type: '[]ExpressionWarning', list: 'atomic', doc: 'One entry an expression with a type error.' },
      },
    },
    ValidatingAdmissionPolicy: {
      doc: 'Accepts or refuses requests by CEL expressions; in force when a binding names it.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ValidatingAdmissionPolicySpec', doc: 'Requirements, and the requests that they apply to.' },
        status: { n: 3, type: 'ValidatingAdmissionPolicyStatus', doc: 'Results of type checking.' },
      },
    },
    ValidatingAdmissionPolicyBinding: {
      doc: 'Puts a validating policy in force, with parameters.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        spec: { n: 2, type: 'ValidatingAdmissionPolicyBindingSpec', required: true, doc: 'Policy, parameters and scope.' },
      },
    },
    ValidatingAdmissionPolicyBindingList: {
      doc: 'A list of ValidatingAdmissionPolicyBinding objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ValidatingAdmissionPolicyBinding', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ValidatingAdmissionPolicyBindingSpec: {
      doc: 'Policy that is put in force, its parameters and scope.',
      fields: {
        policyName: { n: 1, type: 'string', required: true, rules: ['required @alpha 1.36'], doc: 'Name of the policy; without one the binding does nothing.' },
        paramRef: { n: 2, type: '*ParamRef', doc: 'Objects that are the parameters.' },
        matchResources: { n: 3, type: '*MatchResources', doc: 'Narrows the requests that the policy applies to.' },
        validationActions: { n: 4, type: '[]string', required: true, list: 'set', alias: 'ValidationAction', itemEnum: ['Audit', 'Deny', 'Warn'], rules: ['required @alpha 1.36'], doc: 'Effects of a violation: Deny, Warn, Audit; Deny and Warn exclude each other.' },
      },
    },
    ValidatingAdmissionPolicyList: {
      doc: 'A list of ValidatingAdmissionPolicy objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ValidatingAdmissionPolicy', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    ValidatingAdmissionPolicySpec: {
      doc: 'Requirements of a policy, and the requests that they apply to.',
      fields: {
        paramKind: { n: 1, type: '*ParamKind', doc: 'Kind of the parameters; none when unset.' },
        matchConstraints: { n: 2, type: '*MatchResources', doc: 'Requests that the policy applies to. Required.' },
        validations: { n: 3, type: '[]Validation', list: 'atomic', doc: 'Requirements; may be empty with auditAnnotations.' },
        failurePolicy: { n: 4, type: '*string', alias: 'FailurePolicyType', doc: 'When the policy cannot be evaluated: Fail the request (the default) or Ignore the policy.' },
        auditAnnotations: { n: 5, type: '[]AuditAnnotation', list: 'atomic', doc: 'Annotations for the audit event; may be empty with validations.' },
        matchConditions: { n: 6, type: '[]MatchCondition', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Further conditions on requests; at most 64.' },
        variables: { n: 7, type: '[]Variable', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Expressions that others can use by name.' },
      },
    },
    ValidatingAdmissionPolicyStatus: {
      doc: 'State of a policy.',
      fields: {
        observedGeneration: { n: 1, type: 'int64', format: 'int64', doc: 'Newest generation of the object that its controller has acted on.' },
        typeChecking: { n: 2, type: '*TypeChecking', doc: 'Result of type checking; unset until it is done.' },
        conditions: { n: 3, type: '[]meta/v1.Condition', list: 'map', keys: ['type'], doc: "Aspects of the policy's state." },
      },
    },
    ValidatingWebhook: {
      doc: 'A webhook that may refuse requests.',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Name of the webhook, as a full domain name.' },
        clientConfig: { n: 2, type: 'WebhookClientConfig', omit: 'never', required: true, doc: 'How to connect to it.' },
        rules: { n: 3, type: '[]admissionregistration.k8s.io/v1.RuleWithOperations', list: 'atomic', doc: 'Requests that are sent to it; any one rule suffices.' },
        failurePolicy: { n: 4, type: '*string', alias: 'FailurePolicyType', doc: 'When the webhook fails: Fail the request (the default) or Ignore the webhook.' },
        matchPolicy: { n: 9, type: '*string', alias: 'MatchPolicyType', doc: 'Exact, or Equivalent (the default) to also match requests in other versions of a resource.' },
        namespaceSelector: { n: 5, type: '*meta/v1.LabelSelector', doc: "Selects by labels of the object's namespace; all when empty." },
        objectSelector: { n: 10, type: '*meta/v1.LabelSelector', doc: 'Selects by labels of the object, new or old; all when empty.' },
        sideEffects: { n: 6, type: '*string', list: 'atomic', alias: 'SideEffectClass', doc: 'Whether calls have other effects: None or NoneOnDryRun; other webhooks are not called for dry runs.' },
        timeoutSeconds: { n: 7, type: '*int32', format: 'int32', doc: 'Seconds after which a call has failed, 1 to 30. Defaults to 10.' },
        admissionReviewVersions: { n: 8, type: '[]string', list: 'atomic', doc: 'Versions of AdmissionReview that it accepts, the preferred first.' },
        matchConditions: { n: 11, type: '[]MatchCondition', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'Further conditions on requests; at most 64.' },
      },
    },
    ValidatingWebhookConfiguration: {
      doc: 'Webhooks that may refuse requests.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ObjectMeta', doc: 'Name, labels, annotations and the other standard metadata.' },
        webhooks: { n: 2, type: '[]ValidatingWebhook', protoName: 'Webhooks', list: 'map', keys: ['name'], patch: 'merge', patchKey: 'name', doc: 'The webhooks.' },
      },
    },
    ValidatingWebhookConfigurationList: {
      doc: 'A list of ValidatingWebhookConfiguration objects.',
      kind: true,
      fields: {
        TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
        metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
        items: { n: 2, type: '[]ValidatingWebhookConfiguration', omit: 'never', required: true, doc: 'The objects.' },
      },
    },
    Validation: {
      doc: 'A requirement on requests.',
      fields: {
        expression: { n: 1, type: 'string', omit: 'never', protoName: 'Expression', required: true, default: '', doc: 'CEL that must be true; can use object, oldObject, request, params, variables and authorizer.' },
        message: { n: 2, type: 'string', doc: 'Message of a refusal; required when the expression has line breaks.' },
        reason: { n: 3, type: '*string', alias: 'StatusReason', doc: 'Reason of a refusal: Unauthorized, Forbidden, Invalid (the default) or RequestEntityTooLarge.' },
        messageExpression: { n: 4, type: 'string', doc: 'CEL that returns the message of a refusal; has precedence over message unless it fails.' },
      },
    },
    Variable: {
      doc: 'An expression that others can use by name.',
      map: 'atomic',
      fields: {
        name: { n: 1, type: 'string', omit: 'never', protoName: 'Name', required: true, default: '', doc: 'Name, as variables.<name>.' },
        expression: { n: 2, type: 'string', omit: 'never', protoName: 'Expression', required: true, default: '', doc: 'CEL that returns the value; evaluated at its first use.' },
      },
    },
    WebhookClientConfig: {
      doc: 'How to connect to a webhook: by URL or as a service.',
      fields: {
        url: { n: 3, type: '*string', doc: 'URL of the webhook; https only.' },
        service: { n: 1, type: '*ServiceReference', doc: 'Service of the webhook; excludes url.' },
        caBundle: { n: 2, type: 'bytes', format: 'byte', doc: 'Certificates, in PEM, to verify the webhook; those of the system when empty.' },
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
      served: false,
      introduced: '1.34',
      deprecated: '1.37',
      removed: '1.40',
      replacement: 'admissionregistration.k8s.io/v1 MutatingAdmissionPolicy',
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
      served: false,
      introduced: '1.34',
      deprecated: '1.37',
      removed: '1.40',
      replacement: 'admissionregistration.k8s.io/v1 MutatingAdmissionPolicyBinding',
      fieldSelectors: ['metadata.name'],
      deleteReturns: 'Status',
      conditionalUpdateOnly: true,
    },
  },
}
