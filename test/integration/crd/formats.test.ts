import assert from 'node:assert/strict'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import { decodeCbor, decodeCborSequence, decodeYaml, encodeUntypedCbor, encodeYaml } from '../../../lib/codec/index.ts'
import type { ApiObject, JsonValue } from '../../../lib/object/index.ts'
import { createMemoryStore } from '../../../lib/storage/index.ts'
import { createConversionHook } from '../../support/conversionhook.ts'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'
import type { Answer } from '../../support/endpointkit.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const things = '/apis/example.com/v1/namespaces/default/things'

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        count: { type: 'integer', minimum: 0 },
        share: { type: 'number' },
        text: { type: 'string', default: 'given' },
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}

type Fields = Readonly<Record<string, unknown>>
interface Format {
  encode(value: object): Uint8Array
  decode(bytes: Uint8Array): JsonValue
}

const formats: Readonly<Record<string, Format>> = {
  'application/json': {
    encode: (value) => Buffer.from(JSON.stringify(value)),
    decode: (bytes) => JSON.parse(Buffer.from(bytes).toString()) as JsonValue,
  },
  'application/yaml': {
    encode: (value) => encodeYaml(value as JsonValue),
    decode: (bytes) => decodeYaml(bytes).value,
  },
  'application/cbor': { encode: (value) => encodeUntypedCbor(value), decode: (bytes) => decodeCbor(bytes) },
}

const thing = (name: string, spec: Fields): Fields => ({
  apiVersion: 'example.com/v1',
  kind: 'Thing',
  metadata: { name },
  spec,
})
const specOf = (object: unknown): Fields => (object as { spec: Fields }).spec

