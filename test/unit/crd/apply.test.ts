import assert from 'node:assert/strict'
import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import { formatPath } from '../../../lib/apply/fieldset/element.ts'
import { type FieldSet, paths } from '../../../lib/apply/fieldset/fieldset.ts'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { compileSchema } from '../../../lib/crd/schema/compile.ts'
import { typeOfObject } from '../../../lib/crd/schema/typed.ts'
import { type ApiObject, copyObject, StatusError } from '../../../lib/object/index.ts'
import { codecOf } from '../codec/kit.ts'

type Props = v1.JSONSchemaProps

/** A manager whose name begins with u replaces the object, all others apply (by force). */
type Step = readonly [manager: string, spec: unknown]

interface Case {
  readonly title: string
  readonly spec: Props
  readonly steps: readonly Step[]
  /** The spec that comes of it, or the message of the last step's failure. */
  readonly result: unknown
  readonly owners?: Readonly<Record<string, readonly string[]>>
}

const anything: Props = { 'x-kubernetes-preserve-unknown-fields': true }
const embedded: Props = {
  type: 'object',
  'x-kubernetes-embedded-resource': true,
  properties: { a: { type: 'string' } },
}
const object = (properties: Record<string, Props>, more: Props = {}): Props => ({ type: 'object', properties, ...more })

const cases: readonly Case[] = [
  {
    title: 'an object of which the schema says nothing takes every field',
    spec: object({ a: { type: 'object' } }),
    steps: [['m1', { a: { x: { y: 1 } } }]],
    result: { a: { x: { y: 1 } } },
    owners: { m1: ['.spec.a.x', '.spec.a.x.y'] },
  },
  {
    title: 'an object of which the schema says nothing is no list',
    spec: object({ a: { type: 'object' } }),
    steps: [['m1', { a: [1] }]],
    result: 'failed to create typed patch object (/x; test.io/v1, Kind=Thing): .spec.a: expected map, got &{[1]}',
  },
  {
    title: 'unknown fields are kept at any depth below a node that keeps them',
    spec: object({ a: object({ b: { type: 'string' } }) }, anything),
    steps: [['m1', { a: { b: 'x', u: 1 } }]],
    result: { a: { b: 'x', u: 1 } },
    owners: { m1: ['.spec.a.b', '.spec.a.u'] },
  },
  {
    title: 'unknown fields are refused beside a node that keeps them',
    spec: object({ a: object({ b: { type: 'string' } }), c: anything }),
    steps: [['m1', { a: { u: 1 }, c: { v: 1 } }]],
    result: 'failed to create typed patch object (/x; test.io/v1, Kind=Thing): .spec.a.u: field not declared in schema',
  },
  {
    title: 'an integer or string may be of any type until it is validated',
    spec: object({ a: { 'x-kubernetes-int-or-string': true } }),
    steps: [['m1', { a: {} }]],
    result: { a: {} },
  },
  {
    title: 'labels of an embedded object have owners of their own',
    spec: object({ e: embedded }),
    steps: [
      ['m1', { e: { apiVersion: 'v1', kind: 'X', metadata: { labels: { a: '1' } } } }],
      ['m2', { e: { metadata: { labels: { b: '2' } } } }],
      ['m1', { e: { apiVersion: 'v1', kind: 'X' } }],
    ],
    result: { e: { apiVersion: 'v1', kind: 'X', metadata: { labels: { b: '2' } } } },
    owners: { m1: ['.spec.e.apiVersion', '.spec.e.kind'], m2: ['.spec.e.metadata.labels.b'] },
  },
  {
    title: 'finalizers of an embedded object are a set',
    spec: object({ e: embedded }),
    steps: [
      ['m1', { e: { metadata: { finalizers: ['a'] } } }],
      ['m2', { e: { metadata: { finalizers: ['b'] } } }],
    ],
    result: { e: { metadata: { finalizers: ['a', 'b'] } } },
  },
  {
    title: 'null takes no fields away from what has no schema',
    spec: object({ a: anything }),
    steps: [
      ['m1', { a: { b: 1 } }],
      ['m2', { a: null }],
    ],
    result: { a: { b: 1 } },
    owners: { m1: ['.spec.a.b'], m2: ['.spec.a'] },
  },
  {
    title: 'what fills a null without a schema leaves its owner alone',
    spec: object({ a: anything }),
    steps: [
      ['m1', { a: null }],
      ['u1', { a: { b: 1 } }],
    ],
    result: { a: { b: 1 } },
    owners: { m1: ['.spec.a'], u1: ['.spec.a.b'] },
  },
  {
    title: 'an empty map in the place of null has a new owner',
    spec: object({ a: anything }),
    steps: [
      ['m1', { a: null }],
      ['u1', { a: {} }],
    ],
    result: { a: {} },
    owners: { u1: ['.spec.a'] },
  },
  {
    title: 'a map that its applier states as empty stays',
    spec: object({ a: { type: 'object', additionalProperties: { type: 'string' } } }),
    steps: [
      ['m1', { a: { k: 'x' } }],
      ['m1', { a: {} }],
    ],
    result: { a: {} },
    owners: { m1: ['.spec.a'] },
  },
  {
    title: 'a map that another applier states stays with its claim',
    spec: object({ a: { type: 'object' } }),
    steps: [
      ['m1', { a: { k: 'x' } }],
      ['m2', { a: {} }],
      ['m1', {}],
    ],
    result: { a: {} },
    owners: { m1: ['.spec'], m2: ['.spec.a'] },
  },
  {
    title: 'null that two appliers state is left when one gives it up',
    spec: object({ a: anything }),
    steps: [
      ['m1', { a: null }],
      ['m2', { a: null }],
      ['m2', {}],
    ],
    result: { a: null },
    owners: { m1: ['.spec.a'], m2: ['.spec'] },
  },
] // biome-ignore format: a table

