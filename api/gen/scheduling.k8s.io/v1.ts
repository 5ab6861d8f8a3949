// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type * as metaV1 from '../meta/v1.ts'
export type PriorityClass = {
  kind: string
  apiVersion: string
  metadata: metaV1.ObjectMeta
  value: number
  globalDefault?: boolean
  description?: string
  preemptionPolicy?: string
}

export type PriorityClassList = {
  kind: string
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: PriorityClass[]
}
