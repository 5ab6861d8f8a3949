import assert from 'node:assert/strict'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { systemClock, systemRandom } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { createAuthority } from '../../../lib/pki/index.ts'
import { type CrdKit, createCrdKit, definitionOf, definitionsUrl } from '../../support/crdkit.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

interface Review {
  readonly apiVersion: string
  readonly request: { readonly uid: string; readonly desiredAPIVersion: string; readonly objects: ApiObject[] }
}

const schemaOf = (...fields: string[]): object => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])) },
    },
  },
})
const specOf = (object: ApiObject): Record<string, unknown> => object['spec'] as Record<string, unknown>

/** v1 has `host` and `port` in two fields, v1alpha1 in one: `hostPort`. */
function convert(object: ApiObject, to: string): ApiObject {
  const spec = specOf(object)
  if (to.endsWith('/v1')) {
    const [host, port] = String(spec['hostPort']).split(':')
    return { ...object, apiVersion: to, spec: { host, port } }
  }
  return { ...object, apiVersion: to, spec: { hostPort: `${String(spec['host'])}:${String(spec['port'])}` } }
}

const oldUrl = '/apis/example.com/v1alpha1/namespaces/default/things'
const newUrl = '/apis/example.com/v1/namespaces/default/things'
const merge = { 'content-type': 'application/merge-patch+json' }
const applying = { 'content-type': 'application/apply-patch+yaml' }

