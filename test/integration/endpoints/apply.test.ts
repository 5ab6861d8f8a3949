import assert from 'node:assert/strict'
import { encode as encodeCbor } from 'cbor-x'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { type Metrics, silentMetrics } from '../../../lib/base/index.ts'
import type { ManagedFieldsEntry } from '../../../lib/object/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { type Answer, createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const applyType = { 'content-type': 'application/apply-patch+yaml' }
const mergeType = { 'content-type': 'application/merge-patch+json' }
const maps = '/api/v1/namespaces/default/configmaps'

async function withKit(
  run: (kit: EndpointKit) => Promise<void>,
  gates: string[] = [],
  metrics: Metrics = silentMetrics,
): Promise<void> {
  const { tables } = await import('../../../api/index.ts')
  const { createScheme } = await import('../../../lib/scheme/index.ts')
  const { builtInKinds, createKindSet } = await import('../../../lib/kinds/index.ts')
  const kinds = createKindSet(builtInKinds)
  const scheme = createScheme({ tables, kinds: kinds.get })
  const kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects), gates, metrics })
  try {
    const created = await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    assert.equal(created.status, 201, created.text)
    await run(kit)
  } finally {
    await kit.close()
  }
}

const map = (data: Record<string, unknown>, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c' },
  data,
  ...more,
})

function apply(kit: EndpointKit, url: string, query: string, body: unknown): Promise<Answer> {
  return kit.request('PATCH', `${url}?${query}`, { body, headers: applyType })
}

/** `Apply m1: {…}` of each entry. */
function owners(answer: Answer): string[] {
  const entries = answer.json.metadata as { managedFields?: ManagedFieldsEntry[] }
  return (entries.managedFields ?? []).map(
    ({ operation, manager, subresource, fieldsV1 }) =>
      `${operation} ${manager}${subresource ? `/${subresource}` : ''} ${JSON.stringify(fieldsV1)}`,
  )
}