describe('custom resources: formats', () => {
  let kit: CrdKit
  before(async () => {
    kit = await createCrdKit({ gates: ['CBORServingAndStorage'] })
    await kit.define(definitionOf({ schema }))
    await eventuallyEquals(async () => (await kit.request('GET', things)).status, 200, 'things are served')
  })
  after(() => kit.close())

  const sent = { count: 3, share: 0.5, unknown: 1, any: { deep: [1, -2, 'text', null, { yes: true }] } }
  const kept = { any: { deep: [1, -2, 'text', null, { yes: true }] }, count: 3, share: 0.5, text: 'given' }

  for (const [mediaType, format] of Object.entries(formats)) {
    const name = mediaType.replace('/', '-')
    const headers = { accept: mediaType, 'content-type': mediaType }
    const ask = (method: string, url: string, body?: object): Promise<Answer> =>
      kit.request(method, url, { headers, ...(body ? { body: format.encode(body) } : {}) })

    it(`${mediaType}: objects are created, read, listed and updated`, async () => {
      const created = await ask('POST', things, thing(name, sent))
      assert.equal(created.status, 201, created.text)
      assert.equal(created.headers['content-type'], mediaType)
      assert.deepEqual(specOf(format.decode(created.bytes)), kept)
      const read = await ask('GET', `${things}/${name}`)
      assert.deepEqual(format.decode(read.bytes), format.decode(created.bytes))
      const object = format.decode(read.bytes) as { spec: Fields; metadata: Fields }
      const updated = await ask('PUT', `${things}/${name}`, { ...object, spec: { ...object.spec, count: 4 } })
      assert.equal(updated.status, 200, updated.text)
      const list = format.decode((await ask('GET', things)).bytes) as {
        kind: string
        items: { metadata: { name: string }; spec: Fields }[]
      }
      assert.equal(list.kind, 'ThingList')
      const item = list.items.find(({ metadata }) => metadata.name === name)
      assert.deepEqual(item?.spec, { ...kept, count: 4 })
    })

    it(`${mediaType}: what another format wrote reads the same`, async () => {
      for (const [other, { encode }] of Object.entries(formats)) {
        const from = `${other}-${name}`.replace('/', '-')
        const body = encode(thing(from, sent))
        const written = await kit.request('POST', things, { body, headers: { 'content-type': other } })
        assert.equal(written.status, 201, written.text)
        assert.deepEqual(specOf(format.decode((await ask('GET', `${things}/${from}`)).bytes)), kept)
      }
    })

    it(`${mediaType}: refusals have their causes`, async () => {
      const refused = await ask('POST', things, thing(`${name}-bad`, { count: -1 }))
      assert.equal(refused.status, 422)
      assert.deepEqual(
        refused.json.details?.causes?.map(({ field }) => field),
        ['spec.count'],
      )
    })
  }

  it('application/vnd.kubernetes.protobuf: the metadata alone are read, listed and watched', async () => {
    const as = (kind: string): { accept: string } => ({
      accept: `application/vnd.kubernetes.protobuf;as=${kind};g=meta.k8s.io;v=v1,application/json`,
    })
    const labels = { of: 'metadata' }
    const body = { ...thing('partial', sent), metadata: { name: 'partial', labels } }
    await kit.request('POST', things, { body })
    const read = await kit.request('GET', `${things}/partial`, { headers: as('PartialObjectMetadata') })
    assert.deepEqual([read.status, read.headers['content-type']], [200, 'application/vnd.kubernetes.protobuf'])
    const partial = { version: 'v1', group: 'meta.k8s.io', kind: 'PartialObjectMetadata' }
    const decode = (bytes: Uint8Array, kind: string): ApiObject =>
      kit.scheme.objects.decodeObject(bytes, {
        mediaType: 'application/vnd.kubernetes.protobuf',
        expected: { ...partial, kind },
      }).object
    assert.deepEqual(decode(read.bytes, partial.kind).metadata.labels, labels)
    const query = '?labelSelector=of%3Dmetadata'
    const listed = await kit.request('GET', `${things}${query}`, { headers: as('PartialObjectMetadataList') })
    const list = decode(listed.bytes, 'PartialObjectMetadataList') as unknown as { items: ApiObject[] }
    assert.deepEqual(
      list.items.map(({ metadata }) => metadata.name),
      ['partial'],
    )
    const stream = await kit.watch(`${things}${query}&watch=1`, { headers: as('PartialObjectMetadata') })
    try {
      assert.equal(stream.headers['content-type'], 'application/vnd.kubernetes.protobuf;stream=watch')
      await eventually(() => Buffer.concat(stream.chunks).includes('partial'), 'the event')
    } finally {
      stream.close()
    }
  })

  it('application/cbor: events of a watch are a sequence of items', async () => {
    const stream = await kit.watch(`${things}?watch=1`, { headers: { accept: 'application/cbor' } })
    try {
      assert.equal(stream.headers['content-type'], 'application/cbor-seq')
      const body = encodeUntypedCbor(thing('watched', sent))
      await kit.request('POST', things, { body, headers: { 'content-type': 'application/cbor' } })
      const events = (): { type: string; object: { metadata: { name: string } } }[] =>
        decodeCborSequence(Buffer.concat(stream.chunks)) as never
      await eventually(() => events().some(({ object }) => object.metadata.name === 'watched'), 'the event')
      const event = events().find(({ object }) => object.metadata.name === 'watched')
      assert.equal(event?.type, 'ADDED')
      assert.deepEqual(specOf(event?.object), kept)
    } finally {
      stream.close()
    }
  })

  it('application/apply-patch+cbor: configurations are applied, cut ones are refused', async () => {
    const headers = { 'content-type': 'application/apply-patch+cbor' }
    const body = encodeUntypedCbor(thing('applied', { count: 7 }))
    const url = `${things}/applied?fieldManager=m`
    const applied = await kit.request('PATCH', url, { body, headers })
    assert.equal(applied.status, 201, applied.text)
    const [entry] = applied.json.metadata.managedFields ?? []
    assert.deepEqual(entry?.fieldsV1, { 'f:spec': { 'f:count': {} } })
    const cut = await kit.request('PATCH', url, { body: body.subarray(0, -1), headers })
    assert.equal(cut.status, 400, cut.text)
    const wrong = await kit.request('POST', things, {
      body: body.subarray(0, -1),
      headers: { 'content-type': 'application/cbor' },
    })
    assert.equal(wrong.status, 400, wrong.text)
  })

  it('application/cbor: numbers beyond 64 bits and duplicate names are refused', async () => {
    const headers = { 'content-type': 'application/cbor' }
    const twice = Buffer.from('d9d9f7a2416101416102', 'hex')
    assert.equal((await kit.request('POST', things, { body: twice, headers })).status, 400)
    const huge = Buffer.from('d9d9f7a141611bffffffffffffffff', 'hex')
    assert.equal((await kit.request('POST', things, { body: huge, headers })).status, 400)
  })

  it('application/cbor: objects that another server stored as CBOR are read, listed, selected, watched and changed', async () => {
    const stored = {
      ...thing('stored', kept),
      metadata: {
        name: 'stored',
        namespace: 'default',
        uid: 'u',
        creationTimestamp: '2026-01-01T00:00:00Z',
        labels: { from: 'store' },
      },
    }
    const stream = await kit.watch(`${things}?watch=1&labelSelector=from%3Dstore`)
    try {
      await kit.store.create('/registry/example.com/things/default/stored', encodeUntypedCbor(stored))
      const [event] = await stream.until(1)
      assert.equal(event?.type, 'ADDED')
      assert.deepEqual(specOf(event.object), kept)
    } finally {
      stream.close()
    }
    for (const [mediaType, { decode }] of Object.entries(formats)) {
      const read = await kit.request('GET', `${things}/stored`, { headers: { accept: mediaType } })
      assert.deepEqual(specOf(decode(read.bytes)), kept)
      const list = await kit.request('GET', `${things}?labelSelector=from%3Dstore`, { headers: { accept: mediaType } })
      const { items } = decode(list.bytes) as { items: unknown[] }
      assert.deepEqual(items.map(specOf), [kept])
    }
    const headers = { 'content-type': 'application/merge-patch+json' }
    const patched = await kit.request('PATCH', `${things}/stored`, { body: '{"spec":{"count":9}}', headers })
    assert.equal(patched.status, 200, patched.text)
    assert.deepEqual(specOf(patched.json), { ...kept, count: 9 })
  })

  it('protobuf is refused', async () => {
    const protobuf = 'application/vnd.kubernetes.protobuf'
    const read = await kit.request('GET', things, { headers: { accept: protobuf } })
    assert.equal(read.status, 406)
    const body = Buffer.from('k8s\0')
    assert.equal((await kit.request('POST', things, { body, headers: { 'content-type': protobuf } })).status, 415)
  })
})

