// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type CertificateSigningRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: CertificateSigningRequestSpec
  status: CertificateSigningRequestStatus
}

export type CertificateSigningRequestCondition = {
  type: string
  status: string
  reason?: string
  message?: string
  lastUpdateTime?: string
  lastTransitionTime?: string
}

export type CertificateSigningRequestList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: CertificateSigningRequest[]
}

export type CertificateSigningRequestSpec = {
  request?: string
  signerName?: string
  expirationSeconds?: number
  usages?: string[]
  username?: string
  uid?: string
  groups?: string[]
  extra?: Record<string, string[]>
}

export type CertificateSigningRequestStatus = {
  conditions?: CertificateSigningRequestCondition[]
  certificate?: string
}

export type ClusterTrustBundle = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: ClusterTrustBundleSpec
}

export type ClusterTrustBundleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ClusterTrustBundle[]
}

export type ClusterTrustBundleSpec = {
  signerName?: string
  trustBundle: string
}

export type PodCertificateRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: PodCertificateRequestSpec
  status: PodCertificateRequestStatus
}

export type PodCertificateRequestList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: PodCertificateRequest[]
}

export type PodCertificateRequestSpec = {
  signerName: string
  podName: string
  podUID: string
  serviceAccountName: string
  serviceAccountUID: string
  nodeName: string
  nodeUID: string
  maxExpirationSeconds?: number
  pkixPublicKey?: string
  proofOfPossession?: string
  stubPKCS10Request?: string
  unverifiedUserAnnotations?: Record<string, string>
}

export type PodCertificateRequestStatus = {
  conditions?: metaV1.Condition[]
  certificateChain?: string
  notBefore?: string
  beginRefreshAt?: string
  notAfter?: string
}
