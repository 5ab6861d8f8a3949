// Made by hack/generate-types.ts from the tables in api/. Do not edit.
// Objects as they are in memory: what decoding always sets is not optional. Type aliases, no interfaces: these are
// assignable to ApiObject, whose further fields are unknown.
import type { JsonValue } from '../../../lib/object/index.ts'
import type * as metaV1 from '../meta/v1.ts'
export type ConversionRequest = {
  uid: string
  desiredAPIVersion: string
  objects?: JsonValue[]
}

export type ConversionResponse = {
  uid: string
  convertedObjects?: JsonValue[]
  result: metaV1.Status
}

export type ConversionReview = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  request?: ConversionRequest
  response?: ConversionResponse
}

export type CustomResourceColumnDefinition = {
  name: string
  type: string
  format?: string
  description?: string
  priority?: number
  JSONPath: string
}

export type CustomResourceConversion = {
  strategy: string
  webhookClientConfig?: WebhookClientConfig
  conversionReviewVersions?: string[]
}

export type CustomResourceDefinition = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ObjectMeta
  spec: CustomResourceDefinitionSpec
  status: CustomResourceDefinitionStatus
}

export type CustomResourceDefinitionCondition = {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
  observedGeneration?: number
}

export type CustomResourceDefinitionList = {
  /** Name of the object's kind, in CamelCase. Cannot be changed. */
  kind: string
  /** Group and version that the object is written in, such as apps/v1, or v1 for core. */
  apiVersion: string
  metadata: metaV1.ListMeta
  items?: CustomResourceDefinition[]
}

export type CustomResourceDefinitionNames = {
  plural: string
  singular?: string
  shortNames?: string[]
  kind: string
  listKind?: string
  categories?: string[]
}

export type CustomResourceDefinitionSpec = {
  group: string
  version?: string
  names: CustomResourceDefinitionNames
  scope: string
  validation?: CustomResourceValidation
  subresources?: CustomResourceSubresources
  versions?: CustomResourceDefinitionVersion[]
  additionalPrinterColumns?: CustomResourceColumnDefinition[]
  conversion?: CustomResourceConversion
  preserveUnknownFields?: boolean
  selectableFields?: SelectableField[]
}

export type CustomResourceDefinitionStatus = {
  conditions?: CustomResourceDefinitionCondition[]
  acceptedNames: CustomResourceDefinitionNames
  storedVersions?: string[]
  observedGeneration?: number
}

export type CustomResourceDefinitionVersion = {
  name: string
  served: boolean
  storage: boolean
  schema?: CustomResourceValidation
  subresources?: CustomResourceSubresources
  additionalPrinterColumns?: CustomResourceColumnDefinition[]
  deprecated?: boolean
  deprecationWarning?: string
  selectableFields?: SelectableField[]
}

export type CustomResourceSubresourceScale = {
  specReplicasPath: string
  statusReplicasPath: string
  labelSelectorPath?: string
}

export type CustomResourceSubresourceStatus = {}

export type CustomResourceSubresources = {
  status?: CustomResourceSubresourceStatus
  scale?: CustomResourceSubresourceScale
}

export type CustomResourceValidation = {
  openAPIV3Schema?: JSONSchemaProps
}

export type ExternalDocumentation = {
  description?: string
  url?: string
}

export type JSONSchemaProps = {
  id?: string
  $schema?: string
  $ref?: string
  description?: string
  type?: string
  format?: string
  title?: string
  default?: JsonValue
  maximum?: number
  exclusiveMaximum?: boolean
  minimum?: number
  exclusiveMinimum?: boolean
  maxLength?: number
  minLength?: number
  pattern?: string
  maxItems?: number
  minItems?: number
  uniqueItems?: boolean
  multipleOf?: number
  enum?: JsonValue[]
  maxProperties?: number
  minProperties?: number
  required?: string[]
  items?: JSONSchemaPropsOrArray
  allOf?: JSONSchemaProps[]
  oneOf?: JSONSchemaProps[]
  anyOf?: JSONSchemaProps[]
  not?: JSONSchemaProps
  properties?: Record<string, JSONSchemaProps>
  additionalProperties?: JSONSchemaPropsOrBool
  patternProperties?: Record<string, JSONSchemaProps>
  dependencies?: Record<string, JSONSchemaPropsOrStringArray>
  additionalItems?: JSONSchemaPropsOrBool
  definitions?: Record<string, JSONSchemaProps>
  externalDocs?: ExternalDocumentation
  example?: JsonValue
  nullable?: boolean
  'x-kubernetes-preserve-unknown-fields'?: boolean
  'x-kubernetes-embedded-resource'?: boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-list-map-keys'?: string[]
  'x-kubernetes-list-type'?: string
  'x-kubernetes-map-type'?: string
  'x-kubernetes-validations'?: ValidationRule[]
}

export type JSONSchemaPropsOrArray = JSONSchemaProps | JSONSchemaProps[]

export type JSONSchemaPropsOrBool = JSONSchemaProps | boolean

export type JSONSchemaPropsOrStringArray = JSONSchemaProps | string[]

export type SelectableField = {
  jsonPath: string
}

export type ServiceReference = {
  namespace: string
  name: string
  path?: string
  port?: number
}

export type ValidationRule = {
  rule: string
  message?: string
  messageExpression?: string
  reason?: string
  fieldPath?: string
  optionalOldSelf?: boolean
}

export type WebhookClientConfig = {
  service?: ServiceReference
  caBundle?: string
  url?: string
}
