// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
export type AESConfiguration = {
  keys?: Key[]
}

export type AdmissionConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  plugins?: AdmissionPluginConfiguration[]
}

export type AdmissionPluginConfiguration = {
  name: string
  path: string
  configuration?: JsonValue
}

export type AnonymousAuthCondition = {
  path: string
}

export type AnonymousAuthConfig = {
  enabled: boolean
  conditions?: AnonymousAuthCondition[]
}

export type AuthenticationConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  jwt?: JWTAuthenticator[]
  anonymous?: AnonymousAuthConfig
}

export type AuthorizationConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  authorizers?: AuthorizerConfiguration[]
}

export type AuthorizerConfiguration = {
  type: string
  name: string
  webhook?: WebhookConfiguration
}

export type ClaimMappings = {
  username: PrefixedClaimOrExpression
  groups: PrefixedClaimOrExpression
  uid: ClaimOrExpression
  extra?: ExtraMapping[]
}

export type ClaimOrExpression = {
  claim?: string
  expression?: string
}

export type ClaimValidationRule = {
  claim?: string
  requiredValue?: string
  expression?: string
  message?: string
}

export type EncryptionConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  resources?: ResourceConfiguration[]
}

export type ExtraMapping = {
  key: string
  valueExpression: string
}

export type IdentityConfiguration = {}

export type Issuer = {
  url: string
  discoveryURL?: string
  certificateAuthority?: string
  audiences?: string[]
  audienceMatchPolicy?: string
  egressSelectorType?: string
}

export type JWTAuthenticator = {
  issuer: Issuer
  claimValidationRules?: ClaimValidationRule[]
  claimMappings: ClaimMappings
  userValidationRules?: UserValidationRule[]
}

export type KMSConfiguration = {
  apiVersion: string
  name: string
  cachesize?: number
  endpoint: string
  timeout?: string
}

export type Key = {
  name: string
  secret: string
}

export type PrefixedClaimOrExpression = {
  claim?: string
  prefix?: string
  expression?: string
}

export type ProviderConfiguration = {
  aesgcm?: AESConfiguration
  aescbc?: AESConfiguration
  secretbox?: SecretboxConfiguration
  identity?: IdentityConfiguration
  kms?: KMSConfiguration
}

export type ResourceConfiguration = {
  resources?: string[]
  providers?: ProviderConfiguration[]
}

export type SecretboxConfiguration = {
  keys?: Key[]
}

export type TracingConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  endpoint?: string
  samplingRatePerMillion?: number
}

export type UserValidationRule = {
  expression: string
  message?: string
}

export type WebhookConfiguration = {
  authorizedTTL: string
  cacheAuthorizedRequests?: boolean
  unauthorizedTTL: string
  cacheUnauthorizedRequests?: boolean
  timeout: string
  subjectAccessReviewVersion: string
  matchConditionSubjectAccessReviewVersion: string
  failurePolicy: string
  connectionInfo: WebhookConnectionInfo
  matchConditions?: WebhookMatchCondition[]
}

export type WebhookConnectionInfo = {
  type: string
  kubeConfigFile?: string
}

export type WebhookMatchCondition = {
  expression: string
}
