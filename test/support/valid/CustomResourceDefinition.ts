import type { ApiObject } from '../../../lib/object/index.ts'

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        r: { type: 'integer', minimum: 0, default: 1 },
        s: { type: 'string', maxLength: 10 },
        l: { type: 'array', items: { type: 'string', maxLength: 10 }, 'x-kubernetes-list-type': 'set', maxItems: 10 },
      },
      'x-kubernetes-validations': [{ rule: 'self.r > 0', message: 'm', reason: 'FieldValueInvalid' }],
    },
    status: { type: 'object', properties: { n: { type: 'integer' } } },
  },
}

export const valid: ApiObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'foos.ex.io' },
  spec: {
    group: 'ex.io',
    scope: 'Namespaced',
    names: {
      plural: 'foos',
      singular: 'foo',
      kind: 'Foo',
      listKind: 'FooList',
      shortNames: ['fo'],
      categories: ['all'],
    },
    conversion: { strategy: 'None' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.r', statusReplicasPath: '.status.n', labelSelectorPath: '.status.sel' },
        },
        additionalPrinterColumns: [{ name: 'R', type: 'integer', jsonPath: '.spec.r' }],
        selectableFields: [{ jsonPath: '.spec.s' }],
      },
    ],
  },
  status: {
    conditions: [{ type: 'Established', status: 'True' }],
    acceptedNames: { plural: 'foos', kind: 'Foo' },
    storedVersions: ['v1'],
  },
}
