import assert from 'node:assert/strict'
import protobuf from 'protobufjs/minimal.js'
import { tables } from '../../../api/index.ts'
import { encodeDocument, messagesV2, messagesV3, openApiV2, openApiV3 } from '../../../lib/openapi/index.ts'
import { type ServedGroup, tablePrefix } from '../../../lib/schema/index.ts'
import { type CrdKit, createCrdKit } from '../../support/crdkit.ts'

type Json = Record<string, unknown>

/** Members that a part of a document has, and the sorts of those that are parts themselves: `[]` a list, `{}` a map. */
interface Part {
  readonly fields: Readonly<Record<string, string>>
  /** All other members are parts of this sort. */
  readonly rest?: string
}

const text = (...names: string[]): Record<string, string> => Object.fromEntries(names.map((name) => [name, 'value']))
const schema = {
  ...text('type', 'format', 'title', 'description', '$ref', 'nullable', 'default', 'maximum', 'exclusiveMaximum'),
  ...text('minimum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern', 'maxItems', 'minItems', 'uniqueItems'),
  ...text('multipleOf', 'enum', 'maxProperties', 'minProperties', 'required', 'example'),
  items: 'schema',
  properties: 'schema{}',
  additionalProperties: 'schema',
  externalDocs: 'documentation',
}
const operation = { ...text('tags', 'description', 'operationId'), parameters: 'parameter[]', responses: 'response{}' }
const operations = Object.fromEntries(['get', 'put', 'post', 'delete', 'patch'].map((method) => [method, 'operation']))
const common: Record<string, Part> = {
  info: { fields: text('title', 'version') },
  item: { fields: { ...operations, parameters: 'parameter[]' } },
  documentation: { fields: text('description', 'url') },
}
/** What the types that clients read documents with keep. */
const parts: Readonly<Record<2 | 3, Readonly<Record<string, Part>>>> = {
  2: {
    ...common,
    document: {
      fields: {
        ...text('swagger', 'security', 'securityDefinitions'),
        info: 'info',
        paths: 'item{}',
        definitions: 'schema{}',
      },
    },
    operation: { fields: { ...operation, ...text('consumes', 'produces', 'schemes') } },
    parameter: {
      fields: { ...text('name', 'in', 'description', 'required', 'type', 'uniqueItems'), schema: 'schema' },
    },
    response: { fields: { description: 'value', schema: 'schema' } },
    schema: { fields: schema },
  },
  3: {
    ...common,
    document: {
      fields: { ...text('openapi', 'security'), info: 'info', paths: 'item{}', components: 'components' },
    },
    components: { fields: { schemas: 'schema{}', securitySchemes: 'value' } },
    operation: { fields: { ...operation, requestBody: 'body' } },
    parameter: { fields: { ...text('name', 'in', 'description', 'required'), schema: 'schema' } },
    body: { fields: { content: 'media{}', required: 'value' } },
    media: { fields: { schema: 'schema' } },
    response: { fields: { description: 'value', content: 'media{}' } },
    schema: { fields: { ...schema, allOf: 'schema[]', anyOf: 'schema[]', oneOf: 'schema[]', not: 'schema' } },
  },
}
/** Members of which those types drop the empty value; other schemas and values say something when they are empty. */
const droppedWhenEmpty = new Set([
  'required', 'parameters', 'tags', 'consumes', 'produces', 'schemes', 'enum', 'allOf', 'anyOf', 'oneOf', 'properties',
  'description', 'title', 'format', 'pattern', 'type', 'nullable', 'uniqueItems', 'exclusiveMaximum',
  'exclusiveMinimum', 'responses', 'content', 'schemas', 'definitions', 'paths', 'externalDocs',
]) // biome-ignore format: a list of names

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === false
}

/** Members of a document that a round trip through the types of clients would lose. */
function lostMembers(dialect: 2 | 3, value: unknown, sort = 'document', path = ''): string[] {
  if (sort === 'value' || typeof value !== 'object' || value === null) return []
  if (sort.endsWith('[]'))
    return (value as unknown[]).flatMap((one, index) =>
      lostMembers(dialect, one, sort.slice(0, -2), `${path}/${index}`),
    )
  const part = parts[dialect][sort]
  return Object.entries(value).flatMap(([name, member]) => {
    const below = `${path}/${name}`
    if (sort.endsWith('{}')) return lostMembers(dialect, member, sort.slice(0, -2), below)
    if (name.startsWith('x-')) return isEmpty(member) ? [below] : []
    const of = part?.fields[name]
    if (of === undefined || (droppedWhenEmpty.has(name) && isEmpty(member))) return [below]
    return lostMembers(dialect, member, of, below)
  })
}

