import type { Fields, Messages } from './protobuf.ts'

const parameter: Fields = {
  required: [1, 'bool'], in: [2, 'string'], description: [3, 'string'], name: [4, 'string'],
} // biome-ignore format: a table

/** OpenAPI 2.0, as older clients ask for it. */
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
      description: [3, 'string'],
      operationId: [5, 'string'],
      produces: [6, 'strings'],
      consumes: [7, 'strings'],
      parameters: [8, 'ParametersItem[]'],
      responses: [9, 'Responses'],
      schemes: [10, 'strings'],
    },
    extensions: 13,
  },
  ParametersItem: { fields: {}, choose: () => [1, 'Parameter'] },
  Parameter: {
    fields: {},
    choose: ({ in: place }) => (place === 'body' ? [1, 'BodyParameter'] : [2, 'NonBodyParameter']),
  },
  NonBodyParameter: {
    fields: {},
    choose: ({ in: place }) => (place === 'path' ? [4, 'PathParameter'] : [3, 'QueryParameter']),
  },
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
  QueryParameter: {
    fields: { ...parameter, type: [6, 'string'], format: [7, 'string'], uniqueItems: [20, 'bool'] },
    extensions: 23,
  },
  PathParameter: {
    fields: { ...parameter, type: [5, 'string'], format: [6, 'string'], uniqueItems: [19, 'bool'] },
    extensions: 22,
  },
  Responses: { fields: {}, rest: [1, 'ResponseValue'], extensions: 2 },
  ResponseValue: { fields: {}, choose: () => [1, 'Response'] },
  Response: { fields: { description: [1, 'string'], schema: [2, 'SchemaItem'] }, extensions: 5 },
  SchemaItem: { fields: {}, choose: () => [1, 'Schema'] },
  Schema: {
    fields: {
      $ref: [1, 'string'],
      format: [2, 'string'],
      title: [3, 'string'],
      description: [4, 'string'],
      default: [5, 'any'],
      maximum: [7, 'double'],
      minimum: [9, 'double'],
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
    },
    extensions: 31,
  },
  AdditionalPropertiesItem: { fields: {}, choose: () => [1, 'Schema'] },
  ItemsItem: { fields: {}, choose: () => [1, 'Schema'] },
  SecurityDefinitionsItem: { fields: {}, choose: () => [2, 'ApiKeySecurity'] },
  ApiKeySecurity: {
    fields: { type: [1, 'string'], name: [2, 'string'], in: [3, 'string'], description: [4, 'string'] },
    extensions: 5,
  },
  SecurityRequirement: { fields: {}, rest: [1, 'StringArray'] },
  StringArray: { fields: {}, choose: () => [1, 'strings'] },
  TypeItem: { fields: {}, choose: () => [1, 'strings'] },
}
