// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** Settings of the plugin EventRateLimit. */
export type Configuration = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** The limits; an event must be within all. */
  limits?: Limit[]
}

/** A limit on the rate of events. */
export type Limit = {
  /** Events that share a limit: Server, Namespace, User or SourceAndObject. */
  type: string
  /** Events a second, on average. */
  qps: number
  /** Events at once. */
  burst: number
  /** Maximum number of counted namespaces, users or objects. Defaults to 4096. */
  cacheSize?: number
}
