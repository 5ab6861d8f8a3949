// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Settings of a level whose requests never wait. */
export type ExemptPriorityLevelConfiguration = {
  /** Share of the server's seats, reserved for lending only. Defaults to 0. */
  nominalConcurrencyShares?: number
  /** How many percent of its seats other levels may borrow. Defaults to 0. */
  lendablePercent?: number
}

/** How requests of a schema are grouped into flows. */
export type FlowDistinguisherMethod = {
  /** ByUser or ByNamespace. */
  type: string
}

/** Assigns requests to a priority level, and groups them into flows that share it fairly. */
export type FlowSchema = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Matching requests, and their level. */
  spec: FlowSchemaSpec
  /** Whether the schema can be used. */
  status: FlowSchemaStatus
}

/** One aspect of a flow schema; Dangling is the only one. */
export type FlowSchemaCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type?: string
  /** Whether the condition holds: True, False or Unknown. */
  status?: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of FlowSchema objects. */
export type FlowSchemaList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: FlowSchema[]
}

/** Matching requests of a schema, and their level. */
export type FlowSchemaSpec = {
  /** The level. Required; without it the schema is ignored. */
  priorityLevelConfiguration: PriorityLevelConfigurationReference
  /** Rank among schemas that match, 1 to 10000; the lowest wins. Defaults to 1000. */
  matchingPrecedence: number
  /** How flows are distinguished; when unset, all requests are one flow. */
  distinguisherMethod?: FlowDistinguisherMethod
  /** Which requests match; any one rule suffices. */
  rules?: PolicyRulesWithSubjects[]
}

/** State of a flow schema. */
export type FlowSchemaStatus = {
  /** Aspects of the schema's state. */
  conditions?: FlowSchemaCondition[]
}

/** By name, such as system:authenticated. */
export type GroupSubject = {
  /** Name of the group; * is all of them. */
  name: string
}

/** By default requests wait in queues; when these are full, clients get 429. */
export type LimitResponse = {
  /** Queue or Reject. */
  type: string
  /** Settings of the queues; only for Queue. */
  queuing?: QueuingConfiguration
}

/** Settings of a level with a limit. */
export type LimitedPriorityLevelConfiguration = {
  /** Share of the server's seats, in relation to those of other levels. Defaults to 30. */
  nominalConcurrencyShares?: number
  /** Treatment of requests beyond the limit. */
  limitResponse: LimitResponse
  /** How many percent of its seats other levels may borrow. Defaults to 0. */
  lendablePercent?: number
  /** Maximum number of borrowed seats, in percent of its own; unset is no limit. */
  borrowingLimitPercent?: number
}

/** Requests for paths outside of resources. */
export type NonResourcePolicyRule = {
  /** Verbs of the requests; * is all of them. */
  verbs?: string[]
  /** Paths; a trailing /* matches what is below, and * alone is all. */
  nonResourceURLs?: string[]
}

/** Requests of some subjects for some resources or paths. */
export type PolicyRulesWithSubjects = {
  /** Users of the requests; any one suffices. */
  subjects?: Subject[]
  /** Requests for resources; one rule of either kind suffices. */
  resourceRules?: ResourcePolicyRule[]
  /** Requests for other paths. */
  nonResourceRules?: NonResourcePolicyRule[]
}

/** A priority level: how many requests it may run at a time, and the treatment of the others. */
export type PriorityLevelConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The limits. */
  spec: PriorityLevelConfigurationSpec
  /** State of the level. */
  status: PriorityLevelConfigurationStatus
}

/** One aspect of a priority level. */
export type PriorityLevelConfigurationCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type?: string
  /** Whether the condition holds: True, False or Unknown. */
  status?: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of PriorityLevelConfiguration objects. */
export type PriorityLevelConfigurationList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: PriorityLevelConfiguration[]
}

/** Names a priority level. */
export type PriorityLevelConfigurationReference = {
  /** Name of the level. */
  name: string
}

/** Limits of a priority level. */
export type PriorityLevelConfigurationSpec = {
  /** Exempt, whose requests never wait, or Limited. */
  type: string
  /** Settings of a Limited level. */
  limited?: LimitedPriorityLevelConfiguration
  /** Settings of an Exempt level. */
  exempt?: ExemptPriorityLevelConfiguration
}

/** Whether the level works as it is configured. */
export type PriorityLevelConfigurationStatus = {
  /** Aspects of the level's state. */
  conditions?: PriorityLevelConfigurationCondition[]
}

/** Queues of a priority level. */
export type QueuingConfiguration = {
  /** How many queues there are. Defaults to 64. */
  queues: number
  /** Number of queues that are considered for a flow; the shortest is used. Defaults to 8. */
  handSize: number
  /** Most requests that wait in a queue; further ones are refused. Defaults to 50. */
  queueLengthLimit: number
}

/** Requests for resources. */
export type ResourcePolicyRule = {
  /** Verbs of the requests; * is all of them. */
  verbs?: string[]
  /** API groups of the resources; * is all of them. */
  apiGroups?: string[]
  /** Resources, or resource/subresource; * is all of them. */
  resources?: string[]
  /** Also matches requests without a namespace. Defaults to false. */
  clusterScope?: boolean
  /** Namespaces of the requests; * is all of them. */
  namespaces?: string[]
}

/** By namespace and name. */
export type ServiceAccountSubject = {
  /** Namespace of the account. */
  namespace: string
  /** Name of the account; * is all of them. */
  name: string
}

/** A user of requests; the field that kind names is set. */
export type Subject = {
  /** User, Group or ServiceAccount. */
  kind: string
  /** A user. */
  user?: UserSubject
  /** A group of users. */
  group?: GroupSubject
  /** A service account. */
  serviceAccount?: ServiceAccountSubject
}

/** By name, as authentication identified it. */
export type UserSubject = {
  /** Name of the user; * is all of them. */
  name: string
}
