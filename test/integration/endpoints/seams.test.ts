import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { AdmissionAttributes, AdmissionPlugin } from '../../../lib/admission/index.ts'
import type { FieldOwnership } from '../../../lib/apply/index.ts'
import { nameRules } from '../../../lib/kinds/index.ts'
import { type ApiObject, copyObject, statusErrors } from '../../../lib/object/index.ts'
import type { ObjectCodec } from '../../../lib/scheme/index.ts'
import { createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'

const base = '/api/v1/namespaces/default/configmaps'
const merge = { 'content-type': 'application/merge-patch+json' }

async function withKit(
  options: Parameters<typeof createEndpointKit>[0],
  run: (kit: EndpointKit) => Promise<void>,
): Promise<void> {
  const kit = await createEndpointKit(options)
  try {
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    await run(kit)
  } finally {
    await kit.close()
  }
}

describe('endpoints: admission', () => {
  it('sees and changes the object of every verb', async () => {
    const seen: string[] = []
    const note = (
      phase: string,
      { operation, kind, subresource, name, dryRun, object, oldObject }: AdmissionAttributes,
    ): void => {
      if (kind.kind !== 'ConfigMap') return
      const data = (of: ApiObject | undefined): string => Object.values((of?.data ?? {}) as object).join('') || '-'
      seen.push([phase, operation, name + subresource, data(object), data(oldObject), dryRun ? 'dry' : 'wet'].join(' '))
    }
    const plugin: AdmissionPlugin = {
      name: 'Test',
      handles: () => true,
      async mutate(attributes) {
        await Promise.resolve()
        note('mutate', attributes)
        if (attributes.kind.kind === 'ConfigMap' && attributes.object) {
          const data = (attributes.object.data ??= {}) as Record<string, string>
          data.z = 'm'
        }
      },
      validate: (attributes) => note('validate', attributes),
    }
    await withKit({ plugins: [plugin] }, async (kit) => {
      await kit.request('POST', base, { body: { metadata: { name: 'c' }, data: { a: '1' } } })
      await kit.request('PATCH', `${base}/c?dryRun=All`, { body: { data: { a: '2' } }, headers: merge })
      const put = await kit.request('PUT', `${base}/c`, { body: { metadata: { name: 'c' }, data: { a: '3' } } })
      assert.deepEqual(put.json.data, { a: '3', z: 'm' })
      await kit.request('DELETE', `${base}/c`)
    })
    assert.deepEqual(seen, [
      'mutate CREATE c 1 - wet',
      'validate CREATE c 1m - wet',
      'mutate UPDATE c 2m 1m dry',
      'validate UPDATE c 2m 1m dry',
      'mutate UPDATE c 3 1m wet',
      'validate UPDATE c 3m 1m wet',
      'mutate DELETE c - 3m wet',
      'validate DELETE c - 3m wet',
    ])
  })

  it('refuses a write without any effect', async () => {
    const plugin: AdmissionPlugin = {
      name: 'Test',
      handles: (operation) => operation !== 'CREATE',
      validate({ resource, name }) {
        throw statusErrors.forbidden(resource, name, 'no')
      },
    }
    await withKit({ plugins: [plugin] }, async (kit) => {
      const created = await kit.request('POST', base, { body: { metadata: { name: 'c' } } })
      const revision = await kit.store.currentRevision()
      for (const [method, url, body] of [
        ['PUT', `${base}/c`, { ...created.json, data: { a: 'b' } }],
        ['DELETE', `${base}/c`, undefined],
        ['DELETE', base, undefined],
      ] as const) {
        const answer = await kit.request(method, url, { body })
        assert.equal(answer.status, 403)
        assert.equal(answer.json.message, 'configmaps "c" is forbidden: no')
      }
      assert.equal(await kit.store.currentRevision(), revision)
    })
  })

  it('cannot change objects of the cache', async () => {
    const plugin: AdmissionPlugin = {
      name: 'Test',
      handles: (operation) => operation === 'UPDATE',
      mutate({ object }) {
        const labels = (object?.metadata.labels ?? {}) as Record<string, string>
        labels.changed = 'yes'
        throw statusErrors.badRequest('after the change')
      },
    }
    await withKit({ plugins: [plugin] }, async (kit) => {
      await kit.request('POST', base, { body: { metadata: { name: 'c', labels: { a: 'b' } } } })
      assert.equal(
        (await kit.request('PATCH', `${base}/c`, { body: { data: { x: 'y' } }, headers: merge })).status,
        400,
      )
      assert.deepEqual((await kit.request('GET', `${base}/c`)).json.metadata.labels, { a: 'b' })
    })
  })
})

describe('endpoints: ownership', () => {
  /** Counts managers instead of fields. */
  function createCounter(calls: string[]): FieldOwnership {
    const own = (object: ApiObject, manager: string, operation: 'Apply' | 'Update'): ApiObject => {
      object.metadata.managedFields = [
        { manager, operation, apiVersion: 'v1', time: new Date().toISOString(), fieldsType: 'FieldsV1', fieldsV1: {} },
      ]
      return object
    }
    return {
      onCreate(object, { manager, subresource }) {
        calls.push(`create ${manager} ${subresource}`.trim())
        return own(object, manager, 'Update')
      },
      onUpdate(live, object, { manager, subresource }) {
        calls.push(`update ${manager} ${subresource}`.trim())
        assert.ok(live.metadata.resourceVersion)
        return own(object, manager, 'Update')
      },
      onApply(live, configuration, { manager, force }) {
        calls.push(`apply ${manager}${force ? ' forced' : ''}${live ? '' : ' new'}`)
        const object = { ...(live ? copyObject(live) : {}), ...copyObject(configuration) } as ApiObject
        object.metadata = { ...live?.metadata, ...configuration.metadata }
        return { object: own(object, manager, 'Apply'), unchanged: false }
      },
    }
  }

  it('records every write, with the manager that the request names or its agent', async () => {
    const calls: string[] = []
    await withKit({ ownership: createCounter(calls) }, async (kit) => {
      calls.length = 0
      const agent = { 'user-agent': 'kubectl/v1.33 (linux)' }
      await kit.request('POST', base, { body: { metadata: { name: 'c' } }, headers: agent })
      await kit.request('PATCH', `${base}/c?fieldManager=me`, {
        body: { data: { a: 'b' } },
        headers: { ...merge, ...agent },
      })
      await kit.request('PUT', `${base}/c`, { body: { metadata: { name: 'c' } } })
      await kit.request('PATCH', '/api/v1/namespaces/default/status', {
        body: { metadata: { labels: { a: 'b' } } },
        headers: { ...merge, ...agent },
      })
      await kit.request('PUT', '/apis/coordination.k8s.io/v1/namespaces/default/leases/l', {
        body: { metadata: { name: 'l' } },
        headers: agent,
      })
    })
    assert.deepEqual(calls, [
      'create kubectl',
      'update me',
      'update unknown',
      'update kubectl status',
      'create kubectl',
    ])
  })

  it('causes no write for a change in times alone', async () => {
    await withKit({ ownership: createCounter([]) }, async (kit) => {
      const created = await kit.request('POST', base, { body: { metadata: { name: 'c' }, data: { a: 'b' } } })
      const again = await kit.request('PATCH', `${base}/c`, { body: { data: { a: 'b' } }, headers: merge })
      assert.equal(again.json.metadata.resourceVersion, created.json.metadata.resourceVersion)
    })
  })

  it('applies: creates a missing object, changes an existing one, and checks names', async () => {
    const calls: string[] = []
    const headers = { 'content-type': 'application/apply-patch+yaml' }
    await withKit({ ownership: createCounter(calls) }, async (kit) => {
      calls.length = 0
      const body = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: "1"}\n'
      const created = await kit.request('PATCH', `${base}/c?fieldManager=m`, { body, headers })
      assert.equal(created.status, 201, created.text)
      assert.equal(created.json.metadata.namespace, 'default')
      const changed = await kit.request('PATCH', `${base}/c?fieldManager=m&force=true`, {
        body: body.replace('"1"', '"2"'),
        headers,
      })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(changed.json.data, { a: '2' })
      const misnamed = await kit.request('PATCH', `${base}/d?fieldManager=m`, { body, headers })
      assert.equal(misnamed.json.message, 'the name of the object (c) does not match the name on the URL (d)')
      const bad = await kit.request('PATCH', `${base}/c?fieldManager=m`, { body: 'a: [', headers })
      assert.match(bad.json.message ?? '', /^error decoding YAML: error converting YAML to JSON: yaml: /)
      const nobody = await kit.request('PATCH', `${base}/c`, { body, headers })
      assert.equal(nobody.status, 422)
      assert.equal(
        (await kit.request('PATCH', `/api/v1/namespaces/nope/status?fieldManager=m`, { body, headers })).status,
        404,
      )
    })
    assert.deepEqual(calls, ['apply m new', 'apply m forced', 'apply m new'])
  })

  it('apply is an unsupported media type without field ownership', async () => {
    await withKit({}, async (kit) => {
      const answer = await kit.request('PATCH', `${base}/c?fieldManager=m`, {
        body: '{}',
        headers: { 'content-type': 'application/apply-patch+yaml' },
      })
      assert.equal(answer.status, 415)
    })
  })
})

