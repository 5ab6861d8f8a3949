import assert from 'node:assert/strict'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { decodeUntyped, decodeYaml, encodeUntyped, encodeYaml } from '../../../lib/codec/index.ts'
import { nameRules } from '../../../lib/kinds/index.ts'
import {
  type ApiObject,
  fieldErrors,
  formatGroupVersion,
  type GroupVersionKind,
  type JsonValue,
} from '../../../lib/object/index.ts'
import type { ResourceTable, StructType } from '../../../lib/schema/index.ts'
import type { JsonTree, ObjectCodec, ResourceDefinition } from '../../../lib/scheme/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const group = 'foreign.example.com'
const gvr = { group, version: 'v1', resource: 'gadgets' }
const gvk: GroupVersionKind = { group, version: 'v1', kind: 'Gadget' }
const table: ResourceTable = {
  kind: 'Gadget',
  singular: 'gadget',
  listKind: 'GadgetList',
  namespaced: true,
  verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: {
    status: { kind: 'Gadget', verbs: ['get', 'patch', 'update'] },
    scale: { kind: 'Scale', groupVersion: 'autoscaling/v1', verbs: ['get', 'patch', 'update'] },
  },
  storageVersion: 'v1',
}
const noFields: StructType = {
  is: 'struct',
  name: 'Gadget',
  fields: [],
  byName: new Map(),
  semantics: 'granular',
  preserveUnknown: true,
  doc: '',
  rules: [],
  unions: [],
  wrapper: undefined,
  message: [],
}
const definition: ResourceDefinition = {
  gvr,
  gvk,
  listKind: 'GadgetList',
  singular: 'gadget',
  namespaced: true,
  shortNames: [],
  categories: [],
  verbs: table.verbs,
  subresources: table.subresources ?? {},
  storage: { prefix: `${group}/gadgets`, version: 'v1', hash: '' },
  hubVersion: 'v1',
  table,
  struct: noFields,
}

/** JSON as it comes, with one default: `spec.size` is 1. */
function createGadgetCodec(): ObjectCodec {
  const asJson = (value: unknown): Uint8Array => encodeUntyped(value as JsonValue)
  const applyDefaults = (object: ApiObject): void => {
    object['spec'] = { size: 1, ...(object['spec'] as object | undefined) }
  }
  const valueOf = (body: Uint8Array | JsonTree, mediaType: string): ApiObject => {
    if (!(body instanceof Uint8Array)) return structuredClone(body.tree) as ApiObject
    const { value } = mediaType === 'application/yaml' ? decodeYaml(body) : decodeUntyped(body)
    return value as ApiObject
  }
  const inFormat = (json: Uint8Array, mediaType: string): Uint8Array =>
    mediaType === 'application/yaml' ? encodeYaml(decodeUntyped(json).value) : json
  return {
    capabilities: {
      mediaTypes: ['application/json', 'application/yaml'],
      strategicMerge: false,
      convertsOnRead: true,
    },
    kind: (asked) => (asked.kind === gvk.kind ? { struct: noFields } : undefined),
    convert: (object, to) => ({ ...object, apiVersion: formatGroupVersion(to) }),
    applyDefaults,
    decodeObject(body, { mediaType }) {
      const object = { ...valueOf(body, mediaType), apiVersion: formatGroupVersion(gvk), kind: gvk.kind }
      applyDefaults(object)
      return { object, strictErrors: [] }
    },
    encodeObject: (object, { mediaType }) => inFormat(asJson(object), mediaType),
    encodeForStorage({ metadata: { resourceVersion: _, ...metadata }, ...object }) {
      return asJson({ ...object, metadata })
    },
    decodeFromStorage(stored, resourceVersion) {
      const object = decodeUntyped(stored).value as ApiObject
      object.metadata.resourceVersion = resourceVersion
      return object
    },
    encodeItem: (object) => asJson(object),
    encodeFromItem: (_gvk, item, mediaType) => inFormat(item, mediaType),
    encodeWithin: (_gvk, item) => item,
    watchFramer: () => (type, item) => [Buffer.from(`{"type":"${type}","object":`), item, Buffer.from('}\n')],
  }
}

async function mountGadgets(kit: EndpointKit): Promise<void> {
  const codec = createGadgetCodec()
  const kind = {
    group,
    kind: 'Gadget',
    nameRule: nameRules.subdomain,
    strategy: {
      validateCreate: (object: ApiObject) => {
        const { size } = object['spec'] as { size: unknown }
        return size === 13 ? [fieldErrors.invalid('spec.size', size, 'brings bad luck')] : []
      },
    },
    subresources: { status: {} },
    scale: {
      replicas: (object: ApiObject) => (object['spec'] as { size: number }).size,
      actualReplicas: () => 0,
      selector: () => '',
      withReplicas: (object: ApiObject, size: number) => ({ ...object, spec: { size } }),
    },
    columns: [
      {
        name: 'Size',
        type: 'integer' as const,
        description: '',
        priority: 0,
        cell: (object: ApiObject) => (object['spec'] as { size: number }).size,
      },
    ],
  }
  const registry = kit.registry.add(definition, kind, codec)
  await registry.cache.whenReady()
  const published = {
    name: 'com.example.foreign.v1.Gadget',
    fingerprint: '1',
    definition: (_dialect: 2 | 3, reference: (type: string) => Record<string, unknown>) => ({
      type: 'object',
      properties: { metadata: reference('meta/v1.ObjectMeta') },
    }),
  }
  kit.resources.mount({ gvr, gvk, table, registry, codec, published })
}

