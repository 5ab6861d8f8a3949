// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.

/** Settings of the plugins that call webhooks. */
export type WebhookAdmission = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind?: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion?: string
  /** Kubeconfig with the credentials for webhooks. */
  kubeConfigFile: string
  /** Directory with webhooks or policies that are in force without being stored. */
  staticManifestsDir?: string
}
