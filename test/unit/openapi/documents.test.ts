import assert from 'node:assert/strict'
import { MIMEType } from 'node:util'
import protobuf from 'protobufjs/minimal.js'
import { tables } from '../../../api/index.ts'
import {
  createOpenApi,
  encodeDocument,
  messagesV2,
  messagesV3,
  type OpenApiSource,
  openApiV2,
  openApiV3,
} from '../../../lib/openapi/index.ts'
import { type ServedGroup, tablePrefix } from '../../../lib/schema/index.ts'
import { createScheme, selectServed } from '../../../lib/scheme/index.ts'

const scheme = createScheme({ tables })
const packages = new Map(tables.map((table) => [tablePrefix(table), table.protoPackage]))
const groups: readonly ServedGroup[] = selectServed(scheme, { runtimeConfig: {}, gate: () => false })
const source: OpenApiSource = {
  groups: () => groups,
  struct: (gvk) => scheme.kind(gvk)?.struct,
  type: (name) => scheme.types.struct(name),
  protoPackage: (struct) => packages.get(struct.name.slice(0, struct.name.lastIndexOf('.'))) ?? '',
}

type Json = Record<string, unknown>

/** Follows keys into a document. */
function at(document: unknown, ...keys: (string | number)[]): unknown {
  return keys.reduce((value: unknown, key) => (value as Json | undefined)?.[key], document)
}

/** Every `$ref` of a document. */
function references(value: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const one of value) references(one, found)
  else if (value !== null && typeof value === 'object')
    for (const [key, one] of Object.entries(value)) {
      if (key === '$ref' && typeof one === 'string') found.add(one)
      else references(one, found)
    }
  return found
}

/** What a message has in length-delimited fields of a number, and theirs in turn. */
function messages(message: Uint8Array, ...[number, ...rest]: number[]): Uint8Array[] {
  if (number === undefined) return [message]
  const reader = protobuf.Reader.create(message)
  const found: Uint8Array[] = []
  while (reader.pos < reader.len) {
    const tag = reader.uint32()
    if (tag === ((number << 3) | 2)) found.push(reader.bytes())
    else reader.skipType(tag & 7)
  }
  return found.flatMap((each) => messages(each, ...rest))
}

function texts(message: Uint8Array, number: number): string[] {
  return messages(message, number).map((bytes) => Buffer.from(bytes).toString())
}

/** The one of several messages whose field 1 is this name. */
function named(candidates: readonly Uint8Array[], name: string): Uint8Array {
  const found = candidates.find((each) => texts(each, 1).includes(name))
  assert(found, name)
  return found
}

/** Paths of empty lists below operations. */
function emptyParameters(value: unknown, path = ''): string[] {
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([key, one]) =>
    key === 'parameters' && Array.isArray(one) && one.length === 0 ? [path] : emptyParameters(one, `${path}/${key}`),
  )
}

