// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** Settings of the plugin PodSecurity. */
export type PodSecurityConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Levels of namespaces that state none. */
  defaults: PodSecurityDefaults
  /** Pods that are not looked at. */
  exemptions: PodSecurityExemptions
}

/** Namespaces override each by a label pod-security.kubernetes.io/<name>. */
export type PodSecurityDefaults = {
  /** Level below which pods are refused. Defaults to privileged. */
  enforce?: string
  /** Release whose rules the level has, as v1.30 or latest. */
  'enforce-version'?: string
  /** Level below which pods are noted in the audit log. Defaults to privileged. */
  audit?: string
  /** Release whose rules the level has, as v1.30 or latest. */
  'audit-version'?: string
  /** Level below which the client is warned. Defaults to privileged. */
  warn?: string
  /** Release whose rules the level has, as v1.30 or latest. */
  'warn-version'?: string
}

/** Any one of them suffices. */
export type PodSecurityExemptions = {
  /** Users whose pods are not looked at. */
  usernames?: string[]
  /** Namespaces whose pods are not looked at. */
  namespaces?: string[]
  /** Runtime classes whose pods are not looked at. */
  runtimeClasses?: string[]
}
