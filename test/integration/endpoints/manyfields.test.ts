import assert from 'node:assert/strict'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { encodeUntypedCbor } from '../../../lib/codec/index.ts'
import { type Answer, createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { heldMs, heldMsBound } from '../../support/holdmeter.ts'
import { scheme } from '../../support/kindrun.ts'

const maps = '/api/v1/namespaces/default/configmaps'
const own = `${maps}/x`
const fieldsMax = 99_000
const heldMsMax = heldMsBound()
const json = 'application/json'

const fields = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]))
const list = (count: number): string[] => Array.from({ length: count }, (_, index) => `a/b${index}`)
const configMap = (rest: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', ...metadata },
  ...rest,
})

describe('built-in objects of many fields', () => {
  let kit: EndpointKit
  // One server for all: the threads of each begin cold.
  before(async () => {
    kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects) })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(() => kit.request('DELETE', own))
  after(() => kit.close())

  async function held(
    method: string,
    url: string,
    body: object,
    headers: Record<string, string>,
    status = 200,
  ): Promise<Answer> {
    const sent = headers['content-type'] === 'application/cbor' ? encodeUntypedCbor(body) : JSON.stringify(body)
    let answer: Answer | undefined
    const ms = await heldMs(async () => (answer = await kit.request(method, url, { body: sent, headers })))
    assert(answer)
    assert.equal(answer.status, status, answer.text.slice(0, 300))
    assert(ms < heldMsMax, `${method} ${JSON.stringify(headers)}: ${ms} ms`)
    return answer
  }

  for (const accept of [json, 'application/yaml', 'application/vnd.kubernetes.protobuf', `${json};pretty=1`])
    it(`are created and answered in threads: ${accept}`, async () => {
      const body = configMap({ data: fields(fieldsMax, 'v') })
      const answer = await held('POST', maps, body, { 'content-type': json, accept }, 201)
      const stored = await kit.request('GET', own, { headers: { accept } })
      assert.equal(Buffer.compare(answer.bytes, stored.bytes), 0)
      const { data } = (await kit.request('GET', own)).json as unknown as { data: object }
      assert.equal(Object.keys(data).length, fieldsMax)
      assert.equal(Object.keys(data)[1], 'k1')
      assert.equal(Object.keys(data)[2], 'k10')
    })

  for (const [what, rest, metadata] of [
    ['data', { data: fields(fieldsMax, 'w') }, {}],
    ['finalizers', {}, { finalizers: list(90_000) }],
    ['unknown fields', fields(90_000, 'v'), {}],
  ] as const)
    it(`are changed in threads, by updates and patches: ${what}`, async () => {
      const small = configMap({ data: { a: 'b' } }, { finalizers: ['a/b'] })
      const begin = async (): Promise<void> => {
        const free = { body: { metadata: { finalizers: null } } }
        const headers = { 'content-type': 'application/merge-patch+json' }
        await kit.request('PATCH', own, { ...free, headers })
        await kit.request('DELETE', own)
        assert.equal((await kit.request('POST', maps, { body: small })).status, 201)
      }
      const body = configMap(rest, metadata)
      // The two patches share all but the merge: each is sent with what its merge has most of.
      const type = what === 'finalizers' ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json'
      await begin()
      await held('PATCH', own, { ...body, kind: undefined }, { 'content-type': type })
      await begin()
      await held('PUT', own, body, { 'content-type': json })
      // An apply refuses those.
      if (what === 'unknown fields') return
      await begin()
      const apply = `${own}?fieldManager=m&force=true&dryRun=All`
      const applied = await held('PATCH', apply, body, { 'content-type': 'application/apply-patch+yaml' })
      assert.equal(applied.json.metadata.managedFields?.[0]?.manager, 'm')
    })

  for (const [family, each, addressOf] of [
    ['IPv4', 30, (index: number) => `10.0.${index >> 8}.${index & 255}`],
    ['IPv6', 8, (index: number) => `fd00::${(index + 1).toString(16)}`],
  ] as const)
    it(`have thousands of addresses checked in time: ${family}`, async () => {
      const addresses = Array.from({ length: each }, (_, index) => addressOf(index))
      const endpoints = Array.from({ length: 1000 }, () => ({ addresses }))
      const body = { metadata: { name: family.toLowerCase() }, addressType: family, endpoints, ports: [] }
      const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
      await held('POST', slices, body, { 'content-type': json }, 201)
    })
})
