import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import { readObjectMeta } from '../../../lib/codec/index.ts'
import type { ApiObject, GroupVersionKind } from '../../../lib/object/index.ts'
import { createScheme, type DecodeOptions, type KindHooks, type MediaType } from '../../../lib/scheme/index.ts'
import { threadCpuMs } from '../../support/cputime.ts'

const scheme = createScheme({ tables })
const gvk = (group: string, version: string, kind: string): GroupVersionKind => ({ group, version, kind })
const configMap = gvk('', 'v1', 'ConfigMap')
const pod = gvk('', 'v1', 'Pod')
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('utf8')
const bytes = (body: unknown): Uint8Array => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))

function decode(
  body: unknown,
  options: Partial<DecodeOptions> = {},
): { object: ApiObject; strictErrors: readonly string[] } {
  return scheme.objects.decodeObject(bytes(body), { mediaType: 'application/json', expected: configMap, ...options })
}

describe('what is registered', () => {
  it('the whole API is registered without compiling anything, in next to no time', () => {
    const start = threadCpuMs()
    createScheme({ tables })
    assert.ok(threadCpuMs() - start < 1000)
  })

  it('resources are found by group, version and name', () => {
    const found = scheme.resource({ group: 'apps', version: 'v1', resource: 'deployments' })
    assert.deepEqual(found?.gvk, gvk('apps', 'v1', 'Deployment'))
    assert.deepEqual(found?.storage, { prefix: 'deployments', version: 'v1', hash: '8aSe+NMegvE=' })
    assert.equal(found?.struct.name, 'apps/v1.Deployment')
    assert.equal(found?.listKind, 'DeploymentList')
    assert.equal(scheme.resource({ group: 'apps', version: 'v2', resource: 'deployments' }), undefined)
  })

  it('a resource’s versions come in the order of preference', () => {
    const versions = scheme.versionsOf({ group: 'autoscaling', resource: 'horizontalpodautoscalers' })
    assert.deepEqual(
      versions.map(({ gvr }) => gvr.version),
      ['v2', 'v1'],
    )
    assert.deepEqual(scheme.versionsOf({ group: 'nowhere', resource: 'pods' }), [])
  })

  it('every stored resource has a hub that is registered', () => {
    for (const { gvr, storage } of scheme.resources) {
      if (!storage) continue
      const hub = scheme.hub(gvr)
      assert.ok(hub, gvr.resource)
      assert.equal(hub.hubVersion, hub.gvr.version, `${gvr.group} ${gvr.resource}`)
    }
  })

  it('events of events.k8s.io are those of the core group', () => {
    const definition = scheme.resource({ group: 'events.k8s.io', version: 'v1', resource: 'events' })
    assert.equal(definition?.storage?.prefix, 'events')
    assert.deepEqual(scheme.hub({ group: 'events.k8s.io', resource: 'events' })?.gvk, gvk('', 'v1', 'Event'))
  })

  it('every list kind of a resource is registered with its items', () => {
    for (const { gvk: own, listKind } of scheme.resources) {
      if (listKind === '') continue
      const list = scheme.kind({ ...own, kind: listKind })
      assert.equal(list?.itemKind, own.kind, listKind)
      const numbers = ['metadata', 'items'].map((name) => list?.struct.byName.get(name)?.number)
      assert.deepEqual(numbers, [1, 2], listKind)
    }
  })

  it('options are kinds of every group version, Status of the core group alone', () => {
    assert.ok(scheme.kind(gvk('policy', 'v1', 'DeleteOptions')))
    assert.ok(scheme.kind(gvk('meta.k8s.io', 'v1', 'DeleteOptions')))
    assert.ok(scheme.kind(gvk('meta.k8s.io', 'v1', 'Table')))
    assert.ok(scheme.kind(gvk('', 'v1', 'Status')))
    assert.equal(scheme.kind(gvk('apps', 'v1', 'Status')), undefined)
  })
})

