// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Asks a signer for a certificate, which someone has to approve. */
export type CertificateSigningRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** What is asked for. Cannot be changed, except for what the server fills in. */
  spec: CertificateSigningRequestSpec
  /** Whether it was approved, and the certificate. */
  status: CertificateSigningRequestStatus
}

/** One aspect of a request: Approved, Denied or Failed. */
export type CertificateSigningRequestCondition = {
  /** What the condition is about, in CamelCase; one condition a type. */
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
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CertificateSigningRequest[]
}

/** What is asked for. */
export type CertificateSigningRequestSpec = {
  /** Signing request of PKCS #10, in PEM. */
  request?: string
  /** Name of the signer, such as kubernetes.io/kube-apiserver-client. */
  signerName?: string
  /** Seconds that the certificate should be valid, at least 600; the signer decides. */
  expirationSeconds?: number
  /** What the key may be used for. */
  usages?: string[]
  /** Who asks. Set by the server. */
  username?: string
  /** UID of who asks. Set by the server. */
  uid?: string
  /** Groups of who asks. Set by the server. */
  groups?: string[]
  /** Further attributes of who asks. Set by the server. */
  extra?: Record<string, string[]>
}

/** What became of a request. */
export type CertificateSigningRequestStatus = {
  /** Whether the request was approved, denied or failed. */
  conditions?: CertificateSigningRequestCondition[]
  /** The certificate and its chain in PEM, once issued. Cannot be changed then. */
  certificate?: string
}

/** Certificates of trust anchors, for pods to mount. */
export type ClusterTrustBundle = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The certificates. */
  spec: ClusterTrustBundleSpec
}

/** A list of ClusterTrustBundle objects. */
export type ClusterTrustBundleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ClusterTrustBundle[]
}

/** Certificates of trust anchors. */
export type ClusterTrustBundleSpec = {
  /** Signer that the anchors are for; the object's name then begins with it. Cannot be changed. */
  signerName?: string
  /** The certificates, in PEM; their order means nothing. */
  trustBundle: string
}

/** Asks a signer for a certificate for a pod; made by node agents. */
export type PodCertificateRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** What is asked for. Cannot be changed. */
  spec: PodCertificateRequestSpec
  /** What became of it. */
  status: PodCertificateRequestStatus
}

/** A list of PodCertificateRequest objects. */
export type PodCertificateRequestList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: PodCertificateRequest[]
}

/** The server checks that the node runs the pod. */
export type PodCertificateRequestSpec = {
  /** Name of the signer. */
  signerName: string
  /** Name of the pod. */
  podName: string
  /** UID of the pod. */
  podUID: string
  /** Service account of the pod. */
  serviceAccountName: string
  /** UID of the service account. */
  serviceAccountUID: string
  /** Node that the pod is on. */
  nodeName: string
  /** UID of the node. */
  nodeUID: string
  /** Longest validity, in seconds, at least 3600. Defaults to 86400. */
  maxExpirationSeconds?: number
  /** Deprecated: public key, in DER; it stands in stubPKCS10Request. */
  pkixPublicKey?: string
  /** Deprecated: signature that shows who has the private key; it stands in stubPKCS10Request. */
  proofOfPossession?: string
  /** Signing request, in DER, that carries the public key and proves that its private key is there. */
  stubPKCS10Request?: string
  /** Further data for the signer, which nobody has checked. */
  unverifiedUserAnnotations?: Record<string, string>
}

/** Written by the signer, once. */
export type PodCertificateRequestStatus = {
  /** Whether the request was issued, denied or failed. */
  conditions?: metaV1.Condition[]
  /** The certificate and its chain, in PEM. */
  certificateChain?: string
  /** When the certificate becomes valid. */
  notBefore?: string
  /** When the node agent should begin to renew it. */
  beginRefreshAt?: string
  /** When the certificate ceases to be valid. */
  notAfter?: string
}
