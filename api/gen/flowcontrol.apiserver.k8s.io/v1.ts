// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type ExemptPriorityLevelConfiguration = {
  nominalConcurrencyShares?: number
  lendablePercent?: number
}

export type FlowDistinguisherMethod = {
  type: string
}

export type FlowSchema = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: FlowSchemaSpec
  status: FlowSchemaStatus
}

export type FlowSchemaCondition = {
  type?: string
  status?: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type FlowSchemaList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: FlowSchema[]
}

export type FlowSchemaSpec = {
  priorityLevelConfiguration: PriorityLevelConfigurationReference
  matchingPrecedence: number
  distinguisherMethod?: FlowDistinguisherMethod
  rules?: PolicyRulesWithSubjects[]
}

export type FlowSchemaStatus = {
  conditions?: FlowSchemaCondition[]
}

export type GroupSubject = {
  name: string
}

export type LimitResponse = {
  type: string
  queuing?: QueuingConfiguration
}

export type LimitedPriorityLevelConfiguration = {
  nominalConcurrencyShares?: number
  limitResponse: LimitResponse
  lendablePercent?: number
  borrowingLimitPercent?: number
}

export type NonResourcePolicyRule = {
  verbs?: string[]
  nonResourceURLs?: string[]
}

export type PolicyRulesWithSubjects = {
  subjects?: Subject[]
  resourceRules?: ResourcePolicyRule[]
  nonResourceRules?: NonResourcePolicyRule[]
}

export type PriorityLevelConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: PriorityLevelConfigurationSpec
  status: PriorityLevelConfigurationStatus
}

export type PriorityLevelConfigurationCondition = {
  type?: string
  status?: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type PriorityLevelConfigurationList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: PriorityLevelConfiguration[]
}

export type PriorityLevelConfigurationReference = {
  name: string
}

export type PriorityLevelConfigurationSpec = {
  type: string
  limited?: LimitedPriorityLevelConfiguration
  exempt?: ExemptPriorityLevelConfiguration
}

export type PriorityLevelConfigurationStatus = {
  conditions?: PriorityLevelConfigurationCondition[]
}

export type QueuingConfiguration = {
  queues: number
  handSize: number
  queueLengthLimit: number
}

export type ResourcePolicyRule = {
  verbs?: string[]
  apiGroups?: string[]
  resources?: string[]
  clusterScope?: boolean
  namespaces?: string[]
}

export type ServiceAccountSubject = {
  namespace: string
  name: string
}

export type Subject = {
  kind: string
  user?: UserSubject
  group?: GroupSubject
  serviceAccount?: ServiceAccountSubject
}

export type UserSubject = {
  name: string
}
