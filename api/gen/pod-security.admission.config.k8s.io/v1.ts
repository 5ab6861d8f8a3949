// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** Settings of the plugin PodSecurity. */
export type PodSecurityConfiguration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Default levels of namespaces. */
  defaults: PodSecurityDefaults
  /** Pods that are not checked. */
  exemptions: PodSecurityExemptions
}

/** Namespaces override each by a label pod-security.kubernetes.io/<name>. */
export type PodSecurityDefaults = {
  /** Level that pods must meet, or be refused. Defaults to privileged. */
  enforce?: string
  /** Release of the level's rules, v1.30 or latest. */
  'enforce-version'?: string
  /** Level whose violations are recorded in the audit log. Defaults to privileged. */
  audit?: string
  /** Release of the level's rules, v1.30 or latest. */
  'audit-version'?: string
  /** Level whose violations cause a warning. Defaults to privileged. */
  warn?: string
  /** Release of the level's rules, v1.30 or latest. */
  'warn-version'?: string
}

/** Any one of them suffices. */
export type PodSecurityExemptions = {
  /** Users whose pods are not checked. */
  usernames?: string[]
  /** Namespaces whose pods are not checked. */
  namespaces?: string[]
  /** Runtime classes whose pods are not checked. */
  runtimeClasses?: string[]
}
