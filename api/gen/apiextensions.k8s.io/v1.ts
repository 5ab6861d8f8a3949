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

/** Converted objects, or why there are none. */
export type ConversionResponse = {
  /** Identifier of the call, repeated. */
  uid: string
  /** The objects, converted, in the order of the request; of metadata only labels and annotations may differ. */
  convertedObjects?: JsonValue[]
  /** Success, or what went wrong. */
  result: metaV1.Status
}

/** A call to a conversion webhook and its answer. */
export type ConversionReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** The call. */
  request?: ConversionRequest
  /** The answer. */
  response?: ConversionResponse
}

/** A column that tables of the objects show. */
export type CustomResourceColumnDefinition = {
  /** Heading of the column. */
  name: string
  /** OpenAPI type of the cells: string, integer, number, boolean or date. */
  type: string
  /** OpenAPI format that refines the type; name marks the column with the object's name. */
  format?: string
  /** What the column shows. */
  description?: string
  /** 0 for columns that always show; higher ones show in wide output. */
  priority?: number
  /** Simple JSON path of the cell's value in the object. */
  jsonPath: string
}

/** With a single version nothing is ever converted. */
export type CustomResourceConversion = {
  /** None, which only changes apiVersion, or Webhook. */
  strategy: string
  /** How to call the webhook; required for Webhook. */
  webhook?: WebhookConversion
}

/** Defines a resource that the server then serves; its name is <plural>.<group>. */
export type CustomResourceDefinition = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
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
  /** What the condition is about, in CamelCase; one condition a type. */
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
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  /** Metadata of the list: its resource version and continue token. */
  metadata: metaV1.ListMeta
  /** The objects. */
  items?: CustomResourceDefinition[]
}

/** No other resource of the group may have any of these. */
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
  /** Names of the resource and its kind. */
  names: CustomResourceDefinitionNames
  /** Cluster or Namespaced. */
  scope: string
  /** Versions of the resource; exactly one is stored. */
  versions?: CustomResourceDefinitionVersion[]
  /** How objects are converted between versions. */
  conversion?: CustomResourceConversion
  /** Deprecated: keeps fields that the schema does not know; set it in the schema instead. */
  preserveUnknownFields?: boolean
}

/** State of a definition. */
export type CustomResourceDefinitionStatus = {
  /** Aspects of the definition's state, such as Established. */
  conditions?: CustomResourceDefinitionCondition[]
  /** Names that are served; they may lag behind or clash with others. */
  acceptedNames: CustomResourceDefinitionNames
  /** Versions that objects were ever stored in; none can be taken from spec before it is taken from here. */
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
  /** Whether calls answer with a warning. Defaults to false. */
  deprecated?: boolean
  /** Text of that warning; a general one when unset. */
  deprecationWarning?: string
  /** Schema of the objects. */
  schema?: CustomResourceValidation
  /** Subresources of the objects. */
  subresources?: CustomResourceSubresources
  /** Columns of tables; the age alone when empty. */
  additionalPrinterColumns?: CustomResourceColumnDefinition[]
  /** Fields that field selectors can use; at most 8. */
  selectableFields?: SelectableField[]
}

/** The scale subresource: where the counts are in an object. */
export type CustomResourceSubresourceScale = {
  /** JSON path, below .spec, of the wanted number. */
  specReplicasPath: string
  /** JSON path, below .status, of the present number. */
  statusReplicasPath: string
  /** JSON path, below .status or .spec, of the selector as text; autoscalers need it. */
  labelSelectorPath?: string
}

/** The status subresource; the main one then leaves status alone. */
export type CustomResourceSubresourceStatus = {}

/** Each has a path below that of the object. */
export type CustomResourceSubresources = {
  /** Serves status apart from the rest. */
  status?: CustomResourceSubresourceStatus
  /** Serves the number of replicas apart from the rest. */
  scale?: CustomResourceSubresourceScale
}

/** It must be structural: every field has a type of its own. */
export type CustomResourceValidation = {
  /** The schema, in OpenAPI 3. */
  openAPIV3Schema?: JSONSchemaProps
}

/** For readers of the schema; the server does nothing with it. */
export type ExternalDocumentation = {
  /** What it is. */
  description?: string
  /** Where it is. */
  url?: string
}

/** A JSON schema, as OpenAPI 3 has it, with extensions. */
export type JSONSchemaProps = {
  /** Identifier of the schema. Not allowed. */
  id?: string
  /** Dialect of the schema. Not allowed. */
  $schema?: string
  /** Reference to another schema. Not allowed. */
  $ref?: string
  /** What the value means. */
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
  /** Values of which it must be one. */
  enum?: JsonValue[]
  /** Most properties of an object. */
  maxProperties?: number
  /** Fewest properties of an object. */
  minProperties?: number
  /** Properties that must be there. */
  required?: string[]
  /** Schema of an array's items. */
  items?: JSONSchemaPropsOrArray
  /** Schemas that must all hold. */
  allOf?: JSONSchemaProps[]
  /** Schemas of which exactly one must hold. */
  oneOf?: JSONSchemaProps[]
  /** Schemas of which at least one must hold. */
  anyOf?: JSONSchemaProps[]
  /** Schema that must not hold. */
  not?: JSONSchemaProps
  /** Schemas of properties, by name. */
  properties?: Record<string, JSONSchemaProps>
  /** Schema of properties that have no schema by name; excludes properties. */
  additionalProperties?: JSONSchemaPropsOrBool
  /** Schemas of properties, by pattern of their name. Not allowed. */
  patternProperties?: Record<string, JSONSchemaProps>
  /** What a property requires to be there besides. Not allowed. */
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
  /** Keeps fields that have no schema; without it they are dropped. */
  'x-kubernetes-preserve-unknown-fields'?: boolean
  /** The value is an object of its own, with apiVersion, kind and metadata. */
  'x-kubernetes-embedded-resource'?: boolean
  /** The value is an integer or a string; no type is given then. */
  'x-kubernetes-int-or-string'?: boolean
  /** Fields that tell the items of a map list apart. */
  'x-kubernetes-list-map-keys'?: string[]
  /** How lists are merged: atomic (the default), set or map. */
  'x-kubernetes-list-type'?: string
  /** How objects are merged: granular (the default) or atomic. */
  'x-kubernetes-map-type'?: string
  /** Rules, in CEL, that the value must keep. */
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

/** A rule that a value must keep. */
export type ValidationRule = {
  /** CEL that must be true; self is the value, oldSelf the one before an update. */
  rule: string
  /** What a violation says; required when the rule has line breaks. */
  message?: string
  /** CEL that makes what a violation says; wins over message unless it fails. */
  messageExpression?: string
  /** Reason of the error that a violation makes. Defaults to FieldValueInvalid. */
  reason?: string
  /** JSON path, from the value, of the field that the error names. */
  fieldPath?: string
  /** Runs a rule with oldSelf also on creation; oldSelf is then an optional. */
  optionalOldSelf?: boolean
}

/** How to reach a webhook: by URL or as a service. */
export type WebhookClientConfig = {
  /** URL of the webhook; https only. */
  url?: string
  /** Service of the webhook; excludes url. */
  service?: ServiceReference
  /** Certificates, in PEM, to verify the webhook by; those of the system when empty. */
  caBundle?: string
}

/** It is called whenever objects are read or written in another version than they are stored in. */
export type WebhookConversion = {
  /** How to reach it. */
  clientConfig?: WebhookClientConfig
  /** Versions of ConversionReview that it takes, the preferred first. */
  conversionReviewVersions?: string[]
}
