// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Absent fields are unchanged; lists are merged by their keys. */
export type ApplyConfiguration = {
  /** CEL that returns an apply configuration, such as Object{spec: Object.spec{replicas: 1}}. */
  expression?: string
}

/** An annotation for the audit event of a request. */
export type AuditAnnotation = {
  /** Key of the annotation; the policy's name becomes its prefix. Unique in the policy. */
  key: string
  /** CEL that returns the value; null leaves the annotation out. */
  valueExpression: string
}

/** A type error that type checking found in an expression. */
export type ExpressionWarning = {
  /** Path of the expression in the policy. */
  fieldRef: string
  /** Description of the type error, by kind. */
  warning: string
}

/** Operations are carried out in order; the first that fails fails the change. */
export type JSONPatch = {
  /** CEL that returns a list of JSONPatch operations. */
  expression?: string
}

/** A condition on requests, in CEL; all must be true for a request to match. */
export type MatchCondition = {
  /** Name of the condition, unique in its list. */
  name: string
  /** CEL that is true for matching requests; can use object, oldObject, request and authorizer. */
  expression: string
}

/** Exclusion has precedence over other matches. */
export type MatchResources = {
  /** Selects by labels of the object's namespace; all when empty. */
  namespaceSelector?: metaV1.LabelSelector
  /** Selects by labels of the object, new or old; all when empty. */
  objectSelector?: metaV1.LabelSelector
  /** Requests that match; any one rule suffices. */
  resourceRules?: NamedRuleWithOperations[]
  /** Requests that are excluded. */
  excludeResourceRules?: NamedRuleWithOperations[]
  /** Exact, or Equivalent (the default) to also match requests in other versions of a resource. */
  matchPolicy?: string
}

/** Changes requests by CEL expressions; in force when a binding names it. */
export type MutatingAdmissionPolicy = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Changes, and the requests that they apply to. */
  spec: MutatingAdmissionPolicySpec
}

/** Puts a mutating policy in force, with parameters. */
export type MutatingAdmissionPolicyBinding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Policy, parameters and scope. */
  spec: MutatingAdmissionPolicyBindingSpec
}

/** A list of MutatingAdmissionPolicyBinding objects. */
export type MutatingAdmissionPolicyBindingList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: MutatingAdmissionPolicyBinding[]
}

/** Policy that is put in force, its parameters and scope. */
export type MutatingAdmissionPolicyBindingSpec = {
  /** Name of the policy; without one the binding does nothing. */
  policyName?: string
  /** Objects that are the parameters. */
  paramRef?: ParamRef
  /** Narrows the requests that the policy applies to. */
  matchResources?: MatchResources
}

/** A list of MutatingAdmissionPolicy objects. */
export type MutatingAdmissionPolicyList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: MutatingAdmissionPolicy[]
}

/** Changes of a policy, and the requests that they apply to. */
export type MutatingAdmissionPolicySpec = {
  /** Kind of the parameters; none when unset. */
  paramKind?: ParamKind
  /** Requests that the policy applies to. Required. */
  matchConstraints?: MatchResources
  /** Expressions that others can use by name. */
  variables?: Variable[]
  /** Changes, made in their order. */
  mutations?: Mutation[]
  /** When the policy cannot be evaluated: Fail the request (the default) or Ignore the policy. */
  failurePolicy?: string
  /** Further conditions on requests; at most 64. */
  matchConditions?: MatchCondition[]
  /** Never, or IfNeeded to be evaluated again after later changes of the object. */
  reinvocationPolicy?: string
}

/** A webhook that may change requests. */
export type MutatingWebhook = {
  /** Name of the webhook, as a full domain name. */
  name: string
  /** How to connect to it. */
  clientConfig: WebhookClientConfig
  /** Requests that are sent to it; any one rule suffices. */
  rules?: RuleWithOperations[]
  /** When the webhook fails: Fail the request (the default) or Ignore the webhook. */
  failurePolicy?: string
  /** Exact, or Equivalent (the default) to also match requests in other versions of a resource. */
  matchPolicy?: string
  /** Selects by labels of the object's namespace; all when empty. */
  namespaceSelector?: metaV1.LabelSelector
  /** Selects by labels of the object, new or old; all when empty. */
  objectSelector?: metaV1.LabelSelector
  /** Whether calls have other effects: None or NoneOnDryRun; other webhooks are not called for dry runs. */
  sideEffects?: string
  /** Seconds after which a call has failed, 1 to 30. Defaults to 10. */
  timeoutSeconds?: number
  /** Versions of AdmissionReview that it accepts, the preferred first. */
  admissionReviewVersions?: string[]
  /** Never (the default), or IfNeeded to be called again after later changes of the object. */
  reinvocationPolicy?: string
  /** Further conditions on requests; at most 64. */
  matchConditions?: MatchCondition[]
}

