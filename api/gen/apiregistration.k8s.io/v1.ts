// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
/** A group version and the server that serves it; its name is <version>.<group>. */
export type APIService = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The group version and how to connect to its server. */
  spec: APIServiceSpec
  /** Whether the server is reachable. */
  status: APIServiceStatus
}

/** One aspect of an API service; Available is the only one. */
export type APIServiceCondition = {
  /** Kind of the condition, in CamelCase; at most one condition of each type. */
  type: string
  /** Whether the condition holds: True, False or Unknown. */
  status: string
  /** When the status last changed from one value to another. */
  lastTransitionTime?: string
  /** Machine-readable cause of the last change, in CamelCase. */
  reason?: string
  /** Details of the last change, for people. */
  message?: string
}

/** A list of APIService objects. */
export type APIServiceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: APIService[]
}

/** Requests for the group version are forwarded to the server, with the user's name in headers. */
export type APIServiceSpec = {
  /** Service of the server; unset means this server itself. */
  service?: ServiceReference
  /** Name of the API group. */
  group?: string
  /** Name of the version. */
  version?: string
  /** Does not verify the server's certificate; prefer caBundle. */
  insecureSkipTLSVerify?: boolean
  /** Certificates, in PEM, to verify the server; those of the system when empty. */
  caBundle?: string
  /** Rank of the group in discovery; higher ones come first. The highest of its versions counts. */
  groupPriorityMinimum: number
  /** Rank of the version within its group; higher ones come first. */
  versionPriority: number
}

/** State of an API service. */
export type APIServiceStatus = {
  /** Aspects of the service's state, such as Available. */
  conditions?: APIServiceCondition[]
}

/** A service to call. */
export type ServiceReference = {
  /** Namespace of the service. */
  namespace?: string
  /** Name of the service. */
  name?: string
  /** Port of the service, which speaks https. Defaults to 443. */
  port?: number
}
