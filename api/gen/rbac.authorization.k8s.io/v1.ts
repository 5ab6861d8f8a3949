// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type AggregationRule = {
  clusterRoleSelectors?: metaV1.LabelSelector[]
}

export type ClusterRole = {
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  rules?: PolicyRule[]
  aggregationRule?: AggregationRule
}

export type ClusterRoleBinding = {
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  subjects?: Subject[]
  roleRef: RoleRef
}

export type ClusterRoleBindingList = {
  kind: string
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: ClusterRoleBinding[]
}

export type ClusterRoleList = {
  kind: string
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
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  rules?: PolicyRule[]
}

export type RoleBinding = {
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  subjects?: Subject[]
  roleRef: RoleRef
}

export type RoleBindingList = {
  kind: string
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: RoleBinding[]
}

export type RoleList = {
  kind: string
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
