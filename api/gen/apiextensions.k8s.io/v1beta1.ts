// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as metaV1 from '../meta/v1.ts'
/** Objects to convert to another version. */
export type ConversionRequest = {
  /** Identifier of the call; the answer must repeat it. */
  uid: string
  /** Group version to convert to. */
  desiredAPIVersion: string
  /** The objects. */
  objects?: JsonValue[]
}

/** Converted objects, or the reason of a failure. */
export type ConversionResponse = {
  /** Identifier of the call, repeated. */
  uid: string
  /** The converted objects, in the order of the request; only labels and annotations of metadata may differ. */
  convertedObjects?: JsonValue[]
  /** Success, or the reason of a failure. */
  result: metaV1.Status
}

/** A call to a conversion webhook and its answer. */
export type ConversionReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The call. */
  request?: ConversionRequest
  /** The answer. */
  response?: ConversionResponse
}

/** A column in tables of the objects. */
export type CustomResourceColumnDefinition = {
  /** Heading of the column. */
  name: string
  /** OpenAPI type of the cells: string, integer, number, boolean or date. */
  type: string
  /** OpenAPI format that refines the type; name marks the column with the object's name. */
  format?: string
  /** Description of the column. */
  description?: string
  /** 0 for columns that always show; higher ones show in wide output. */
  priority?: number
  /** Simple JSON path of the cell's value in the object. */
  JSONPath: string
}

/** With a single version, objects are never converted. */
export type CustomResourceConversion = {
  /** None, which only changes apiVersion, or Webhook. */
  strategy: string
  /** How to connect to the webhook; required for Webhook. */
  webhookClientConfig?: WebhookClientConfig
  /** Versions of ConversionReview that the webhook accepts, the preferred first. */
  conversionReviewVersions?: string[]
}

/** Defines a resource that the server then serves; its name is <plural>.<group>. */
export type CustomResourceDefinition = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Name, labels, annotations and the other standard metadata. */
  metadata: metaV1.ObjectMeta
  /** The resource. */
  spec: CustomResourceDefinitionSpec
  /** Whether the resource is served. */
  status: CustomResourceDefinitionStatus
}

/** One aspect of a definition, such as Established or NamesAccepted. */
export type CustomResourceDefinitionCondition = {
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
  /** Generation of the object that the condition was derived from. */
  observedGeneration?: number
}

/** A list of CustomResourceDefinition objects. */
export type CustomResourceDefinitionList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version of the object's form, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CustomResourceDefinition[]
}

/** Each must be unique among the resources of the group. */
export type CustomResourceDefinitionNames = {
  /** Plural name, as in paths; lower case. */
  plural: string
  /** Singular name. Defaults to kind in lower case. */
  singular?: string
  /** Abbreviations that clients accept. */
  shortNames?: string[]
  /** Name of the kind, in CamelCase. */
  kind: string
  /** Name of the kind of lists. Defaults to kind followed by List. */
  listKind?: string
  /** Groups of resources to list this one under, such as all. */
  categories?: string[]
}

/** Group, plural name, kind and scope cannot be changed once established. */
export type CustomResourceDefinitionSpec = {
  /** API group of the resource. */
  group: string
  /** Deprecated: first of versions; use versions. */
  version?: string
  /** Names of the resource and its kind. */
  names: CustomResourceDefinitionNames
  /** Cluster or Namespaced. */
  scope: string
  /** Schema of all versions; excludes those of the versions. */
  validation?: CustomResourceValidation
  /** Subresources of all versions; excludes those of the versions. */
  subresources?: CustomResourceSubresources
  /** Versions of the resource; exactly one is stored. */
  versions?: CustomResourceDefinitionVersion[]
  /** Columns of tables, for all versions; excludes those of the versions. */
  additionalPrinterColumns?: CustomResourceColumnDefinition[]
  /** How objects are converted between versions. */
  conversion?: CustomResourceConversion
  /** Deprecated: keeps fields that are not in the schema; set it in the schema instead. */
  preserveUnknownFields?: boolean
  /** Fields that field selectors can use, for all versions; at most 8. */
  selectableFields?: SelectableField[]
}