describe('endpoints: server-side apply', () => {
  it('creates a missing object, and answers with its owner', () =>
    withKit(async (kit) => {
      const created = await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '1' }))
      assert.equal(created.status, 201, created.text)
      assert.deepEqual(owners(created), ['Apply m1 {"f:data":{"f:a":{}}}'])
      assert.equal(created.json.metadata.namespace, 'default')
    }))

  it('creates nothing in place of a deleted object', () =>
    withKit(async (kit) => {
      const refused = await apply(kit, `${maps}/c`, 'fieldManager=m1', map({}, { metadata: { name: 'c', uid: 'zz' } }))
      assert.equal(refused.status, 409)
      assert.equal(
        refused.json.message,
        'Operation cannot be fulfilled on configmaps "c": uid mismatch: the provided object specified uid zz, and no existing object was found',
      )
      assert.equal((await kit.request('GET', `${maps}/c`)).status, 404)
    }))

  it('measures how long it took to see whether anything changes, by outcome', async () => {
    const metrics = createMetrics()
    await withKit(
      async (kit) => {
        await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '1' }))
        await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '1' }))
        await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '2' }))
        await kit.request('PATCH', `${maps}/c?fieldManager=m2`, { body: { data: { b: '1' } }, headers: mergeType })
      },
      [],
      metrics,
    )
    const name = 'apiserver_request_timestamp_comparison_time_count'
    assert.deepEqual(
      (await metrics.exposition()).body.split('\n').filter((line) => line.startsWith(name)),
      ['equal_objects', 'unequal_objects_slow', 'unequal_objects_fast'].map((path) => `${name}{code_path="${path}"} 1`),
    )
  })

  it('writes nothing the second time', () =>
    withKit(async (kit) => {
      const created = await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '1' }))
      const again = await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '1' }))
      assert.equal(again.status, 200)
      assert.equal(again.json.metadata.resourceVersion, created.json.metadata.resourceVersion)
    }))

  it('accepts YAML, and JSON', () =>
    withKit(async (kit) => {
      const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  a: "1"\n'
      assert.equal((await apply(kit, `${maps}/c`, 'fieldManager=m1', body)).status, 201)
      assert.equal((await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '2' }))).json.data?.['a' as never], '2')
    }))

  it('accepts CBOR while its gate is on', async () => {
    const headers = { 'content-type': 'application/apply-patch+cbor' }
    const body = encodeCbor(map({ a: '1' }))
    const send = (kit: EndpointKit, sent: Uint8Array): Promise<Answer> =>
      kit.request('PATCH', `${maps}/c?fieldManager=m1`, { body: sent, headers })
    await withKit(
      async (kit) => {
        const created = await send(kit, body)
        assert.equal(created.status, 201, created.text)
        assert.deepEqual(owners(created), ['Apply m1 {"f:data":{"f:a":{}}}'])
        const cut = await send(kit, body.subarray(0, -1))
        assert.deepEqual([cut.status, cut.json.message?.split(': ')[0]], [400, 'error decoding CBOR'])
        assert.equal((await send(kit, encodeCbor([1]))).status, 400)
      },
      ['CBORServingAndStorage'],
    )
    await withKit(async (kit) => assert.equal((await send(kit, body)).status, 415))
  })

  it('answers 409 for fields owned by others, unless forced', () =>
    withKit(async (kit) => {
      await kit.request('POST', maps, { body: { metadata: { name: 'c' }, data: { a: 'b' } } })
      const refused = await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: 'applied' }))
      assert.equal(refused.status, 409)
      assert.equal(refused.json.message, 'Apply failed with 1 conflict: conflict with "unknown" using v1: .data.a')
      assert.deepEqual(refused.json.details, {
        causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "unknown" using v1', field: '.data.a' }],
      })
      const forced = await apply(kit, `${maps}/c`, 'fieldManager=m1&force=true', map({ a: 'applied' }))
      assert.equal(forced.status, 200)
      const second = await apply(kit, `${maps}/c`, 'fieldManager=m2', map({ a: 'x' }))
      assert.equal(second.json.message, 'Apply failed with 1 conflict: conflict with "m1": .data.a')
    }))

  const refusals: [title: string, path: string, body: unknown, query: string, status: number, message: string][] = [
    [
      'no manager',
      maps,
      map({}),
      '',
      422,
      'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
    ],
    [
      'managedFields',
      maps,
      map({}, { metadata: { name: 'c', managedFields: [{ manager: 'x' }] } }),
      'fieldManager=m1',
      400,
      'metadata.managedFields must be nil',
    ],
    ['no kind', maps, { metadata: { name: 'c' } }, 'fieldManager=m1', 400, 'invalid object type: /, Kind='],
    [
      'another version',
      maps,
      map({}, { apiVersion: 'v2' }),
      'fieldManager=m1',
      400,
      'invalid object type: /v2, Kind=ConfigMap',
    ],
    [
      'another name',
      maps,
      map({}, { metadata: { name: 'other' } }),
      'fieldManager=m1',
      400,
      'the name of the object (other) does not match the name on the URL (c)',
    ],
    [
      'another namespace',
      maps,
      map({}, { metadata: { name: 'c', namespace: 'other' } }),
      'fieldManager=m1',
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ],
    [
      'a uid, as there is no such object',
      maps,
      map({}, { metadata: { name: 'c', uid: 'u' } }),
      'fieldManager=m1',
      409,
      'Operation cannot be fulfilled on configmaps "c": uid mismatch: the provided object specified uid u, and no existing object was found',
    ],
    ['nothing', maps, '', 'fieldManager=m1', 400, 'invalid object type: /, Kind='],
    [
      'a list',
      maps,
      '- a',
      'fieldManager=m1',
      400,
      'error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    ],
    [
      'an unknown field',
      maps,
      map({ a: 'x' }, { foo: 1, metadata: { name: 'c', namespace: 'default' } }),
      'fieldManager=m1',
      500,
      'failed to create typed patch object (default/c; /v1, Kind=ConfigMap): .foo: field not declared in schema',
    ],
    [
      'a list for a map',
      maps,
      { ...map({}), data: ['x'] },
      'fieldManager=m1',
      500,
      'failed to create typed patch object (/c; /v1, Kind=ConfigMap): .data: expected map, got &{[x]}',
    ],
    [
      'an item that stands twice',
      '/api/v1/namespaces/default/services',
      { apiVersion: 'v1', kind: 'Service', metadata: { name: 'c' }, spec: { ports: [{ port: 80 }, { port: 80 }] } },
      'fieldManager=m1',
      500,
      'failed to create typed patch object (/c; /v1, Kind=Service): .spec.ports: duplicate entries for key [port=80,protocol="TCP"]',
    ],
    [
      'a key that stands twice, when strict',
      maps,
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  a: "1"\n  a: "2"\n',
      'fieldManager=m1&fieldValidation=Strict',
      400,
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key "a" already set in map',
    ],
  ]
  for (const [title, path, body, query, status, message] of refusals)
    it(`refuses ${title}`, () =>
      withKit(async (kit) => {
        const answer = await apply(kit, `${path}/c`, query, body)
        assert.deepEqual([answer.status, answer.json.message], [status, message])
      }))

  it('distinguishes updates from applies, and drops owners on request', () =>
    withKit(async (kit) => {
      await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '1' }))
      const patched = await kit.request('PATCH', `${maps}/c?fieldManager=u1`, {
        body: { data: { b: '2' } },
        headers: mergeType,
      })
      assert.deepEqual(owners(patched), ['Apply m1 {"f:data":{"f:a":{}}}', 'Update u1 {"f:data":{"f:b":{}}}'])
      const cleared = await kit.request('PATCH', `${maps}/c`, {
        body: { metadata: { managedFields: [{}] } },
        headers: mergeType,
      })
      assert.deepEqual(owners(cleared), [])
      const kept = await kit.request('GET', `${maps}/c`)
      assert.deepEqual(owners(kept), [])
    }))

  for (const reset of [[], [{}]])
    it(`managedFields ${JSON.stringify(reset)} in a PUT stops the tracking of managers, until the next apply`, () =>
      withKit(async (kit) => {
        await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '1' }))
        const put = (data: Record<string, string>, managedFields?: unknown[]): Promise<Answer> =>
          kit.request('PUT', `${maps}/c?fieldManager=u1`, {
            body: map(data, { metadata: { name: 'c', ...(managedFields && { managedFields }) } }),
          })
        assert.deepEqual(owners(await put({ a: '1' })), ['Apply m1 {"f:data":{"f:a":{}}}'])
        assert.deepEqual(owners(await put({ a: '1' }, reset)), [])
        const patched = await kit.request('PATCH', `${maps}/c?fieldManager=u2`, {
          body: { data: { b: '2' } },
          headers: mergeType,
        })
        assert.deepEqual([patched.status, owners(patched)], [200, []])
        assert.deepEqual(owners(await put({ a: '3', b: '2' })), [])
        assert.deepEqual(owners(await apply(kit, `${maps}/c`, 'fieldManager=m2&force=true', map({ c: '4' }))), [
          'Apply m2 {"f:data":{"f:c":{}}}',
          'Update before-first-apply {"f:data":{".":{},"f:a":{},"f:b":{}}}',
        ])
      }))

  it('managedFields [] in a patch changes nothing: only a list of one empty entry resets there', () =>
    withKit(async (kit) => {
      await apply(kit, `${maps}/c`, 'fieldManager=m1', map({ a: '1' }))
      const before = owners(await kit.request('GET', `${maps}/c`))
      for (const type of ['application/merge-patch+json', 'application/strategic-merge-patch+json']) {
        const headers = { 'content-type': type }
        const answer = await kit.request('PATCH', `${maps}/c`, { body: { metadata: { managedFields: [] } }, headers })
        assert.deepEqual([answer.status, owners(answer)], [200, before])
      }
    }))

  it('removes fields that an applier gives up, and resets fields with a default', () =>
    withKit(async (kit) => {
      const url = '/apis/apps/v1/namespaces/default/deployments/d'
      const deployment = (spec: object): object => ({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
          ...spec,
        },
      })
      const created = await apply(kit, url, 'fieldManager=m1', deployment({ replicas: 3, minReadySeconds: 5 }))
      assert.equal(created.status, 201, created.text)
      const changed = await apply(kit, url, 'fieldManager=m1', deployment({}))
      const { spec } = changed.json as unknown as { spec: { replicas: number; minReadySeconds?: number } }
      assert.deepEqual([spec.replicas, spec.minReadySeconds], [1, undefined])
    }))

  it('owns a status separately, and nothing but it', () =>
    withKit(async (kit) => {
      const url = '/api/v1/namespaces/default'
      const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }
      const condition = { type: 'A', status: 'True', reason: 'r', message: 'm' }
      const answer = await apply(kit, `${url}/status`, 'fieldManager=m1', {
        ...body,
        spec: { finalizers: ['x/y'] },
        status: { conditions: [condition] },
      })
      assert.equal(answer.status, 200, answer.text)
      assert.ok(
        owners(answer).includes(
          'Apply m1/status {"f:status":{"f:conditions":{"k:{\\"type\\":\\"A\\"}":{".":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}}}}',
        ),
        owners(answer).join('\n'),
      )
    }))

  it('converts owners of another version of a kind', () =>
    withKit(async (kit) => {
      const scaler = { metadata: { name: 'h' }, kind: 'HorizontalPodAutoscaler' }
      const target = { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }
      const v1 = '/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers/h'
      const v2 = '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/h'
      const spec = { scaleTargetRef: target, maxReplicas: 3 }
      const first = await apply(kit, v1, 'fieldManager=m1', {
        ...scaler,
        apiVersion: 'autoscaling/v1',
        spec: { ...spec, minReplicas: 2 },
      })
      assert.equal(first.status, 201, first.text)
      const other = await apply(kit, v2, 'fieldManager=m2', {
        ...scaler,
        apiVersion: 'autoscaling/v2',
        spec: { ...spec, maxReplicas: 4 },
      })
      assert.equal(other.json.message, 'Apply failed with 1 conflict: conflict with "m1": .spec.maxReplicas')
      const given = await apply(kit, v2, 'fieldManager=m1', { ...scaler, apiVersion: 'autoscaling/v2', spec })
      assert.equal(given.status, 200, given.text)
      const { spec: now } = given.json as unknown as { spec: { minReplicas: number; maxReplicas: number } }
      assert.deepEqual([now.minReplicas, now.maxReplicas], [1, 3])
      assert.equal(given.json.metadata['managedFields' as never]['length'], 1)
    }))

  it('scales, and shares the replicas with their applier', () =>
    withKit(async (kit) => {
      const url = '/apis/apps/v1/namespaces/default/deployments/d'
      const created = await apply(kit, url, 'fieldManager=m1', {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'd' },
        spec: {
          replicas: 2,
          selector: { matchLabels: { a: 'b' } },
          template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
        },
      })
      assert.equal(created.status, 201, created.text)
      const scale = (replicas: number): object => ({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'd' },
        spec: { replicas },
      })
      const refused = await apply(kit, `${url}/scale`, 'fieldManager=hpa', scale(5))
      assert.equal(refused.json.message, 'Apply failed with 1 conflict: conflict with "m1": .spec.replicas')
      const shared = await apply(kit, `${url}/scale`, 'fieldManager=hpa', scale(2))
      assert.equal(shared.status, 200, shared.text)
      assert.deepEqual(owners(await kit.request('GET', url)).filter((each) => each.includes('f:replicas')).length, 2)
      await apply(kit, `${url}/scale`, 'fieldManager=hpa&force=true', scale(5))
      const now = await kit.request('GET', url)
      assert.equal((now.json as unknown as { spec: { replicas: number } }).spec.replicas, 5)
      assert.ok(owners(now).includes('Apply hpa/scale {"f:spec":{"f:replicas":{}}}'), owners(now).join('\n'))
      assert.equal(owners(now).filter((each) => each.includes('f:replicas')).length, 1)
    }))
})
