import assert from 'node:assert/strict'
import { type ConversionHook, createConversionHook, relabelling } from '../../support/conversionhook.ts'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'
import { heldMs, heldMsBound } from '../../support/holdmeter.ts'

const schema = {
  type: 'object',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
}
const version = (name: string, storage: boolean): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: schema },
})

/** An object of 40,000 items, as it is stored. */
function storedThing(name: string): Buffer {
  const metadata = { creationTimestamp: '2026-01-01T00:00:00Z', generation: 1, name, namespace: 'default', uid: name }
  const spec = { items: Array.from({ length: 40_000 }, (_, index) => ({ a: index })) }
  return Buffer.from(`${JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Thing', metadata, spec })}\n`)
}

describe('custom resources: conversion of much at once', () => {
  let kit: CrdKit
  let hook: ConversionHook
  beforeEach(async () => {
    hook = await createConversionHook()
    hook.answer = relabelling('example.com/v1', 'example.com/v2')
    kit = await createCrdKit()
    await kit.define(
      definitionOf({ versions: [version('v1', true), version('v2', false)], spec: { conversion: hook.conversion } }),
    )
  })
  afterEach(async () => {
    await kit.close()
    hook.close()
  })

  async function store(count: number): Promise<void> {
    for (let index = 0; index < count; index++)
      await kit.store.create(`/registry/example.com/things/default/t${index}`, storedThing(`t${index}`))
  }

  it('a list of large objects in another version blocks no other request, in calls of a megabyte', async () => {
    const count = 20
    await store(count)
    let bytes = 0
    const held = await heldMs(async () => {
      const list = await kit.request('GET', '/apis/example.com/v2/namespaces/default/things')
      assert.equal(list.status, 200, list.status === 200 ? '' : list.text)
      bytes = list.bytes.length
    })
    assert.ok(bytes > count * storedThing('t').length, `${bytes} bytes`)
    assert.ok(held < heldMsBound(), `${held} ms`)
    const sizes = hook.calls.map(({ length }) => length)
    assert.ok(Math.max(...sizes) < 1.2 * 1024 * 1024, `${sizes}`)
  }).timeout(60_000)
})
