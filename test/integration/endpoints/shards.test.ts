import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { hashOf } from '../../../lib/endpoints/request/shardselector.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { eventually } from '../../support/eventually.ts'

const all = '/api/v1/configmaps'
const end = 2n ** 64n

const hex = (value: bigint): string => `0x${value.toString(16).padStart(16, '0')}`
const range = (field: string, start: bigint, to: bigint): string =>
  `shardRange(object.metadata.${field}, '${hex(start)}', '${hex(to)}')`
const quarter = (field: string, index: bigint): string => range(field, (end / 4n) * index, (end / 4n) * (index + 1n))

describe('shards of a collection (KEP-5866)', () => {
  const metrics = createMetrics()
  let kit: EndpointKit
  const made: ApiObject[] = []

  before(async () => {
    kit = await createEndpointKit({ gates: ['ShardedListAndWatch', 'WatchList'], metrics })
    for (const namespace of ['one', 'two', 'three']) {
      await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } })
      for (let index = 0; index < 8; index++) {
        const body = { metadata: { name: `cm-${index}`, labels: { even: String(index % 2 === 0) } } }
        made.push((await kit.request('POST', `/api/v1/namespaces/${namespace}/configmaps`, { body })).json)
      }
    }
  })
  after(() => kit.close())

  const uidsOf = (items: readonly ApiObject[]): string[] => items.map(({ metadata }) => metadata.uid ?? '').sort()
  const url = (shardSelector: string, more: Record<string, string> = {}): string =>
    `${all}?${new URLSearchParams({ shardSelector, ...more })}`
  const list = async (shardSelector: string, more: Record<string, string> = {}) =>
    (await kit.request('GET', url(shardSelector, more))).json

  it('the hash of a field is FNV-1a of 64 bits', () => {
    const known: readonly [string, bigint][] = [
      ['', 0xcbf29ce484222325n],
      ['a', 0xaf63dc4c8601ec8cn],
      ['foobar', 0x85944171f73967e8n],
    ]
    for (const [text, hash] of known) assert.equal(hashOf(text), hash)
  })

  for (const field of ['uid', 'namespace'] as const)
    it(`four lists by ${field} hold every object once, and name their shard`, async () => {
      const seen: string[] = []
      for (let index = 0n; index < 4n; index++) {
        const selector = quarter(field, index)
        const answer = await list(selector)
        assert.deepEqual(answer.metadata, { resourceVersion: answer.metadata.resourceVersion, shardInfo: { selector } })
        for (const { metadata } of answer.items) {
          const hash = hashOf(metadata[field] ?? '')
          assert.ok(hash >= (end / 4n) * index && hash < (end / 4n) * (index + 1n))
        }
        seen.push(...uidsOf(answer.items))
      }
      assert.deepEqual(seen.sort(), uidsOf(made))
    })

  it('ranges are joined by ||, and combine with other selectors', async () => {
    const halves = `${quarter('uid', 0n)} || (${quarter('uid', 1n)} || ${quarter('uid', 3n)})`
    const others = await list(quarter('uid', 2n))
    assert.equal((await list(halves)).items.length + others.items.length, made.length)
    const even = await list(range('uid', 0n, end), { labelSelector: 'even=true' })
    assert.equal(even.items.length, made.length / 2)
  })

  it('pages of a shard hold it as one list does, and count nothing that remains', async () => {
    const selector = range('uid', 0n, end / 2n)
    const whole = await list(selector)
    const paged: ApiObject[] = []
    let token = ''
    do {
      const page = await list(selector, { limit: '3', ...(token !== '' && { continue: token }) })
      assert.equal(page.metadata.remainingItemCount, undefined)
      paged.push(...page.items)
      token = page.metadata.continue ?? ''
    } while (token !== '')
    assert.deepEqual(uidsOf(paged), uidsOf(whole.items))
  })

  it('a watch of a shard has its objects and their changes, and no others', async () => {
    const selector = quarter('uid', 1n)
    const { items } = await list(selector)
    const inside = items[0]
    const outside = made.find(({ metadata }) => !uidsOf(items).includes(metadata.uid ?? ''))
    assert.ok(inside && outside)
    const stream = await kit.watch(url(selector, { watch: 'true' }))
    await stream.until(items.length)
    const touch = async ({ metadata }: ApiObject): Promise<void> => {
      const path = `/api/v1/namespaces/${metadata.namespace}/configmaps/${metadata.name}`
      const headers = { 'content-type': 'application/merge-patch+json' }
      const patched = await kit.request('PATCH', path, { headers, body: { data: { touched: 'yes' } } })
      assert.equal(patched.status, 200)
    }
    await touch(outside)
    await touch(inside)
    const events = await stream.until(items.length + 1)
    assert.equal(events.length, items.length + 1)
    const last = events.at(-1)
    assert.deepEqual([last?.type, last?.object.metadata.uid], ['MODIFIED', inside.metadata.uid])
    stream.close()
  })

  it('open watches of shards are counted', async () => {
    const counted = async (): Promise<string[]> => {
      const { body } = await metrics.exposition()
      return body.split('\n').filter((line) => line.startsWith('apiserver_watch_shards_total{'))
    }
    const shown = (count: number): string[] => [`apiserver_watch_shards_total{group="",resource="configmaps"} ${count}`]
    const streams = await Promise.all([1n, 2n].map((index) => kit.watch(url(quarter('uid', index), { watch: 'true' }))))
    const other = await kit.watch(`${all}?watch=true`)
    await other.until(made.length)
    assert.deepEqual(await counted(), shown(2))
    for (const stream of [...streams, other]) stream.close()
    await eventually(async () => isDeepStrictEqual(await counted(), shown(0)), 'the end of the watches')
  })

  it('all forms of a list name the shard', async () => {
    const selector = range('uid', 0n, end)
    for (const accept of [
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
    ]) {
      const answer = await kit.request('GET', url(selector), { headers: { accept } })
      assert.equal(answer.status, 200)
      const text = Buffer.from(answer.bytes).toString('latin1')
      assert.ok(text.includes('shardRange(object.metadata.uid,'), accept)
    }
  })

  const uid = 'object.metadata.uid'
  const wrong: readonly [string, RegExp][] = [
    [' ', /^invalid shard selector: empty shard selector is not allowed; omit the parameter for unfiltered lists$/],
    ['shardRange(', /^invalid shard selector: CEL parse error: Syntax error: /],
    ['true', /unexpected expression kind literal; expected shardRange\(\) call or \|\| operator/],
    [`size(${uid})`, /unsupported function "size"; only shardRange\(\) and \|\| are allowed/],
    [`shardRange(${uid}, '0x0')`, /shardRange\(\) requires exactly 3 arguments, got 2/],
    [`shardRange(object.metadata.name, '0x0', '0x1')`, /unsupported field path "object.metadata.name"; supported: /],
    [`shardRange(1, '0x0', '0x1')`, /shardRange\(\) first argument: expected field path/],
    [`shardRange(${uid}, 0, '0x1')`, /hexStart must be a string literal, got int/],
    [`shardRange(${uid}, '0', '0x1')`, /hexStart must have '0x' prefix, got "0"/],
    [`shardRange(${uid}, '0x', '0x1')`, /hexStart: hex value is required after '0x'/],
    [`shardRange(${uid}, '0x0', '0x1')`, /got "0x0" \(did you mean "0x0000000000000000"\?\)/],
    [`shardRange(${uid}, '0x000000000000000G', '0x1')`, /hexStart: invalid hex character "G" in "0x000000000000000G"/],
    [
      `shardRange(${uid}, '${hex(0n)}', '0x20000000000000000')`,
      /hexEnd: 17-digit hex value must be '0x10000000000000000' \(2\^64\)/,
    ],
    [`shardRange(${uid}, '${hex(0n)}', '0x100000000000000000')`, /hexEnd: hex value too long \(18 chars, max 17\)/],
    [range('uid', 2n, 2n), /shard range start 0x0000000000000002 must be less than end 0x0000000000000002/],
    [`${quarter('uid', 0n)} || ${quarter('namespace', 0n)}`, /all shard ranges must use the same field, got /],
    [`${'('.repeat(5000)}1${')'.repeat(5000)}`, /CEL parse error: /],
    [`shardRange(${uid}, '${'x'.repeat(20_000)}', '0x1')`, /CEL parse error: expression code point size exceeds limit/],
  ]
  it('a selector that makes no sense is refused in the stock words', async () => {
    for (const [selector, message] of wrong)
      for (const watch of ['false', 'true']) {
        const { status, json } = await kit.request('GET', url(selector, { watch }))
        assert.deepEqual([status, json.reason], [400, 'BadRequest'], selector)
        assert.match(json.message ?? '', message)
      }
  })

  it('a collection delete removes the objects of its shard alone', async () => {
    const { items } = await list(quarter('uid', 3n))
    const path = `/api/v1/namespaces/two/configmaps?${new URLSearchParams({ shardSelector: quarter('uid', 3n) })}`
    assert.equal((await kit.request('DELETE', path)).status, 200)
    const left = await list(range('uid', 0n, end))
    const gone = items.filter(({ metadata }) => metadata.namespace === 'two')
    assert.equal(left.items.length, made.length - gone.length)
  })

  it('the selector is ignored while the gate is off', async () => {
    const plain = await createEndpointKit({ store: kit.store })
    const answer = await plain.request('GET', url('nonsense'))
    assert.deepEqual([answer.status, answer.json.metadata.remainingItemCount], [200, undefined])
    assert.equal('shardInfo' in answer.json.metadata, false)
    await plain.close()
  })
})
