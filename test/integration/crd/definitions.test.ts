import assert from 'node:assert/strict'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createMemoryStore } from '../../../lib/storage/index.ts'
import { type CrdKit, causesOf, createCrdKit, definitionOf, definitionsUrl } from '../../support/crdkit.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const merge = { 'content-type': 'application/merge-patch+json' }
const specOf = (object: ApiObject): Record<string, unknown> => object['spec'] as Record<string, unknown>
const namesOf = async (kit: CrdKit, name: string): Promise<Record<string, unknown>> => {
  const { json } = await kit.request('GET', `${definitionsUrl}/${name}`)
  return (json.status as unknown as { acceptedNames: Record<string, unknown> }).acceptedNames
}

describe('definitions of custom resources', () => {
  let kit: CrdKit
  beforeEach(async () => {
    kit = await createCrdKit()
  })
  afterEach(() => kit.close())

  it('definitions that claim the names of another wait until it releases them', async () => {
    await kit.define(definitionOf({ kind: 'First', names: { shortNames: ['f'] } }))
    const second = definitionOf({
      kind: 'Second',
      names: { kind: 'First', listKind: 'SecondList', shortNames: ['f', 's'] },
    })
    assert.equal((await kit.request('POST', definitionsUrl, { body: second })).status, 201)
    await eventually(async () => 'NamesAccepted' in (await kit.conditions('seconds.example.com')), 'a decision')
    assert.deepEqual(await kit.conditions('seconds.example.com'), {
      NamesAccepted: 'False KindConflict',
      Established: 'False NotAccepted',
    })
    assert.deepEqual(await namesOf(kit, 'seconds.example.com'), {
      plural: 'seconds',
      singular: 'second',
      kind: '',
      listKind: 'SecondList',
    })
    assert.equal((await kit.request('GET', '/apis/example.com/v1/namespaces/default/seconds')).status, 404)
    await kit.request('DELETE', `${definitionsUrl}/firsts.example.com`)
    await eventuallyEquals(
      async () => (await kit.conditions('seconds.example.com'))['Established'],
      'True InitialNamesAccepted',
      'the names are free',
    )
    assert.deepEqual((await namesOf(kit, 'seconds.example.com'))['shortNames'], ['f', 's'])
  })

  it('definitions of protected groups report whether they are approved', async () => {
    const group = 'sample.k8s.io'
    const definition = definitionOf({ group })
    const refused = await kit.request('POST', definitionsUrl, { body: definition })
    assert.equal(causesOf(refused)[0]?.split(' ')[0], 'FieldValueRequired')
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, just trying' }
    await kit.define({ ...definition, metadata: { ...definition.metadata, annotations } })
    assert.equal(
      (await kit.conditions(`things.${group}`))['KubernetesAPIApprovalPolicyConformant'],
      'False UnapprovedAnnotation',
    )
  })

  it('convert by None where versions have their own schemas: each prunes, and the stored one alone fills in defaults on read', async () => {
    const schemaOf = (fields: object): object => ({
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } },
    })
    await kit.define(
      definitionOf({
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: schemaOf({ a: { type: 'string' }, n: { type: 'integer', default: 1 } }),
          },
          {
            name: 'v1beta1',
            served: true,
            storage: false,
            deprecated: true,
            schema: schemaOf({ a: { type: 'string' }, b: { type: 'string', default: 'b' } }),
          },
        ],
      }),
    )
    const old = '/apis/example.com/v1beta1/namespaces/default/things'
    const body = { apiVersion: 'example.com/v1beta1', kind: 'Thing', metadata: { name: 'x' }, spec: { a: 'a', n: 5 } }
    const created = await kit.request('POST', old, { body })
    assert.deepEqual(specOf(created.json), { a: 'a' }, created.text)
    assert.deepEqual(created.warnings, [
      'example.com/v1beta1 Thing is deprecated; use example.com/v1 Thing',
      'unknown field "spec.n"',
    ])
    const current = await kit.request('GET', '/apis/example.com/v1/namespaces/default/things/x')
    assert.deepEqual([current.json.apiVersion, specOf(current.json)], ['example.com/v1', { a: 'a', n: 1 }])
    const again = await kit.request('GET', `${old}/x`)
    assert.deepEqual(specOf(again.json), { a: 'a' })
    const patched = await kit.request('PATCH', `${old}/x`, { body: { spec: { a: 'c' } }, headers: merge })
    assert.deepEqual([specOf(patched.json), patched.json.metadata.generation], [{ a: 'c' }, 2])
  })

  it('definitions with formats that restrict nothing warn of each once, and later of new ones alone', async () => {
    const schemaOf = (...formats: string[]): object => ({
      type: 'object',
      properties: {
        known: { type: 'string', format: 'date-time', anyOf: [{ format: 'ipv4' }, { format: 'k8s-short-name' }] },
        count: { type: 'integer', format: 'int32' },
        list: { type: 'array', items: { type: 'string', format: formats[0] } },
        more: {
          type: 'object',
          properties: Object.fromEntries(formats.map((format) => [format, { type: 'string', format }])),
        },
      },
    })
    const created = await kit.request('POST', definitionsUrl, { body: definitionOf({ schema: schemaOf('Odd"') }) })
    assert.deepEqual([created.status, created.warnings], [201, ['unrecognized format "Odd\\""']], created.text)
    const wider = {
      ...created.json,
      ...definitionOf({ schema: schemaOf('Odd"', 'int32') }),
      metadata: created.json.metadata,
    }
    const updated = await kit.request('PUT', `${definitionsUrl}/things.example.com`, { body: wider })
    assert.deepEqual([updated.status, updated.warnings], [200, ['unrecognized format "int32"']], updated.text)
  })

  it('remember every version that objects were stored in, and keep it until a client removes it', async () => {
    const version = (name: string, storage: boolean): object => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })
    await kit.define(definitionOf({ versions: [version('v1', true)] }))
    const base = (name: string): string => `/apis/example.com/${name}/namespaces/default/things`
    const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'x' }, spec: { a: 1 } }
    await kit.request('POST', base('v1'), { body })
    const watching = await kit.watch(`${base('v1')}?watch=1`)
    const url = `${definitionsUrl}/things.example.com`
    const both = await kit.request('PATCH', url, {
      body: { spec: { versions: [version('v1', false), version('v2', true)] } },
      headers: merge,
    })
    assert.deepEqual(
      (both.json.status as unknown as { storedVersions: string[] }).storedVersions,
      ['v1', 'v2'],
      both.text,
    )
    await eventuallyEquals(async () => (await kit.request('GET', `${base('v2')}/x`)).status, 200, 'v2')
    const moved = await kit.request('PATCH', `${base('v2')}/x`, { body: { spec: { a: 2 } }, headers: merge })
    assert.equal(moved.status, 200, moved.text)
    const { value } = await kit.store.get('/registry/example.com/things/default/x')
    assert.match(Buffer.from(value?.value ?? []).toString(), /^\{"apiVersion":"example.com\/v2"/)
    const events = await watching.until(2)
    assert.deepEqual([watching.ended, events[1]?.object.apiVersion], [false, 'example.com/v1'])
    watching.close()
    const early = await kit.request('PATCH', url, {
      body: { spec: { versions: [version('v2', true)] } },
      headers: merge,
    })
    assert.match(
      causesOf(early)[0] ?? '',
      /^FieldValueInvalid status.storedVersions\[0\]: Invalid value: "v1": missing from spec.versions/,
    )
    await kit.request('PATCH', `${url}/status`, { body: { status: { storedVersions: ['v2'] } }, headers: merge })
    const late = await kit.request('PATCH', url, {
      body: { spec: { versions: [version('v2', true)] } },
      headers: merge,
    })
    assert.equal(late.status, 200, late.text)
    await eventuallyEquals(async () => (await kit.request('GET', base('v1'))).status, 404, 'v1 is gone')
  })

  it('may be deleted before they were ever served', async () => {
    await kit.define(definitionOf({ kind: 'First' }))
    const second = definitionOf({ kind: 'Second', names: { kind: 'First', listKind: 'SecondList' } })
    await kit.request('POST', definitionsUrl, { body: second })
    await kit.request('DELETE', `${definitionsUrl}/seconds.example.com`)
    await eventuallyEquals(
      async () => (await kit.request('GET', `${definitionsUrl}/seconds.example.com`)).status,
      404,
      'gone',
    )
    assert.equal((await kit.request('GET', '/apis/example.com/v1/namespaces/default/firsts')).status, 200)
  })

  it('update their own OpenAPI documents on every change, and rebuild no others', async () => {
    await kit.define(definitionOf({ kind: 'One', group: 'one.example.com' }))
    await kit.define(definitionOf({ kind: 'Two', group: 'two.example.com' }))
    const versionOf = (group: string): unknown => kit.served.group(group)?.versions[0]
    const [one, two] = [versionOf('one.example.com'), versionOf('two.example.com')]
    const versions = definitionOf({
      kind: 'Two',
      schema: { type: 'object', properties: { added: { type: 'string' } } },
    }).spec.versions
    await kit.request('PATCH', `${definitionsUrl}/twos.two.example.com`, {
      body: { spec: { versions } },
      headers: merge,
    })
    await eventually(() => versionOf('two.example.com') !== two, 'the edit')
    assert.equal(versionOf('one.example.com'), one)
  })
})

describe('definitions of custom resources, on two replicas', () => {
  it('are served by the other replica at once, in every version that it accepted', async () => {
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    const [a, b] = [await createCrdKit({ store }), await createCrdKit({ store })]
    try {
      for (let round = 0; round < 20; round++) {
        const kind = `Round${round}`
        const created = await a.request('POST', definitionsUrl, { body: definitionOf({ kind }) })
        assert.equal(created.status, 201, created.text)
        const url = `/apis/example.com/v1/namespaces/default/${kind.toLowerCase()}s`
        const startMs = performance.now()
        const [one, two] = await Promise.all([a.request('GET', url), b.request('GET', url)])
        assert.deepEqual([one.status, two.status], [200, 200], `${one.text}${two.text}`)
        assert(performance.now() - startMs < 2_000)
        // What was served once is there from now on.
        for (const kit of [b, a, b]) assert.equal((await kit.request('GET', url)).status, 200)
      }
      const unknown = await b.request('GET', '/apis/example.com/v1/namespaces/default/nothings')
      assert.equal(unknown.status, 404)
    } finally {
      await a.close()
      await b.close()
      await store.close()
    }
  })
})
