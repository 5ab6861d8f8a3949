// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as authenticationK8sIoV1 from '../authentication.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Set only when a user impersonates another. */
export type AuthenticationMetadata = {
  /** Constraint of the impersonation. */
  impersonationConstraint?: string
}

/** A request in the audit log. */
export type Event = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** How much is logged: Metadata, Request or RequestResponse. */
  level: string
  /** Identifier of the request; its events share it. */
  auditID: string
  /** RequestReceived, ResponseStarted, ResponseComplete or Panic. */
  stage: string
  /** URI of the request. */
  requestURI: string
  /** Verb of the request; for non-resource paths the method in lower case. */
  verb: string
  /** Who made the request. */
  user: authenticationK8sIoV1.UserInfo
  /** The impersonated user. */
  impersonatedUser?: authenticationK8sIoV1.UserInfo
  /** Addresses of the client and of proxies; only the last is certain. */
  sourceIPs?: string[]
  /** The object of the request. */
  objectRef?: ObjectReference
  /** Outcome: complete for errors, else just the code. */
  responseStatus?: metaV1.Status
  /** Object in the request; from level Request. */
  requestObject?: JsonValue
  /** Object in the answer; from level RequestResponse. */
  responseObject?: JsonValue
  /** When the request arrived. */
  requestReceivedTimestamp?: string
  /** When it reached this stage. */
  stageTimestamp?: string
  /** Annotations by plugins, such as the reason why it was allowed. */
  annotations?: Record<string, string>
  /** User agent of the client. */
  userAgent?: string
  /** How the request was authenticated. */
  authenticationMetadata?: AuthenticationMetadata
}

/** A list of Event objects. */
export type EventList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
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
  /** Resources, or resource/subresource; * matches any. All when empty. */
  resources?: string[]
  /** Names of the objects; all when empty. */
  resourceNames?: string[]
}

/** As far as the path of the request determines it. */
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

/** The requests that are logged, and the level of detail. */
export type Policy = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Rules; the first that matches decides. */
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
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Policy[]
}

/** Requests and the level of detail in the log; all fields that are set must match. */
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
  /** Stages that are not logged, in addition to the policy's. */
  omitStages?: string[]
  /** Overrides the policy's value. */
  omitManagedFields?: boolean
}
