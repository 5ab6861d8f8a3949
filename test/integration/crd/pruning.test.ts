import assert from 'node:assert/strict'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'

const integer = { type: 'integer' }
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
const known = { type: 'object', properties: { a: integer } }

/** A value of `spec` as it is sent or stored, and as it is after pruning and defaulting by the schema. */
interface Case {
  readonly title: string
  readonly schema: object
  readonly sent: unknown
  readonly kept: unknown
  /** Paths below `spec` in warnings. */
  readonly unknown?: readonly string[]
}

const pruning: readonly Case[] = [
  {
    title: 'unknown fields at every level',
    schema: { type: 'object', properties: { a: known } },
    sent: { a: { a: 1, b: 2 }, c: { d: 1 } },
    kept: { a: { a: 1 } },
    unknown: ['.a.b', '.c'],
  },
  {
    title: 'fields of the items of a list',
    schema: { type: 'array', items: known },
    sent: [{ a: 1, b: 2 }, {}, { c: 1 }],
    kept: [{ a: 1 }, {}, {}],
    unknown: ['[0].b', '[2].c'],
  },
  {
    title: 'fields below keys of a map, and no key',
    schema: { type: 'object', additionalProperties: known },
    sent: { x: { a: 1, b: 2 }, y: {} },
    kept: { x: { a: 1 }, y: {} },
    unknown: ['.x.b'],
  },
  {
    title: 'nothing where unknown fields are kept',
    schema: open,
    sent: { a: { b: [{ c: 1 }] }, d: null },
    kept: { a: { b: [{ c: 1 }] }, d: null },
  },
  {
    title: 'fields below a known property of an object that keeps unknown ones',
    schema: { ...open, properties: { a: known } },
    sent: { a: { a: 1, b: 2 }, c: { d: 1 } },
    kept: { a: { a: 1 }, c: { d: 1 } },
    unknown: ['.a.b'],
  },
  {
    title: 'fields around an object that keeps unknown ones',
    schema: { type: 'object', properties: { a: open } },
    sent: { a: { b: 1 }, c: 1 },
    kept: { a: { b: 1 } },
    unknown: ['.c'],
  },
  {
    title: 'fields of an embedded object but its apiVersion, kind and metadata',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, properties: { spec: known } },
    sent: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { a: 1, kind: 'K' }, status: {} },
    kept: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { a: 1 } },
    unknown: ['.spec.kind', '.status'],
  },
  {
    title: 'fields that are named as members that every JavaScript object has',
    schema: { type: 'object', properties: { a: integer } },
    sent: JSON.parse('{"a":1,"__proto__":{"b":1},"constructor":1,"toString":2}'),
    kept: { a: 1 },
    unknown: ['.__proto__', '.constructor', '.toString'],
  },
]

const defaulting: readonly Case[] = [
  {
    title: 'fields that are absent, and not those that are there',
    schema: { type: 'object', properties: { a: { ...integer, default: 1 }, b: { ...integer, default: 2 } } },
    sent: { b: 0 },
    kept: { a: 1, b: 0 },
  },
  {
    title: 'fields of objects that are there, and makes none to hold them',
    schema: {
      type: 'object',
      properties: ['x', 'y'].reduce(
        (all, name) => ({ ...all, [name]: { type: 'object', properties: { a: { ...integer, default: 1 } } } }),
        {},
      ),
    },
    sent: { x: {} },
    kept: { x: { a: 1 } },
  },
  {
    title: 'fields of objects that are defaults themselves',
    schema: {
      type: 'object',
      properties: { x: { type: 'object', default: {}, properties: { a: { ...integer, default: 1 } } } },
    },
    sent: {},
    kept: { x: { a: 1 } },
  },
  {
    title: 'nulls where they are not allowed',
    schema: {
      type: 'object',
      properties: {
        a: { ...integer, default: 1 },
        b: { ...integer, default: 2, nullable: true },
        c: integer,
        d: { ...integer, nullable: true },
      },
    },
    sent: { a: null, b: null, c: null, d: null },
    kept: { a: 1, b: null, d: null },
  },
  {
    title: 'fields of items, and items that are null',
    schema: {
      type: 'array',
      items: { type: 'object', default: { b: 2 }, properties: { a: { ...integer, default: 1 }, b: integer } },
    },
    sent: [{}, null, { a: 5 }],
    kept: [{ a: 1 }, { a: 1, b: 2 }, { a: 5 }],
  },
  {
    title: 'fields below keys of a map, and values that are null',
    schema: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        default: { b: 2 },
        properties: { a: { ...integer, default: 1 }, b: integer },
      },
    },
    sent: { x: {}, y: null },
    kept: { x: { a: 1 }, y: { a: 1, b: 2 } },
  },
]

describe('custom objects, as they are sent and as another server stored them', () => {
  let kit: CrdKit
  before(async () => {
    kit = await createCrdKit()
  })
  after(() => kit.close())

  const everything = [
    ...pruning.map((each) => ({ ...each, does: 'lose' })),
    ...defaulting.map((each) => ({ ...each, does: 'get defaults for' })),
  ]
  let tries = 0
  for (const { does, title, schema, sent, kept, unknown = [] } of everything)
    it(`${does} ${title}`, async () => {
      const kind = `Case${++tries}`
      const path = `/apis/example.com/v1/namespaces/default/case${tries}s`
      await kit.define(definitionOf({ kind, schema: { type: 'object', properties: { spec: schema } } }))
      const object = (name: string): object => ({
        apiVersion: 'example.com/v1',
        kind,
        metadata: { name, namespace: 'default' },
        spec: sent,
      })

      const created = await kit.request('POST', path, { body: object('sent') })
      assert.equal(created.status, 201, created.text)
      assert.deepEqual(created.json['spec'], kept)
      const told = unknown.map((place) => `unknown field "spec${place}"`)
      assert.deepEqual(created.warnings, told)
      const strict = await kit.request('POST', `${path}?fieldValidation=Strict&dryRun=All`, { body: object('strict') })
      assert.equal(strict.status, told.length > 0 ? 400 : 201, strict.text)
      assert(strict.text.includes(JSON.stringify(told.join(', ')).slice(1, -1)), strict.text)

      const key = `/registry/example.com/${kind.toLowerCase()}s/default/stored`
      await kit.store.create(key, Buffer.from(JSON.stringify(object('stored'))))
      const read = await kit.request('GET', `${path}/stored`)
      assert.equal(read.status, 200, read.text)
      assert.deepEqual(read.json['spec'], kept)
    })
})
