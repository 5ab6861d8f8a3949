import assert from 'node:assert/strict'
import { decodeCbor, encodeUntypedCbor } from '../../../lib/codec/index.ts'
import { type CrdKit, createCrdKit, definitionOf, definitionsUrl } from '../../support/crdkit.ts'
import type { Answer } from '../../support/endpointkit.ts'
import { eventuallyEquals } from '../../support/eventually.ts'
import { heldMs, heldMsBound } from '../../support/holdmeter.ts'

const base = '/apis/example.com/v1/namespaces/default'
const fieldsMax = 99_000
const heldMsMax = heldMsBound()

/** Fields in the opposite of their order. */
const fields = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${count - 1 - index}`, 0]))
/** To make and to write as text takes a tenth of a second each. */
const all = fields(fieldsMax)
const allText = JSON.stringify(all)
const keeper = (name: string): object => ({
  apiVersion: 'example.com/v1',
  kind: 'Keeper',
  metadata: { name },
  spec: all,
})
/** The text of a keeper, without building it again. */
const keeperText = (rest: object, spec = allText): string =>
  `${JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Keeper', ...rest }).slice(0, -1)},"spec": ${spec}}`
const whole = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

describe('custom resources: large objects', () => {
  let kit: CrdKit
  // One server for all: the threads of each begin cold.
  before(async () => {
    kit = await createCrdKit({ gates: ['CBORServingAndStorage'] })
    await kit.define(definitionOf({ kind: 'Keeper' }))
  })
  let growers = 0
  afterEach(() => kit.request('DELETE', `${base}/keepers`))
  after(() => kit.close())

  async function held(
    what: string,
    run: () => Promise<Answer>,
    status = 200,
    msMax: number = heldMsMax,
  ): Promise<Answer> {
    let answer: Answer | undefined
    const ms = await heldMs(async () => (answer = await run()))
    assert(answer)
    assert.equal(answer.status, status, answer.text.slice(0, 300))
    assert(ms < msMax, `${what}: ${ms} ms`)
    return answer
  }

  /** As another server may have written it: its keys in no order, and white space between them. */
  async function storeUnsorted(name: string): Promise<void> {
    const metadata = { name, namespace: 'default', uid: 'u', generation: 1, creationTimestamp: '2024-01-01T00:00:00Z' }
    await kit.store.create(`/registry/example.com/keepers/default/${name}`, Buffer.from(keeperText({ metadata })))
  }

  it('are read and written as CBOR without blocking the event loop', async () => {
    const cbor = { 'content-type': 'application/cbor', accept: 'application/cbor' }
    const sent = encodeUntypedCbor(keeper('x'))
    const created = await held(
      'create',
      () => kit.request('POST', `${base}/keepers`, { body: sent, headers: cbor }),
      201,
    )
    const value = decodeCbor(created.bytes) as { spec: object }
    assert.deepEqual(value.spec, all)
    const text = keeperText({ metadata: { name: 'y' } })
    const headers = { 'content-type': 'application/json', accept: 'application/cbor' }
    await held('dry run', () => kit.request('POST', `${base}/keepers?dryRun=All`, { body: text, headers }), 201)
  })

  for (const [accept, query] of [
    ['application/json', ''],
    ['application/json', '?pretty=true'],
    ['application/yaml', ''],
    ['application/cbor', ''],
  ] as const)
    it(`are read in threads where their bytes have to be encoded again: ${accept}${query}`, async () => {
      await storeUnsorted('x')
      const headers = { accept }
      const got = await held('get', () => kit.request('GET', `${base}/keepers/x${query}`, { headers }))
      if (accept === 'application/json') assert.deepEqual(got.json['spec'], all)
      await storeUnsorted('y')
      const list = await held('list', () => kit.request('GET', `${base}/keepers${query}`, { headers }))
      assert(list.bytes.length > 1.9 * got.bytes.length, `${list.bytes.length} bytes for two of ${got.bytes.length}`)
    })

  it('are shown as scales, which are small', async () => {
    const scale = { specReplicasPath: '.spec.f1', statusReplicasPath: '.status.ready' }
    await kit.define(definitionOf({ kind: 'Stretcher', version: { subresources: { scale } } }))
    const metadata = { name: 'x', namespace: 'default', uid: 'u', generation: 1 }
    const text = keeperText({ kind: 'Stretcher', metadata })
    await kit.store.create('/registry/example.com/stretchers/default/x', Buffer.from(text))
    for (const [accept, query] of [
      ['application/json', ''],
      ['application/json', '?pretty=true'],
      ['application/yaml', ''],
    ] as const)
      for (let round = 0; round < 2; round++) {
        const got = await kit.request('GET', `${base}/stretchers/x/scale${query}`, { headers: { accept } })
        assert.equal(got.status, 200, got.text)
        assert.ok(got.bytes.length < 1000, `${accept}: ${got.bytes.length} bytes`)
        assert.match(got.text, /kind"?: ?"?Scale\b/)
      }
  })

  it('are answered with the bytes of the previous reader’s answer', async () => {
    await storeUnsorted('x')
    const first = await kit.request('GET', `${base}/keepers/x`)
    const ms = await heldMs(async () => {
      const second = await kit.request('GET', `${base}/keepers/x`)
      assert.equal(Buffer.compare(second.bytes, first.bytes), 0)
    })
    assert(ms < heldMsMax / 4, `${ms} ms`)
  })

  it('are processed in threads where only their defaults make them large', async () => {
    const spec = { ...whole, default: fields(90_000) }
    // A second try finds the first one's definition.
    const kind = `Grower${++growers}`
    const path = `${base}/${kind.toLowerCase()}s`
    const text = JSON.stringify(definitionOf({ kind, schema: { type: 'object', properties: { spec } } }))
    const headers = { 'content-type': 'application/json' }
    // The server writes the status of a definition on the event loop, in one piece.
    const statusMsMax = 3 * heldMsMax
    await held('definition', () => kit.request('POST', definitionsUrl, { body: text, headers }), 201, statusMsMax)
    const untilServed = async (): Promise<Answer> => {
      await eventuallyEquals(async () => (await kit.request('GET', `${path}/none`)).json.kind, 'Status', 'it is served')
      return kit.request('GET', path)
    }
    await held('served', untilServed, 200, statusMsMax)
    const sent = { apiVersion: 'example.com/v1', kind, metadata: { name: 'x' } }
    const created = await held('create', () => kit.request('POST', path, { body: sent }), 201)
    assert.equal(Object.keys(created.json['spec'] as object).length, 90_000)
    const stored = `{"apiVersion":"example.com/v1","kind":"${kind}","metadata":{"creationTimestamp":"2024-01-01T00:00:00Z","generation":1,"name":"y","namespace":"default"}}`
    await kit.store.create(`/registry/example.com/${kind.toLowerCase()}s/default/y`, Buffer.from(stored))
    const got = await held('get', () => kit.request('GET', `${path}/y`))
    assert.equal(Object.keys(got.json['spec'] as object).length, 90_000)
    await held('merge patch', () =>
      kit.request('PATCH', `${path}/y`, {
        body: { metadata: { labels: { a: 'b' } } },
        headers: { 'content-type': 'application/merge-patch+json' },
      }),
    )
  })

  it('are compared in threads: only a change of their content increments the generation', async () => {
    const type = { 'content-type': 'application/json' }
    const text = (value: number, resourceVersion: string): string =>
      keeperText({ metadata: { name: 'x', resourceVersion } }, allText.replace('"f0":0', `"f0":${value}`))
    let answer = await kit.request('POST', `${base}/keepers`, { body: text(0, ''), headers: type })
    for (const [value, generation] of [
      [0, 1],
      [1, 2],
      [1, 2],
    ] as const) {
      const sent = text(value, answer.json.metadata.resourceVersion ?? '')
      answer = await held(`put ${value}`, () => kit.request('PUT', `${base}/keepers/x`, { body: sent, headers: type }))
      assert.equal(answer.json.metadata.generation, generation)
    }
  })

  it('have a status of many levels compared in threads, each level once', async () => {
    const type = { 'content-type': 'application/json' }
    // Blank before what is not: whether a level is blank is known at the deepest one.
    let status: object = { last: 1 }
    for (let level = 0; level < 250; level++)
      status = {
        ...Object.fromEntries(Array.from({ length: 140 }, (_, index) => [`f${index.toString(36)}`, 0])),
        next: status,
      }
    const schema = { type: 'object', properties: { status: whole } }
    await kit.define(definitionOf({ kind: 'Teller', schema }))
    const sent = { apiVersion: 'example.com/v1', kind: 'Teller', metadata: { name: 'x' }, status }
    const created = await kit.request('POST', `${base}/tellers`, { body: JSON.stringify(sent), headers: type })
    assert.equal(created.status, 201, created.text.slice(0, 300))
    const { resourceVersion } = created.json.metadata
    assert.equal(Object.keys((created.json as unknown as { status: object }).status).length, 141)
    assert(created.json.metadata.managedFields)
    const body = JSON.stringify({ ...sent, metadata: { name: 'x', resourceVersion } })
    const answer = await held('put', () => kit.request('PUT', `${base}/tellers/x`, { body, headers: type }))
    assert.equal(answer.json.metadata.resourceVersion, resourceVersion)
  })
})