describe('OpenAPI documents', () => {
  const v2 = openApiV2(source, 'v1.33.0')

  it('define everything that they refer to, in version 2', () => {
    const names = [...references(v2)].map((reference) => reference.replace('#/definitions/', ''))
    assert.deepEqual(
      names.filter((name) => at(v2, 'definitions', name) === undefined),
      [],
    )
  })

  it('have no operation with an empty list of parameters: types of clients leave it out', () => {
    const documents = groups.flatMap((group) => group.versions.map((one) => openApiV3(source, 'v1.33.0', group, one)))
    assert.deepEqual(
      [v2, ...documents].flatMap((document) => emptyParameters(document)),
      [],
    )
  })

  it('state how maps are owned where their types do', () => {
    const status = at(v2, 'definitions', 'io.k8s.api.core.v1.PersistentVolumeClaimStatus', 'properties')
    assert.equal(at(status, 'allocatedResourceStatuses', 'x-kubernetes-map-type'), 'granular')
    assert.equal(at(status, 'capacity', 'x-kubernetes-map-type'), undefined)
  })

  for (const group of groups)
    for (const one of group.versions)
      it(`define everything that they refer to, in version 3: ${group.name || 'core'}/${one.version}`, () => {
        const document = openApiV3(source, 'v1.33.0', group, one)
        const names = [...references(document)].map((reference) => reference.replace('#/components/schemas/', ''))
        assert.deepEqual(
          names.filter((name) => at(document, 'components', 'schemas', name) === undefined),
          [],
        )
        assert(Object.keys(at(document, 'paths') as Json).length > 0)
      })

  it('mark lists, maps and patches as clients merge them', () => {
    const podSpec = at(v2, 'definitions', 'io.k8s.api.core.v1.PodSpec', 'properties', 'containers') as Json
    assert.equal(podSpec['x-kubernetes-patch-merge-key'], 'name')
    assert.equal(podSpec['x-kubernetes-patch-strategy'], 'merge')
    assert.equal(podSpec['x-kubernetes-list-type'], 'map')
    assert.deepEqual(podSpec['x-kubernetes-list-map-keys'], ['name'])
    const selector = at(v2, 'definitions', 'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector') as Json
    assert.equal(selector['x-kubernetes-map-type'], 'atomic')
  })

  it('name kinds, actions and parameters of operations', () => {
    const patch = at(v2, 'paths', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}', 'patch') as Json
    assert.equal(patch['operationId'], 'patchAppsV1NamespacedDeployment')
    assert.equal(patch['x-kubernetes-action'], 'patch')
    assert.deepEqual(patch['x-kubernetes-group-version-kind'], { group: 'apps', kind: 'Deployment', version: 'v1' })
    const names = (patch['parameters'] as Json[]).map((parameter) => parameter['name'])
    assert.deepEqual(names, ['body', 'dryRun', 'fieldManager', 'fieldValidation', 'force'])
    assert.equal(at(v2, 'paths', '/api/v1/configmaps', 'get', 'operationId'), 'listCoreV1ConfigMapForAllNamespaces')
    const scale = at(v2, 'paths', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale', 'get') as Json
    assert.deepEqual(scale['x-kubernetes-group-version-kind'], { group: 'autoscaling', kind: 'Scale', version: 'v1' })
  })

  it('state the options and the answer of a deletion', () => {
    const meta = '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1'
    const answerOf = (operation: unknown): unknown => at(operation, 'responses', 200, 'schema', '$ref')
    const item = at(v2, 'paths', '/apis/apps/v1/namespaces/{namespace}/deployments/{name}', 'delete')
    assert.deepEqual(at(item, 'parameters', 0), { in: 'body', name: 'body', schema: { $ref: `${meta}.DeleteOptions` } })
    assert.equal(answerOf(item), `${meta}.Status`)
    const collection = at(v2, 'paths', '/api/v1/namespaces/{namespace}/configmaps', 'delete')
    assert.deepEqual(at(collection, 'parameters', 0, 'schema'), { $ref: `${meta}.DeleteOptions` })
    assert.equal(answerOf(collection), `${meta}.Status`)
    const volume = at(v2, 'paths', '/api/v1/persistentvolumes/{name}', 'delete')
    assert.equal(answerOf(volume), '#/definitions/io.k8s.api.core.v1.PersistentVolume')
    const options = at(v2, 'definitions', 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions') as Json
    const kinds = options['x-kubernetes-group-version-kind'] as Json[]
    for (const [group, version] of [
      ['', 'v1'],
      ['apps', 'v1'],
      ['batch', 'v1'],
    ])
      assert(
        kinds.some((kind) => kind['group'] === group && kind['version'] === version),
        `${group}/${version}`,
      )
  })

  it('name no type for values of one of several types', () => {
    const definition = at(
      v2,
      'definitions',
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool',
    ) as Json
    assert.deepEqual(Object.keys(definition), ['description'])
  })

  it('wrap references in version 3, which may have no siblings', () => {
    const core = groups.find(({ name }) => name === '')
    const [one] = core?.versions ?? []
    assert(core && one)
    const document = openApiV3(source, 'v1.33.0', core, one)
    const metadata = at(
      document,
      'components',
      'schemas',
      'io.k8s.api.core.v1.ConfigMap',
      'properties',
      'metadata',
    ) as Json
    assert.equal(metadata['$ref'], undefined)
    assert.deepEqual(metadata['allOf'], [
      { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
    ])
  })

  it('have a protobuf form that starts with the version and names every definition', () => {
    const bytes = Buffer.from(encodeDocument(messagesV2, v2))
    assert.deepEqual([...bytes.subarray(0, 5)], [0x0a, 3, ...Buffer.from('2.0')])
    for (const name of Object.keys(at(v2, 'definitions') as Json)) assert(bytes.includes(name), name)
  })

  describe('of version 3 in protobuf', () => {
    const versions = groups.flatMap((group) => group.versions.map((one) => ({ group, one })))
    const encode = ({ group, one }: (typeof versions)[number]): Uint8Array =>
      encodeDocument(messagesV3, openApiV3(source, 'v1.33.0', group, one))

    it('exist for everything that is served', () => {
      for (const version of versions) assert.deepEqual(texts(encode(version), 1), ['3.0.0'])
    })

    it('have the same content as in JSON', () => {
      const core = versions.find(({ group }) => group.name === '')
      assert(core)
      const document = openApiV3(source, 'v1.33.0', core.group, core.one)
      const bytes = encode(core)
      // components.schemas.additional_properties
      const schemas = messages(bytes, 5, 1, 1)
      assert.deepEqual(
        schemas.flatMap((each) => texts(each, 1)).sort(),
        Object.keys(at(document, 'components', 'schemas') as Json).sort(),
      )
      const schema = (name: string): Uint8Array => {
        const [found] = messages(named(schemas, name), 2, 1)
        assert(found, name)
        return found
      }
      const podSpec = schema('io.k8s.api.core.v1.PodSpec')
      const properties = messages(podSpec, 31, 1)
      const json = (...keys: string[]): unknown => at(document, 'components', 'schemas', ...keys)
      assert.deepEqual(texts(podSpec, 34), [json('io.k8s.api.core.v1.PodSpec', 'description')])
      assert.deepEqual(texts(podSpec, 23), ['containers'])
      // items of a list, a reference
      const containers = messages(named(properties, 'containers'), 2, 1)
      assert.deepEqual(
        containers.flatMap((each) => messages(each, 30, 1, 2)).flatMap((each) => texts(each, 1)),
        ['#/components/schemas/io.k8s.api.core.v1.Container'],
      )
      // x-kubernetes-patch-merge-key: NamedAny, its value YAML
      const extensions = containers.flatMap((each) => messages(each, 36))
      assert.deepEqual(
        messages(named(extensions, 'x-kubernetes-patch-merge-key'), 2).flatMap((each) => texts(each, 2)),
        ['"name"'],
      )
      // a default that is a string
      const protocol = messages(named(messages(schema('io.k8s.api.core.v1.ContainerPort'), 31, 1), 'protocol'), 2, 1)
      assert.deepEqual(
        protocol.flatMap((each) => messages(each, 33)).flatMap((each) => texts(each, 3)),
        ['TCP'],
      )
      // paths.path: the operation post with its parameters, which kubectl reads
      const paths = messages(bytes, 4, 1)
      assert.deepEqual(
        paths.flatMap((each) => texts(each, 1)),
        Object.keys(at(document, 'paths') as Json),
      )
      const pods = messages(named(paths, '/api/v1/namespaces/{namespace}/pods'), 2)
      const post = pods.flatMap((each) => messages(each, 6))
      assert(post.flatMap((each) => messages(each, 6, 1)).some((each) => texts(each, 1).includes('fieldValidation')))
      assert.deepEqual(
        post.flatMap((each) => messages(each, 13)).flatMap((each) => texts(each, 1)),
        ['x-kubernetes-action', 'x-kubernetes-group-version-kind'],
      )
    })

    it('have the hash of their JSON, and are made for clients that request them', async () => {
      const openApi = createOpenApi(source, { version: 'v1.33.0', pause: () => Promise.resolve() })
      const ask = async (url: string, accept: string) => {
        let sent: { status: number; headers: Record<string, string>; body: Uint8Array | undefined } | undefined
        const send = (status: number, headers: Record<string, string>, body?: Uint8Array): void =>
          void (sent = { status, headers, body })
        const [path, query] = url.split('?')
        const call = {
          method: 'GET',
          path,
          query: new URLSearchParams(query),
          headers: { accept },
          responder: { send },
        }
        await openApi.handle(call as unknown as Parameters<typeof openApi.handle>[0])
        assert(sent)
        return sent
      }
      const asked = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'
      const json = await ask('/openapi/v3/apis/apps/v1', 'application/json')
      const index = JSON.parse(Buffer.from((await ask('/openapi/v3', asked)).body ?? []).toString())
      const url = String(at(index, 'paths', 'apis/apps/v1', 'serverRelativeURL'))
      const { status, headers, body } = await ask(url, asked)
      assert.equal(status, 200)
      assert.equal(headers['content-type'], 'application/com.github.proto-openapi.spec.v3.v1.0+protobuf')
      assert.equal(headers['etag'], json.headers['etag'])
      assert.match(headers['cache-control'] ?? '', /immutable/)
      assert(body)
      assert.deepEqual(texts(body, 1), ['3.0.0'])
      await assert.rejects(ask('/openapi/v3/apis/apps/v1', 'image/png'), { code: 406 })
    })
  })

  // Go's HTTP clients parse the type of an answer, and refuse one that is none.
  for (const accept of [
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
    'application/json',
  ])
    it(`are labelled with a media type that is one, for those who accept ${accept}`, async () => {
      const openApi = createOpenApi(source, { version: 'v1.33.0', pause: () => Promise.resolve() })
      let sent: Record<string, string> = {}
      const send = (_status: number, headers: Record<string, string>): void => void (sent = headers)
      const call = { method: 'GET', path: '/openapi/v2', headers: { accept }, responder: { send } }
      await openApi.handle(call as unknown as Parameters<typeof openApi.handle>[0])
      assert.equal(new MIMEType(sent['content-type'] ?? '').type, 'application')
    })
})
