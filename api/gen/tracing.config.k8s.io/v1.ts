// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

export type TracingConfiguration = {
  endpoint?: string
  samplingRatePerMillion?: number
}
