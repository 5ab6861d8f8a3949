import assert from 'node:assert/strict'
import type * as v1 from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import type { DefinitionSummary } from '../../../lib/crd/definitionsummary.ts'
import { publishedSchemaOf } from '../../../lib/crd/openapi.ts'

function publish(openAPIV3Schema: v1.JSONSchemaProps, dialect: 2 | 3): Record<string, unknown> {
  const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }
  const summary = { group: 'example.com', names: { plural: 'things', kind: 'Thing' }, uid: 'u', generation: 1 }
  // Only what names the schema is read of the summary.
  const published = publishedSchemaOf(summary as DefinitionSummary, version, () => ({
    version,
    preserveUnknownFields: false,
  }))
  return published.definition(dialect, (type) => ({ $ref: type }))
}

describe('the published schema of a definition', () => {
  const untyped = { type: 'object', properties: { spec: { properties: { a: { type: 'string' } } } } }
  for (const [what, schema] of [
    ['a field without a type', untyped],
    ['keywords that structural schemas have not', { type: 'object', definitions: { a: { type: 'string' } } }],
    ['fields by pattern', { type: 'object', patternProperties: { a: { type: 'string' } } }],
  ] as const)
    for (const dialect of [2, 3] as const)
      it(`names only its type in version ${dialect} where it has ${what}, as old releases stored it`, () => {
        assert.deepEqual(publish(schema, dialect), { type: 'object' })
      })

  it('requires kind and apiVersion of embedded objects behind what their schema requires', () => {
    const embedded = { type: 'object', 'x-kubernetes-embedded-resource': true, required: ['spec'] }
    const spec = { ...embedded, properties: { spec: { type: 'object' } } }
    const { properties } = publish({ type: 'object', properties: { template: spec } }, 3)
    const { template } = properties as Record<string, { required: string[] }>
    assert.deepEqual(template?.required, ['spec', 'kind', 'apiVersion'])
  })
})
