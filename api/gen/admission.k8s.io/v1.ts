// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as authenticationK8sIoV1 from '../authentication.k8s.io/v1.ts'
import type * as metaV1 from '../meta/v1.ts'
export type AdmissionRequest = {
  uid: string
  kind: metaV1.GroupVersionKind
  resource: metaV1.GroupVersionResource
  subResource?: string
  requestKind?: metaV1.GroupVersionKind
  requestResource?: metaV1.GroupVersionResource
  requestSubResource?: string
  name?: string
  namespace?: string
  operation: string
  userInfo: authenticationK8sIoV1.UserInfo
  object?: JsonValue
  oldObject?: JsonValue
  dryRun?: boolean
  options?: JsonValue
}

export type AdmissionResponse = {
  uid: string
  allowed: boolean
  status?: metaV1.Status
  patch?: string
  patchType?: string
  auditAnnotations?: Record<string, string>
  warnings?: string[]
}

export type AdmissionReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  request?: AdmissionRequest
  response?: AdmissionResponse
}