describe('a request’s body', () => {
  describe('that is refused', () => {
    const unrecognized =
      "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error:"
    const cases: [title: string, body: unknown, message: string, options?: Partial<DecodeOptions>][] = [
      ['cut short', '{"a":', `${unrecognized} unexpected end of JSON input ({"a":)`],
      ['empty', '', `${unrecognized} unexpected end of JSON input (<empty>)`],
      ['no JSON', 'hello', `${unrecognized} invalid character 'h' looking for beginning of value (68656c6c6f)`],
      [
        'a list',
        '[]',
        `${unrecognized} json: cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" } (5b5d)`,
      ],
      [
        'long and no JSON',
        `{${'x'.repeat(50)}`,
        `${unrecognized} invalid character 'x' looking for beginning of object key string ({${'x'.repeat(29)} ...)`,
      ],
      [
        'of a kind that is a number',
        '{"kind":1}',
        `${unrecognized} json: cannot unmarshal number into Go struct field .kind of type string ({"kind":1})`,
      ],
      [
        'of another kind',
        { apiVersion: 'v1', kind: 'Secret' },
        'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
      ],
      [
        'of another group',
        { apiVersion: 'apps/v1', kind: 'Deployment' },
        'Deployment in version "v1" cannot be handled as a ConfigMap: converting (v1.Deployment) to (core.ConfigMap): unknown conversion',
      ],
      [
        'of an unknown version',
        { apiVersion: 'v9', kind: 'ConfigMap' },
        'ConfigMap in version "v9" cannot be handled as a ConfigMap: no kind "ConfigMap" is registered for version "v9" in scheme "pilothouse"',
      ],
      [
        'of another version',
        { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler' },
        'the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)',
        { expected: gvk('autoscaling', 'v2', 'HorizontalPodAutoscaler') },
      ],
      [
        'mistyped',
        { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 1 } },
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
      ],
      [
        'with unknown fields, when strict',
        { data: {}, foo: 1 },
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "foo"',
        { fieldValidation: 'Strict' },
      ],
      [
        'no envelope',
        'k8s',
        'the object provided is unrecognized (must be of type ConfigMap): provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] (6b3873)',
        { mediaType: 'application/vnd.kubernetes.protobuf' },
      ],
      [
        'YAML with a key twice, when strict',
        'kind: ConfigMap\napiVersion: v1\ndata:\n  a: x\n  a: z\n',
        'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 5: key "a" already set in map',
        { mediaType: 'application/yaml', fieldValidation: 'Strict' },
      ],
    ]
    for (const [title, body, message, options] of cases)
      it(title, () =>
        assert.throws(() => decode(body, options), { name: 'StatusError', code: 400, reason: 'BadRequest', message }),
      )
  })

  it('may leave kind and apiVersion to the endpoint', () => {
    const { object } = decode({ metadata: { name: 'a' } })
    assert.equal(JSON.stringify(object), '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}}')
  })

  it('reports unknown fields, or not, as requested', () => {
    assert.deepEqual(decode({ foo: 1 }).strictErrors, [])
    assert.deepEqual(decode({ foo: 1 }, { fieldValidation: 'Warn' }).strictErrors, ['unknown field "foo"'])
  })

  it('options are taken from any group version', () => {
    const expected = gvk('', 'v1', 'DeleteOptions')
    const { object } = decode({ kind: 'DeleteOptions', apiVersion: 'policy/v1', gracePeriodSeconds: 3 }, { expected })
    assert.equal(object['gracePeriodSeconds'], 3)
  })

  it('is the same in every format', () => {
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { b: 'c' } } as ApiObject
    for (const mediaType of formats) {
      const body = scheme.objects.encodeObject(object, { mediaType })
      assert.deepEqual(scheme.objects.decodeObject(body, { mediaType, expected: configMap }).object, object, mediaType)
    }
  })
})

const formats: readonly MediaType[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
]

