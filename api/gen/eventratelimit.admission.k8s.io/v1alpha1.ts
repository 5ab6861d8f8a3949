// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** Settings of the plugin EventRateLimit. */
export type Configuration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** The limits; an event must be within all. */
  limits?: Limit[]
}

/** A bound on how fast events may come. */
export type Limit = {
  /** What events share a bound: Server, Namespace, User or SourceAndObject. */
  type: string
  /** Events a second, on average. */
  qps: number
  /** Events at once. */
  burst: number
  /** How many namespaces, users or objects are kept count of. Defaults to 4096. */
  cacheSize?: number
}
