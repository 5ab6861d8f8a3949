// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** Settings of the plugins that call webhooks. */
export type WebhookAdmission = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** Kubeconfig with the credentials to call webhooks with. */
  kubeConfigFile: string
  /** Directory with webhooks or policies that hold without being stored. */
  staticManifestsDir?: string
}
