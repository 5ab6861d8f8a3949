import protobuf from 'protobufjs/minimal.js'
import type { Json } from './schemas.ts'

/**
 * OpenAPI 2.0 as protobuf (media type application/com.github.proto-openapi.spec.v2@v1.0+protobuf), which older clients
 * ask for. Each message is a table from the JSON name to field number and form:
 *   string, bool, double      a scalar          strings   a list of strings (a bare string counts as a list of one)
 *   any                       any JSON value    anys      a list of them
 *   M, M[]                    a message, a list of messages
 *   {M}                       a message that wraps a map: one repeated field (1) of name (1) and value (2)
 * Keys that start with `x-` go to the message's field of vendor extensions.
 */
type FieldForm = readonly [number: number, form: string]
interface Message {
  readonly fields: Readonly<Record<string, FieldForm>>
  readonly extensions?: number
  /** The message only wraps a choice: which field number the value goes to, as which message. */
  readonly choose?: (value: Json) => readonly [number: number, message: string]
  /** All other keys: a repeated field of name and value. */
  readonly rest?: FieldForm
}

const parameter: Readonly<Record<string, FieldForm>> = {
  required: [1, 'bool'], in: [2, 'string'], description: [3, 'string'], name: [4, 'string'],
} // biome-ignore format: a table

const messages: Readonly<Record<string, Message>> = {
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
    choose: (value) => (value['in'] === 'body' ? [1, 'BodyParameter'] : [2, 'NonBodyParameter']),
  },
  NonBodyParameter: {
    fields: {},
    choose: (value) => (value['in'] === 'path' ? [4, 'PathParameter'] : [3, 'QueryParameter']),
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
}

/** The protobuf form of a document that openApiV2 made. */
export function encodeOpenApiV2(document: Json): Uint8Array {
  const writer = protobuf.Writer.create()
  writeMessage(writer, 'Document', document)
  return writer.finish()
}

function writeMessage(writer: protobuf.Writer, name: string, value: unknown): void {
  if (name === 'TypeItem' || name === 'StringArray') return writeStrings(writer, 1, value)
  const message = messages[name]
  if (!message) throw new Error(`no protobuf form of ${name}`)
  const record = value as Json
  if (message.choose) {
    const [number, chosen] = message.choose(record)
    return writeNested(writer, number, () => writeMessage(writer, chosen, record))
  }
  for (const [key, member] of Object.entries(record)) {
    const field = message.fields[key]
    if (field) writeField(writer, field, member)
    else if (key.startsWith('x-') && message.extensions !== undefined)
      writeNamedAny(writer, message.extensions, key, member)
    else if (message.rest) writeNamed(writer, message.rest[0], key, message.rest[1], member)
    else throw new Error(`no protobuf form of ${name}.${key}`)
  }
}

function writeField(writer: protobuf.Writer, [number, form]: FieldForm, value: unknown): void {
  const tag = (wire: number): protobuf.Writer => writer.uint32((number << 3) | wire)
  if (form === 'string') tag(2).string(String(value))
  else if (form === 'bool') tag(0).bool(value === true)
  else if (form === 'integer') tag(0).int64(Number(value))
  else if (form === 'double') tag(1).double(Number(value))
  else if (form === 'strings') writeStrings(writer, number, value)
  else if (form === 'any') writeAny(writer, number, value)
  else if (form === 'anys') for (const one of value as unknown[]) writeAny(writer, number, one)
  else if (form.endsWith('[]'))
    for (const one of value as unknown[])
      writeNested(writer, number, () => writeMessage(writer, form.slice(0, -2), one))
  else if (form.startsWith('{'))
    writeNested(writer, number, () => {
      for (const [key, one] of Object.entries(value as Json)) writeNamed(writer, 1, key, form.slice(1, -1), one)
    })
  else writeNested(writer, number, () => writeMessage(writer, form, value))
}

function writeNested(writer: protobuf.Writer, number: number, write: () => void): void {
  writer.uint32((number << 3) | 2).fork()
  write()
  writer.ldelim()
}

function writeStrings(writer: protobuf.Writer, number: number, value: unknown): void {
  for (const text of Array.isArray(value) ? value : [value]) writer.uint32((number << 3) | 2).string(String(text))
}

/** Any JSON value travels as YAML text; JSON is YAML. */
function writeAny(writer: protobuf.Writer, number: number, value: unknown): void {
  writeNested(writer, number, () => writer.uint32((2 << 3) | 2).string(JSON.stringify(value)))
}

function writeNamed(writer: protobuf.Writer, number: number, name: string, message: string, value: unknown): void {
  writeNested(writer, number, () => {
    writer.uint32((1 << 3) | 2).string(name)
    writeNested(writer, 2, () => writeMessage(writer, message, value))
  })
}

function writeNamedAny(writer: protobuf.Writer, number: number, name: string, value: unknown): void {
  writeNested(writer, number, () => {
    writer.uint32((1 << 3) | 2).string(name)
    writeAny(writer, 2, value)
  })
}
