// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as authenticationK8sIoV1 from '../authentication.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
/** A request for an admission webhook to decide. */
export type AdmissionRequest = {
  /** Identifier of the call; the answer must repeat it. */
  uid: string
  /** Kind of the object, as the webhook gets it. */
  kind: metaV1.GroupVersionKind
  /** Resource, as the webhook gets it. */
  resource: metaV1.GroupVersionResource
  /** Subresource; empty for the object itself. */
  subResource?: string
  /** Kind of the object as it was sent, which may be in another version. */
  requestKind?: metaV1.GroupVersionKind
  /** Resource as it was sent, which may be in another version. */
  requestResource?: metaV1.GroupVersionResource
  /** Subresource as it was sent. */
  requestSubResource?: string
  /** Name of the object; may be empty on creation when the server generates it. */
  name?: string
  /** Namespace of the object, if it has one. */
  namespace?: string
  /** CREATE, UPDATE, DELETE or CONNECT. */
  operation: string
  /** User who makes the request. */
  userInfo: authenticationK8sIoV1.UserInfo
  /** The object as it would be stored; null for DELETE. */
  object?: JsonValue
  /** The object as it is stored; null for CREATE and CONNECT. */
  oldObject?: JsonValue
  /** Nothing will be stored. Defaults to false. */
  dryRun?: boolean
  /** Options of the request, such as CreateOptions. */
  options?: JsonValue
}

/** The decision of a webhook. */
export type AdmissionResponse = {
  /** Identifier of the call, repeated. */
  uid: string
  /** Whether the request is allowed. */
  allowed: boolean
  /** Reason of a refusal; ignored when allowed. */
  status?: metaV1.Status
  /** Change of the object; only from mutating webhooks. */
  patch?: string
  /** Form of the patch; JSONPatch is the only one. */
  patchType?: string
  /** Annotations for the audit event; the name of the webhook becomes the prefix of the keys. */
  auditAnnotations?: Record<string, string>
  /** Warnings for the client; best below 120 characters each. */
  warnings?: string[]
}

/** A call to an admission webhook and its answer. */
export type AdmissionReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The call. */
  request?: AdmissionRequest
  /** The answer. */
  response?: AdmissionResponse
}