/** Webhooks that may change requests. */
export type MutatingWebhookConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The webhooks. */
  webhooks?: MutatingWebhook[]
}

/** A list of MutatingWebhookConfiguration objects. */
export type MutatingWebhookConfigurationList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: MutatingWebhookConfiguration[]
}

/** One change; the field that patchType names is set. */
export type Mutation = {
  /** ApplyConfiguration or JSONPatch. */
  patchType: string
  /** A change as an apply configuration that an expression returns. */
  applyConfiguration?: ApplyConfiguration
  /** A change as operations of a JSON patch. */
  jsonPatch?: JSONPatch
}

/** Matching requests, by operation, resource and name. */
export type NamedRuleWithOperations = {
  /** Names of the objects; all when empty. */
  resourceNames?: string[]
  /** CREATE, UPDATE, DELETE, CONNECT or *. */
  operations?: string[]
  /** API groups of the resources; * is all of them. */
  apiGroups?: string[]
  /** Versions of the resources; * is all of them. */
  apiVersions?: string[]
  /** Resources, or resource/subresource; * is all resources and * /* all subresources too. */
  resources?: string[]
  /** Cluster, Namespaced or * (the default). */
  scope?: string
}

/** A kind of parameters. */
export type ParamKind = {
  /** Group version of the kind. */
  apiVersion?: string
  /** Name of the kind. */
  kind?: string
}

/** A name refers to one object; a selector to each that matches. */
export type ParamRef = {
  /** Name of the object; excludes selector. */
  name?: string
  /** Namespace of the objects; defaults to that of the request. */
  namespace?: string
  /** Selects objects by label; the policy is evaluated for each. Excludes name. */
  selector?: metaV1.LabelSelector
  /** When there are no such objects: Allow, or Deny as failurePolicy determines. */
  parameterNotFoundAction?: string
}

/** Matching resources. */
export type Rule = {
  /** API groups of the resources; * is all of them. */
  apiGroups?: string[]
  /** Versions of the resources; * is all of them. */
  apiVersions?: string[]
  /** Resources, or resource/subresource; * is all resources and * /* all subresources too. */
  resources?: string[]
  /** Cluster, Namespaced or * (the default). */
  scope?: string
}

/** Matching requests, by operation and resource. */
export type RuleWithOperations = {
  /** CREATE, UPDATE, DELETE, CONNECT or *. */
  operations?: string[]
  /** API groups of the resources; * is all of them. */
  apiGroups?: string[]
  /** Versions of the resources; * is all of them. */
  apiVersions?: string[]
  /** Resources, or resource/subresource; * is all resources and * /* all subresources too. */
  resources?: string[]
  /** Cluster, Namespaced or * (the default). */
  scope?: string
}

/** A service to call. */
export type ServiceReference = {
  /** Namespace of the service. */
  namespace: string
  /** Name of the service. */
  name: string
  /** Path of the calls. */
  path?: string
  /** Port of the service. Defaults to 443. */
  port?: number
}

/** Results of type checking a policy. */
export type TypeChecking = {
  /** One entry an expression with a type error. */
  expressionWarnings?: ExpressionWarning[]
}

/** Accepts or refuses requests by CEL expressions; in force when a binding names it. */
export type ValidatingAdmissionPolicy = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Requirements, and the requests that they apply to. */
  spec: ValidatingAdmissionPolicySpec
  /** Results of type checking. */
  status: ValidatingAdmissionPolicyStatus
}

/** Puts a validating policy in force, with parameters. */
export type ValidatingAdmissionPolicyBinding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Policy, parameters and scope. */
  spec: ValidatingAdmissionPolicyBindingSpec
}

