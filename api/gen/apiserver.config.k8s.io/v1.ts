// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
/** Keys of AES. */
export type AESConfiguration = {
  /** The keys; the first one encrypts, all decrypt. */
  keys?: Key[]
}

/** Settings of admission plugins. */
export type AdmissionConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** One entry a plugin. */
  plugins?: AdmissionPluginConfiguration[]
}

/** Settings of one admission plugin. */
export type AdmissionPluginConfiguration = {
  /** Name of the plugin. */
  name: string
  /** File with its settings, relative to this one. */
  path: string
  /** Its settings inline; have precedence over path. */
  configuration?: JsonValue
}

/** A path that is open to anonymous requests. */
export type AnonymousAuthCondition = {
  /** The path, in full. */
  path: string
}

/** Treatment of requests without credentials. */
export type AnonymousAuthConfig = {
  /** Whether they are accepted, as system:anonymous. */
  enabled: boolean
  /** Paths at which they are accepted; all when empty. */
  conditions?: AnonymousAuthCondition[]
}

/** How requests are authenticated. */
export type AuthenticationConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Issuers whose tokens are accepted. */
  jwt?: JWTAuthenticator[]
  /** Treatment of requests without credentials; the flag decides when unset. */
  anonymous?: AnonymousAuthConfig
}

/** How requests are authorized. */
export type AuthorizationConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The authorizers, asked in their order until one decides. */
  authorizers?: AuthorizerConfiguration[]
}

/** An authorizer. */
export type AuthorizerConfiguration = {
  /** Type: Node, RBAC, ABAC, AlwaysAllow, AlwaysDeny or Webhook. */
  type: string
  /** Name for metrics and logs, unique among authorizers. */
  name: string
  /** Settings of a Webhook. */
  webhook?: WebhookConfiguration
}

/** The name of the user is required; the rest is optional. */
export type ClaimMappings = {
  /** Name of the user. Required. */
  username: PrefixedClaimOrExpression
  /** Groups of the user. */
  groups: PrefixedClaimOrExpression
  /** UID of the user. */
  uid: ClaimOrExpression
  /** Further attributes of the user. */
  extra?: ExtraMapping[]
}

/** A value from a token, by claim or by expression. */
export type ClaimOrExpression = {
  /** Name of the claim; excludes expression. */
  claim?: string
  /** CEL over claims that returns the value. */
  expression?: string
}

/** A requirement on a token's claims. */
export type ClaimValidationRule = {
  /** Name of a claim that is required; excludes expression. */
  claim?: string
  /** Value that the claim must have; "" means that it must be empty. */
  requiredValue?: string
  /** CEL over claims that must be true. */
  expression?: string
  /** Message of a refusal; for expression. */
  message?: string
}

/** Which resources are encrypted in the store, and how. */
export type EncryptionConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The resources, with their providers. */
  resources?: ResourceConfiguration[]
}

/** A further attribute of the user. */
export type ExtraMapping = {
  /** Key of the attribute: a path below a domain, in lower case. */
  key: string
  /** CEL over claims that returns a text or a list of texts; an empty result leaves the attribute out. */
  valueExpression: string
}

/** Stores values without encryption. */
export type IdentityConfiguration = {}

/** An issuer of tokens. */
export type Issuer = {
  /** URL of the issuer, equal to the claim iss; https only. */
  url: string
  /** URL of the discovery document; the well-known one below url when unset. */
  discoveryURL?: string
  /** Certificates, in PEM, to verify the issuer; those of the system when empty. */
  certificateAuthority?: string
  /** Accepted audiences; the claim aud must contain one. */
  audiences?: string[]
  /** MatchAny; required with several audiences. */
  audienceMatchPolicy?: string
  /** How to connect to the issuer: controlplane or cluster; directly when empty. */
  egressSelectorType?: string
}

/** Accepts tokens of one issuer. */
export type JWTAuthenticator = {
  /** The issuer. */
  issuer: Issuer
  /** Requirements on the claims. */
  claimValidationRules?: ClaimValidationRule[]
  /** Mapping of claims to the user. */
  claimMappings: ClaimMappings
  /** Requirements on the user. */
  userValidationRules?: UserValidationRule[]
}

