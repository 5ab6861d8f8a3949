import { isRecord } from '../base/index.ts'
import type { FieldForm, Message, MessageFields, Messages } from './protobuf.ts'

/** Either the value itself (field 1) or a reference to one (field 2). */
function orReference(message: string): Message {
  const isReference = (value: unknown): boolean => isRecord(value) && Object.hasOwn(value, '$ref')
  return { fields: {}, choose: (value): FieldForm => (isReference(value) ? [2, 'Reference'] : [1, message]) }
}

const operations: MessageFields = {
  get: [4, 'Operation'],
  put: [5, 'Operation'],
  post: [6, 'Operation'],
  delete: [7, 'Operation'],
  options: [8, 'Operation'],
  head: [9, 'Operation'],
  patch: [10, 'Operation'],
}

/** OpenAPI 3.0, by which kubectl learns the parameters of a kind's operations. */
export const messagesV3: Messages = {
  Document: {
    fields: {
      openapi: [1, 'string'],
      info: [2, 'Info'],
      paths: [4, 'Paths'],
      components: [5, 'Components'],
      security: [6, 'SecurityRequirement[]'],
    },
    extensions: 9,
  },
  Info: { fields: { title: [1, 'string'], description: [2, 'string'], version: [6, 'string'] }, extensions: 7 },
  Paths: { fields: {}, extensions: 2, rest: [1, 'PathItem'] },
  PathItem: {
    fields: {
      $ref: [1, 'string'],
      description: [3, 'string'],
      ...operations,
      parameters: [13, 'ParameterOrReference[]'],
    },
    extensions: 14,
  },
  Operation: {
    fields: {
      tags: [1, 'strings'],
      summary: [2, 'string'],
      description: [3, 'string'],
      externalDocs: [4, 'ExternalDocs'],
      operationId: [5, 'string'],
      parameters: [6, 'ParameterOrReference[]'],
      requestBody: [7, 'RequestBodyOrReference'],
      responses: [8, 'Responses'],
      deprecated: [10, 'bool'],
      security: [11, 'SecurityRequirement[]'],
    },
    extensions: 13,
  },
  ParameterOrReference: orReference('Parameter'),
  Parameter: {
    fields: {
      name: [1, 'string'],
      in: [2, 'string'],
      description: [3, 'string'],
      required: [4, 'bool'],
      allowEmptyValue: [6, 'bool'],
      schema: [10, 'SchemaOrReference'],
    },
    extensions: 14,
  },
  RequestBodyOrReference: orReference('RequestBody'),
  RequestBody: {
    fields: { description: [1, 'string'], content: [2, '{MediaType}'], required: [3, 'bool'] },
    extensions: 4,
  },
  MediaType: { fields: { schema: [1, 'SchemaOrReference'] }, extensions: 5 },
  Responses: { fields: { default: [1, 'ResponseOrReference'] }, rest: [2, 'ResponseOrReference'], extensions: 3 },
  ResponseOrReference: orReference('Response'),
  Response: { fields: { description: [1, 'string'], content: [3, '{MediaType}'] }, extensions: 5 },
  Components: {
    fields: { schemas: [1, '{SchemaOrReference}'], securitySchemes: [7, '{SecuritySchemeOrReference}'] },
    extensions: 10,
  },
  SchemaOrReference: orReference('Schema'),
  Reference: { fields: { $ref: [1, 'string'], description: [3, 'string'] } },
  Schema: {
    fields: {
      nullable: [1, 'bool'],
      readOnly: [3, 'bool'],
      externalDocs: [6, 'ExternalDocs'],
      example: [7, 'any'],
      title: [9, 'string'],
      multipleOf: [10, 'double'],
      maximum: [11, 'double'],
      exclusiveMaximum: [12, 'bool'],
      minimum: [13, 'double'],
      exclusiveMinimum: [14, 'bool'],
      maxLength: [15, 'integer'],
      minLength: [16, 'integer'],
      pattern: [17, 'string'],
      maxItems: [18, 'integer'],
      minItems: [19, 'integer'],
      uniqueItems: [20, 'bool'],
      maxProperties: [21, 'integer'],
      minProperties: [22, 'integer'],
      required: [23, 'strings'],
      enum: [24, 'anys'],
      type: [25, 'string'],
      allOf: [26, 'SchemaOrReference[]'],
      oneOf: [27, 'SchemaOrReference[]'],
      anyOf: [28, 'SchemaOrReference[]'],
      not: [29, 'Schema'],
      items: [30, 'ItemsItem'],
      properties: [31, '{SchemaOrReference}'],
      additionalProperties: [32, 'AdditionalPropertiesItem'],
      default: [33, 'DefaultType'],
      description: [34, 'string'],
      format: [35, 'string'],
    },
    extensions: 36,
  },
  ItemsItem: { fields: {}, choose: () => [1, 'SchemaOrReference'] },
  AdditionalPropertiesItem: {
    fields: {},
    choose: (value) => (typeof value === 'boolean' ? [2, 'bool'] : [1, 'SchemaOrReference']),
  },
  ExternalDocs: { fields: { description: [1, 'string'], url: [2, 'string'] }, extensions: 3 },
  DefaultType: { fields: {}, choose: defaultForm },
  SecuritySchemeOrReference: orReference('SecurityScheme'),
  SecurityScheme: {
    fields: { type: [1, 'string'], description: [2, 'string'], name: [3, 'string'], in: [4, 'string'] },
    extensions: 9,
  },
  SecurityRequirement: { fields: {}, rest: [1, 'StringArray'] },
  StringArray: { fields: {}, choose: () => [1, 'strings'] },
}

/** Only scalars have a form here; of other values only the existence of a default is known. */
function defaultForm(value: unknown): FieldForm | undefined {
  if (typeof value === 'number') return [1, 'double']
  if (typeof value === 'boolean') return [2, 'bool']
  return typeof value === 'string' ? [3, 'string'] : undefined
}
