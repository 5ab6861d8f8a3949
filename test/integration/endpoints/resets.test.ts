import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { tables } from '../../../api/index.ts'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { type ApiObject, parseGroupVersion } from '../../../lib/object/index.ts'
import type { ScalarName, StructType, Type } from '../../../lib/schema/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { type Answer, createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const folder = join(import.meta.dirname, '../../support/valid')
const samples = await Promise.all(
  readdirSync(folder).map(async (file) => ((await import(join(folder, file))) as { valid: ApiObject }).valid),
)
const gates = tables.flatMap(({ resources = {} }) => Object.values(resources).flatMap(({ gate }) => gate ?? []))

/** Values that no server sets on its own. */
const marks = {
  text: 'probe',
  number: 70_707,
  time: '2007-07-07T00:00:00Z',
  bytes: Buffer.from('probe').toString('base64'),
}
const marked = new RegExp(Object.values(marks).join('|'))
const depthMax = 4

/** A value with a mark in every field. */
function probeOf(type: Type, depth = 0): unknown {
  if (type.is === 'scalar') return scalarProbes[type.scalar]
  if (type.is === 'any') return { probe: marks.text }
  if (type.is === 'struct') return probeOfStruct(type, depth)
  const element = probeOf(type.element, depth + 1)
  if (element === undefined) return undefined
  return type.is === 'list' ? [element] : { probe: element }
}

const scalarProbes: Readonly<Record<ScalarName, unknown>> = {
  string: marks.text,
  bool: true,
  int32: marks.number,
  int64: marks.number,
  double: marks.number,
  IntOrString: marks.number,
  Quantity: String(marks.number),
  Time: marks.time,
  MicroTime: marks.time,
  bytes: marks.bytes,
  Duration: '1s',
}

/** Undefined below the depth, and for fields that hold something else than a struct. */
function probeOfStruct({ fields, wrapper }: StructType, depth: number): unknown {
  if (wrapper !== undefined || depth > depthMax) return undefined
  return Object.fromEntries(fields.map(({ name, type }) => [name, probeOf(type, depth + 1)]))
}

const owner = { apiVersion: 'v1', kind: 'Node', name: marks.text, uid: marks.text }
const metadataProbes: Readonly<Record<string, object>> = {
  metadata: { labels: { probe: marks.text }, annotations: { probe: marks.text }, ownerReferences: [owner] },
  'metadata.labels': { labels: { probe: marks.text } },
  'metadata.ownerReferences': { ownerReferences: [owner] },
  'metadata.deletionTimestamp': { deletionTimestamp: marks.time },
}

/** The only condition that may come through the status, and nobody is to own it there. */
const failed = { type: 'Failed', status: 'True', reason: 'R', message: 'm' }

/** A patch that marks the field at `path`. */
function patchAt(path: string, struct: StructType): ApiObject {
  if (path === 'status.conditions') return { status: { conditions: [failed] } } as unknown as ApiObject
  const metadata = metadataProbes[path]
  if (metadata) return { metadata } as ApiObject
  const [field = '', inner] = path.split('.')
  const type = struct.byName.get(field)?.type
  assert.ok(type, `${struct.name} has no ${field}`)
  const whole = probeOf(type) as Record<string, unknown>
  return { [field]: inner === undefined ? whole : { [inner]: whole[inner] } } as ApiObject
}

function at(object: ApiObject, path: string): unknown {
  if (path === 'metadata')
    return ['labels', 'annotations', 'ownerReferences'].map((name) => at(object, `metadata.${name}`))
  return path
    .split('.')
    .reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], object)
}

/** The managers that own something at `path` by writes through an endpoint. */
function ownersOf({ metadata }: ApiObject, subresource: string, path: string): string[] {
  return (metadata.managedFields ?? [])
    .filter((entry) => (entry.subresource ?? '') === subresource && entry.manager?.startsWith('probe-'))
    .filter(({ fieldsV1 }) =>
      at(
        fieldsV1 as ApiObject,
        path
          .split('.')
          .map((step) => `f:${step}`)
          .join('.'),
      ),
    )
    .map(({ manager = '' }) => manager)
}

interface Case {
  readonly groupVersion: string
  readonly url: string
  /** In the version of the sample. */
  readonly sampleUrl: string
  readonly struct: StructType
  readonly sample: ApiObject
  readonly resetFields: Readonly<Record<string, readonly string[]>>
  readonly title: string
}

function urlOf(groupVersion: string, plural: string, namespaced = false): string {
  const root = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`
  return `${root}/${namespaced ? 'namespaces/default/' : ''}${plural}`
}

function casesOf(): Case[] {
  const scheme = createScheme({ tables, gate: () => true })
  return scheme.resources.flatMap(({ gvr, gvk, namespaced, table: { resetFields } }) => {
    if (resetFields === undefined) return []
    const sample = samples.find(
      ({ apiVersion, kind }) => kind === gvk.kind && parseGroupVersion(apiVersion)?.group === gvk.group,
    )
    const struct = scheme.kind(gvk)?.struct
    if (!sample || !struct) return []
    const groupVersion = gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`
    return {
      groupVersion,
      url: urlOf(groupVersion, gvr.resource, namespaced),
      sampleUrl: urlOf(sample.apiVersion, gvr.resource, namespaced),
      struct,
      sample,
      resetFields,
      title: `${groupVersion} ${gvk.kind}`,
    }
  })
}