/** State of a definition. */
export type CustomResourceDefinitionStatus = {
  /** Aspects of the definition's state, such as Established. */
  conditions?: CustomResourceDefinitionCondition[]
  /** Names that are served; may differ from spec after changes and in conflicts. */
  acceptedNames: CustomResourceDefinitionNames
  /** Versions in which objects were ever stored; a version must be removed here before it is removed from spec. */
  storedVersions?: string[]
  /** Newest generation of the object that its controller has acted on. */
  observedGeneration?: number
}

/** A version of a resource. */
export type CustomResourceDefinitionVersion = {
  /** Name of the version, such as v1beta1. */
  name: string
  /** Whether it is served. */
  served: boolean
  /** Whether objects are stored in it; true for exactly one version. */
  storage: boolean
  /** Schema of the objects. */
  schema?: CustomResourceValidation
  /** Subresources of the objects. */
  subresources?: CustomResourceSubresources
  /** Columns of tables; the age alone when empty. */
  additionalPrinterColumns?: CustomResourceColumnDefinition[]
  /** Whether requests get a warning. Defaults to false. */
  deprecated?: boolean
  /** Text of that warning; a general one when unset. */
  deprecationWarning?: string
  /** Fields that field selectors can use; at most 8. */
  selectableFields?: SelectableField[]
}

/** The scale subresource: paths of the counts in an object. */
export type CustomResourceSubresourceScale = {
  /** JSON path, below .spec, of the desired number. */
  specReplicasPath: string
  /** JSON path, below .status, of the present number. */
  statusReplicasPath: string
  /** JSON path, below .status or .spec, of the selector as text; autoscalers need it. */
  labelSelectorPath?: string
}

/** The status subresource; other requests then ignore status. */
export type CustomResourceSubresourceStatus = {}

/** Each has a path below that of the object. */
export type CustomResourceSubresources = {
  /** Serves status separately. */
  status?: CustomResourceSubresourceStatus
  /** Serves the number of replicas separately. */
  scale?: CustomResourceSubresourceScale
}

/** It must be structural: every field has a type. */
export type CustomResourceValidation = {
  /** The schema, in OpenAPI 3. */
  openAPIV3Schema?: JSONSchemaProps
}

/** For readers of the schema; ignored by the server. */
export type ExternalDocumentation = {
  /** Description of it. */
  description?: string
  /** URL of it. */
  url?: string
}

