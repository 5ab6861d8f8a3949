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
  signerName?: string
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

/** Certificates of trust anchors, for pods to mount. */
export type ClusterTrustBundle = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
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
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
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
  /** The certificates, in PEM; their order has no meaning. */
  trustBundle: string
}

/** Requests a certificate for a pod; created by kubelets. */
export type PodCertificateRequest = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Properties of the certificate. Cannot be changed. */
  spec: PodCertificateRequestSpec
  /** State of the request. */
  status: PodCertificateRequestStatus
}

/** A list of PodCertificateRequest objects. */
export type PodCertificateRequestList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
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
  /** Deprecated: public key, in DER; now part of stubPKCS10Request. */
  pkixPublicKey?: string
  /** Deprecated: signature that proves possession of the private key; now part of stubPKCS10Request. */
  proofOfPossession?: string
  /** Signing request, in DER, with the public key and proof of possession of the private key. */
  stubPKCS10Request?: string
  /** Further data for the signer, which the server does not check. */
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
  /** When the kubelet should begin to renew it. */
  beginRefreshAt?: string
  /** When the certificate expires. */
  notAfter?: string
}