describe('custom resources: stored as CBOR', () => {
  const key = '/registry/example.com/things/default/c'
  const tagOf = (stored: Uint8Array | undefined): number[] => Array.from((stored ?? new Uint8Array()).subarray(0, 3))

  it('are written as CBOR, without a resourceVersion, and read, listed and changed', async () => {
    const kit = await createCrdKit({ gates: ['CBORServingAndStorage'] })
    try {
      await kit.define(definitionOf({ schema }))
      await eventuallyEquals(async () => (await kit.request('GET', things)).status, 200, 'things are served')
      const created = await kit.request('POST', things, { body: thing('c', { count: 1 }) })
      assert.equal(created.status, 201, created.text)
      const { value } = await kit.store.get(key)
      assert.deepEqual(tagOf(value?.value), [0xd9, 0xd9, 0xf7])
      const stored = decodeCbor(value?.value ?? new Uint8Array()) as { metadata: Fields; spec: Fields }
      assert.equal(stored.metadata['resourceVersion'], undefined)
      assert.deepEqual(stored.spec, { count: 1, text: 'given' })
      assert.deepEqual((await kit.request('GET', `${things}/c`)).json, created.json)
      const headers = { 'content-type': 'application/apply-patch+yaml' }
      const body = thing('c', { share: 0.5 })
      const applied = await kit.request('PATCH', `${things}/c?fieldManager=m`, { body, headers })
      assert.deepEqual(specOf(applied.json), { count: 1, share: 0.5, text: 'given' })
      const again = await kit.request('PATCH', `${things}/c?fieldManager=m`, { body, headers })
      assert.equal(again.json.metadata.resourceVersion, applied.json.metadata.resourceVersion)
      assert.deepEqual((await kit.request('GET', things)).json.items.map(specOf), [specOf(applied.json)])
    } finally {
      await kit.close()
    }
  })

  it('are read in either form, with the gate on and off', async () => {
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    const read: string[][] = []
    try {
      for (const [name, gates] of [
        ['json', []],
        ['cbor', ['CBORServingAndStorage']],
        ['json2', []],
      ] as const) {
        const kit = await createCrdKit({ store, gates })
        try {
          if (name === 'json') await kit.define(definitionOf({ schema }))
          await eventuallyEquals(async () => (await kit.request('GET', things)).status, 200, 'things are served')
          const body = { ...thing(name, { count: 1 }), metadata: { name, labels: { form: name } } }
          assert.equal((await kit.request('POST', things, { body })).status, 201)
          const patched = await kit.request('PATCH', `${things}/json`, {
            body: { spec: { text: name } },
            headers: { 'content-type': 'application/merge-patch+json' },
          })
          assert.equal(patched.status, 200, patched.text)
          const first = (await store.get('/registry/example.com/things/default/json')).value?.value[0]
          assert.equal(first, name === 'cbor' ? 0xd9 : 0x7b)
          const list = (await kit.request('GET', things)).json.items
          read.push(list.map((item) => `${item.metadata.name} ${String(specOf(item)['text'])}`))
          const selected = (await kit.request('GET', `${things}?labelSelector=form%3D${name}`)).json.items
          assert.deepEqual(
            selected.map((item) => item.metadata.name),
            [name],
          )
          const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'
          const rows = (await kit.request('GET', things, { headers: { accept: table } })).json
          assert.equal((rows['rows'] as unknown[]).length, list.length)
        } finally {
          await kit.close()
        }
      }
    } finally {
      await store.close()
    }
    assert.deepEqual(read, [['json json'], ['cbor given', 'json cbor'], ['cbor given', 'json json2', 'json2 given']])
  })

  it('objects need no conversion to the version that they are stored in', async () => {
    const hook = await createConversionHook()
    const kit = await createCrdKit({ gates: ['CBORServingAndStorage'] })
    try {
      const version = (name: string, storage: boolean): object => ({
        name,
        served: true,
        storage,
        schema: { openAPIV3Schema: schema },
      })
      const spec = { conversion: hook.conversion }
      await kit.define(definitionOf({ versions: [version('v1', true), version('v2', false)], spec }))
      await eventuallyEquals(async () => (await kit.request('GET', things)).status, 200, 'things are served')
      await kit.request('POST', things, { body: thing('c', { count: 1 }) })
      const own = await kit.request('GET', things)
      assert.equal(hook.calls.length, 0)
      const other = await kit.request('GET', things.replace('/v1/', '/v2/'))
      assert.deepEqual(other.json.items.map(specOf), own.json.items.map(specOf))
      assert.equal(hook.calls.length, 1)
    } finally {
      await kit.close()
      hook.close()
    }
  })

  it('objects are not stored as CBOR without the gate', async () => {
    const kit = await createCrdKit()
    try {
      await kit.define(definitionOf({ schema }))
      await eventuallyEquals(async () => (await kit.request('GET', things)).status, 200, 'things are served')
      await kit.request('POST', things, { body: thing('c', {}) })
      assert.equal((await kit.store.get(key)).value?.value[0], 0x7b)
    } finally {
      await kit.close()
    }
  })
})

describe('custom resources: CBOR without its gate', () => {
  it('is refused in requests and answers', async () => {
    const kit = await createCrdKit()
    try {
      await kit.define(definitionOf({ schema }))
      await eventuallyEquals(async () => (await kit.request('GET', things)).status, 200, 'things are served')
      assert.equal((await kit.request('GET', things, { headers: { accept: 'application/cbor' } })).status, 406)
      const body = encodeUntypedCbor(thing('x', {}))
      const asked = { 'content-type': 'application/cbor' }
      assert.equal((await kit.request('POST', things, { body, headers: asked })).status, 415)
      const applied = { 'content-type': 'application/apply-patch+cbor' }
      assert.equal((await kit.request('PATCH', `${things}/x?fieldManager=m`, { body, headers: applied })).status, 415)
    } finally {
      await kit.close()
    }
  })
})
