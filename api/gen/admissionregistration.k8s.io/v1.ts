// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type ApplyConfiguration = {
  expression?: string
}

export type AuditAnnotation = {
  key: string
  valueExpression: string
}

export type ExpressionWarning = {
  fieldRef: string
  warning: string
}

export type JSONPatch = {
  expression?: string
}

export type MatchCondition = {
  name: string
  expression: string
}

export type MatchResources = {
  namespaceSelector?: metaV1.LabelSelector
  objectSelector?: metaV1.LabelSelector
  resourceRules?: NamedRuleWithOperations[]
  excludeResourceRules?: NamedRuleWithOperations[]
  matchPolicy?: string
}

export type MutatingAdmissionPolicy = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: MutatingAdmissionPolicySpec
}

export type MutatingAdmissionPolicyBinding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: MutatingAdmissionPolicyBindingSpec
}

export type MutatingAdmissionPolicyBindingList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: MutatingAdmissionPolicyBinding[]
}

export type MutatingAdmissionPolicyBindingSpec = {
  policyName?: string
  paramRef?: ParamRef
  matchResources?: MatchResources
}

export type MutatingAdmissionPolicyList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: MutatingAdmissionPolicy[]
}

export type MutatingAdmissionPolicySpec = {
  paramKind?: ParamKind
  matchConstraints?: MatchResources
  variables?: Variable[]
  mutations?: Mutation[]
  failurePolicy?: string
  matchConditions?: MatchCondition[]
  reinvocationPolicy?: string
}

export type MutatingWebhook = {
  name: string
  clientConfig: WebhookClientConfig
  rules?: RuleWithOperations[]
  failurePolicy?: string
  matchPolicy?: string
  namespaceSelector?: metaV1.LabelSelector
  objectSelector?: metaV1.LabelSelector
  sideEffects?: string
  timeoutSeconds?: number
  admissionReviewVersions?: string[]
  reinvocationPolicy?: string
  matchConditions?: MatchCondition[]
}

export type MutatingWebhookConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  webhooks?: MutatingWebhook[]
}

export type MutatingWebhookConfigurationList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: MutatingWebhookConfiguration[]
}

export type Mutation = {
  patchType: string
  applyConfiguration?: ApplyConfiguration
  jsonPatch?: JSONPatch
}

export type NamedRuleWithOperations = {
  resourceNames?: string[]
  operations?: string[]
  apiGroups?: string[]
  apiVersions?: string[]
  resources?: string[]
  scope?: string
}

export type ParamKind = {
  apiVersion?: string
  kind?: string
}

export type ParamRef = {
  name?: string
  namespace?: string
  selector?: metaV1.LabelSelector
  parameterNotFoundAction?: string
}

export type Rule = {
  apiGroups?: string[]
  apiVersions?: string[]
  resources?: string[]
  scope?: string
}

export type RuleWithOperations = {
  operations?: string[]
  apiGroups?: string[]
  apiVersions?: string[]
  resources?: string[]
  scope?: string
}

export type ServiceReference = {
  namespace: string
  name: string
  path?: string
  port?: number
}

export type TypeChecking = {
  expressionWarnings?: ExpressionWarning[]
}

export type ValidatingAdmissionPolicy = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ValidatingAdmissionPolicySpec
  status: ValidatingAdmissionPolicyStatus
}

export type ValidatingAdmissionPolicyBinding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ValidatingAdmissionPolicyBindingSpec
}

export type ValidatingAdmissionPolicyBindingList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ValidatingAdmissionPolicyBinding[]
}

export type ValidatingAdmissionPolicyBindingSpec = {
  policyName?: string
  paramRef?: ParamRef
  matchResources?: MatchResources
  validationActions?: string[]
}

export type ValidatingAdmissionPolicyList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ValidatingAdmissionPolicy[]
}

export type ValidatingAdmissionPolicySpec = {
  paramKind?: ParamKind
  matchConstraints?: MatchResources
  validations?: Validation[]
  failurePolicy?: string
  auditAnnotations?: AuditAnnotation[]
  matchConditions?: MatchCondition[]
  variables?: Variable[]
}

export type ValidatingAdmissionPolicyStatus = {
  observedGeneration?: number
  typeChecking?: TypeChecking
  conditions?: metaV1.Condition[]
}

export type ValidatingWebhook = {
  name: string
  clientConfig: WebhookClientConfig
  rules?: RuleWithOperations[]
  failurePolicy?: string
  matchPolicy?: string
  namespaceSelector?: metaV1.LabelSelector
  objectSelector?: metaV1.LabelSelector
  sideEffects?: string
  timeoutSeconds?: number
  admissionReviewVersions?: string[]
  matchConditions?: MatchCondition[]
}

export type ValidatingWebhookConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  webhooks?: ValidatingWebhook[]
}

export type ValidatingWebhookConfigurationList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ValidatingWebhookConfiguration[]
}

export type Validation = {
  expression: string
  message?: string
  reason?: string
  messageExpression?: string
}

export type Variable = {
  name: string
  expression: string
}

export type WebhookClientConfig = {
  url?: string
  service?: ServiceReference
  caBundle?: string
}
