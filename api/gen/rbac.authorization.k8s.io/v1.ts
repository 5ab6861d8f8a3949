// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type AggregationRule = {
  clusterRoleSelectors?: metaV1.LabelSelector[]
}

export type ClusterRole = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  rules?: PolicyRule[]
  aggregationRule?: AggregationRule
}

export type ClusterRoleBinding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  subjects?: Subject[]
  roleRef: RoleRef
}

export type ClusterRoleBindingList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ClusterRoleBinding[]
}

export type ClusterRoleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ClusterRole[]
}

export type PolicyRule = {
  verbs?: string[]
  apiGroups?: string[]
  resources?: string[]
  resourceNames?: string[]
  nonResourceURLs?: string[]
}

export type Role = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  rules?: PolicyRule[]
}

export type RoleBinding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  subjects?: Subject[]
  roleRef: RoleRef
}

export type RoleBindingList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: RoleBinding[]
}

export type RoleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: Role[]
}

export type RoleRef = {
  apiGroup: string
  kind: string
  name: string
}

export type Subject = {
  kind: string
  apiGroup?: string
  name: string
  namespace?: string
}