describe('custom objects are applied by their schema', () => {
  for (const { title, spec, steps, result, owners } of cases)
    it(title, () => {
      const made = perform(spec, steps)
      if (made instanceof StatusError) return assert.equal(made.message, result)
      assert.deepEqual(made['spec'], result)
      if (owners) assert.deepEqual(ownersOf(made), owners)
    })
})

function perform(spec: Props, steps: readonly Step[]): (ApiObject & { spec?: unknown }) | StatusError {
  const root = compileSchema({ type: 'object', properties: { spec } })
  const struct = typeOfObject(root, 'Thing', codecOf('meta/v1.ObjectMeta').struct)
  const ownership = createFieldOwnership({ kind: () => ({ struct }), convert: (each) => each })
  const gvk = { group: 'test.io', version: 'v1', kind: 'Thing' }
  let live: ApiObject | undefined
  for (const [manager, sent] of steps) {
    const change = { manager, subresource: '', gvk, struct, resetFields: [], nowMs: 0 }
    const whole = { apiVersion: 'test.io/v1', kind: 'Thing', metadata: { name: 'x' }, spec: structuredClone(sent) }
    const configuration = whole as ApiObject
    try {
      if (!manager.startsWith('u'))
        live = copyObject(ownership.onApply(live, configuration, { ...change, force: true }).object)
      else if (live) live = ownership.onUpdate(live, configuration, change)
      else live = ownership.onCreate(configuration, change)
    } catch (error) {
      if (error instanceof StatusError) return error
      throw error
    }
    live.metadata.uid = 'u'
  }
  assert(live)
  return live
}

function ownersOf({ metadata }: ApiObject): Record<string, string[]> {
  return Object.fromEntries(
    (metadata.managedFields ?? [])
      .map(
        ({ manager = '', fieldsV1 }) =>
          [manager, [...paths((fieldsV1 ?? {}) as FieldSet)].map(formatPath).sort()] as const,
      )
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}
