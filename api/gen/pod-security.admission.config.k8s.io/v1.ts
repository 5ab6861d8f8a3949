// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

export type PodSecurityConfiguration = {
  kind: string
  apiVersion: string
  defaults: PodSecurityDefaults
  exemptions: PodSecurityExemptions
}

export type PodSecurityDefaults = {
  enforce?: string
  'enforce-version'?: string
  audit?: string
  'audit-version'?: string
  warn?: string
  'warn-version'?: string
}

export type PodSecurityExemptions = {
  usernames?: string[]
  namespaces?: string[]
  runtimeClasses?: string[]
}
