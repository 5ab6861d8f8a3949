import assert from 'node:assert/strict'
import { systemClock } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import {
  type ConversionHook,
  conversionCallOf,
  converting,
  createConversionHook,
} from '../../support/conversionhook.ts'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'
import { eventually } from '../../support/eventually.ts'

const collection = (version: string): string => `/apis/example.com/${version}/namespaces/default/things`
const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'

describe('custom resources: conversions that are remembered', () => {
  let kit: CrdKit
  let hook: ConversionHook
  let laterMs = 0
  /** How much sooner time limits are reached. */
  let hurry = 1
  beforeEach(async () => {
    laterMs = 0
    hurry = 1
    hook = await createConversionHook()
    kit = await createCrdKit({
      clock: {
        ...systemClock,
        monotonicMs: () => systemClock.monotonicMs() + laterMs,
        after: (ms, run) => systemClock.after(ms / hurry, run),
      },
    })
    const version = (name: string, storage: boolean): object => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      additionalPrinterColumns: [{ name: 'Word', type: 'string', jsonPath: '.spec.word' }],
    })
    await kit.define(
      definitionOf({ versions: [version('v1', true), version('v2', false)], spec: { conversion: hook.conversion } }),
    )
    for (const name of ['a', 'b', 'c'])
      await kit.request('POST', collection('v1'), {
        body: { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name }, spec: {} },
      })
    say('old')
  })
  afterEach(async () => {
    await kit.close()
    hook.close()
  })

  /** The webhook writes a word into the objects and their labels. */
  function say(word: string): void {
    hook.answer = converting((object: ApiObject, apiVersion) => ({
      ...object,
      apiVersion,
      metadata: { ...object.metadata, labels: { word } },
      spec: { word },
    }))
  }

  const reads: readonly (readonly [title: string, url: string, accept: string])[] = [
    ['an object', '/a', 'application/json'],
    ['an object in YAML', '/a', 'application/yaml'],
    ['an object, indented', '/a?pretty=1', 'application/json'],
    ["an object's metadata", '/a', partial],
    ["an object's table", '/a', table],
    ['a list', '', 'application/json'],
    ['a list in YAML', '', 'application/yaml'],
    ['a list of metadata', '', partialList],
    ['a table', '', table],
    ['a table with objects', '?includeObject=Object', table],
  ]

  it('the answers of a repaired webhook are seen within a minute, whatever is read', async () => {
    const read = async ([, url, accept]: (typeof reads)[number]): Promise<string> =>
      (await kit.request('GET', `${collection('v2')}${url}`, { headers: { accept } })).text
    for (const each of reads) assert.match(await read(each), /old/, each[0])
    assert.equal(hook.calls.length, 2, 'one object, and then the other two')
    say('new')
    for (const each of reads) assert.match(await read(each), /old/, each[0])
    assert.equal(hook.calls.length, 2)
    laterMs = 60_001
    for (const each of reads) {
      const text = await read(each)
      assert.match(text, /new/, each[0])
      assert.doesNotMatch(text, /old/, each[0])
    }
    assert.equal(hook.calls.length, 4)
  })

  it('answers are refreshed while they serve, so that a list is never cold all at once', async () => {
    await kit.request('GET', collection('v2'))
    laterMs = 56_000
    hook.calls = []
    say('new')
    assert.match((await kit.request('GET', collection('v2'))).text, /old/)
    await eventually(async () => /new/.test((await kit.request('GET', collection('v2'))).text), 'new answers')
    assert.equal(hook.calls.length, 1)
    laterMs += 59_000
    hook.answer = () => ({})
    assert.match((await kit.request('GET', collection('v2'))).text, /new/, 'and serve on where the webhook is dead')
    laterMs += 2_000
    assert.equal((await kit.request('GET', collection('v2'))).status, 500)
  })

  it('concurrent readers of the same object are answered by one call', async () => {
    await Promise.all(Array.from({ length: 20 }, () => kit.request('GET', collection('v2'))))
    assert.equal(hook.calls.length, 1)
    assert.equal(conversionCallOf(hook.calls[0] ?? Buffer.from('')).request.objects.length, 3)
  })

  it('an object that the webhook spoils does not spoil other objects of the list for concurrent readers', async () => {
    const honest = hook.answer
    hook.answer = (call) => (conversionCallOf(call).request.objects.length === 1 ? honest(call) : {})
    const [list, one] = await Promise.all([
      kit.request('GET', collection('v2')),
      kit.request('GET', `${collection('v2')}/b`),
    ])
    assert.deepEqual([list.status, one.status], [500, 200], one.text)
  })

  it('a webhook whose answer drips is given up at the time limit, and blocks no other request', async () => {
    hurry = 100
    hook.drips = true
    const startMs = systemClock.monotonicMs()
    const waiting = kit.request('GET', `${collection('v2')}/a`)
    assert.equal((await kit.request('GET', `${collection('v1')}/a`)).status, 200)
    const beforeMs = systemClock.monotonicMs() - startMs
    const answer = await waiting
    assert.equal(answer.status, 500)
    assert.match(answer.text, /context deadline exceeded/)
    assert.ok(beforeMs < systemClock.monotonicMs() - startMs)
    hook.drips = false
    hurry = 1
    assert.equal((await kit.request('GET', `${collection('v2')}/a`)).status, 200)
  })
})
