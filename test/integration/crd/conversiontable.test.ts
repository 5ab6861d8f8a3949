import assert from 'node:assert/strict'
import { decodeCbor, decodeYaml } from '../../../lib/codec/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { type ConversionHook, converting, createConversionHook } from '../../support/conversionhook.ts'
import { type CrdKit, createCrdKit, definitionOf } from '../../support/crdkit.ts'
import type { Answer } from '../../support/endpointkit.ts'
import { eventuallyEquals } from '../../support/eventually.ts'

/** v1 is stored and has `size` and `ready`; v2 has `count` and `done` in their places. */
const fieldsOf = { v1: { spec: 'size', status: 'ready' }, v2: { spec: 'count', status: 'done' } } as const
type VersionName = keyof typeof fieldsOf
const versionNames = Object.keys(fieldsOf) as VersionName[]

function versionOf(name: VersionName): object {
  const { spec, status } = fieldsOf[name]
  const numbers = (field: string): object => ({ type: 'object', properties: { [field]: { type: 'integer' } } })
  return {
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: numbers(spec), status: numbers(status) } } },
    subresources: { status: {}, scale: { specReplicasPath: `.spec.${spec}`, statusReplicasPath: `.status.${status}` } },
    additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: `.spec.${spec}` }],
    selectableFields: [{ jsonPath: `.spec.${spec}` }],
  }
}

function convert(object: ApiObject, apiVersion: string): object {
  const [from, to] = [object.apiVersion, apiVersion].map((each) => fieldsOf[each.split('/')[1] as VersionName])
  const moved = (part: 'spec' | 'status'): object => {
    const fields = object[part] as Record<string, unknown> | undefined
    return fields ? { [part]: { [to?.[part] ?? '']: fields[from?.[part] ?? ''] } } : {}
  }
  const { metadata, kind } = object
  const annotations = { ...metadata.annotations, shown: apiVersion }
  return { apiVersion, kind, metadata: { ...metadata, annotations }, ...moved('spec'), ...moved('status') }
}

const table = 'application/json;as=Table;g=meta.k8s.io;v=v1'
const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1'
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
const merge = { 'content-type': 'application/merge-patch+json' }

interface Shown {
  readonly apiVersion?: string
  readonly kind?: string
  readonly spec?: Readonly<Record<string, unknown>>
  readonly items?: readonly Shown[]
  readonly metadata?: ApiObject['metadata']
  readonly rows?: readonly { cells: unknown[]; object: Shown }[]
}

/** Reads an answer in the form that it has. */
function parse(accept: string, { bytes, text }: Answer): Shown {
  if (accept === 'application/yaml') return decodeYaml(bytes).value as Shown
  if (accept === 'application/cbor') return decodeCbor(bytes) as Shown
  return JSON.parse(text) as Shown
}