describe('bodies from items', () => {
  const object = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'a' },
    spec: { containers: [{ name: 'x', resources: {} }] },
    status: {},
  } as ApiObject
  const list = gvk('', 'v1', 'PodList')

  for (const mediaType of formats) {
    it(`${mediaType}: an object from its item is the object encoded`, () => {
      const item = scheme.objects.encodeItem(object, mediaType)
      assert.deepEqual(
        Buffer.from(scheme.objects.encodeFromItem(pod, item, mediaType)),
        Buffer.from(scheme.objects.encodeObject(object, { mediaType })),
      )
    })

    it(`${mediaType}: a list from items is a list that decodes to them`, () => {
      const item = scheme.objects.encodeItem(object, mediaType)
      for (const items of [[], [item], Array<Uint8Array>(1100).fill(item)]) {
        const body = Buffer.concat(
          finished(scheme.objects.encodeListFromItems(list, { resourceVersion: '7' }, items, mediaType)),
        )
        const decoded = scheme.objects.decodeObject(body, {
          mediaType,
          expected: list,
          fieldValidation: 'Strict',
        }).object
        assert.equal(decoded.kind, 'PodList')
        assert.deepEqual(decoded.metadata, { resourceVersion: '7' })
        const { kind: _, apiVersion: __, ...bare } = object
        assert.deepEqual(
          decoded['items'] ?? [],
          items.map(() => bare),
        )
      }
    })

    it(`${mediaType}: a long list pauses, and knows its length`, () => {
      const item = scheme.objects.encodeItem(object, mediaType)
      const parts = [item.subarray(0, 4), item.subarray(4)]
      for (const items of [Array<Uint8Array>(1100).fill(item), Array<Uint8Array[]>(1100).fill(parts)]) {
        const work = scheme.objects.encodeListFromItems(list, {}, items, mediaType)
        let pauses = 0
        let last = work.next()
        for (; !last.done; last = work.next()) pauses++
        assert.ok(pauses > 0)
        const { byteLength = Buffer.concat(last.value).length } = last.value as { byteLength?: number }
        assert.equal(byteLength, Buffer.concat(last.value).length)
      }
    })

    it(`${mediaType}: a watch frame is the object among its type, and contains the item uncopied`, () => {
      if (mediaType === 'application/yaml')
        return assert.throws(() => scheme.objects.watchFramer(pod, mediaType), /watches do not speak/)
      const item = scheme.objects.encodeItem(object, mediaType)
      const frame = scheme.objects.watchFramer(pod, mediaType)
      const parts = frame('ADDED', item)
      const whole = Buffer.concat(parts)
      const encoded = Buffer.from(scheme.objects.encodeObject(object, { mediaType }))
      if (mediaType === 'application/json')
        assert.equal(text(whole), `{"type":"ADDED","object":${text(encoded).trimEnd()}}\n`)
      else if (mediaType === 'application/vnd.kubernetes.protobuf') assert.ok(whole.includes(encoded))
      else assert.ok(whole.includes(encoded.subarray(3)))
      assert.ok(parts.some((part) => part.buffer === item.buffer))
      assert.deepEqual(Buffer.concat(frame('ADDED', item)), whole)
      assert.notDeepEqual(Buffer.concat(frame('DELETED', item)), whole)
    })

    it(`${mediaType}: a list contains its items uncopied`, () => {
      if (mediaType === 'application/yaml') return
      const item = scheme.objects.encodeItem(object, mediaType)
      assert.ok(
        finished(scheme.objects.encodeListFromItems(list, {}, [item, item], mediaType)).filter((part) => part === item)
          .length === 2,
      )
    })
  }

  it('an empty JSON list has an empty list of items', () => {
    const body = Buffer.concat(finished(scheme.objects.encodeListFromItems(list, {}, [], 'application/json')))
    assert.equal(text(body), '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}\n')
  })

  it('a JSON watch frame of an empty item is no less of an object', () => {
    const frame = scheme.objects.watchFramer(pod, 'application/json')('ADDED', Buffer.from('{}'))
    assert.equal(text(Buffer.concat(frame)), '{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1"}}\n')
  })

  it('a JSON watch frame is a line', () => {
    const item = scheme.objects.encodeItem(
      { kind: 'Status', apiVersion: 'v1', metadata: {}, code: 410 } as ApiObject,
      'application/json',
    )
    const frame = text(
      Buffer.concat(scheme.objects.watchFramer(gvk('', 'v1', 'Status'), 'application/json')('ERROR', item)),
    )
    assert.equal(frame, '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"code":410}}\n')
  })

  it('a protobuf watch frame has its length before it', () => {
    const item = scheme.objects.encodeItem(object, 'application/vnd.kubernetes.protobuf')
    const frame = Buffer.concat(scheme.objects.watchFramer(pod, 'application/vnd.kubernetes.protobuf')('ADDED', item))
    assert.equal(frame.readUInt32BE(), frame.length - 4)
    assert.ok(frame.includes(item))
  })

  it('a Table has no protobuf form', () => {
    const table = { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {} } as ApiObject
    assert.throws(() => scheme.objects.encodeObject(table, { mediaType: 'application/vnd.kubernetes.protobuf' }), {
      code: 406,
      message:
        'object *v1.Table does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message',
    })
  })
})

