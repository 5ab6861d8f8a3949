// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as authenticationK8sIoV1 from '../authentication.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type AuthenticationMetadata = {
  impersonationConstraint?: string
}

export type Event = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  level: string
  auditID: string
  stage: string
  requestURI: string
  verb: string
  user: authenticationK8sIoV1.UserInfo
  impersonatedUser?: authenticationK8sIoV1.UserInfo
  sourceIPs?: string[]
  objectRef?: ObjectReference
  responseStatus?: metaV1.Status
  requestObject?: JsonValue
  responseObject?: JsonValue
  requestReceivedTimestamp?: string
  stageTimestamp?: string
  annotations?: Record<string, string>
  userAgent?: string
  authenticationMetadata?: AuthenticationMetadata
}

export type EventList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Event[]
}

export type GroupResources = {
  group?: string
  resources?: string[]
  resourceNames?: string[]
}

export type ObjectReference = {
  resource?: string
  namespace?: string
  name?: string
  uid?: string
  apiGroup?: string
  apiVersion?: string
  resourceVersion?: string
  subresource?: string
}

export type Policy = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  rules?: PolicyRule[]
  omitStages?: string[]
  omitManagedFields?: boolean
}

export type PolicyList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Policy[]
}

export type PolicyRule = {
  level: string
  users?: string[]
  userGroups?: string[]
  verbs?: string[]
  resources?: GroupResources[]
  namespaces?: string[]
  nonResourceURLs?: string[]
  omitStages?: string[]
  omitManagedFields?: boolean
}