describe('custom resources: conversion by webhook', () => {
  const metrics = createMetrics()
  let kit: CrdKit
  let server: https.Server
  let calls: Review[] = []
  let answer: (review: Review) => unknown = () => ({})
  const honest = ({ apiVersion, request: { uid, desiredAPIVersion, objects } }: Review): unknown => ({
    apiVersion,
    kind: 'ConversionReview',
    response: {
      uid,
      convertedObjects: objects.map((object) => convert(object, desiredAPIVersion)),
      result: { status: 'Success' },
    },
  })

  before(async () => {
    const authority = createAuthority({ clock: systemClock, random: systemRandom }, { commonName: 'hooks' })
    const pair = authority.issue({ commonName: 'hook', usage: 'server', names: ['127.0.0.1'] })
    server = https.createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const review = JSON.parse(Buffer.concat(chunks).toString()) as Review
        calls.push(review)
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify(answer(review)))
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    kit = await createCrdKit({ metrics })
    await kit.define(
      definitionOf({
        versions: [
          { name: 'v1', served: true, storage: true, schema: schemaOf('host', 'port'), subresources: { status: {} } },
          {
            name: 'v1alpha1',
            served: true,
            storage: false,
            schema: schemaOf('hostPort'),
            subresources: { status: {} },
          },
        ],
        spec: {
          conversion: {
            strategy: 'Webhook',
            webhook: {
              conversionReviewVersions: ['v1', 'v1beta1'],
              clientConfig: {
                url: `https://127.0.0.1:${port}/convert`,
                caBundle: Buffer.from(authority.certificate).toString('base64'),
              },
            },
          },
        },
      }),
    )
  })
  after(async () => {
    await kit.close()
    server.close()
    server.closeAllConnections()
  })
  beforeEach(() => {
    calls = []
    answer = honest
  })

  const thing = (name: string, version: string, spec: object): object => ({
    apiVersion: `example.com/${version}`,
    kind: 'Thing',
    metadata: { name, labels: { a: 'b' } },
    spec,
  })

  it('stores objects of every version in the storage version, and serves both', async () => {
    const created = await kit.request('POST', oldUrl, { body: thing('a', 'v1alpha1', { hostPort: 'h:1' }) })
    assert.equal(created.status, 201, created.text)
    assert.deepEqual(specOf(created.json), { hostPort: 'h:1' })
    const { value } = await kit.store.get('/registry/example.com/things/default/a')
    const stored = JSON.parse(Buffer.from(value?.value ?? []).toString()) as ApiObject
    assert.deepEqual([stored.apiVersion, specOf(stored)], ['example.com/v1', { host: 'h', port: '1' }])
    assert.deepEqual(specOf((await kit.request('GET', `${newUrl}/a`)).json), { host: 'h', port: '1' })
    const old = await kit.request('GET', `${oldUrl}/a`)
    assert.deepEqual([specOf(old.json), old.json.metadata.labels], [{ hostPort: 'h:1' }, { a: 'b' }])
    const [review] = calls
    assert.deepEqual(
      [review?.apiVersion, review?.request.desiredAPIVersion],
      ['apiextensions.k8s.io/v1', 'example.com/v1'],
    )
  })

  it('calls the webhook once for each state of an object, and once for a list', async () => {
    for (const name of ['l1', 'l2', 'l3'])
      await kit.request('POST', newUrl, { body: thing(name, 'v1', { host: name, port: '1' }) })
    assert.equal(calls.length, 0, 'the storage version needs no conversion')
    const list = await kit.request('GET', oldUrl)
    assert.deepEqual(
      list.json.items.map(specOf),
      ['h:1', 'l1:1', 'l2:1', 'l3:1'].map((hostPort) => ({ hostPort })),
    )
    assert.equal(calls.length, 1)
    await kit.request('GET', oldUrl)
    await kit.request('GET', `${oldUrl}/l1`)
    assert.equal(calls.length, 1, 'answers are remembered')
  })

  it('patches, applies and replaces through both versions', async () => {
    const patched = await kit.request('PATCH', `${oldUrl}/l1`, { body: { spec: { hostPort: 'x:2' } }, headers: merge })
    assert.deepEqual(specOf(patched.json), { hostPort: 'x:2' }, patched.text)
    assert.deepEqual(specOf((await kit.request('GET', `${newUrl}/l1`)).json), { host: 'x', port: '2' })
    const applied = await kit.request('PATCH', `${oldUrl}/l2?fieldManager=me&force=true`, {
      body: { apiVersion: 'example.com/v1alpha1', kind: 'Thing', metadata: { name: 'l2' }, spec: { hostPort: 'y:3' } },
      headers: applying,
    })
    assert.deepEqual(specOf(applied.json), { hostPort: 'y:3' }, applied.text)
    const before = (await kit.request('GET', `${oldUrl}/l3`)).json
    const put = await kit.request('PUT', `${oldUrl}/l3`, { body: { ...before, spec: { hostPort: 'z:4' } } })
    assert.deepEqual([specOf(put.json), put.json.metadata.generation], [{ hostPort: 'z:4' }, 2], put.text)
    const again = await kit.request('PUT', `${oldUrl}/l3`, { body: put.json })
    assert.equal(again.json.metadata.resourceVersion, put.json.metadata.resourceVersion, 'nothing was written')
  })

  it('converts the events of a watch', async () => {
    const watching = await kit.watch(`${oldUrl}?watch=1`)
    await watching.until(4)
    await kit.request('POST', newUrl, { body: thing('w', 'v1', { host: 'w', port: '9' }) })
    const events = await watching.until(5)
    assert.deepEqual(specOf(events[4]?.object as ApiObject), { hostPort: 'w:9' })
    watching.close()
  })

  const lies: readonly [string, (review: Review) => unknown, RegExp][] = [
    ['fails', ({ request: { uid } }) => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: { uid, result: { status: 'Failure', message: 'no way' } } }), /^conversion webhook for example.com\/v1, Kind=Thing failed: no way$/],
    ['answers for another call', ({ request: { objects } }) => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response: { uid: 'x', convertedObjects: objects, result: { status: 'Success' } } }), /failed: expected response.uid=".*", got "x"$/],
    ['answers in another version', () => ({ apiVersion: 'v9', kind: 'Pod' }), /failed: expected webhook response of apiextensions.k8s.io\/v1, Kind=ConversionReview, got v9, Kind=Pod$/],
    ['says nothing', () => ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' }), /failed: no response provided$/],
    ['loses objects', (review) => ({ ...(honest(review) as { response: object }), response: { ...(honest(review) as { response: object }).response, convertedObjects: [] } }), /returned 0 objects, expected 1$/],
    ['converts to another version', (review) => honest({ ...review, request: { ...review.request, desiredAPIVersion: 'example.com/v7' } }), /invalid groupVersion \(expected example.com\/v1alpha1, received example.com\/v7\)$/],
    ['renames objects', (review) => honest({ ...review, request: { ...review.request, objects: review.request.objects.map((object) => ({ ...object, metadata: { ...object.metadata, name: 'other' } })) } }), /must have the same name: other != lie-/],
    ['makes labels of numbers', (review) => honest({ ...review, request: { ...review.request, objects: review.request.objects.map((object) => ({ ...object, metadata: { ...object.metadata, labels: { a: 1 } as unknown as Record<string, string> } })) } }), /metadata.labels\[a\] must be a string, but is number in converted object$/],
  ] // biome-ignore format: a table
  for (const [index, [title, lie, expected]] of lies.entries())
    it(`answers 500 when the webhook ${title}, and serves requests that need no conversion`, async () => {
      const name = `lie-${index}`
      await kit.request('POST', newUrl, { body: thing(name, 'v1', { host: name, port: '1' }) })
      answer = lie
      const refused = await kit.request('GET', `${oldUrl}/${name}`)
      assert.deepEqual([refused.status, refused.json.reason], [500, undefined])
      assert.match(refused.json.message ?? '', expected)
      assert.equal((await kit.request('GET', `${newUrl}/${name}`)).status, 200)
      answer = honest
      assert.equal((await kit.request('GET', `${oldUrl}/${name}`)).status, 200, 'it is asked again')
    })

  it('counts calls of the webhook by outcome', async () => {
    const { body: text } = await metrics.exposition()
    const requests = (failure: string, result: string): number => {
      const series = `apiserver_conversion_webhook_request_total{failure_type="${failure}",result="${result}"} `
      const line = text.split('\n').find((one) => one.startsWith(series))
      return Number(line?.slice(series.length) ?? 0)
    }
    assert.ok(requests('', 'success') >= lies.length)
    const failures = ['malformed_response', 'partial_response', 'invalid_converted_object']
    assert.deepEqual(
      failures.map((step) => requests(`conversion_webhook_${step}_failure`, 'failure')),
      [4, 1, 3],
    )
    const name = 'apiserver_crd_conversion_webhook_duration_seconds_count'
    const labels = 'crd_name="things.example.com",from_version="v1",succeeded="false",to_version="v1alpha1"'
    assert.ok(text.includes(`${name}{${labels}} 8\n`), text)
  })

  it('ends a watch with an error when the webhook is dead, and breaks nothing else', async () => {
    const watching = await kit.watch(`${oldUrl}?watch=1&resourceVersion=0`)
    await eventually(() => watching.events().length >= 5, 'the state')
    answer = () => ({})
    await kit.request('POST', newUrl, { body: thing('dead', 'v1', { host: 'd', port: '1' }) })
    await watching.finished
    const last = watching.events().at(-1)
    assert.deepEqual([last?.type, last?.object.code], ['ERROR', 500])
    assert.equal((await kit.request('GET', oldUrl)).status, 500)
    assert.equal((await kit.request('GET', newUrl)).status, 200)
    assert.equal((await kit.request('DELETE', `${newUrl}/dead`)).status, 200)
  })

  it('does not prevent the deletion of the definition and its objects when the webhook is dead', async () => {
    answer = () => ({})
    await kit.request('DELETE', `${definitionsUrl}/things.example.com`)
    await eventuallyEquals(
      async () => (await kit.request('GET', `${definitionsUrl}/things.example.com`)).status,
      404,
      'gone',
    )
  })
})
