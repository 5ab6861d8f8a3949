import assert from 'node:assert/strict'
import {
  type ConversionCall,
  type ConversionHook,
  conversionCallOf,
  createConversionHook,
} from '../../support/conversionhook.ts'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'
import { heldMs, heldMsBound } from '../../support/holdmeter.ts'

const heldMsMax = heldMsBound()
const collection = (version: string): string => `/apis/example.com/${version}/namespaces/default/things`

/** An answer whose one converted object is this text, or all of whose text is made of the call. */
type Answer = (call: ConversionCall) => string

const around =
  (object: (text: string) => string): Answer =>
  ({ request: { uid, objects } }) => {
    const text = JSON.stringify({ ...objects[0], apiVersion: 'example.com/v2' })
    return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"${uid}","convertedObjects":[${object(text)}],"result":{"status":"Success"}}}`
  }
/** The converted object with one more field. */
const withField = (field: string): Answer => around((text) => text.replace('{', `{${field},`))

const refused: readonly (readonly [title: string, answer: Answer])[] = [
  ['an object of 100,000 levels', withField(`"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
  ['100,000 levels beside the objects', () => `{"x":${'['.repeat(100_000)}`],
  ['more fields than an object may have', withField(`"wide":[${'{},'.repeat(150_000)}{}]`)],
  ['a million objects', around((text) => `${text}${',{}'.repeat(1_000_000)}`)],
  ['more bytes than were to be expected', withField(`"long":"${'x'.repeat(6_000_000)}"`)],
  ['text that ends early', around((text) => text.slice(0, -1))],
  ['brackets that do not pair', around((text) => text.replace('}', ']'))],
  ['an object that is none', around(() => '"object"')],
  ['no text', () => ''],
  ['a list', () => '[]'],
  ['a name that is no text', () => '{1:2}'],
  ['text after its end', (call) => `${around((text) => text)(call)}x`],
  ['objects that are none', (call) => around((text) => text)(call).replace('"convertedObjects":[', '"convertedObjects":{"a":[').replace('],"result"', ']},"result"')],
  ['labels of __proto__', around((text) => text.replace('"metadata":{', '"metadata":{"labels":{"__proto__":{"a":"b"}},'))],
] // biome-ignore format: a table

describe('custom resources: hostile answers of conversion webhooks', () => {
  let kit: CrdKit
  let hook: ConversionHook
  let answer: Answer
  before(async () => {
    hook = await createConversionHook()
    hook.answer = (call) => Buffer.from(answer(conversionCallOf(call)))
    kit = await createCrdKit()
    const version = (name: string, storage: boolean): object => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })
    await kit.define(
      definitionOf({ versions: [version('v1', true), version('v2', false)], spec: { conversion: hook.conversion } }),
    )
    const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' }, spec: {} }
    assert.equal((await kit.request('POST', collection('v1'), { body })).status, 201)
  })
  after(async () => {
    await kit.close()
    hook.close()
  })

  for (const [title, hostile] of refused)
    it(`an answer with ${title} is refused, blocks no other request and spoils nothing`, async () => {
      answer = hostile
      const held = await heldMs(async () => {
        const got = await kit.request('GET', `${collection('v2')}/a`)
        assert.equal(got.status, 500, got.text.slice(0, 300))
        assert.ok(got.text.length < 10_000)
      })
      assert.ok(held < heldMsMax, `${held} ms`)
      answer = around((text) => text)
      // What is well is remembered: another state is needed for the next case.
      const merge = { 'content-type': 'application/merge-patch+json' }
      assert.equal((await kit.request('GET', `${collection('v2')}/a`)).status, 200)
      const body = { spec: { title } }
      assert.equal((await kit.request('PATCH', `${collection('v1')}/a`, { body, headers: merge })).status, 200)
    })

  it('names such as __proto__ and constructor are kept, and change nothing else', async () => {
    answer = withField('"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}')
    const got = await kit.request('GET', `${collection('v2')}/a`)
    assert.equal(got.status, 200, got.text)
    assert.match(got.text, /"__proto__":\{"polluted":1\}/)
    assert.equal(({} as { polluted?: number }).polluted, undefined)
    assert.equal((got.json as { polluted?: number }).polluted, undefined)
  })

  it('metadata other than labels and annotations are the stored ones', async () => {
    const merge = { 'content-type': 'application/merge-patch+json' }
    const stored = await kit.request('PATCH', `${collection('v1')}/a`, { body: { spec: { other: 1 } }, headers: merge })
    answer = around((text) =>
      text.replace('"metadata":{', '"metadata":{"finalizers":["a/b"],"ownerReferences":[{}],"generation":99,"odd":1,'),
    )
    const got = await kit.request('GET', `${collection('v2')}/a`)
    assert.deepEqual(got.json.metadata, stored.json.metadata)
  })
})