describe('the stored form', () => {
  const object = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'a', resourceVersion: '5' },
    data: { b: 'c' },
  } as ApiObject

  it('is an envelope without a resource version, which reading sets', () => {
    const stored = scheme.objects.encodeForStorage(object)
    assert.equal(text(stored.subarray(0, 3)), 'k8s')
    assert.ok(!text(stored).includes('5'))
    const read = scheme.codec({ group: '', resource: 'configmaps' }).decodeFromStorage(stored, '9')
    assert.deepEqual(read, { ...object, metadata: { name: 'a', resourceVersion: '9' } })
    assert.equal(object.metadata.resourceVersion, '5')
  })

  it('may be JSON, and both are read', () => {
    const json = createScheme({ tables, storageMediaType: 'application/json' })
    const stored = json.objects.encodeForStorage(object)
    assert.equal(text(stored), '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"b":"c"}}\n')
    assert.deepEqual(scheme.codec({ group: '', resource: 'configmaps' }).decodeFromStorage(stored, '9').metadata, {
      name: 'a',
      resourceVersion: '9',
    })
  })

  it('may be of any format, whatever the format is now', () => {
    const formats = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor']
    for (const storageMediaType of formats as readonly MediaType[]) {
      const stored = createScheme({ tables, storageMediaType }).objects.encodeForStorage(object)
      const read = scheme.codec({ group: '', resource: 'configmaps' }).decodeFromStorage(stored, '9')
      assert.deepEqual(read, { ...object, metadata: { name: 'a', resourceVersion: '9' } }, storageMediaType)
      assert.equal(readObjectMeta(stored).name, 'a', storageMediaType)
    }
  })

  it('is of the version that the operator chose for its group, where the kind has it', () => {
    const chosen = createScheme({ tables, storageVersions: { autoscaling: 'v1', '': 'v9' } })
    const autoscaler = { kind: 'HorizontalPodAutoscaler', apiVersion: 'autoscaling/v2', metadata: { name: 'a' } }
    const spec = { maxReplicas: 2, scaleTargetRef: { kind: 'Deployment', name: 'd' } }
    const stored = chosen.objects.encodeForStorage({ ...autoscaler, spec, status: {} } as ApiObject)
    assert.equal(readObjectMeta(stored).apiVersion, 'autoscaling/v1')
    const resource = { group: 'autoscaling', resource: 'horizontalpodautoscalers' }
    assert.equal(scheme.codec(resource).decodeFromStorage(stored, '9').apiVersion, 'autoscaling/v2')
    assert.equal(readObjectMeta(chosen.objects.encodeForStorage(object)).apiVersion, 'v1')
  })

  it('is of the storage version, and read in the hub version', () => {
    const autoscaler = scheme.resource({ group: 'autoscaling', version: 'v1', resource: 'horizontalpodautoscalers' })
    assert.equal(autoscaler?.storage?.version, 'v2')
    const crds = scheme.hub({ group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' })
    assert.equal(crds?.gvr.version, 'v1')
    assert.equal(crds?.storage?.version, 'v1beta1')
  })

  it('an unreadable value is an error', () => {
    const resource = { group: '', resource: 'configmaps' }
    for (const stored of [
      '',
      'k8s\0\xff',
      '[]',
      '{}',
      '{"kind":"Pod","apiVersion":"v1"}',
      '{"kind":"X","apiVersion":"y/v1"}',
    ])
      assert.throws(() => scheme.codec(resource).decodeFromStorage(Buffer.from(stored, 'latin1'), '1'), Error, stored)
  })
})

