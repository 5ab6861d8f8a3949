import type { TypeTable } from '../../../lib/schema/index.ts'

/** References and selectors that many types share. */
export const referenceTypes: Readonly<Record<string, TypeTable>> = {
  LocalObjectReference: {
    map: 'atomic',
    fields: {
      name: { n: 1, type: 'string', default: '' },
    },
  },
  NodeSelector: {
    map: 'atomic',
    fields: {
      nodeSelectorTerms: { n: 1, type: '[]NodeSelectorTerm', omit: 'never', required: true, list: 'atomic' },
    },
  },
  NodeSelectorRequirement: {
    fields: {
      key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'NodeSelectorOperator', enum: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'] },
      values: { n: 3, type: '[]string', list: 'atomic' },
    },
  },
  NodeSelectorTerm: {
    map: 'atomic',
    fields: {
      matchExpressions: { n: 1, type: '[]NodeSelectorRequirement', list: 'atomic' },
      matchFields: { n: 2, type: '[]NodeSelectorRequirement', list: 'atomic' },
    },
  },
  ObjectReference: {
    map: 'atomic',
    fields: {
      kind: { n: 1, type: 'string' },
      namespace: { n: 2, type: 'string' },
      name: { n: 3, type: 'string' },
      uid: { n: 4, type: 'string', alias: 'UID' },
      apiVersion: { n: 5, type: 'string' },
      resourceVersion: { n: 6, type: 'string' },
      fieldPath: { n: 7, type: 'string' },
    },
  },
  SecretReference: {
    map: 'atomic',
    fields: {
      name: { n: 1, type: 'string' },
      namespace: { n: 2, type: 'string' },
    },
  },
  TopologySelectorLabelRequirement: {
    fields: {
      key: { n: 1, type: 'string', omit: 'never', required: true, default: '' },
      values: { n: 2, type: '[]string', omit: 'never', required: true, list: 'atomic' },
    },
  },
  TopologySelectorTerm: {
    map: 'atomic',
    fields: {
      matchLabelExpressions: { n: 1, type: '[]TopologySelectorLabelRequirement', list: 'atomic' },
    },
  },
}
