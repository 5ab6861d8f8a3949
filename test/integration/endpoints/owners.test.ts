import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { type Answer, createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const scheme = createScheme({ tables, kinds: createKindSet(builtInKinds).get })
const ownership = createFieldOwnership(scheme.objects)
const template = {
  metadata: { labels: { a: 'b' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
}
const set = (image: string, annotations?: object): object => ({
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'd', ...(annotations ? { annotations } : {}) },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { ...template, spec: { containers: [{ name: 'c', image }] } },
  },
})
const generation = 'deprecated.daemonset.template.generation'
const sets = '/apis/apps/v1/namespaces/default/daemonsets'
const maps = '/api/v1/namespaces/default/configmaps'
const applyType = { 'content-type': 'application/apply-patch+yaml' }

/** Managers that own the template's generation. */
function ownersOfGeneration({ json }: Answer): string[] {
  return (json.metadata as ApiObject['metadata'])
    .managedFields!.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes(`f:${generation}`))
    .map(({ manager }) => manager ?? '')
}

describe('endpoints: owners of fields', () => {
  let kit: EndpointKit
  beforeEach(async () => {
    kit = await createEndpointKit({ ownership })
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(() => kit.close())

  it('the template generation of a daemon set belongs to its creator, then to the client that replaces the set', async () => {
    const created = await kit.request('POST', `${sets}?fieldManager=creator`, { body: set('i1') })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.json.metadata.annotations?.[generation], '1')
    const { metadata } = created.json as ApiObject
    const { fieldsV1 } = metadata.managedFields?.[0] ?? {}
    const owned = (fieldsV1 ?? {}) as Record<string, Record<string, unknown>>
    assert.deepEqual(owned['f:metadata']?.['f:annotations'], { '.': {}, [`f:${generation}`]: {} })
    const put = await kit.request('PUT', `${sets}/d?fieldManager=putter`, { body: set('i2') })
    assert.deepEqual([put.json.metadata.annotations?.[generation], ownersOfGeneration(put)], ['2', ['putter']])
    const patched = await kit.request('PATCH', `${sets}/d?fieldManager=patcher`, {
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { template: { metadata: { labels: { more: 'x' } } } } },
    })
    assert.deepEqual([patched.json.metadata.annotations?.[generation], ownersOfGeneration(patched)], ['3', ['putter']])
    const applied = await kit.request('PATCH', `${sets}/d?fieldManager=applier&force=true`, {
      headers: applyType,
      body: set('i3'),
    })
    assert.deepEqual([applied.json.metadata.annotations?.[generation], ownersOfGeneration(applied)], ['4', ['putter']])
  })

  it('the template generation of a daemon set stays its owner’s when a PUT keeps the template', async () => {
    const created = await kit.request('POST', `${sets}?fieldManager=creator`, { body: set('i1') })
    const annotations = created.json.metadata.annotations
    for (const body of [set('i1', { ...annotations, more: 'x' }), set('i1', annotations)]) {
      const put = await kit.request('PUT', `${sets}/d?fieldManager=putter`, { body })
      assert.equal(put.status, 200, put.text)
      assert.deepEqual([put.json.metadata.annotations?.[generation], ownersOfGeneration(put)], ['1', ['creator']])
    }
  })

  it('an apply of null for server-set fields, twice, changes nothing', async () => {
    const metadata = { name: 'c', creationTimestamp: null, uid: null }
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } }
    const first = await kit.request('PATCH', `${maps}/c?fieldManager=m`, { headers: applyType, body })
    assert.equal(first.status, 201, first.text)
    const second = await kit.request('PATCH', `${maps}/c?fieldManager=m`, { headers: applyType, body })
    assert.deepEqual(second.json, first.json)
  })

  it('an apply with several undeclared fields names the first', async () => {
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, foo1: 1, foo2: 2, data: [1] }
    const { status, json } = await kit.request('PATCH', `${maps}/c?fieldManager=m`, { headers: applyType, body })
    assert.equal(status, 500)
    assert.match(
      json.message ?? '',
      /^failed to create typed patch object \([^)]*\): \.foo1: field not declared in schema$/,
    )
  })

  it('warns about each duplicate key of YAML in its own header; strictly, unknown fields come sorted', async () => {
    const yaml =
      'apiVersion: v1\nkind: ConfigMap\nzeta: 1\nmetadata: {name: c}\nalpha: 1\ndata:\n  a: "1"\n  a: "2"\nkind: ConfigMap\n'
    const lines = ['line 8: key "a" already set in map', 'line 9: key "kind" already set in map']
    const headers = { 'content-type': 'application/yaml' }
    const strict = await kit.request('POST', `${maps}?fieldValidation=Strict`, { headers, body: yaml })
    assert.equal(
      strict.json.message,
      `ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  ${lines[0]}\n  ${lines[1]}, unknown field "alpha", unknown field "zeta"`,
    )
    const created = await kit.request('POST', maps, { headers, body: yaml })
    assert.deepEqual(created.warnings, [...lines, 'unknown field "alpha"', 'unknown field "zeta"'])
    const known = yaml.replace('zeta: 1\n', '').replace('alpha: 1\n', '')
    const applied = await kit.request('PATCH', `${maps}/c?fieldManager=m&force=true`, {
      headers: applyType,
      body: Buffer.from(known),
    })
    assert.deepEqual(
      [applied.status, applied.warnings],
      [200, ['line 6: key "a" already set in map', 'line 7: key "kind" already set in map']],
    )
  })
})