/** Encrypts by an external key service. */
export type KMSConfiguration = {
  /** Version of the service's protocol: v1 or v2. */
  apiVersion: string
  /** Name of the service; it is part of stored data and must not change. */
  name: string
  /** Number of keys that v1 caches. Defaults to 1000; negative is no cache. */
  cachesize?: number
  /** Socket of the service, such as unix:///var/run/kms.sock. */
  endpoint: string
  /** How long a call may take. Defaults to 3s. */
  timeout?: string
}

/** A key. */
export type Key = {
  /** Name of the key; it is part of stored data. */
  name: string
  /** The key itself, in base64. */
  secret: string
}

/** A value from a token, by claim or by expression. */
export type PrefixedClaimOrExpression = {
  /** Name of the claim; excludes expression. */
  claim?: string
  /** Prefix of the claim's value; required with claim, and may be "". */
  prefix?: string
  /** CEL over claims that returns the value. */
  expression?: string
}

/** A way to encrypt; exactly one of the fields is set. */
export type ProviderConfiguration = {
  /** AES-GCM with random nonces; keys must be changed often. */
  aesgcm?: AESConfiguration
  /** AES-CBC. */
  aescbc?: AESConfiguration
  /** XSalsa20 and Poly1305. */
  secretbox?: SecretboxConfiguration
  /** No encryption. */
  identity?: IdentityConfiguration
  /** An external key service. */
  kms?: KMSConfiguration
}

/** Resources and how they are encrypted. */
export type ResourceConfiguration = {
  /** Resources as <plural>.<group>; *.<group> is a whole group and *.* everything. */
  resources?: string[]
  /** Ways to encrypt: the first one encrypts, all decrypt. */
  providers?: ProviderConfiguration[]
}

/** Keys of secretbox. */
export type SecretboxConfiguration = {
  /** The keys; the first one encrypts, all decrypt. */
  keys?: Key[]
}

/** Where traces are sent. */
export type TracingConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Address of the collector, which speaks OTLP over gRPC. Defaults to localhost:4317. */
  endpoint?: string
  /** Traced requests of a million, in addition to those whose caller requests it. Defaults to 0. */
  samplingRatePerMillion?: number
}

/** A requirement on the user of a token. */
export type UserValidationRule = {
  /** CEL over user that must be true. */
  expression: string
  /** Message of a refusal. */
  message?: string
}

/** Settings of an authorizing webhook. */
export type WebhookConfiguration = {
  /** How long positive answers are cached. */
  authorizedTTL: string
  /** Whether positive answers are cached. Defaults to true. */
  cacheAuthorizedRequests?: boolean
  /** How long negative answers are cached. */
  unauthorizedTTL: string
  /** Whether negative answers are cached. Defaults to true. */
  cacheUnauthorizedRequests?: boolean
  /** How long a call may take; at most 30s. */
  timeout: string
  /** Version of SubjectAccessReview that is sent: v1 or v1beta1. */
  subjectAccessReviewVersion: string
  /** Version of SubjectAccessReview in conditions: v1. */
  matchConditionSubjectAccessReviewVersion: string
  /** When the call fails: NoOpinion to ask the next authorizer, or Deny. */
  failurePolicy: string
  /** How to connect to the webhook. */
  connectionInfo: WebhookConnectionInfo
  /** Conditions, in CEL, on the requests for which it is called; all must be true. */
  matchConditions?: WebhookMatchCondition[]
}

/** By a kubeconfig, or as pods connect to their own cluster. */
export type WebhookConnectionInfo = {
  /** KubeConfigFile or InClusterConfig. */
  type: string
  /** The kubeconfig; required for KubeConfigFile. */
  kubeConfigFile?: string
}

/** A condition on the requests for which the webhook is called. */
export type WebhookMatchCondition = {
  /** CEL over request, a SubjectAccessReviewSpec, that must be true. */
  expression: string
}
