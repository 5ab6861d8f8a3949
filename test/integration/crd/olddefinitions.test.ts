import assert from 'node:assert/strict'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createMemoryStore, type Store } from '../../../lib/storage/index.ts'
import { type CrdKit, createCrdKit, definitionsUrl } from '../../support/crdkit.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const names = { plural: 'olds', singular: 'old', kind: 'Old', listKind: 'OldList' }

/** A definition as servers of old releases have stored it. */
interface OldDefinition {
  readonly title: string
  readonly spec: object
  readonly status?: object
  /** The version through which its objects are used. */
  readonly version: string
  readonly storedVersion: string
  /** Whether a number in `spec.text` is refused. */
  readonly validates?: boolean
}

const textSchema = {
  openAPIV3Schema: { properties: { spec: { properties: { text: { type: 'string' } }, required: ['text'] } } },
}
const established = {
  acceptedNames: names,
  storedVersions: ['v1'],
  conditions: [
    { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: '', lastTransitionTime: null },
    { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: '', lastTransitionTime: null },
  ],
}

const definitions: readonly OldDefinition[] = [
  { title: 'of one version without a schema', spec: { version: 'v1' }, version: 'v1', storedVersion: 'v1' },
  {
    title: 'that is established already',
    spec: { version: 'v1' },
    status: established,
    version: 'v1',
    storedVersion: 'v1',
  },
  {
    title: 'whose status has no names and no conditions',
    spec: { version: 'v1' },
    status: { conditions: null, acceptedNames: { plural: '', kind: '' }, storedVersions: null },
    version: 'v1',
    storedVersion: 'v1',
  },
  {
    title: 'whose status has its names and no conditions',
    spec: { version: 'v1' },
    status: { conditions: [], acceptedNames: names, storedVersions: ['v1'] },
    version: 'v1',
    storedVersion: 'v1',
  },
  {
    title: 'that says preserveUnknownFields: true',
    spec: { version: 'v1', preserveUnknownFields: true, versions: [{ name: 'v1', served: true, storage: true }] },
    version: 'v1',
    storedVersion: 'v1',
  },
  {
    title: 'whose schema is not structural',
    spec: { version: 'v1', validation: textSchema },
    version: 'v1',
    storedVersion: 'v1',
    validates: true,
  },
  {
    title: 'of two versions, the older of which is stored',
    spec: {
      version: 'v1beta1',
      versions: [
        { name: 'v1beta1', served: true, storage: true },
        { name: 'v1', served: true, storage: false },
      ],
    },
    version: 'v1',
    storedVersion: 'v1beta1',
  },
  {
    title: 'with a status and a scale for all versions',
    spec: {
      version: 'v1',
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      additionalPrinterColumns: [{ name: 'Text', type: 'string', JSONPath: '.spec.text' }],
    },
    version: 'v1',
    storedVersion: 'v1',
  },
  {
    title: 'whose names are incomplete and whose scope is missing',
    spec: { version: 'v1', scope: '', names: { plural: 'olds', kind: 'Old' } },
    version: 'v1',
    storedVersion: 'v1',
  },
]