describe('custom resources: every version, verb and representation through a conversion webhook', () => {
  let kit: CrdKit
  let hook: ConversionHook
  before(async () => {
    hook = await createConversionHook()
    hook.answer = converting(convert)
    kit = await createCrdKit({ gates: ['CBORServingAndStorage'] })
    const versions = versionNames.map(versionOf)
    await kit.define(definitionOf({ versions, spec: { conversion: hook.conversion } }))
    await eventuallyEquals(async () => (await kit.request('GET', collection('v2'))).status, 200, 'v2 is served')
    for (const [name, size, labels] of [
      ['a', 3, { app: 'x' }],
      ['b', 5, { app: 'y' }],
    ] as const) {
      const body = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name, labels }, spec: { size } }
      await kit.request('POST', collection('v1'), { body })
      const status = { status: { ready: size - 1 } }
      const answer = await kit.request('PATCH', `${collection('v1')}/${name}/status`, { body: status, headers: merge })
      assert.equal(answer.status, 200, answer.text)
    }
  })
  after(async () => {
    await kit.close()
    hook.close()
  })

  const collection = (version: string): string => `/apis/example.com/${version}/namespaces/default/things`

  for (const version of versionNames) {
    const { spec: field, status: statusField } = fieldsOf[version]
    const shownIn = { apiVersion: `example.com/${version}`, spec: { [field]: 3 }, status: { [statusField]: 2 } }
    const annotation = version === 'v1' ? undefined : { shown: 'example.com/v2' }

    for (const accept of ['application/json', 'application/yaml', 'application/cbor'])
      for (const suffix of ['', '/status'])
        it(`a get of ${version}${suffix} in ${accept} shows that version`, async () => {
          const answer = await kit.request('GET', `${collection(version)}/a${suffix}`, { headers: { accept } })
          const { metadata, kind: _, ...rest } = parse(accept, answer)
          assert.deepEqual(rest, shownIn)
          assert.deepEqual(metadata?.annotations, annotation)
        })

    for (const accept of ['application/json', 'application/yaml', 'application/cbor'])
      for (const [query, names] of [
        ['', ['a', 'b']],
        ['labelSelector=app%3Dx', ['a']],
        ['labelSelector=app%3Dz', []],
        ['fieldSelector=metadata.name%3Db', ['b']],
        ['limit=1', ['a']],
      ] as const)
        it(`a list of ${version} in ${accept} with ${query || 'no selector'} shows that version`, async () => {
          const answer = await kit.request('GET', `${collection(version)}?${query}`, { headers: { accept } })
          const { items = [], apiVersion } = parse(accept, answer)
          assert.equal(apiVersion, `example.com/${version}`)
          assert.deepEqual(
            items.map((item) => item.metadata?.name),
            names,
          )
          for (const item of items) assert.deepEqual(Object.keys(item.spec ?? {}), [field])
        })

    it(`a scale of ${version} is read and written by the paths of that version`, async () => {
      const url = `${collection(version)}/b/scale`
      const read = (await kit.request('GET', url)).json
      assert.deepEqual([read.kind, read['spec'], read['status']], ['Scale', { replicas: 5 }, { replicas: 4 }])
      const put = await kit.request('PUT', url, { body: { ...read, spec: { replicas: 6 } } })
      assert.deepEqual(put.json['spec'], { replicas: 6 }, put.text)
      const patched = await kit.request('PATCH', url, { body: { spec: { replicas: 5 } }, headers: merge })
      assert.deepEqual(patched.json['spec'], { replicas: 5 }, patched.text)
      const shown = (await kit.request('GET', url, { headers: { accept: table } })).json as Shown
      assert.deepEqual(shown.rows?.[0]?.cells.slice(0, 3), ['b', 5, 4])
    })

    it(`the status of ${version} is written through every verb`, async () => {
      const url = `${collection(version)}/a/status`
      const read = (await kit.request('GET', url)).json
      const put = await kit.request('PUT', url, {
        body: { ...read, spec: { [field]: 99 }, status: { [statusField]: 7 } },
      })
      assert.deepEqual([put.json['spec'], put.json['status']], [{ [field]: 3 }, { [statusField]: 7 }], put.text)
      const applied = await kit.request('PATCH', `${url}?fieldManager=m&force=true`, {
        body: {
          apiVersion: `example.com/${version}`,
          kind: 'Thing',
          metadata: { name: 'a' },
          status: { [statusField]: 8 },
        },
        headers: { 'content-type': 'application/apply-patch+yaml' },
      })
      assert.deepEqual(applied.json['status'], { [statusField]: 8 }, applied.text)
      const patched = await kit.request('PATCH', url, { body: { status: { [statusField]: 2 } }, headers: merge })
      assert.deepEqual(patched.json['status'], { [statusField]: 2 }, patched.text)
    })

    it(`metadata of ${version} are the converted ones, alone, in lists, tables and watches`, async () => {
      const one = parse(partial, await kit.request('GET', `${collection(version)}/a`, { headers: { accept: partial } }))
      assert.deepEqual(
        [one.kind, one.metadata?.annotations, one.spec],
        ['PartialObjectMetadata', annotation, undefined],
      )
      const many = parse(
        partialList,
        await kit.request('GET', collection(version), { headers: { accept: partialList } }),
      )
      assert.deepEqual(
        many.items?.map(({ metadata }) => [metadata?.name, metadata?.annotations]),
        [
          ['a', annotation],
          ['b', annotation],
        ],
      )
      const rows =
        parse(table, await kit.request('GET', collection(version), { headers: { accept: table } })).rows ?? []
      assert.deepEqual(
        rows.map(({ cells, object }) => [...cells, object.metadata?.annotations]),
        [
          ['a', 3, annotation],
          ['b', 5, annotation],
        ],
      )
      for (const accept of [partial, table]) {
        const watching = await kit.watch(`${collection(version)}?watch=1`, { headers: { accept } })
        const [event] = await watching.until(1)
        watching.close()
        const object = event?.object as Shown
        const shown = accept === table ? object.rows?.[0]?.object : object
        assert.deepEqual(shown?.metadata?.annotations, annotation)
      }
    })

    it(`a table of ${version} with whole objects shows that version`, async () => {
      const url = `${collection(version)}?includeObject=Object&labelSelector=app%3Dx`
      const { rows = [] } = parse(table, await kit.request('GET', url, { headers: { accept: table } }))
      assert.deepEqual(
        [rows.length, rows[0]?.object.apiVersion, rows[0]?.object.spec],
        [1, shownIn.apiVersion, shownIn.spec],
      )
    })

    it(`a watch of ${version} shows that version from creation to deletion`, async () => {
      const watching = await kit.watch(`${collection(version)}?watch=1&labelSelector=app%3Dw`)
      const other = version === 'v1' ? 'v2' : 'v1'
      const body = { apiVersion: `example.com/${other}`, kind: 'Thing', metadata: { name: 'w', labels: { app: 'w' } } }
      const sent = { ...body, spec: { [fieldsOf[other].spec]: 1 } }
      assert.equal((await kit.request('POST', collection(other), { body: sent })).status, 201)
      await kit.request('PATCH', `${collection(other)}/w`, {
        body: { spec: { [fieldsOf[other].spec]: 2 } },
        headers: merge,
      })
      await kit.request('DELETE', `${collection(other)}/w`)
      const events = await watching.until(3)
      watching.close()
      assert.deepEqual(
        events.map(({ type, object }) => [type, object.apiVersion, object['spec']]),
        [
          ['ADDED', shownIn.apiVersion, { [field]: 1 }],
          ['MODIFIED', shownIn.apiVersion, { [field]: 2 }],
          ['DELETED', shownIn.apiVersion, { [field]: 2 }],
        ],
      )
    })
  }
})