/** A JSON schema in the form of OpenAPI 3, with extensions. */
export type JSONSchemaProps = {
  /** Identifier of the schema. Not allowed. */
  id?: string
  /** Dialect of the schema. Not allowed. */
  $schema?: string
  /** Reference to another schema. Not allowed. */
  $ref?: string
  /** Meaning of the value. */
  description?: string
  /** Type of the value: object, array, string, integer, number or boolean. */
  type?: string
  /** Format that refines the type, such as date-time; unknown ones are ignored. */
  format?: string
  /** Title of the schema. */
  title?: string
  /** Value to fill in when the field is absent. */
  default?: JsonValue
  /** Greatest number. */
  maximum?: number
  /** The number must be less than maximum. */
  exclusiveMaximum?: boolean
  /** Least number. */
  minimum?: number
  /** The number must be greater than minimum. */
  exclusiveMinimum?: boolean
  /** Most characters of a string. */
  maxLength?: number
  /** Fewest characters of a string. */
  minLength?: number
  /** Regular expression that a string must match somewhere. */
  pattern?: string
  /** Most items of an array. */
  maxItems?: number
  /** Fewest items of an array. */
  minItems?: number
  /** Items of an array must differ. Only false is allowed. */
  uniqueItems?: boolean
  /** Number that the value must be a multiple of. */
  multipleOf?: number
  /** Allowed values. */
  enum?: JsonValue[]
  /** Most properties of an object. */
  maxProperties?: number
  /** Fewest properties of an object. */
  minProperties?: number
  /** Required properties. */
  required?: string[]
  /** Schema of an array's items. */
  items?: JSONSchemaPropsOrArray
  /** Schemas that must all hold. */
  allOf?: JSONSchemaProps[]
  /** Schemas; exactly one must hold. */
  oneOf?: JSONSchemaProps[]
  /** Schemas; at least one must hold. */
  anyOf?: JSONSchemaProps[]
  /** Schema that must not hold. */
  not?: JSONSchemaProps
  /** Schemas of properties, by name. */
  properties?: Record<string, JSONSchemaProps>
  /** Schema of all other properties; excludes properties. */
  additionalProperties?: JSONSchemaPropsOrBool
  /** Schemas of properties, by pattern of their name. Not allowed. */
  patternProperties?: Record<string, JSONSchemaProps>
  /** Further properties that a property requires. Not allowed. */
  dependencies?: Record<string, JSONSchemaPropsOrStringArray>
  /** Schema of items beyond those of a list of schemas. Not allowed. */
  additionalItems?: JSONSchemaPropsOrBool
  /** Schemas to refer to. Not allowed. */
  definitions?: Record<string, JSONSchemaProps>
  /** Documentation elsewhere. */
  externalDocs?: ExternalDocumentation
  /** An example value. */
  example?: JsonValue
  /** Whether null is allowed. Defaults to false. */
  nullable?: boolean
  /** Keeps fields without a schema; otherwise they are dropped. */
  'x-kubernetes-preserve-unknown-fields'?: boolean
  /** The value is a complete object, with apiVersion, kind and metadata. */
  'x-kubernetes-embedded-resource'?: boolean
  /** The value is an integer or a string; type must be unset. */
  'x-kubernetes-int-or-string'?: boolean
  /** Fields that identify the items of a map list. */
  'x-kubernetes-list-map-keys'?: string[]
  /** How lists are merged: atomic (the default), set or map. */
  'x-kubernetes-list-type'?: string
  /** How objects are merged: granular (the default) or atomic. */
  'x-kubernetes-map-type'?: string
  /** Rules, in CEL, for the value. */
  'x-kubernetes-validations'?: ValidationRule[]
}

export type JSONSchemaPropsOrArray = JSONSchemaProps | JSONSchemaProps[]

export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean

export type JSONSchemaPropsOrStringArray = JSONSchemaProps | string[]

/** A field that field selectors can use. */
export type SelectableField = {
  /** Simple JSON path of the field, which is a string, integer or boolean. */
  jsonPath: string
}

/** A service to call. */
export type ServiceReference = {
  /** Namespace of the service. */
  namespace: string
  /** Name of the service. */
  name: string
  /** Path of the calls. */
  path?: string
  /** Port of the service. Defaults to 443. */
  port?: number
}

/** A rule for a value. */
export type ValidationRule = {
  /** CEL that must be true; self is the value, oldSelf the one before an update. */
  rule: string
  /** Message of a violation; required when the rule has line breaks. */
  message?: string
  /** CEL that returns the message of a violation; has precedence over message unless it fails. */
  messageExpression?: string
  /** Reason of the error. Defaults to FieldValueInvalid. */
  reason?: string
  /** JSON path, from the value, of the field that the error names. */
  fieldPath?: string
  /** Runs a rule with oldSelf also on creation; oldSelf is then an optional. */
  optionalOldSelf?: boolean
}

/** How to connect to a webhook: by URL or as a service. */
export type WebhookClientConfig = {
  /** Service of the webhook; excludes url. */
  service?: ServiceReference
  /** Certificates, in PEM, to verify the webhook; those of the system when empty. */
  caBundle?: string
  /** URL of the webhook; https only. */
  url?: string
}
