import assert from 'node:assert/strict'
import type { ApiObject } from '../../../lib/object/index.ts'
import {
  type ConversionHook,
  conversionCallOf,
  converting,
  createConversionHook,
} from '../../support/conversionhook.ts'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'
import type { Stream } from '../../support/endpointkit.ts'
import { eventuallyEquals } from '../../support/eventually.ts'

/** v1 is stored and has `size`; v2 has `count`, ten times as much, and a label that names its class. */
const versions = ['v1', 'v2'].map((name) => {
  const field = name === 'v1' ? 'size' : 'count'
  const spec = { type: 'object', properties: { [field]: { type: 'integer' }, mode: { type: 'string' } } }
  return {
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    selectableFields: [{ jsonPath: `.spec.${field}` }, { jsonPath: '.spec.mode' }],
  }
})

interface Spec {
  readonly size?: number
  readonly count?: number
}

function convert(object: ApiObject, apiVersion: string): object {
  const { metadata, kind } = object
  const { size = 0, count = 0 } = object['spec'] as Spec
  const { class: _, ...labels } = metadata.labels ?? {}
  if (apiVersion.endsWith('v1')) {
    const spec = { size: count / 10, mode: 'stored' }
    return { apiVersion, kind, metadata: { ...metadata, labels }, spec }
  }
  const shown = { ...labels, class: size >= 5 ? 'large' : 'small' }
  return { apiVersion, kind, metadata: { ...metadata, labels: shown }, spec: { count: size * 10, mode: 'shown' } }
}

/** Queries about the same objects: those of size 5 and more, but for fields, which know no more than equality. */
const selectors = [
  { version: 'v1', query: 'fieldSelector=spec.size%3D5', matches: (size: number) => size === 5 },
  { version: 'v2', query: 'fieldSelector=spec.count%3D50', matches: (size: number) => size === 5 },
  { version: 'v2', query: 'labelSelector=class%3Dlarge', matches: (size: number) => size >= 5 },
  {
    version: 'v2',
    query: 'labelSelector=class%3Dlarge&fieldSelector=spec.count!%3D50,spec.mode%3Dshown',
    matches: (size: number) => size > 5,
  },
  { version: 'v2', query: 'fieldSelector=spec.mode%3Dstored', matches: () => false },
  { version: 'v1', query: 'labelSelector=class', matches: () => false },
]
const sizes = { a: 5, b: 3, c: 7, d: 5, e: 9, f: 5 } as const
const merge = { 'content-type': 'application/merge-patch+json' }