describe('endpoints: formats and resources that come and go', () => {
  it('answers CBOR while its gate is on', async () => {
    await withKit({ gates: ['CBORServingAndStorage'] }, async (kit) => {
      await kit.request('POST', base, { body: { metadata: { name: 'c' }, data: { a: 'b' } } })
      const read = await kit.request('GET', `${base}/c`, { headers: { accept: 'application/cbor' } })
      assert.equal(read.headers['content-type'], 'application/cbor')
      assert.deepEqual([...read.bytes.subarray(0, 3)], [0xd9, 0xd9, 0xf7])
      const renamed = Buffer.from(read.bytes)
      assert.equal(
        (
          await kit.request('POST', `${base}?dryRun=All`, {
            body: renamed,
            headers: { 'content-type': 'application/cbor' },
          })
        ).status,
        409,
      )
      const watching = await kit.watch(`${base}?watch=1`, { headers: { accept: 'application/cbor' } })
      assert.equal(watching.headers['content-type'], 'application/cbor-seq')
      watching.close()
    })
    await withKit({}, async (kit) => {
      assert.equal((await kit.request('GET', base, { headers: { accept: 'application/cbor' } })).status, 406)
    })
  })

  it('serves a mounted resource, warns when it is deprecated, and forgets it', async () => {
    await withKit({}, async (kit) => {
      const definition = kit.scheme.resource({
        group: 'coordination.k8s.io',
        version: 'v1beta1',
        resource: 'leasecandidates',
      })
      assert.ok(definition)
      const url = '/apis/coordination.k8s.io/v1beta1/leasecandidates'
      assert.equal((await kit.request('GET', url)).status, 404)
      const { gvr, gvk } = definition
      const registry = kit.registry.add(
        definition,
        { group: gvr.group, kind: gvk.kind, nameRule: nameRules.configKey },
        kit.scheme.codec(gvr),
      )
      await registry.cache.whenReady()
      const table = {
        ...definition.table,
        deprecated: '1.30',
        removed: '1.40',
        replacement: 'coordination.k8s.io/v1 LeaseCandidate',
      }
      const codec: ObjectCodec = {
        ...kit.scheme.codec(gvr),
        capabilities: {
          mediaTypes: ['application/json', 'application/yaml'],
          strategicMerge: false,
          convertsOnRead: true,
        },
      }
      kit.resources.mount({ gvr, gvk, table, registry, codec })
      const list = await kit.request('GET', url)
      assert.equal(list.status, 200, list.text)
      assert.deepEqual(list.warnings, [
        'coordination.k8s.io/v1beta1 LeaseCandidate is deprecated in v1.30+, unavailable in v1.40+; use coordination.k8s.io/v1 LeaseCandidate',
      ])
      const binary = await kit.request('GET', url, { headers: { accept: 'application/vnd.kubernetes.protobuf' } })
      assert.equal(
        binary.json.message,
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
      )
      const patched = await kit.request(
        'PATCH',
        `/apis/coordination.k8s.io/v1beta1/namespaces/default/leasecandidates/x`,
        { body: {}, headers: { 'content-type': 'application/strategic-merge-patch+json' } },
      )
      assert.match(
        patched.json.message ?? '',
        /application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml$/,
      )
      kit.resources.unmount(gvr)
      kit.registry.remove(gvr)
      assert.equal((await kit.request('GET', url)).status, 404)
    })
  })

  it('answers every request with a Status or an object', async () => {
    await withKit({}, async (kit) => {
      await kit.request('POST', base, { body: { metadata: { name: 'c' } } })
      const path = fc.oneof(
        fc.constantFrom(
          'namespaces/default/configmaps',
          'namespaces/default/configmaps/c',
          'namespaces/default',
          'namespaces',
          'namespaces/default/secrets',
        ),
        fc
          .array(fc.constantFrom('namespaces', 'default', 'configmaps', 'c', 'status', 'watch', '..', 'x', '%2f', ''), {
            maxLength: 6,
          })
          .map((parts) => parts.join('/')),
      )
      const query = fc.array(
        fc.tuple(
          fc.constantFrom(
            'limit',
            'continue',
            'resourceVersion',
            'resourceVersionMatch',
            'labelSelector',
            'fieldSelector',
            'dryRun',
            'fieldManager',
            'pretty',
            'includeObject',
            'gracePeriodSeconds',
            'propagationPolicy',
          ),
          fc.oneof(
            fc.constantFrom('0', '1', '-1', 'All', 'Exact', 'a=b', 'metadata.name=c'),
            fc.string({ maxLength: 6 }),
          ),
        ),
        { maxLength: 3 },
      )
      const body = fc.oneof(
        fc.json(),
        fc.string(),
        fc.constantFrom(
          '',
          '{}',
          '[]',
          'null',
          '{"metadata":null}',
          '{"metadata":{"name":"c","labels":null},"data":null}',
          '{"metadata":[]}',
        ),
      )
      const headers = fc.constantFrom(
        {},
        merge,
        { 'content-type': 'application/json-patch+json' },
        { 'content-type': 'application/yaml' },
        { 'content-type': 'application/vnd.kubernetes.protobuf' },
        { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
      )
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'X'),
          path,
          query,
          body,
          headers,
          async (method, of, parameters, sent, sentHeaders) => {
            const url = `/api/v1/${of}?${new URLSearchParams(parameters)}`
            if (/\/watch(\/|\?)/.test(url)) return
            const answer = await kit.request(method, url, { body: sent, headers: sentHeaders })
            assert.ok(answer.status >= 200 && answer.status < 600)
            if (answer.status >= 500) assert.match(answer.text, /resource ?[vV]ersion|ParseUint|patch/, answer.text)
          },
        ),
        { numRuns: 1409, endOnFailure: true },
      )
    })
  }).timeout(120_000)
})
