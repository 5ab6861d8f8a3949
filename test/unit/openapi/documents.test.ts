import assert from 'node:assert/strict'
import { MIMEType } from 'node:util'
import { tables } from '../../../api/index.ts'
import { createOpenApi, encodeOpenApiV2, type OpenApiSource, openApiV2, openApiV3 } from '../../../lib/openapi/index.ts'
import { type ServedGroup, tablePrefix } from '../../../lib/schema/index.ts'
import { createScheme, selectServed } from '../../../lib/scheme/index.ts'

const scheme = createScheme({ tables })
const packages = new Map(tables.map((table) => [tablePrefix(table), table.protoPackage]))
const groups: readonly ServedGroup[] = selectServed(scheme, { runtimeConfig: {}, gate: () => false })
const source: OpenApiSource = {
  groups: () => groups,
  struct: (gvk) => scheme.kind(gvk)?.struct,
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

describe('OpenAPI documents', () => {
  const v2 = openApiV2(source, 'v1.33.0')

  it('define everything that they refer to, in version 2', () => {
    const names = [...references(v2)].map((reference) => reference.replace('#/definitions/', ''))
    assert.deepEqual(
      names.filter((name) => at(v2, 'definitions', name) === undefined),
      [],
    )
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

  it('dress references in version 3, which may have no siblings', () => {
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
    const bytes = Buffer.from(encodeOpenApiV2(v2))
    assert.deepEqual([...bytes.subarray(0, 5)], [0x0a, 3, ...Buffer.from('2.0')])
    for (const name of Object.keys(at(v2, 'definitions') as Json)) assert(bytes.includes(name), name)
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
