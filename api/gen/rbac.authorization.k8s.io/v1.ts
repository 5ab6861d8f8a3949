// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** Builds a cluster role from others. */
export type AggregationRule = {
  /** Selects the cluster roles whose rules are joined; any one selector suffices. */
  clusterRoleSelectors?: metaV1.LabelSelector[]
}

/** A set of permissions for cluster-wide objects, or to grant in single namespaces. */
export type ClusterRole = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Permissions of the role. */
  rules?: PolicyRule[]
  /** Fills rules from other cluster roles; rules set by hand are then overwritten. */
  aggregationRule?: AggregationRule
}

/** Grants a cluster role to subjects, in every namespace and on cluster-wide objects. */
export type ClusterRoleBinding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Subjects that get the role. */
  subjects?: Subject[]
  /** The cluster role that is granted. Cannot be changed. */
  roleRef: RoleRef
}

/** A list of ClusterRoleBinding objects. */
export type ClusterRoleBindingList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ClusterRoleBinding[]
}

/** A list of ClusterRole objects. */
export type ClusterRoleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: ClusterRole[]
}

/** Permission for some verbs on some resources, or on some paths. Rules only add permissions. */
export type PolicyRule = {
  /** Verbs that are allowed; * is all of them. */
  verbs?: string[]
  /** API groups of the resources; "" is core and * is all of them. */
  apiGroups?: string[]
  /** Resources by plural name, or resource/subresource; * is all of them. */
  resources?: string[]
  /** Restricts the rule to objects of these names; empty allows any name. */
  resourceNames?: string[]
  /** Paths outside of resources; a trailing * matches any rest. Only in cluster roles. */
  nonResourceURLs?: string[]
}

/** A set of permissions within one namespace. */
export type Role = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Permissions of the role. */
  rules?: PolicyRule[]
}

/** Grants a role to subjects within its own namespace. */
export type RoleBinding = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** Subjects that get the role; the list is replaced as a whole in a merge. */
  subjects?: Subject[]
  /** Role of the same namespace, or cluster role, that is granted. Cannot be changed. */
  roleRef: RoleRef
}

/** A list of RoleBinding objects. */
export type RoleBindingList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: RoleBinding[]
}

/** A list of Role objects. */
export type RoleList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: Role[]
}

/** Names the role that a binding grants. */
export type RoleRef = {
  /** API group of the role. */
  apiGroup: string
  /** Role or ClusterRole. */
  kind: string
  /** Name of the role. */
  name: string
}

/** A user, group or service account that a binding grants a role to. */
export type Subject = {
  /** User, Group or ServiceAccount; any other makes the authorizer report an error. */
  kind: string
  /** Empty for a ServiceAccount, the rbac group for a User or Group; defaulted to match kind. */
  apiGroup?: string
  /** Name of the subject. */
  name: string
  /** Namespace of a service account; must be empty for a user or group. */
  namespace?: string
}
