// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as authenticationK8sIoV1 from '../authentication.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Set only where a user acts as another. */
export type AuthenticationMetadata = {
  /** Constraint under which the user acted as another. */
  impersonationConstraint?: string
}

/** A request, as it is logged. */
export type Event = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** How much is logged: Metadata, Request or RequestResponse. */
  level: string
  /** Identifier of the request; its events share it. */
  auditID: string
  /** RequestReceived, ResponseStarted, ResponseComplete or Panic. */
  stage: string
  /** URI that the client asked for. */
  requestURI: string
  /** Verb of the request; for other paths than resources the method in lower case. */
  verb: string
  /** Who made the request. */
  user: authenticationK8sIoV1.UserInfo
  /** The user as whom it was made. */
  impersonatedUser?: authenticationK8sIoV1.UserInfo
  /** Addresses that the request came from and through; only the last is sure. */
  sourceIPs?: string[]
  /** The object that it was for. */
  objectRef?: ObjectReference
  /** Outcome: in full when an error, else just the code. */
  responseStatus?: metaV1.Status
  /** Object of the request; from level Request. */
  requestObject?: JsonValue
  /** Object of the answer; from level RequestResponse. */
  responseObject?: JsonValue
  /** When the request arrived. */
  requestReceivedTimestamp?: string
  /** When it reached this stage. */
  stageTimestamp?: string
  /** Notes of plugins on the request, such as why it was allowed. */
  annotations?: Record<string, string>
  /** What the client calls itself. */
  userAgent?: string
  /** How the request was authenticated. */
  authenticationMetadata?: AuthenticationMetadata
}

/** A list of Event objects. */
export type EventList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Event[]
}

/** Resources of one group. */
export type GroupResources = {
  /** API group of the resources; "" is core. */
  group?: string
  /** Resources, or resource/subresource; * stands for any. All when empty. */
  resources?: string[]
  /** Names of the objects; all when empty. */
  resourceNames?: string[]
}

/** As far as the path of the request tells. */
export type ObjectReference = {
  /** Plural name of the resource. */
  resource?: string
  /** Namespace of the object. */
  namespace?: string
  /** Name of the object. */
  name?: string
  /** UID of the object. */
  uid?: string
  /** API group of the resource; empty is core. */
  apiGroup?: string
  /** Version of the resource. */
  apiVersion?: string
  /** Resource version of the object. */
  resourceVersion?: string
  /** Subresource, if any. */
  subresource?: string
}

/** Which requests are logged, and how much of them. */
export type Policy = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Rules, of which the first that matches decides. */
  rules?: PolicyRule[]
  /** Stages that are never logged. */
  omitStages?: string[]
  /** Leaves managed fields out of logged objects. Defaults to false. */
  omitManagedFields?: boolean
}

/** A list of Policy objects. */
export type PolicyList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Policy[]
}

/** Requests and how they are logged; all that is set must match. */
export type PolicyRule = {
  /** None, Metadata, Request or RequestResponse. */
  level: string
  /** Users; all when empty. */
  users?: string[]
  /** Groups of users; all when empty. */
  userGroups?: string[]
  /** Verbs; all when empty. */
  verbs?: string[]
  /** Resources; all when empty. */
  resources?: GroupResources[]
  /** Namespaces; "" is requests without one. All when empty. */
  namespaces?: string[]
  /** Paths outside of resources; a trailing * matches any rest. */
  nonResourceURLs?: string[]
  /** Stages that are not logged, besides those of the policy. */
  omitStages?: string[]
  /** Overrides that of the policy. */
  omitManagedFields?: boolean
}