describe('custom resources: definitions of old releases', () => {
  let kit: CrdKit
  let store: Store
  beforeEach(() => {
    store = createMemoryStore({ clock: systemClock, log: silentLogger })
  })
  afterEach(async () => {
    await kit.close()
    await store.close()
  })

  for (const { title, spec, status, version, storedVersion, validates = false } of definitions)
    it(`one ${title} is established, and its objects are read, written and applied`, async () => {
      const metadata = { name: 'olds.example.com', uid: 'd', creationTimestamp: '2019-01-01T00:00:00Z', generation: 1 }
      const definition = {
        apiVersion: 'apiextensions.k8s.io/v1beta1',
        kind: 'CustomResourceDefinition',
        metadata,
        spec: { group: 'example.com', scope: 'Namespaced', names, ...spec },
        ...(status ? { status } : {}),
      }
      const own = `/registry/apiextensions.k8s.io/customresourcedefinitions/${metadata.name}`
      await store.create(own, Buffer.from(`${JSON.stringify(definition)}\n`))
      const stored = {
        apiVersion: `example.com/${storedVersion}`,
        kind: 'Old',
        metadata: { name: 'kept', namespace: 'default', uid: 'o', creationTimestamp: '2019-01-01T00:00:00Z' },
        spec: { text: 'a', unknown: { list: [1, null] } },
        status: { text: 's' },
      }
      await store.create('/registry/example.com/olds/default/kept', Buffer.from(`${JSON.stringify(stored)}\n`))
      kit = await createCrdKit({ store })
      const collection = `/apis/example.com/${version}/namespaces/default/olds`
      await eventuallyEquals(async () => (await kit.request('GET', collection)).status, 200, 'its collection is served')
      const isEstablished = async (): Promise<boolean> =>
        (await kit.conditions(metadata.name))['Established'] === 'True InitialNamesAccepted'
      await eventually(isEstablished, 'established')
      const isTold = async (): Promise<boolean> =>
        (await kit.conditions(metadata.name))['NonStructuralSchema'] === 'True Violations'
      await eventually(isTold, 'its schema is told of')

      const read = await kit.request('GET', `${collection}/kept`)
      assert.deepEqual(
        [read.status, read.json['spec'], read.json.metadata.generation],
        [200, stored.spec, 1],
        read.text,
      )
      const patched = await kit.request('PATCH', `${collection}/kept`, {
        body: { spec: { more: { x: [{}] } } },
        headers: { 'content-type': 'application/merge-patch+json' },
      })
      assert.deepEqual(
        [patched.status, patched.json['spec']],
        [200, { ...stored.spec, more: { x: [{}] } }],
        patched.text,
      )
      const object = (spec: object): ApiObject => ({
        apiVersion: `example.com/${version}`,
        kind: 'Old',
        metadata: { name: 'applied' },
        spec,
      })
      const apply = { 'content-type': 'application/apply-patch+yaml' }
      const url = `${collection}/applied?fieldManager=m&force=true`
      for (const spec of [
        { text: 'b', any: { k: [1] } },
        { text: 'c', other: true },
      ]) {
        const applied = await kit.request('PATCH', url, { body: object(spec), headers: apply })
        assert.ok(applied.status < 300, applied.text)
        assert.deepEqual(applied.json['spec'], spec)
      }
      const strict = await kit.request('POST', `${collection}?fieldValidation=Strict`, {
        body: { ...object({ text: 'd', unknown: 1 }), metadata: { name: 'created' } },
      })
      assert.deepEqual([strict.status, strict.json['spec']], [201, { text: 'd', unknown: 1 }], strict.text)
      const put = await kit.request('PUT', `${collection}/created`, {
        body: { ...strict.json, spec: { text: 'e', n: null } },
      })
      assert.deepEqual([put.status, put.json['spec']], [200, { text: 'e', n: null }], put.text)
      const wrong = await kit.request('POST', collection, {
        body: { ...object({ text: 1 }), metadata: { name: 'wrong' } },
      })
      assert.equal(wrong.status, validates ? 422 : 201, wrong.text)
      assert.equal((await kit.request('GET', collection)).json.items.length, validates ? 3 : 4)

      // The definition itself is served as v1 and stays what it is.
      const shown = await kit.request('GET', `${definitionsUrl}/${metadata.name}`)
      assert.equal((shown.json['spec'] as { preserveUnknownFields?: boolean }).preserveUnknownFields, true, shown.text)
      const labelled = await kit.request('PATCH', `${definitionsUrl}/${metadata.name}`, {
        body: { metadata: { labels: { a: 'b' } } },
        headers: { 'content-type': 'application/merge-patch+json' },
      })
      assert.equal(labelled.status, 200, labelled.text)
      assert.equal((await kit.request('GET', `${collection}/kept`)).status, 200)
      assert.equal((await kit.request('DELETE', `${collection}/kept`)).status, 200)
    })
})
