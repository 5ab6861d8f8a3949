// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type APIService = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: APIServiceSpec
  status: APIServiceStatus
}

export type APIServiceCondition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

export type APIServiceList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: APIService[]
}

export type APIServiceSpec = {
  service?: ServiceReference
  group?: string
  version?: string
  insecureSkipTLSVerify?: boolean
  caBundle?: string
  groupPriorityMinimum: number
  versionPriority: number
}

export type APIServiceStatus = {
  conditions?: APIServiceCondition[]
}

export type ServiceReference = {
  namespace?: string
  name?: string
  port?: number
}
