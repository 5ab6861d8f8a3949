import type { TypeTable } from '../../../lib/schema/index.ts'

/** References and selectors that many types share. */
export const referenceTypes: Readonly<Record<string, TypeTable>> = {
  LocalObjectReference: {
    doc: 'Names an object of the same namespace.',
    map: 'atomic',
    fields: {
      name: { n: 1, type: 'string', default: '', doc: 'Name of the object.' },
    },
  },
  NodeSelector: {
    doc: 'Selects nodes.',
    map: 'atomic',
    fields: {
      nodeSelectorTerms: { n: 1, type: '[]NodeSelectorTerm', omit: 'never', required: true, list: 'atomic', doc: 'Terms; at least one, and one must match.' },
    },
  },
  NodeSelectorRequirement: {
    doc: 'A condition on a label or field of a node.',
    fields: {
      key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the label, or path of the field.' },
      operator: { n: 2, type: 'string', omit: 'never', required: true, default: '', alias: 'NodeSelectorOperator', enum: ['DoesNotExist', 'Exists', 'Gt', 'In', 'Lt', 'NotIn'], doc: 'How the label relates to the values: In, NotIn, Exists, DoesNotExist, Gt or Lt.' },
      values: { n: 3, type: '[]string', list: 'atomic', doc: 'Values to compare with: none for Exists and DoesNotExist, one integer for Gt and Lt.' },
    },
  },
  NodeSelectorTerm: {
    doc: 'Conditions that must all be met; without any, it matches nothing.',
    map: 'atomic',
    fields: {
      matchExpressions: { n: 1, type: '[]NodeSelectorRequirement', list: 'atomic', doc: 'Conditions on labels.' },
      matchFields: { n: 2, type: '[]NodeSelectorRequirement', list: 'atomic', doc: 'Conditions on fields; metadata.name is the only one.' },
    },
  },
  ObjectReference: {
    doc: 'Names an object, or a part of it. New fields use narrower references.',
    map: 'atomic',
    fields: {
      kind: { n: 1, type: 'string', doc: 'Kind of the object.' },
      namespace: { n: 2, type: 'string', doc: 'Namespace of the object.' },
      name: { n: 3, type: 'string', doc: 'Name of the object.' },
      uid: { n: 4, type: 'string', alias: 'UID', doc: 'UID of the object.' },
      apiVersion: { n: 5, type: 'string', doc: 'Group version of the object.' },
      resourceVersion: { n: 6, type: 'string', doc: 'Resource version of the referenced object.' },
      fieldPath: { n: 7, type: 'string', doc: 'Referenced part of the object, such as spec.containers{name}.' },
    },
  },
  SecretReference: {
    doc: 'Names a secret in any namespace.',
    map: 'atomic',
    fields: {
      name: { n: 1, type: 'string', doc: 'Name of the secret.' },
      namespace: { n: 2, type: 'string', doc: 'Namespace of the secret.' },
    },
  },
  TopologySelectorLabelRequirement: {
    doc: 'A condition on a label of a topology domain.',
    fields: {
      key: { n: 1, type: 'string', omit: 'never', required: true, default: '', doc: 'Key of the label.' },
      values: { n: 2, type: '[]string', omit: 'never', required: true, list: 'atomic', doc: 'Values; the label must have one of them.' },
    },
  },
  TopologySelectorTerm: {
    doc: 'Conditions on a topology domain that must all be met.',
    map: 'atomic',
    fields: {
      matchLabelExpressions: { n: 1, type: '[]TopologySelectorLabelRequirement', list: 'atomic', doc: 'The conditions.' },
    },
  },
  SerializedReference: {
    doc: 'A reference to an object, in a form to be stored as text.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      reference: { n: 1, type: 'ObjectReference', doc: 'The object.' },
    },
  },
  Preconditions: {
    doc: 'Conditions on an object before it is changed or deleted.',
    fields: {
      uid: { n: 1, type: '*string', alias: 'UID', doc: 'The UID that the object must have.' },
    },
  },
  List: {
    doc: 'A list of objects that may be of different kinds.',
    kind: true,
    fields: {
      TypeMeta: { type: 'meta/v1.TypeMeta', inline: true },
      metadata: { n: 1, type: 'meta/v1.ListMeta', doc: 'Metadata of the list: its resource version and continue token.' },
      items: { n: 2, type: '[]RawExtension', omit: 'never', required: true, doc: 'The objects.' },
    },
  },
}