const base = `/apis/${group}/v1/namespaces/default/gadgets`
const one = `${base}/g1`
const merge = { 'content-type': 'application/merge-patch+json' }
const applying = { 'content-type': 'application/apply-patch+yaml' }
const body = (name: string, spec?: object): object => ({
  apiVersion: `${group}/v1`,
  kind: 'Gadget',
  metadata: { name },
  ...(spec && { spec }),
})

describe('endpoints: a kind that no table names', () => {
  let kit: EndpointKit
  const sizeOf = (object: ApiObject): unknown => (object['spec'] as { size: unknown }).size

  before(async () => {
    const probe = await createEndpointKit()
    const { scheme } = probe
    await probe.close()
    kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects) })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  after(() => kit.close())

  it('is missing before it is mounted', async () => {
    assert.equal((await kit.request('GET', base)).text, '404 page not found\n')
  })

  it('is served with every verb and format once it is mounted', async () => {
    await mountGadgets(kit)
    const watching = await kit.watch(`${base}?watch=1`)
    const created = await kit.request('POST', base, { body: body('g1') })
    assert.equal(created.status, 201, created.text)
    assert.equal(sizeOf(created.json), 1, 'defaults are applied')
    assert.equal(created.json.metadata.managedFields?.[0]?.operation, 'Update')
    const refused = await kit.request('POST', base, { body: body('g2', { size: 13 }) })
    assert.deepEqual([refused.status, refused.json.details?.causes?.[0]?.field], [422, 'spec.size'])

    assert.equal(sizeOf((await kit.request('GET', one)).json), 1)
    const yaml = await kit.request('GET', one, { headers: { accept: 'application/yaml' } })
    assert.match(yaml.text, /^apiVersion: foreign\.example\.com\/v1\nkind: Gadget\n/)
    const put = { ...created.json, spec: { size: 2 } }
    assert.equal(sizeOf((await kit.request('PUT', one, { body: put })).json), 2)
    const fromYaml = await kit.request('POST', base, {
      body: 'apiVersion: foreign.example.com/v1\nkind: Gadget\nmetadata:\n  name: g3\n',
      headers: { 'content-type': 'application/yaml' },
    })
    assert.equal(fromYaml.status, 201, fromYaml.text)
    const patched = await kit.request('PATCH', one, { body: { spec: { size: 3 } }, headers: merge })
    assert.equal(sizeOf(patched.json), 3, patched.text)
    const applied = await kit.request('PATCH', `${one}?fieldManager=me&force=true`, {
      body: body('g1', { size: 4 }),
      headers: applying,
    })
    assert.equal(sizeOf(applied.json), 4, applied.text)
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' }
    assert.equal((await kit.request('PATCH', one, { body: {}, headers: strategic })).status, 415)

    const status = await kit.request('PUT', `${one}/status`, { body: { ...applied.json, status: { phase: 'On' } } })
    assert.deepEqual(status.json.status, { phase: 'On' }, status.text)
    const scaled = await kit.request('PATCH', `${one}/scale`, { body: { spec: { replicas: 7 } }, headers: merge })
    assert.deepEqual([scaled.json.kind, scaled.json['spec']], ['Scale', { replicas: 7 }], scaled.text)
    assert.equal(sizeOf((await kit.request('GET', one)).json), 7)

    const list = await kit.request('GET', base)
    assert.deepEqual(
      [list.json.kind, list.json.items.map(({ kind, metadata }) => `${kind} ${metadata.name}`)],
      ['GadgetList', ['Gadget g1', 'Gadget g3']],
    )
    const selected = await kit.request('GET', `${base}?fieldSelector=metadata.name%3Dg3`)
    assert.equal(selected.json.items.length, 1)
    const rows = await kit.request('GET', base, { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } })
    assert.deepEqual(
      (JSON.parse(rows.text) as { rows: { cells: unknown[] }[] }).rows.map(({ cells }) => cells),
      [[7], [1]],
    )
    const partial = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' }
    assert.equal((await kit.request('GET', one, { headers: partial })).json.kind, 'PartialObjectMetadata')
    const binary = { accept: 'application/vnd.kubernetes.protobuf' }
    assert.equal((await kit.request('GET', one, { headers: binary })).status, 406)

    assert.equal((await kit.request('DELETE', one)).status, 200)
    assert.equal((await kit.request('DELETE', base)).status, 200)
    const events = await watching.until(9)
    assert.deepEqual(
      events.map(({ type, object }) => `${type} ${object.metadata.name}`),
      [
        'ADDED g1', 'MODIFIED g1', 'ADDED g3', 'MODIFIED g1', 'MODIFIED g1', 'MODIFIED g1', 'MODIFIED g1', 'DELETED g1',
        'DELETED g3',
      ], // biome-ignore format: a list of events
    )
    watching.close()
  })

  it("stores its codec's output, below its own prefix", async () => {
    await kit.request('POST', base, { body: body('kept') })
    const { value } = await kit.store.get(`/registry/${group}/gadgets/default/kept`)
    const stored = JSON.parse(Buffer.from(value?.value ?? []).toString()) as ApiObject
    assert.deepEqual(
      [stored.apiVersion, stored.metadata.resourceVersion, sizeOf(stored)],
      [`${group}/v1`, undefined, 1],
    )
  })

  it('is in discovery while it is mounted, and disappears with its watches when it is not', async () => {
    const names = (): string[] => kit.served.list().map(({ name }) => name)
    assert.equal(names().at(-1), group)
    const version = kit.served.group(group)?.versions[0]
    assert.equal(version?.resources[0]?.published?.name, 'com.example.foreign.v1.Gadget')
    const watching = await kit.watch(`${base}?watch=1`)
    kit.resources.unmount(gvr)
    kit.registry.remove(gvr)
    await watching.finished
    assert(!names().includes(group))
    assert.equal((await kit.request('GET', base)).text, '404 page not found\n')
  })
})