describe('custom resources: selectors through a conversion webhook', () => {
  let kit: CrdKit
  let hook: ConversionHook
  let streams: Stream[]
  beforeEach(async () => {
    streams = []
    hook = await createConversionHook()
    hook.answer = converting(convert)
    kit = await createCrdKit({ gates: ['WatchList'] })
    await kit.define(definitionOf({ versions, spec: { conversion: hook.conversion } }))
    await eventuallyEquals(async () => (await kit.request('GET', collection('v2'))).status, 200, 'v2 is served')
    for (const [name, size] of Object.entries(sizes)) await create(name, size)
  })
  afterEach(async () => {
    for (const stream of streams) stream.close()
    await kit.close()
    hook.close()
  })

  const collection = (version: string): string => `/apis/example.com/${version}/namespaces/default/things`
  const namesOf = (items: readonly ApiObject[]): string[] => items.map(({ metadata }) => metadata.name ?? '')
  const expected = (matches: (size: number) => boolean): string[] =>
    Object.entries(sizes).flatMap(([name, size]) => (matches(size) ? [name] : []))

  async function create(name: string, size: number): Promise<void> {
    const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, spec: { size, mode: 'stored' } }
    const answer = await kit.request('POST', collection('v1'), { body })
    assert.equal(answer.status, 201, answer.text)
  }

  async function resize(name: string, size: number): Promise<void> {
    const answer = await kit.request('PATCH', `${collection('v1')}/${name}`, {
      body: { spec: { size } },
      headers: merge,
    })
    assert.equal(answer.status, 200, answer.text)
  }

  async function open(url: string): Promise<Stream> {
    const stream = await kit.watch(url)
    streams.push(stream)
    return stream
  }

  const seen = (stream: Stream): string[] =>
    stream.events().map(({ type, object }) => {
      const { size = '', count = size } = (object['spec'] ?? {}) as Spec
      return type === 'BOOKMARK' ? type : `${type} ${object.metadata.name} ${count}`
    })

  /** Changes by which objects enter a selection, stay in it and leave it, and an object that every selection of v2 misses. */
  async function change(): Promise<void> {
    await resize('b', 5)
    await resize('b', 6)
    await resize('a', 1)
    await resize('a', 2)
    for (const name of ['b', 'f', 'a']) await kit.request('DELETE', `${collection('v1')}/${name}`)
  }
  const bySelector: Readonly<Record<string, readonly string[]>> = {
    'fieldSelector=spec.size%3D5': ['ADDED b 5', 'DELETED b 5', 'DELETED a 5', 'DELETED f 5'],
    'fieldSelector=spec.count%3D50': ['ADDED b 50', 'DELETED b 50', 'DELETED a 50', 'DELETED f 50'],
    'labelSelector=class%3Dlarge': ['ADDED b 50', 'MODIFIED b 60', 'DELETED a 50', 'DELETED b 60', 'DELETED f 50'],
    'labelSelector=class%3Dlarge&fieldSelector=spec.count!%3D50,spec.mode%3Dshown': ['ADDED b 60', 'DELETED b 60'],
  }

  it('metadata alone is that of the version that is asked for, in lists, single objects and watches', async () => {
    const asked = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
    const listed = asked.replace('Metadata;', 'MetadataList;')
    const classes = async (version: string): Promise<unknown[]> => {
      const headers = { accept: listed }
      const { json } = await kit.request('GET', `${collection(version)}?labelSelector=`, { headers })
      const one = await kit.request('GET', `${collection(version)}/c`, { headers: { accept: asked } })
      const [first] = json['items'] as ApiObject[]
      return [json.kind, first?.metadata.labels?.['class'], one.json.kind, one.json.metadata.labels?.['class']]
    }
    const kinds = ['PartialObjectMetadataList', 'PartialObjectMetadata']
    assert.deepEqual(await classes('v1'), [kinds[0], undefined, kinds[1], undefined])
    assert.deepEqual(await classes('v2'), [kinds[0], 'large', kinds[1], 'large'])
    const headers = { accept: listed }
    const query = 'labelSelector=class%3Dlarge&fieldSelector=spec.count%3D50'
    const { json } = await kit.request('GET', `${collection('v2')}?${query}`, { headers })
    assert.deepEqual(namesOf(json['items'] as ApiObject[]), ['a', 'd', 'f'])
  })

  it('a list selects among converted objects, also page by page', async () => {
    for (const { version, query, matches } of selectors) {
      const whole = await kit.request('GET', `${collection(version)}?${query}`)
      assert.deepEqual(namesOf(whole.json.items), expected(matches), query)
      for (const limit of [1, 2, 3, 6]) {
        const paged: string[] = []
        let pages = 0
        for (let token = '', more = true; more; more = token !== '') {
          const url = `${collection(version)}?${query}&limit=${limit}&continue=${encodeURIComponent(token)}`
          const page = await kit.request('GET', url)
          assert.equal(page.status, 200, page.text)
          assert.ok(page.json.items.length <= limit)
          paged.push(...namesOf(page.json.items))
          token = page.json.metadata.continue ?? ''
          pages++
        }
        assert.deepEqual(paged, expected(matches), `${query} limit ${limit}`)
        assert.equal(pages, Math.max(1, Math.ceil(paged.length / limit)), `${query} limit ${limit}`)
      }
    }
  })

  it('a page shows the state of the first one, whose objects were selected otherwise', async () => {
    const query = 'fieldSelector=spec.count%3D50&limit=1'
    const first = await kit.request('GET', `${collection('v2')}?${query}`)
    await resize('d', 1)
    await resize('c', 5)
    const token = encodeURIComponent(first.json.metadata.continue ?? '')
    const next = await kit.request('GET', `${collection('v2')}?${query}&continue=${token}`)
    assert.deepEqual([namesOf(first.json.items), namesOf(next.json.items)], [['a'], ['d']])
    assert.equal(next.json.metadata.resourceVersion, first.json.metadata.resourceVersion)
  })

  it('a list with a limit converts no more objects than it must, and each once', async () => {
    for (let index = 0; index < 300; index++) await create(`z${index}`, 5)
    hook.calls = []
    await kit.request('GET', `${collection('v2')}?labelSelector=class%3Dlarge&limit=5`)
    const count = (): number => hook.calls.reduce((sum, call) => sum + conversionCallOf(call).request.objects.length, 0)
    assert.ok(count() <= 100, `${count()} objects were converted`)
    await kit.request('GET', `${collection('v2')}?labelSelector=class%3Dlarge`)
    assert.equal(count(), 306)
  })

  for (const [from, watchOf] of [
    ['a watch', (query: string) => `${query}`],
    ['a watch-list', (query: string) => `${query}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`],
    ['a watch from a list', (query: string, at: string) => `${query}&resourceVersion=${at}`],
  ] as const) // biome-ignore format: a table
    it(`${from} selects among converted objects: they enter, stay and leave`, async () => {
      const { resourceVersion = '' } = (await kit.request('GET', collection('v1'))).json.metadata
      const watching = await Promise.all(
        selectors.map(async (selector) => {
          const url = `${collection(selector.version)}?watch=1&${watchOf(selector.query, resourceVersion)}`
          return { ...selector, stream: await open(url) }
        }),
      )
      await change()
      for (const { version, query, matches, stream } of watching) {
        const factor = version === 'v1' ? 1 : 10
        const initial = expected(matches).map((name) => `ADDED ${name} ${sizes[name as 'a'] * factor}`)
        const events = [
          ...(from === 'a watch from a list' ? [] : initial),
          ...(from === 'a watch-list' ? ['BOOKMARK'] : []),
          ...(bySelector[query] ?? []),
        ]
        await stream.until(events.length)
        assert.deepEqual(seen(stream), events, query)
      }
    })

  it('a watch of a client in this process sees the same events as one over the wire', async () => {
    const url = `${collection('v2')}?watch=1&labelSelector=class%3Dlarge`
    const stream = await open(url)
    const seenHere = await kit.watchObjects(url)
    await change()
    await stream.until(10)
    await eventuallyEquals(() => seenHere.length, 10, 'ten events')
    assert.deepEqual(
      seenHere.map(({ type, object }) => [type, object]),
      stream.events().map(({ type, object }) => [type, object]),
    )
  })

  it('a watch resumes at every revision with the events that an unbroken one showed after it', async () => {
    const { resourceVersion = '' } = (await kit.request('GET', collection('v1'))).json.metadata
    const query = 'watch=1&labelSelector=class%3Dlarge'
    await change()
    const whole = await open(`${collection('v2')}?${query}&resourceVersion=${resourceVersion}`)
    await whole.until(5)
    for (const { object } of whole.events()) {
      const at = object.metadata.resourceVersion ?? ''
      const after = whole.events().filter((event) => Number(event.object.metadata.resourceVersion) > Number(at))
      const resumed = await open(`${collection('v2')}?${query}&resourceVersion=${at}`)
      await resumed.until(after.length)
      assert.deepEqual(resumed.events(), after)
    }
  })

  it('a watch removes the objects that it showed although the webhook was repaired since', async () => {
    const stream = await open(`${collection('v2')}?watch=1&fieldSelector=spec.mode%3Dshown`)
    await stream.until(6)
    hook.answer = converting((object, to) => {
      const converted = convert(object, to) as ApiObject
      return { ...converted, spec: { ...(converted['spec'] as object), mode: 'mended' } }
    })
    await resize('c', 8)
    await stream.until(7)
    assert.match(seen(stream).at(-1) ?? '', /^DELETED c /)
  })

  it('a deletion of a collection deletes the converted objects that are selected', async () => {
    const deleted = await kit.request('DELETE', `${collection('v2')}?fieldSelector=spec.count%3D50`)
    assert.equal(deleted.status, 200, deleted.text)
    assert.deepEqual(namesOf(deleted.json.items), ['a', 'd', 'f'])
    assert.deepEqual(new Set(deleted.json.items.map(({ apiVersion }) => apiVersion)), new Set(['example.com/v2']))
    assert.deepEqual(namesOf((await kit.request('GET', collection('v1'))).json.items), ['b', 'c', 'e'])
    await kit.request('DELETE', `${collection('v2')}?labelSelector=class%3Dlarge&limit=1`)
    assert.deepEqual(namesOf((await kit.request('GET', collection('v1'))).json.items), ['b', 'e'])
  })

  it('a watch that selects ends when the definition begins or ceases to convert by a webhook', async () => {
    const stream = await open(`${collection('v2')}?watch=1&fieldSelector=spec.count%3D50`)
    await stream.until(3)
    const url = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.example.com'
    const body = { spec: { conversion: { strategy: 'None', webhook: null } } }
    const answer = await kit.request('PATCH', url, { body, headers: merge })
    assert.equal(answer.status, 200, answer.text)
    await stream.finished
    const listed = await kit.request('GET', `${collection('v1')}?fieldSelector=spec.size%3D5`)
    assert.deepEqual(namesOf(listed.json.items), ['a', 'd', 'f'])
  })

  it('a failing webhook ends a watch that selects with its error, and fails the list', async () => {
    const stream = await open(`${collection('v2')}?watch=1&labelSelector=class%3Dlarge`)
    await stream.until(5)
    hook.answer = () => ({})
    await resize('c', 8)
    await stream.finished
    assert.equal(stream.events().at(-1)?.type, 'ERROR')
    assert.equal((await kit.request('GET', `${collection('v2')}?labelSelector=class%3Dlarge`)).status, 500)
  })
})
