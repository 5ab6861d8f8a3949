import { isRecord } from '../base/index.ts'
import type { FieldForm, MessageFields, Messages } from './protobuf.ts'

/** Constraints of a value, with numbers from `first` on: all messages with constraints have them in this order. */
function constraints(first: number): MessageFields {
  return {
    default: [first, 'any'],
    maximum: [first + 1, 'double'],
    exclusiveMaximum: [first + 2, 'bool'],
    minimum: [first + 3, 'double'],
    exclusiveMinimum: [first + 4, 'bool'],
    maxLength: [first + 5, 'integer'],
    minLength: [first + 6, 'integer'],
    pattern: [first + 7, 'string'],
    maxItems: [first + 8, 'integer'],
    minItems: [first + 9, 'integer'],
    uniqueItems: [first + 10, 'bool'],
    enum: [first + 11, 'anys'],
    multipleOf: [first + 12, 'double'],
  }
}

/** A simple type and its constraints, with numbers from `first` on. */
function simpleType(first: number): MessageFields {
  return {
    type: [first, 'string'],
    format: [first + 1, 'string'],
    items: [first + 2, 'PrimitivesItems'],
    collectionFormat: [first + 3, 'string'],
    ...constraints(first + 4),
  }
}

const parameter: MessageFields = {
  required: [1, 'bool'], in: [2, 'string'], description: [3, 'string'], name: [4, 'string'],
} // biome-ignore format: a table
const placesOfParameters: Readonly<Record<string, FieldForm>> = {
  header: [1, 'HeaderParameter'],
  formData: [2, 'QueryParameter'],
  query: [3, 'QueryParameter'],
  path: [4, 'PathParameter'],
}
const schema: MessageFields = {
  $ref: [1, 'string'],
  format: [2, 'string'],
  title: [3, 'string'],
  description: [4, 'string'],
  default: [5, 'any'],
  multipleOf: [6, 'double'],
  maximum: [7, 'double'],
  exclusiveMaximum: [8, 'bool'],
  minimum: [9, 'double'],
  exclusiveMinimum: [10, 'bool'],
  maxLength: [11, 'integer'],
  minLength: [12, 'integer'],
  pattern: [13, 'string'],
  maxItems: [14, 'integer'],
  minItems: [15, 'integer'],
  uniqueItems: [16, 'bool'],
  maxProperties: [17, 'integer'],
  minProperties: [18, 'integer'],
  required: [19, 'strings'],
  enum: [20, 'anys'],
  additionalProperties: [21, 'AdditionalPropertiesItem'],
  type: [22, 'TypeItem'],
  items: [23, 'ItemsItem'],
  allOf: [24, 'Schema[]'],
  properties: [25, '{Schema}'],
  discriminator: [26, 'string'],
  readOnly: [27, 'bool'],
  externalDocs: [29, 'ExternalDocs'],
  example: [30, 'any'],
}

/** OpenAPI 2.0, which older clients request. */
export const messagesV2: Messages = {
  Document: {
    fields: {
      swagger: [1, 'string'],
      info: [2, 'Info'],
      paths: [8, 'Paths'],
      definitions: [9, '{Schema}'],
      security: [12, 'SecurityRequirement[]'],
      securityDefinitions: [13, '{SecurityDefinitionsItem}'],
    },
    extensions: 16,
  },
  Info: { fields: { title: [1, 'string'], version: [2, 'string'], description: [3, 'string'] }, extensions: 7 },
  Paths: { fields: {}, extensions: 1, rest: [2, 'PathItem'] },
  PathItem: {
    fields: {
      $ref: [1, 'string'],
      get: [2, 'Operation'],
      put: [3, 'Operation'],
      post: [4, 'Operation'],
      delete: [5, 'Operation'],
      options: [6, 'Operation'],
      head: [7, 'Operation'],
      patch: [8, 'Operation'],
      parameters: [9, 'ParametersItem[]'],
    },
    extensions: 10,
  },
  Operation: {
    fields: {
      tags: [1, 'strings'],
      summary: [2, 'string'],
      description: [3, 'string'],
      externalDocs: [4, 'ExternalDocs'],
      operationId: [5, 'string'],
      produces: [6, 'strings'],
      consumes: [7, 'strings'],
      parameters: [8, 'ParametersItem[]'],
      responses: [9, 'Responses'],
      schemes: [10, 'strings'],
      deprecated: [11, 'bool'],
      security: [12, 'SecurityRequirement[]'],
    },
    extensions: 13,
  },
  ParametersItem: { fields: {}, choose: (value) => (isReference(value) ? [2, 'Reference'] : [1, 'Parameter']) },
  Reference: { fields: { $ref: [1, 'string'], description: [2, 'string'] } },
  Parameter: {
    fields: {},
    choose: (value) => (placeOf(value) === 'body' ? [1, 'BodyParameter'] : [2, 'NonBodyParameter']),
  },
  NonBodyParameter: { fields: {}, choose: (value) => placesOfParameters[placeOf(value)] ?? [3, 'QueryParameter'] },
  BodyParameter: {
    fields: {
      description: [1, 'string'],
      name: [2, 'string'],
      in: [3, 'string'],
      required: [4, 'bool'],
      schema: [5, 'Schema'],
    },
    extensions: 6,
  },
  HeaderParameter: { fields: { ...parameter, ...simpleType(5) }, extensions: 22 },
  QueryParameter: { fields: { ...parameter, allowEmptyValue: [5, 'bool'], ...simpleType(6) }, extensions: 23 },
  PathParameter: { fields: { ...parameter, ...simpleType(5) }, extensions: 22 },
  PrimitivesItems: { fields: simpleType(1), extensions: 18 },
  Responses: { fields: {}, rest: [1, 'ResponseValue'], extensions: 2 },
  ResponseValue: { fields: {}, choose: (value) => (isReference(value) ? [2, 'Reference'] : [1, 'Response']) },
  Response: {
    fields: { description: [1, 'string'], schema: [2, 'SchemaItem'], headers: [3, '{Header}'] },
    extensions: 5,
  },
  Header: { fields: { ...simpleType(1), description: [18, 'string'] }, extensions: 19 },
  SchemaItem: { fields: {}, choose: () => [1, 'Schema'] },
  Schema: { fields: schema, extensions: 31 },
  ExternalDocs: { fields: { description: [1, 'string'], url: [2, 'string'] }, extensions: 3 },
  AdditionalPropertiesItem: {
    fields: {},
    choose: (value) => (typeof value === 'boolean' ? [2, 'bool'] : [1, 'Schema']),
  },
  ItemsItem: { fields: {}, choose: (value) => (Array.isArray(value) ? [1, 'Schema[]'] : [1, 'Schema']) },
  SecurityDefinitionsItem: {
    fields: {},
    choose: (value) => (isRecord(value) && value['type'] === 'basic' ? [1, 'BasicSecurity'] : [2, 'ApiKeySecurity']),
  },
  BasicSecurity: { fields: { type: [1, 'string'], description: [2, 'string'] }, extensions: 3 },
  ApiKeySecurity: {
    fields: { type: [1, 'string'], name: [2, 'string'], in: [3, 'string'], description: [4, 'string'] },
    extensions: 5,
  },
  SecurityRequirement: { fields: {}, rest: [1, 'StringArray'] },
  StringArray: { fields: {}, choose: () => [1, 'strings'] },
  TypeItem: { fields: {}, choose: () => [1, 'strings'] },
}

function isReference(value: unknown): boolean {
  return isRecord(value) && Object.hasOwn(value, '$ref')
}

function placeOf(value: unknown): string {
  return isRecord(value) ? String(value['in']) : ''
}
