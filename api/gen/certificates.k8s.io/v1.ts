// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Requests a certificate from a signer; the request must be approved. */
export type CertificateSigningRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Properties of the certificate. Cannot be changed, except for fields that the server sets. */
  spec: CertificateSigningRequestSpec
  /** Approval, and the certificate. */
  status: CertificateSigningRequestStatus
}

/** One aspect of a request: Approved, Denied or Failed. */
export type CertificateSigningRequestCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds; Approved, Denied and Failed are always True. */
  status: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
  /** When the condition was last written. */
  lastUpdateTime?: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
}

/** A list of CertificateSigningRequest objects. */
export type CertificateSigningRequestList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CertificateSigningRequest[]
}

/** Properties of the requested certificate. */
export type CertificateSigningRequestSpec = {
  /** Signing request of PKCS #10, in PEM. */
  request?: string
  /** Name of the signer, such as kubernetes.io/kube-apiserver-client. */
  signerName: string
  /** Requested seconds of validity, at least 600; the signer decides. */
  expirationSeconds?: number
  /** Permitted usages of the key. */
  usages?: string[]
  /** Requesting user. Set by the server. */
  username?: string
  /** UID of the requesting user. Set by the server. */
  uid?: string
  /** Groups of the requesting user. Set by the server. */
  groups?: string[]
  /** Further attributes of the requesting user. Set by the server. */
  extra?: Record<string, string[]>
}

/** State of a request. */
export type CertificateSigningRequestStatus = {
  /** Whether the request was approved, denied or failed. */
  conditions?: CertificateSigningRequestCondition[]
  /** The certificate and its chain in PEM, once issued. Cannot be changed then. */
  certificate?: string
}