const everything = {
  type: 'object',
  title: 'everything',
  externalDocs: { url: 'https://docs.example.com', description: 'more' },
  example: { a: 1 },
  required: [],
  properties: {
    integerOrText: { 'x-kubernetes-int-or-string': true, default: 5, pattern: '^x' },
    preserved: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: { type: 'string' } } },
    anything: { 'x-kubernetes-preserve-unknown-fields': true, enum: [1, 'a', null, { a: 1 }, []] },
    nullable: { type: 'array', nullable: true, items: { type: 'string' }, default: null },
    notNullable: { type: 'string', nullable: false, description: '', title: '', format: '', pattern: '' },
    emptyList: { type: 'array', items: { type: 'string' }, default: [] },
    map: { type: 'object', additionalProperties: { type: 'string' }, default: { a: 'b' } },
    open: { type: 'object', additionalProperties: true },
    low: { type: 'number', minimum: 0, exclusiveMinimum: true, multipleOf: 2 },
    high: { type: 'number', maximum: 10, exclusiveMaximum: true },
    unbounded: { type: 'number', minimum: 0, exclusiveMinimum: false, maximum: 0, exclusiveMaximum: false },
    list: { type: 'array', minItems: 0, uniqueItems: false, items: { type: 'object', required: [], properties: {} } },
    choice: {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      oneOf: [{ required: ['a'] }, { required: ['b'] }],
      anyOf: [],
      allOf: [],
      not: { required: ['a', 'b'] },
    },
    requiredNullable: { type: 'object', required: ['a'], properties: { a: { type: 'string', nullable: true } } },
    embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: { type: 'object' } } },
    ruled: { type: 'object', 'x-kubernetes-validations': [] },
  },
}
const definition = {
  metadata: { name: 'things.documents.example.com' },
  spec: {
    group: 'documents.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: everything },
        subresources: { status: {} },
      },
      {
        name: 'v1beta1',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', properties: {} } },
      },
      {
        name: 'v1alpha1',
        served: true,
        storage: false,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

describe('OpenAPI documents of built-in and custom kinds', () => {
  let kit: CrdKit
  let groups: readonly ServedGroup[]
  const packages = new Map(tables.map((table) => [tablePrefix(table), table.protoPackage]))
  type Source = Parameters<typeof openApiV2>[0]
  const source: Source = {
    groups: () => groups,
    struct: (gvk) => kit.scheme.kind(gvk)?.struct,
    type: (name) => kit.scheme.types.struct(name),
    protoPackage: (struct) => packages.get(struct.name.slice(0, struct.name.lastIndexOf('.'))) ?? '',
  }
  before(async () => {
    kit = await createCrdKit()
    await kit.define(definition)
    groups = kit.served.list()
  })
  after(async () => kit.close())

  const overWire = (document: Json): Json => JSON.parse(JSON.stringify(document)) as Json
  const version3 = (): (readonly [string, Json])[] =>
    groups.flatMap((group) =>
      group.versions.map((one) => [`${group.name}/${one.version}`, openApiV3(source, 'v1.36.0', group, one)] as const),
    )

  it('have no member that the types of clients drop, empty lists and maps among them', () => {
    assert(groups.some(({ name }) => name === 'documents.example.com'))
    assert.deepEqual(lostMembers(2, overWire(openApiV2(source, 'v1.36.0'))), [])
    for (const [name, document] of version3()) assert.deepEqual(lostMembers(3, overWire(document)), [], name)
  })

  it('have protobuf forms whatever schema a definition has', () => {
    assert(encodeDocument(messagesV2, openApiV2(source, 'v1.36.0')).length > 0)
    for (const [name, document] of version3()) assert(encodeDocument(messagesV3, document).length > 0, name)
  })

  describe('in protobuf', () => {
    /** Scalars and texts of a message by their fields' numbers. */
    function fieldsOf(message: Uint8Array): Map<number, unknown> {
      const reader = protobuf.Reader.create(message)
      const found = new Map<number, unknown>()
      while (reader.pos < reader.len) {
        const tag = reader.uint32()
        if ((tag & 7) === 2) found.set(tag >>> 3, reader.bytes())
        else if ((tag & 7) === 1) found.set(tag >>> 3, reader.double())
        else found.set(tag >>> 3, reader.bool())
      }
      return found
    }

    /** The message of one schema in a document of version 2 or 3. */
    function messageOf(dialect: 2 | 3, given: Json): Uint8Array {
      const document = dialect === 2 ? { definitions: { x: given } } : { components: { schemas: { x: given } } }
      const bytes = encodeDocument(dialect === 2 ? messagesV2 : messagesV3, document)
      const path = dialect === 2 ? [9, 1, 2] : [5, 1, 1, 2, 1]
      return path.reduce((message, number) => {
        const inner = fieldsOf(message).get(number)
        assert(inner instanceof Uint8Array)
        return inner
      }, bytes)
    }

    const cases: readonly (readonly [2 | 3, Json, number, unknown])[] = [
      [2, { multipleOf: 2 }, 6, 2],
      [2, { exclusiveMaximum: true }, 8, true],
      [2, { exclusiveMinimum: true }, 10, true],
      [2, { additionalProperties: true }, 21, new Map([[2, true]])],
      [2, { additionalProperties: {} }, 21, new Map([[1, new Uint8Array()]])],
      [2, { externalDocs: { url: 'x' } }, 29, new Map([[2, new Uint8Array(Buffer.from('x'))]])],
      [2, { example: 1 }, 30, new Map([[2, new Uint8Array(Buffer.from('1'))]])],
      [3, { multipleOf: 2 }, 10, 2],
      [3, { additionalProperties: false }, 32, new Map([[2, false]])],
      [3, { externalDocs: { url: 'x' } }, 6, new Map([[2, new Uint8Array(Buffer.from('x'))]])],
      [3, { example: 1 }, 7, new Map([[2, new Uint8Array(Buffer.from('1'))]])],
      [3, { default: 1 }, 33, new Map([[1, 1]])],
      [3, { default: { a: 1 } }, 33, new Map()],
      [3, { default: [] }, 33, new Map()],
      [3, { default: null }, 33, new Map()],
    ]
    for (const [dialect, given, number, expected] of cases)
      it(`a schema of version ${dialect} with ${JSON.stringify(given)} has it in field ${number}`, () => {
        const found = fieldsOf(messageOf(dialect, given)).get(number)
        const value = found instanceof Uint8Array ? fieldsOf(found) : found
        const plain = (one: unknown): unknown => (one instanceof Uint8Array ? Buffer.from(one).toString() : one)
        const entries = (one: unknown): unknown =>
          one instanceof Map ? [...one].map(([key, member]) => [key, plain(member)]) : one
        assert.deepEqual(entries(value), entries(expected))
      })
  })
})
