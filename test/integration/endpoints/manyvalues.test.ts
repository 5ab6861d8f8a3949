import assert from 'node:assert/strict'
import { createFieldOwnership, jsonPatchCopiedMax, jsonPatchMovedMax } from '../../../lib/apply/index.ts'
import { encodeCbor, valuesMax } from '../../../lib/codec/index.ts'
import { processCpuMs } from '../../support/cputime.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { scheme } from '../../support/kindrun.ts'
import { codecOf } from '../../unit/codec/kit.ts'

const path = '/api/v1/namespaces/default/configmaps'
const protobuf = 'application/vnd.kubernetes.protobuf'

function configMap(name: string, keys: number): { kind: string; apiVersion: string; metadata: object; data: object } {
  const data = Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 'v']))
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data }
}

describe('endpoints: bodies of too many fields and items', () => {
  let kit: EndpointKit
  // One server for all: the threads of each begin cold.
  before(async () => {
    kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects) })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  beforeEach(async () => {
    const { status } = await kit.request('POST', path, { body: { metadata: { name: 'small', finalizers: ['a/b'] } } })
    assert.equal(status, 201)
  })
  afterEach(async () => {
    const headers = { 'content-type': 'application/merge-patch+json' }
    await kit.request('DELETE', path)
    await kit.request('PATCH', `${path}/small`, { body: { metadata: { finalizers: null } }, headers })
  })
  after(() => kit.close())

  const tooLarge = `Request entity too large: the object has more than ${valuesMax} fields and items`

  for (const contentType of ['application/json', 'application/yaml', protobuf])
    it(`are refused as ${contentType}`, async () => {
      const post = async (keys: number): Promise<[number, string | undefined]> => {
        const object = configMap('large', keys)
        const body =
          contentType === protobuf ? kit.scheme.objects.encodeObject(object, { mediaType: protobuf }) : object
        const { status, json } = await kit.request('POST', path, { body, headers: { 'content-type': contentType } })
        return [status, json.message]
      }
      assert.deepEqual(await post(valuesMax + 1), [413, tooLarge])
      assert.equal((await post(valuesMax - 10))[0], 201)
    })

  it('are refused as CBOR', () => {
    const bytes = encodeCbor(configMap('large', valuesMax), codecOf('core/v1.ConfigMap'))
    const expected = { group: '', version: 'v1', kind: 'ConfigMap' }
    assert.throws(() => scheme.objects.decodeObject(bytes, { mediaType: 'application/cbor', expected }), { code: 413 })
  })

  for (const type of ['merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'])
    it(`are refused as ${type}, like small patches that would make an object too large`, async () => {
      const headers = { 'content-type': `application/${type}` }
      const query = type.startsWith('apply') ? '?fieldManager=m' : ''
      const body = configMap('small', valuesMax + 1)
      const { status, json } = await kit.request('PATCH', `${path}/small${query}`, { body, headers })
      assert.deepEqual([status, json.message], [413, tooLarge])
    })

  it('don’t result from repeated patches', async () => {
    const headers = { 'content-type': 'application/merge-patch+json' }
    const half = (prefix: string): object => ({
      data: Object.fromEntries(Array.from({ length: valuesMax * 0.6 }, (_, index) => [prefix + index, ''])),
    })
    const first = await kit.request('PATCH', `${path}/small`, { body: half('a'), headers })
    assert.equal(first.status, 200, first.text.slice(0, 500))
    assert.equal((await kit.request('PATCH', `${path}/small`, { body: half('b'), headers })).status, 413)
    const label = { metadata: { labels: { a: 'b' } } }
    assert.equal((await kit.request('PATCH', `${path}/small`, { body: label, headers })).status, 200)
  })

  describe('let others run between the steps', () => {
    /** How often others could run while a request was under way, in different milliseconds. */
    async function turnsDuring(request: () => Promise<unknown>): Promise<number> {
      let turns = 0
      const counting = setInterval(() => turns++, 1)
      await request()
      clearInterval(counting)
      return turns
    }
    const large = JSON.stringify(configMap('large', 20_000))
    const changes: readonly (readonly [string, string, string])[] = [
      ['a create', 'POST', 'application/json'],
      ['an update', 'PUT', 'application/json'],
      ['a merge patch', 'PATCH', 'application/merge-patch+json'],
      ['a strategic merge patch', 'PATCH', 'application/strategic-merge-patch+json'],
      ['an apply', 'PATCH', 'application/apply-patch+yaml'],
    ]
    for (const [title, method, type] of changes)
      it(`a body of ${title} lets others run between the steps`, async () => {
        if (method !== 'POST') await kit.request('POST', path, { body: configMap('large', 1) })
        const url =
          method === 'POST' ? path : `${path}/large?fieldManager=m${type.includes('apply') ? '&force=true' : ''}`
        let status = 0
        const turns = await turnsDuring(async () => {
          ;({ status } = await kit.request(method, url, { body: large, headers: { 'content-type': type } }))
        })
        assert.equal(status, method === 'POST' ? 201 : 200)
        assert.ok(turns >= 5, `${turns} turns`)
      })

    it('a small patch of a large object lets others run between the steps', async () => {
      await kit.request('POST', path, { body: large })
      const headers = { 'content-type': 'application/merge-patch+json' }
      const body = { data: { k1: 'w' } }
      const turns = await turnsDuring(() => kit.request('PATCH', `${path}/large`, { body, headers }))
      assert.ok(turns >= 5, `${turns} turns`)
    })
  })

  describe('JSON patches', () => {
    const repeat = (count: number, operation: object): object[] => Array.from({ length: count }, () => operation)
    const list = { op: 'add', path: '/metadata/finalizers', value: Array.from({ length: 50_000 }, () => 'a/b') }
    const copied = { op: 'add', path: '/a', value: Array.from({ length: 100 }, () => ({})) }
    const moveText = `The operations of a JSON patch may move at most ${jsonPatchMovedMax} items`
    const copyText = `The operations of a JSON patch may copy at most ${jsonPatchCopiedMax} items`
    const cases: readonly [title: string, operations: object[], message: string][] = [
      ['removals in front', [list, ...repeat(9990, { op: 'remove', path: '/metadata/finalizers/0' })], moveText],
      [
        'additions in front',
        [list, ...repeat(9990, { op: 'add', path: '/metadata/finalizers/0', value: '' })],
        moveText,
      ],
      [
        'moves within a list',
        [list, ...repeat(9990, { op: 'move', from: '/metadata/finalizers/0', path: '/metadata/finalizers/9' })],
        moveText,
      ],
      ['copies', [copied, ...repeat(9000, { op: 'copy', from: '/a', path: '/b' })], copyText],
      ['too large a value', [{ op: 'add', path: '/a', value: Array.from({ length: 800_000 }, () => 1) }], tooLarge],
    ]
    // The first large request starts a thread.
    before(() => kit.request('POST', `${path}?dryRun=All`, { body: configMap('large', 20_000) }))
    for (const [title, body, message] of cases)
      it(`JSON patches of ${title} are refused soon`, async () => {
        const headers = { 'content-type': 'application/json-patch+json' }
        const began = processCpuMs()
        const { status, json } = await kit.request('PATCH', `${path}/small`, { body, headers })
        assert.equal(status, 413)
        assert.ok(json.message?.endsWith(message) === true, `${status} ${json.message ?? ''}`)
        assert.ok(processCpuMs() - began < 2000)
      })

    it('may change lists of hundreds ten thousand times', async () => {
      const headers = { 'content-type': 'application/json-patch+json' }
      const body = [
        { op: 'add', path: '/metadata/labels', value: {} },
        { op: 'add', path: '/a', value: Array.from({ length: 500 }, () => 1) },
        ...repeat(4990, { op: 'move', from: '/a/0', path: '/a/-' }),
      ]
      assert.equal((await kit.request('PATCH', `${path}/small`, { body, headers })).status, 200)
    })
  })
})
