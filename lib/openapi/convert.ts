import { isRecord } from '../base/index.ts'
import { statusErrors } from '../object/index.ts'
import type { Call } from '../request/index.ts'
import { type Answer, chooseType, digest, jsonOf, jsonType, sendVersion3, version3Url } from './answer.ts'
import { messagesV3 } from './messagesv3.ts'
import { encodeDocument } from './protobuf.ts'
import type { Json } from './schemas.ts'

/** Parts of a document of version 2 that describe one group version. */
export interface Version2Part {
  readonly info: Json
  readonly paths: Json
  readonly definitions: Json
}

interface Converted {
  /** Includes its hash. */
  readonly url: string
  serve(call: Call): void | Promise<void>
}

/**
 * The document of version 3 of a group version whose server only has one of version 2: made at once, as the index needs
 * its hash. `path`: `apis/metrics.k8s.io/v1beta1`.
 */
export function convertedDocument(path: string, part: Version2Part): Converted {
  const document = openApiV3From(part)
  const body = jsonOf(document)
  const json: Answer = { body, contentType: jsonType, hash: digest(body) }
  return {
    url: version3Url(path, json.hash),
    serve(call) {
      const contentType = chooseType(call, 3)
      return sendVersion3(call, path, contentType === jsonType ? json : { ...json, contentType, body: message() })
    },
  }

  /** Throws 406 when the other server's document has no such form. */
  function message(): Uint8Array {
    try {
      return encodeDocument(messagesV3, document)
    } catch {
      throw statusErrors.notAcceptable(`only the following media types are accepted: ${jsonType}`)
    }
  }
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const
const anyType = ['*/*']
/** Members of a parameter in version 2 that are in its schema in version 3. */
const schemaMembers = [
  'type', 'format', 'items', 'default', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength',
  'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems', 'enum', 'multipleOf',
] // biome-ignore format: a list of names

/**
 * OpenAPI 3.0 from 2.0 (their specifications, "Operation Object" of both). Members without a counterpart are left out.
 */
function openApiV3From({ info, paths, definitions }: Version2Part): Json {
  return {
    openapi: '3.0.0',
    info,
    paths: mapRecord(paths, pathItem),
    components: { schemas: withNewReferences(definitions) },
  }
}

function pathItem(item: Json): Json {
  const operations = methods.flatMap((method) => {
    const one = item[method]
    return isRecord(one) ? [[method, operation(one)] as const] : []
  })
  return { ...item, ...Object.fromEntries(operations), ...parametersOf(item) }
}

function operation(given: Json): Json {
  const { consumes, produces, schemes: _schemes, parameters, responses, ...rest } = given
  const body = recordsIn(parameters).find((one) => one['in'] === 'body')
  return {
    ...rest,
    ...parametersOf(given),
    ...(body ? { requestBody: requestBody(body, mediaTypes(consumes)) } : {}),
    responses: isRecord(responses) ? mapRecord(responses, (one) => response(one, mediaTypes(produces))) : {},
  }
}

function parametersOf({ parameters }: Json): Json {
  if (!Array.isArray(parameters)) return {}
  const others = recordsIn(parameters).filter((one) => one['in'] !== 'body')
  return others.length > 0 ? { parameters: others.map(parameter) } : {}
}

function parameter(given: Json): Json {
  const entries = Object.entries(given)
  const isOfSchema = ([name]: [string, unknown]): boolean => schemaMembers.includes(name)
  return {
    ...Object.fromEntries(entries.filter((entry) => !isOfSchema(entry) && entry[0] !== 'collectionFormat')),
    schema: Object.fromEntries(entries.filter(isOfSchema)),
  }
}

function requestBody({ description, required, schema }: Json, types: readonly string[]): Json {
  return {
    ...(description === undefined ? {} : { description }),
    content: contentOf(schema, types),
    ...(required === undefined ? {} : { required }),
  }
}

function response({ schema, headers: _headers, examples: _examples, ...rest }: Json, types: readonly string[]): Json {
  return schema === undefined ? rest : { ...rest, content: contentOf(schema, types) }
}

function contentOf(schema: unknown, types: readonly string[]): Json {
  const converted = withNewReferences(schema)
  return Object.fromEntries(types.map((type) => [type, { schema: converted }]))
}

function mediaTypes(given: unknown): readonly string[] {
  const types = Array.isArray(given) ? given.filter((type) => typeof type === 'string') : []
  return types.length === 0 ? anyType : types
}

/** Schemas have another path in version 3; otherwise both versions are the same. */
function withNewReferences<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withNewReferences) as Value
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string'
        ? member.replace(/^#\/definitions\//, '#/components/schemas/')
        : withNewReferences(member),
    ]),
  ) as Value
}

function mapRecord(record: Json, change: (member: Json) => Json): Json {
  return Object.fromEntries(Object.entries(record).flatMap(([name, one]) => (isRecord(one) ? [[name, change(one)]] : []))) // biome-ignore format: one line
}

function recordsIn(list: unknown): Json[] {
  return Array.isArray(list) ? list.filter(isRecord) : []
}
