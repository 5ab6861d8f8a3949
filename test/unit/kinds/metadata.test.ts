import assert from 'node:assert/strict'
import { nameRules, validateMetadata, validateMetadataUpdate } from '../../../lib/kinds/index.ts'
import type { ObjectMeta } from '../../../lib/object/index.ts'

const rule = { namespaced: true, name: nameRules.subdomain }
const fine: ObjectMeta = { name: 'a', namespace: 'b' }
const owner = { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' }
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

const created: readonly (readonly [string, ObjectMeta, readonly string[]])[] = [
  ['nothing wrong', fine, []],
  ['no name', { namespace: 'b' }, ['metadata.name: Required value: name or generateName is required']],
  ['no namespace', { name: 'a' }, ['metadata.namespace: Required value']],
  ['a generateName whose end something follows', { ...fine, generateName: 'foo-' }, []],
  ['a generateName whose last character but one is not looked at', { ...fine, generateName: 'foo_-' }, []],
  ...['foo.', 'A_', '-'].map((generateName): (typeof created)[number] => [
    `the generateName ${generateName}`,
    { ...fine, generateName },
    [`metadata.generateName: Invalid value: "${generateName}": ${subdomain}`],
  ]),
  [
    'a negative generation',
    { ...fine, generation: -1 },
    ['metadata.generation: Invalid value: -1: must be greater than or equal to 0'],
  ],
  ['a bad label key', { ...fine, labels: { '-x': '' } }, [`metadata.labels: Invalid value: "-x": ${qualified}`]],
  [
    'a long label',
    { ...fine, labels: { x: 'a'.repeat(64) } },
    [`metadata.labels: Invalid value: "${'a'.repeat(64)}": must be no more than 63 bytes`],
  ],
  ['upper case in an annotation', { ...fine, annotations: { 'EXAMPLE.com/X': 'anything, really' } }, []],
  [
    'too many annotations',
    { ...fine, annotations: { x: 'a'.repeat(262144) } },
    ['metadata.annotations: Too long: may not be more than 262144 bytes'],
  ],
  [
    'an owner without anything',
    { ...fine, ownerReferences: [{ apiVersion: '', kind: '', name: '', uid: '' }] },
    [
      'metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty',
      'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
      'metadata.ownerReferences.name: Invalid value: "": must not be empty',
      'metadata.ownerReferences.uid: Invalid value: "": must not be empty',
    ],
  ],
  [
    'an event as owner',
    { ...fine, ownerReferences: [{ ...owner, kind: 'Event' }] },
    [
      'metadata.ownerReferences: Invalid value: {"apiVersion":"v1","kind":"Event","name":"n","uid":"u"}: /v1, Kind=Event is disallowed from being an owner',
    ],
  ],
  [
    'two controllers',
    {
      ...fine,
      ownerReferences: [
        { ...owner, controller: true },
        { ...owner, name: 'm', controller: true },
      ],
    },
    [
      'metadata.ownerReferences: Invalid value: [{"apiVersion":"v1","kind":"K","name":"n","uid":"u","controller":true},{"apiVersion":"v1","kind":"K","name":"m","uid":"u","controller":true}]: Only one reference can have Controller set to true. Found "true" in references for K/n and K/m',
    ],
  ],
  [
    'a bad finalizer',
    { ...fine, finalizers: ['a/b/c'] },
    [
      "metadata.finalizers: Invalid value: \"a/b/c\": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')",
    ],
  ],
  [
    'both finalizers of the collector',
    { ...fine, finalizers: ['orphan', 'foregroundDeletion'] },
    [
      'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
    ],
  ],
  [
    'odd managed fields',
    {
      ...fine,
      managedFields: [
        { operation: 'Steal' as 'Apply', fieldsType: 'V2', manager: 'x'.repeat(129), subresource: 'x'.repeat(257) },
      ],
    },
    [
      'metadata.managedFields[0].operation: Invalid value: "Steal": must be `Apply` or `Update`',
      'metadata.managedFields[0].fieldsType: Invalid value: "V2": must be `FieldsV1`',
      'metadata.managedFields[0].manager: Too long: may not be more than 128 bytes',
      'metadata.managedFields[0].subresource: Too long: may not be more than 256 bytes',
    ],
  ],
]

const old: ObjectMeta = {
  ...fine,
  uid: 'u',
  resourceVersion: '5',
  generation: 2,
  creationTimestamp: '2024-01-01T00:00:00Z',
}
const dying: ObjectMeta = {
  ...old,
  deletionTimestamp: '2024-02-01T00:00:00Z',
  deletionGracePeriodSeconds: 0,
  finalizers: ['a/b'],
}
const updated: readonly (readonly [string, ObjectMeta, ObjectMeta, readonly string[]])[] = [
  ['nothing wrong', old, old, []],
  ['another name', { ...old, name: 'x' }, old, ['metadata.name: Invalid value: "x": field is immutable']],
  ['another uid', { ...old, uid: 'x' }, old, ['metadata.uid: Invalid value: "x": field is immutable']],
  [
    'no version',
    { ...old, resourceVersion: '' },
    old,
    ['metadata.resourceVersion: Invalid value: "": must be specified for an update'],
  ],
  [
    'an older generation',
    { ...old, generation: 1 },
    old,
    ['metadata.generation: Invalid value: 1: must not be decremented'],
  ],
  [
    'a deletion by hand',
    { ...old, deletionTimestamp: '2024-02-01T00:00:00Z' },
    old,
    ['metadata.deletionTimestamp: Invalid value: "2024-02-01T00:00:00Z": field is immutable'],
  ],
  [
    'a finalizer after deletion',
    { ...dying, finalizers: ['a/b', 'x/z', 'x/y'] },
    dying,
    [
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"x/y", "x/z"}',
    ],
  ],
  ['a finalizer less after deletion', { ...dying, finalizers: [] }, dying, []],
  ['a bad label', { ...old, labels: { '-x': '' } }, old, [`metadata.labels: Invalid value: "-x": ${qualified}`]],
]

describe('metadata', () => {
  for (const [title, meta, expected] of created) {
    it(`metadata of a new object: ${title}`, () => {
      assert.deepEqual(
        validateMetadata(meta, rule).map(({ field, message }) => `${field}: ${message}`),
        expected,
      )
    })
  }
  for (const [title, meta, before, expected] of updated) {
    it(`metadata of an update: ${title}`, () => {
      assert.deepEqual(
        validateMetadataUpdate(meta, before).map(({ field, message }) => `${field}: ${message}`),
        expected,
      )
    })
  }

  it('metadata of an object outside of namespaces has none', () => {
    const errors = validateMetadata(fine, { ...rule, namespaced: false })
    assert.deepEqual(
      errors.map(({ field, message }) => `${field}: ${message}`),
      ['metadata.namespace: Forbidden: not allowed on this type'],
    )
  })

  it('lets a base of names end in what a name may not', () => {
    assert.deepEqual(nameRules.subdomain('a-', true), [])
    assert.notDeepEqual(nameRules.label('a.', true), [])
    assert.notDeepEqual(nameRules.subdomain('a-', false), [])
    assert.notDeepEqual(nameRules.pathSegment('a/', true), [])
  })
})