describe('defaults and conversions', () => {
  const hooks: KindHooks = {
    defaults: {
      v2: (object) => {
        object['defaulted'] = 'v2'
      },
      v1: (object, { gate }) => {
        object.metadata.annotations = { gate: String(gate('Some')) }
      },
    },
    convert: {
      v1: {
        toHub: (object) => ({ ...object, metadata: { ...object.metadata, labels: { from: 'v1' } } }),
        fromHub: (object) => ({ ...object, metadata: { ...object.metadata, labels: { from: 'v2' } } }),
      },
    },
  }
  const own = createScheme({
    tables,
    gate: (name) => name === 'Some',
    kinds: (group, kind) => (group === 'autoscaling' && kind === 'HorizontalPodAutoscaler' ? hooks : undefined),
  })
  const v1 = gvk('autoscaling', 'v1', 'HorizontalPodAutoscaler')
  const body = bytes({ metadata: { name: 'a' } })

  it('defaults of the body’s version run as it is decoded', () => {
    const { object } = own.objects.decodeObject(body, { mediaType: 'application/json', expected: v1 })
    assert.deepEqual(object.metadata.annotations, { gate: 'true' })
    const bare = own.objects.decodeObject(body, { mediaType: 'application/json', expected: v1, defaults: false })
    assert.equal(bare.object.metadata.annotations, undefined)
  })

  it('a version is reached through the hub', () => {
    const { object } = own.objects.decodeObject(body, { mediaType: 'application/json', expected: v1 })
    const hub = own.objects.convert(object, { group: 'autoscaling', version: 'v2' })
    assert.deepEqual([hub.apiVersion, hub.metadata.labels], ['autoscaling/v2', { from: 'v1' }])
    assert.deepEqual(own.objects.convert(hub, v1).metadata.labels, { from: 'v2' })
    assert.equal(own.objects.convert(hub, { group: 'autoscaling', version: 'v2' }), hub)
  })

  it('versions of one shape need no functions, and share nothing', () => {
    const range = {
      kind: 'IPAddress',
      apiVersion: 'networking.k8s.io/v1beta1',
      metadata: { labels: { a: 'b' } },
    } as ApiObject
    const converted = scheme.objects.convert(range, { group: 'networking.k8s.io', version: 'v1' })
    assert.deepEqual(converted, { ...range, apiVersion: 'networking.k8s.io/v1' })
    assert.notEqual(converted.metadata.labels, range.metadata.labels)
  })

  it('there is no conversion to a version of another kind’s group', () => {
    const object = { kind: 'Pod', apiVersion: 'v1', metadata: {} } as ApiObject
    assert.throws(() => scheme.objects.convert(object, { group: 'apps', version: 'v1' }), /has no version apps\/v1/)
  })
})

function finished<Result>(work: Generator<undefined, Result>): Result {
  for (;;) {
    const { done, value } = work.next()
    if (done) return value
  }
}