const formats = {
  PUT: 'application/json',
  MERGE: 'application/merge-patch+json',
  APPLY: 'application/apply-patch+yaml',
}

/** Kubelets register their nodes with a status, which nobody owns all the same. */
const keepsStatus = new Set(['Node'])

const kindsOfWrites = ['PUT', 'MERGE', 'APPLY'] as const

describe('endpoints: fields that an endpoint resets', () => {
  let kit: EndpointKit
  before(async () => {
    const runtimeConfig = Object.fromEntries(
      tables.map(({ group, version }) => [`${group || 'core'}/${version}`, true]),
    )
    kit = await createEndpointKit({
      gates,
      runtimeConfig,
      ownership: createFieldOwnership(createScheme({ tables }).objects),
    })
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }
    await kit.request('POST', '/api/v1/namespaces', { body })
  })
  after(() => kit.close())

  async function live({ url, sampleUrl, sample }: Case): Promise<ApiObject> {
    const one = `${url}/${sample.metadata.name}`
    const known = await kit.request('GET', one)
    if (known.status === 200) return known.json
    const made = await kit.request('POST', sampleUrl, { body: sample })
    assert.equal(made.status, 201, made.text)
    return (await kit.request('GET', one)).json
  }

  async function write(kind: keyof typeof formats, url: string, before: ApiObject, patch: ApiObject): Promise<Answer> {
    const manager = `probe-${kind.toLowerCase()}`
    const { managedFields: _owners, ...kept } = before.metadata
    const { name } = kept
    const bodies = {
      PUT: { ...before, ...merged(before, patch), metadata: { ...kept, ...patch.metadata } },
      MERGE: patch,
      APPLY: { ...patch, apiVersion: before.apiVersion, kind: before.kind, metadata: { name, ...patch.metadata } },
    }
    const headers = { 'content-type': formats[kind] }
    const query = `fieldManager=${manager}${kind === 'APPLY' ? '&force=true' : ''}`
    return kit.request(kind === 'PUT' ? 'PUT' : 'PATCH', `${url}?${query}`, { body: bodies[kind], headers })
  }

  function merged(before: ApiObject, patch: ApiObject): object {
    return Object.fromEntries(
      Object.entries(patch).map(([name, value]) => [name, { ...(before[name] as object), ...(value as object) }]),
    )
  }

  it('every kind with such fields is tried', () => {
    const tried = new Set(casesOf().map(({ sample }) => sample.kind))
    const resetting = createScheme({ tables }).resources.filter(({ table }) => table.resetFields !== undefined)
    const missing = new Set(resetting.map(({ gvk }) => gvk.kind).filter((kind) => !tried.has(kind)))
    assert.deepEqual([...missing], [])
  })

  for (const each of casesOf().filter(({ resetFields }) => resetFields['']?.includes('status')))
    it(`${each.title} ignores a status in a creation, and nobody owns it`, async () => {
      // The sample in this version: nothing of it is stored yet.
      const version = parseGroupVersion(each.groupVersion)!
      const status = probeOf(each.struct.byName.get('status')!.type)
      const body = { ...kit.scheme.objects.convert(structuredClone(each.sample), version), status }
      const made = await kit.request('POST', `${each.url}?dryRun=All&fieldManager=probe-create`, { body })
      assert.equal(made.status, 201, made.text)
      if (!keepsStatus.has(each.sample.kind)) assert.doesNotMatch(JSON.stringify(made.json['status'] ?? {}), marked)
      assert.deepEqual(ownersOf(made.json, '', 'status'), [])
    })

  for (const each of casesOf())
    for (const [subresource, paths] of Object.entries(each.resetFields))
      for (const path of paths)
        it(`${each.title}${subresource && `/${subresource}`} keeps ${path}, and nobody owns it there`, async () => {
          const before = await live(each)
          const url = `${each.url}/${before.metadata.name}${subresource && `/${subresource}`}`
          const patch = patchAt(path, each.struct)
          for (const kind of subresource === 'finalize' ? (['PUT'] as const) : kindsOfWrites) {
            const now = (await kit.request('GET', `${each.url}/${before.metadata.name}`)).json
            const { status, text, json } = await write(kind, url, now, patch)
            assert.ok(status === 200, `${kind}: ${text}`)
            if (path !== 'status.conditions') assert.deepEqual(at(json, path), at(now, path), kind)
            assert.deepEqual(ownersOf(json, subresource, path), [], kind)
          }
        })
})