/** A list of ValidatingAdmissionPolicyBinding objects. */
export type ValidatingAdmissionPolicyBindingList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ValidatingAdmissionPolicyBinding[]
}

/** Policy that is put in force, its parameters and scope. */
export type ValidatingAdmissionPolicyBindingSpec = {
  /** Name of the policy; without one the binding does nothing. */
  policyName?: string
  /** Objects that are the parameters. */
  paramRef?: ParamRef
  /** Narrows the requests that the policy applies to. */
  matchResources?: MatchResources
  /** Effects of a violation: Deny, Warn, Audit; Deny and Warn exclude each other. */
  validationActions?: string[]
}

/** A list of ValidatingAdmissionPolicy objects. */
export type ValidatingAdmissionPolicyList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ValidatingAdmissionPolicy[]
}

/** Requirements of a policy, and the requests that they apply to. */
export type ValidatingAdmissionPolicySpec = {
  /** Kind of the parameters; none when unset. */
  paramKind?: ParamKind
  /** Requests that the policy applies to. Required. */
  matchConstraints?: MatchResources
  /** Requirements; may be empty with auditAnnotations. */
  validations?: Validation[]
  /** When the policy cannot be evaluated: Fail the request (the default) or Ignore the policy. */
  failurePolicy?: string
  /** Annotations for the audit event; may be empty with validations. */
  auditAnnotations?: AuditAnnotation[]
  /** Further conditions on requests; at most 64. */
  matchConditions?: MatchCondition[]
  /** Expressions that others can use by name. */
  variables?: Variable[]
}

/** State of a policy. */
export type ValidatingAdmissionPolicyStatus = {
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
  /** Result of type checking; unset until it is done. */
  typeChecking?: TypeChecking
  /** Aspects of the policy's state. */
  conditions?: metaV1.Condition[]
}

/** A webhook that may refuse requests. */
export type ValidatingWebhook = {
  /** Name of the webhook, as a full domain name. */
  name: string
  /** How to connect to it. */
  clientConfig: WebhookClientConfig
  /** Requests that are sent to it; any one rule suffices. */
  rules?: RuleWithOperations[]
  /** When the webhook fails: Fail the request (the default) or Ignore the webhook. */
  failurePolicy?: string
  /** Exact, or Equivalent (the default) to also match requests in other versions of a resource. */
  matchPolicy?: string
  /** Selects by labels of the object's namespace; all when empty. */
  namespaceSelector?: metaV1.LabelSelector
  /** Selects by labels of the object, new or old; all when empty. */
  objectSelector?: metaV1.LabelSelector
  /** Whether calls have other effects: None or NoneOnDryRun; other webhooks are not called for dry runs. */
  sideEffects?: string
  /** Seconds after which a call has failed, 1 to 30. Defaults to 10. */
  timeoutSeconds?: number
  /** Versions of AdmissionReview that it accepts, the preferred first. */
  admissionReviewVersions?: string[]
  /** Further conditions on requests; at most 64. */
  matchConditions?: MatchCondition[]
}

/** Webhooks that may refuse requests. */
export type ValidatingWebhookConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The webhooks. */
  webhooks?: ValidatingWebhook[]
}

/** A list of ValidatingWebhookConfiguration objects. */
export type ValidatingWebhookConfigurationList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ValidatingWebhookConfiguration[]
}

/** A requirement on requests. */
export type Validation = {
  /** CEL that must be true; can use object, oldObject, request, params, variables and authorizer. */
  expression: string
  /** Message of a refusal; required when the expression has line breaks. */
  message?: string
  /** Reason of a refusal: Unauthorized, Forbidden, Invalid (the default) or RequestEntityTooLarge. */
  reason?: string
  /** CEL that returns the message of a refusal; has precedence over message unless it fails. */
  messageExpression?: string
}

/** An expression that others can use by name. */
export type Variable = {
  /** Name, as variables.<name>. */
  name: string
  /** CEL that returns the value; evaluated at its first use. */
  expression: string
}

/** How to connect to a webhook: by URL or as a service. */
export type WebhookClientConfig = {
  /** URL of the webhook; https only. */
  url?: string
  /** Service of the webhook; excludes url. */
  service?: ServiceReference
  /** Certificates, in PEM, to verify the webhook; those of the system when empty. */
  caBundle?: string
}
