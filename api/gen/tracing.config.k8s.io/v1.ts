// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** Where traces are sent. */
export type TracingConfiguration = {
  /** Address of the collector, which speaks OTLP over gRPC. Defaults to localhost:4317. */
  endpoint?: string
  /** Traced requests of a million, in addition to those whose caller requests it. Defaults to 0. */
  samplingRatePerMillion?: number
}
