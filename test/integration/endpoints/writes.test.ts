import assert from 'node:assert/strict'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import { createMemoryStore, type Store, StoreError } from '../../../lib/storage/index.ts'
import { type Answer, createEndpointKit, type EndpointKit } from '../../support/endpointkit.ts'
import { asOldRelease } from '../../support/otherform.ts'

const base = '/api/v1/namespaces/default/configmaps'
const merge = { 'content-type': 'application/merge-patch+json' }

const withoutAbsent = (object: object): unknown => JSON.parse(JSON.stringify(object))

describe('endpoints: writes', () => {
  let kit: EndpointKit
  beforeEach(async () => {
    kit = await createEndpointKit()
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
  })
  afterEach(() => kit.close())

  const create = (name: string, metadata: object = {}): Promise<Answer> =>
    kit.request('POST', base, { body: { metadata: { name, ...metadata }, data: { a: 'b' } } })
  const get = (name: string): Promise<Answer> => kit.request('GET', `${base}/${name}`)
  const patch = (name: string, body: object, query = ''): Promise<Answer> =>
    kit.request('PATCH', `${base}/${name}${query}`, { body, headers: merge })

  describe('create', () => {
    it('ignores fields that only the server may set', async () => {
      const created = await create('c', {
        uid: 'mine',
        creationTimestamp: '2001-01-01T00:00:00Z',
        deletionTimestamp: '2001-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 5,
      })
      const { metadata } = created.json
      assert.notEqual(metadata.uid, 'mine')
      assert.notEqual(metadata.creationTimestamp, '2001-01-01T00:00:00Z')
      assert.equal(metadata.deletionTimestamp, undefined)
      assert.equal(metadata.deletionGracePeriodSeconds, undefined)
    })

    it('answers the stored form: an empty list is omitted', async () => {
      const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
      const body = { metadata: { name: 'none' }, rules: [] }
      for (const query of ['?dryRun=All', '']) {
        const created = await kit.request('POST', `${roles}${query}`, { body })
        assert.equal(created.json['rules'], null, created.text)
      }
      const read = await kit.request('GET', `${roles}/none`)
      assert.equal(read.json['rules'], null)
      const patched = await kit.request('PATCH', `${roles}/none`, { body: { rules: [] }, headers: merge })
      assert.equal(patched.json['rules'], null)
      assert.equal(patched.json.metadata.resourceVersion, read.json.metadata.resourceVersion)
      const rules = [{ verbs: ['get'], nonResourceURLs: ['/a'] }]
      const filled = await kit.request('PUT', `${roles}/none`, { body: { ...body, rules } })
      assert.deepEqual(filled.json['rules'], rules)
    })

    it('accepts an empty resourceVersion, as manifests have it', async () => {
      for (const [index, resourceVersion] of ['0', '00', 'x', '-1', '1.5'].entries()) {
        const created = await create(`v${index}`, { resourceVersion })
        assert.equal(created.status, 201, resourceVersion)
        assert.match(created.json.metadata.resourceVersion ?? '', /^[1-9][0-9]*$/)
      }
      for (const resourceVersion of ['5', '05', '18446744073709551615'])
        assert.equal((await create('refused', { resourceVersion })).status, 500, resourceVersion)
    })

    it('generates names of the base and five characters', async () => {
      const answer = await kit.request('POST', base, { body: { metadata: { generateName: 'g-' } } })
      assert.match(answer.json.metadata.name ?? '', /^g-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
      const long = await kit.request('POST', base, { body: { metadata: { generateName: 'x'.repeat(70) } } })
      assert.equal(long.json.metadata.name?.length, 63)
    })

    it('warns about unknown and duplicate fields, and drops them', async () => {
      const body = '{"metadata":{"name":"w"},"data":{"a":"1"},"data":{"a":"2"},"foo":1}'
      const answer = await kit.request('POST', base, { body })
      assert.equal(answer.status, 201)
      assert.deepEqual([...answer.warnings].sort(), ['duplicate field "data"', 'unknown field "foo"'])
      assert.deepEqual(answer.json.data, { a: '2' })
      const silent = await kit.request('POST', `${base}?fieldValidation=Ignore&dryRun=All`, {
        body: { metadata: { name: 's' }, foo: 1 },
      })
      assert.deepEqual(silent.warnings, [])
    })

    it('drops repeated owners with a warning', async () => {
      const owner = { apiVersion: 'v1', kind: 'Secret', name: 's', uid: 'u' }
      const answer = await create('o', { ownerReferences: [owner, owner] })
      assert.deepEqual(answer.json.metadata.ownerReferences, [owner])
      assert.match(answer.warnings[0] ?? '', /duplicate UID\(s\) observed: u$/)
    })

    it('reports that the object of the name is being deleted', async () => {
      await create('c', { finalizers: ['example.com/hold'] })
      await kit.request('DELETE', `${base}/c`)
      const again = await create('c')
      assert.equal(again.status, 409)
      assert.equal(again.json.message, 'object is being deleted: configmaps "c" already exists')
    })

    it('a create with a name and a base asks to try again when the name is in use', async () => {
      await create('c')
      const again = await create('c', { generateName: 'c' })
      assert.equal(again.status, 409)
      assert.equal(again.json.details?.retryAfterSeconds, 1)
      assert.match(again.json.message ?? '', /the server was not able to generate a unique name for the object$/)
    })
  })

  describe('update', () => {
    it('an update that changes nothing writes nothing', async () => {
      const created = await create('c')
      const revision = await kit.store.currentRevision()
      const same = await kit.request('PUT', `${base}/c`, { body: created.json })
      assert.equal(same.status, 200)
      assert.equal(same.json.metadata.resourceVersion, created.json.metadata.resourceVersion)
      const patched = await patch('c', { data: { a: 'b' } })
      assert.equal(patched.json.metadata.resourceVersion, created.json.metadata.resourceVersion)
      assert.equal(await kit.store.currentRevision(), revision)
    })

    it('keeps uid and creation time, and replaces any object without a version', async () => {
      const created = await create('c')
      const body = { metadata: { name: 'c', creationTimestamp: '2001-01-01T00:00:00Z' } }
      const updated = await kit.request('PUT', `${base}/c`, { body })
      assert.equal(updated.status, 200, updated.text)
      assert.equal(updated.json.metadata.uid, created.json.metadata.uid)
      assert.equal(updated.json.metadata.creationTimestamp, created.json.metadata.creationTimestamp)
      assert.equal(updated.json.data, undefined)
    })

    it('can’t undo a deletion, nor add finalizers after it', async () => {
      await create('c', { finalizers: ['example.com/hold'] })
      await kit.request('DELETE', `${base}/c`)
      const undone = await patch('c', { metadata: { deletionTimestamp: null } })
      assert.notEqual(undone.json.metadata.deletionTimestamp, undefined)
      const added = await patch('c', { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } })
      assert.equal(added.status, 422)
      assert.equal(
        added.json.message,
        'ConfigMap "c" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/more"}',
      )
    })

    for (const [finalizers, why] of [
      [
        ['orphan', 'foregroundDeletion'],
        'metadata.finalizers: Invalid value: ["orphan","foregroundDeletion"]: finalizer orphan and foregroundDeletion cannot be both set',
      ],
      // Two faults: it is no name, and without a domain it would have to be a standard one.
      [['not one'], '[metadata.finalizers: Invalid value: "not one": name part must consist of'],
    ] as const)
      it(`refuses the finalizers ${finalizers.join()}, as a creation does`, async () => {
        await create('c')
        const { status, json } = await patch('c', { metadata: { finalizers } })
        assert.equal(status, 422)
        const text = `ConfigMap "c" is invalid: ${why}`
        assert.equal(json.message?.slice(0, text.length), text)
      })

    it('creates a missing object where the resource allows it', async () => {
      const url = '/apis/coordination.k8s.io/v1/namespaces/default/leases/l'
      const created = await kit.request('PUT', url, { body: { metadata: { name: 'l' }, spec: {} } })
      assert.equal(created.status, 201, created.text)
      const again = await kit.request('PUT', url, { body: { ...created.json, spec: { holderIdentity: 'me' } } })
      assert.equal(again.status, 200, again.text)
    })
  })

  describe('patch', () => {
    const rows: [string, string, unknown, object | undefined][] = [
      ['merge', 'application/merge-patch+json', { data: { a: null, b: 'c' } }, { b: 'c' }],
      ['merge with a charset', 'application/merge-patch+json; charset=utf-8', { data: { b: 'c' } }, { a: 'b', b: 'c' }],
      ['strategic', 'application/strategic-merge-patch+json', { data: { $patch: 'replace', b: 'c' } }, { b: 'c' }],
      [
        'strategic, of whatever kind it says',
        'application/strategic-merge-patch+json',
        { kind: 'Secret', apiVersion: 'v2', data: { b: 'c' } },
        { a: 'b', b: 'c' },
      ],
      ['strategic of nothing', 'application/strategic-merge-patch+json', 'null', { a: 'b' }],
      ['JSON', 'application/json-patch+json', [{ op: 'add', path: '/data/b', value: 'c' }], { a: 'b', b: 'c' }],
      ['JSON that removes all', 'application/json-patch+json', [{ op: 'remove', path: '/data' }], undefined],
    ]
    for (const [title, type, body, expected] of rows) {
      it(`${title}`, async () => {
        await create('c')
        const answer = await kit.request('PATCH', `${base}/c`, { body, headers: { 'content-type': type } })
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(answer.json.data, expected)
        assert.deepEqual((await get('c')).json.data, expected)
      })
    }

    const twice = '{"data":{"x":"1","x":"2"},"foo":1}'
    const operations =
      '[{"op":"add","path":"/data","value":{},"bar":1},{"op":"add","path":"/data/x","path":"/data/x","value":"2"}]'
    const careless: [string, string, string, string[]][] = [
      ['merge patch', 'application/merge-patch+json', twice, ['duplicate field "data.x"', 'unknown field "foo"']],
      [
        'strategic merge patch',
        'application/strategic-merge-patch+json',
        twice,
        ['duplicate field "data.x"', 'unknown field "foo"'],
      ],
      [
        'JSON patch',
        'application/json-patch+json',
        operations,
        ['json patch unknown field "[0].bar"', 'json patch duplicate field "[1].path"'],
      ],
    ]
    for (const [title, type, body, expected] of careless) {
      it(`a ${title} with duplicate or unknown fields is refused strictly and else warns`, async () => {
        await create('c')
        const headers = { 'content-type': type }
        const strict = await kit.request('PATCH', `${base}/c?fieldValidation=Strict`, { body, headers })
        assert.equal(strict.status, 422, strict.text)
        assert.equal(strict.json.message?.split('strict decoding error: ')[1], expected.join(', '))
        const silent = await kit.request('PATCH', `${base}/c?fieldValidation=Ignore&dryRun=All`, { body, headers })
        assert.deepEqual([silent.status, silent.warnings], [200, []])
        const answer = await kit.request('PATCH', `${base}/c`, { body, headers })
        assert.deepEqual([answer.status, answer.warnings], [200, expected])
        assert.equal((answer.json.data as Record<string, string>).x, '2')
      })
    }

    it('a strategic patch that does not fit is shown as sent', async () => {
      await create('c')
      const headers = { 'content-type': 'application/strategic-merge-patch+json' }
      const answer = await kit.request('PATCH', `${base}/c?fieldValidation=Strict`, {
        body: { foo: { b: [1] } },
        headers,
      })
      assert.match(answer.json.message ?? '', /^ "" is invalid: patch: Invalid value: "map\[foo:map\[b:\[1\]\]\]": /)
    })

    const mismatches: [body: object, why: string][] = [
      [{ metadata: { labels: 'x' } }, 'cannot restore map from string'],
      [{ metadata: { labels: { a: 1 } } }, 'cannot convert int64 to string'],
      [{ metadata: { labels: { a: 1.5 } } }, 'unrecognized type: string'],
      [{ metadata: { finalizers: { a: 'b' } } }, 'cannot restore slice from map'],
      [{ metadata: 5 }, 'cannot restore struct from: int64'],
      [{ metadata: { ownerReferences: [{ controller: 'yes' }] } }, 'unrecognized type: bool'],
      [{ metadata: { generation: 1.5 } }, 'cannot convert float64 to int64'],
      [{ binaryData: { a: '!' } }, 'error decoding from json: illegal base64 data at input byte 0'],
      [{ binaryData: { a: true } }, 'cannot restore slice from bool'],
      [{ immutable: [] }, 'unrecognized type: bool'],
      [
        { metadata: { creationTimestamp: 'soon' } },
        'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
      ],
    ]
    for (const [body, why] of mismatches)
      it(`a strategic patch is refused with: ${why}`, async () => {
        await create('c')
        const headers = { 'content-type': 'application/strategic-merge-patch+json' }
        const answer = await kit.request('PATCH', `${base}/c`, { body, headers })
        assert.equal(answer.status, 422, answer.text)
        assert.equal(answer.json.details?.causes?.[0]?.message?.split('": ').slice(1).join('": '), why)
      })

    it('is retried after a concurrent write, so that none is lost', async () => {
      await create('c')
      const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => patch('c', { data: { [`k${i}`]: 'x' } })))
      assert.ok(answers.every(({ status }) => status === 200))
      assert.equal(Object.keys((await get('c')).json.data as object).length, 21)
    })
  })

  describe('delete', () => {
    it('a delete has two stages while finalizers hold the object', async () => {
      await create('c', { finalizers: ['example.com/hold'] })
      const marked = await kit.request('DELETE', `${base}/c`)
      assert.equal(marked.status, 200)
      assert.equal(marked.json.kind, 'ConfigMap')
      assert.match(marked.json.metadata.deletionTimestamp ?? '', /Z$/)
      assert.equal(marked.json.metadata.deletionGracePeriodSeconds, 0)
      const again = await kit.request('DELETE', `${base}/c`)
      assert.equal(again.status, 200)
      assert.equal(again.json.metadata.resourceVersion, marked.json.metadata.resourceVersion)
      const watching = await kit.watch(`${base}?watch=1&resourceVersion=${marked.json.metadata.resourceVersion}`)
      const released = await patch('c', { metadata: { finalizers: null } })
      assert.equal(released.status, 200)
      assert.equal((await get('c')).status, 404)
      assert.deepEqual(
        (await watching.until(1)).map(({ type }) => type),
        ['DELETED'],
      )
      watching.close()
    })

    const propagation: [string, object, string[] | undefined][] = [
      ['Orphan', { propagationPolicy: 'Orphan' }, ['orphan']],
      ['Foreground', { propagationPolicy: 'Foreground' }, ['foregroundDeletion']],
      ['Background', { propagationPolicy: 'Background' }, undefined],
      ['orphanDependents', { orphanDependents: true }, ['orphan']],
    ]
    for (const [title, body, finalizers] of propagation) {
      it(`${title} leaves ${finalizers ? `the finalizer ${finalizers.join()}` : 'nothing'}`, async () => {
        await create('c')
        const answer = await kit.request('DELETE', `${base}/c`, { body })
        assert.equal(answer.status, 200, answer.text)
        const after = await get('c')
        assert.equal(after.status, finalizers ? 200 : 404)
        if (finalizers) assert.deepEqual(after.json.metadata.finalizers, finalizers)
      })
    }

    const pod = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const task = { spec: { template: { spec: { ...pod.spec, restartPolicy: 'Never' } } } }
    const byDefault: [collection: string, body: object, finalizers: string[] | undefined][] = [
      ['/apis/batch/v1/namespaces/default/jobs', task, ['orphan']],
      [
        '/api/v1/namespaces/default/replicationcontrollers',
        { spec: { selector: { a: 'b' }, template: pod } },
        ['orphan'],
      ],
      ['/apis/batch/v1/namespaces/default/cronjobs', { spec: { schedule: '@hourly', jobTemplate: task } }, undefined],
      [
        '/apis/apps/v1/namespaces/default/deployments',
        { spec: { selector: { matchLabels: { a: 'b' } }, template: pod } },
        undefined,
      ],
    ]
    for (const [url, body, finalizers] of byDefault) {
      const resource = url.slice(url.lastIndexOf('/') + 1)
      it(`${resource}: dependents ${finalizers ? 'stay' : 'are deleted'} without options`, async () => {
        const created = await kit.request('POST', url, { body: { ...body, metadata: { name: 'd' } } })
        assert.equal(created.status, 201, created.text)
        await kit.request('DELETE', `${url}/d`)
        assert.deepEqual((await kit.request('GET', `${url}/d`)).json.metadata?.finalizers, finalizers)
      })
    }

    it('reads its options from the query, too', async () => {
      await create('c')
      await kit.request('DELETE', `${base}/c?propagationPolicy=Foreground`)
      assert.deepEqual((await get('c')).json.metadata.finalizers, ['foregroundDeletion'])
    })

    it('is answered with 202 when it waits and dependents are not orphaned', async () => {
      await create('c', { finalizers: ['example.com/hold'] })
      const answer = await kit.request('DELETE', `${base}/c`, { body: { orphanDependents: false } })
      assert.equal(answer.status, 202)
    })

    it('accepts protobuf options, and those of any group’s version', async () => {
      await create('c')
      const { uid } = (await get('c')).json.metadata
      const options = { kind: 'DeleteOptions', apiVersion: 'apps/v1', preconditions: { uid } }
      const answer = await kit.request('DELETE', `${base}/c`, { body: options })
      assert.equal(answer.status, 200, answer.text)
    })

    it('a delete of a collection uses selectors, and answers the deleted objects', async () => {
      for (const name of ['a', 'b', 'c']) await create(name, { labels: { gone: name === 'b' ? 'no' : 'yes' } })
      const answer = await kit.request('DELETE', `${base}?labelSelector=gone%3Dyes`)
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.json.kind, 'ConfigMapList')
      assert.deepEqual(
        answer.json.items.map((item) => item.metadata.name),
        ['a', 'c'],
      )
      const left = await kit.request('GET', base)
      assert.deepEqual(
        left.json.items.map((item) => item.metadata.name),
        ['b'],
      )
      const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io'
      const table = await kit.request('DELETE', base, { headers: { accept } })
      assert.equal(table.json.kind, 'Table')
      assert.deepEqual((table.json as unknown as { rows: { cells: unknown[] }[] }).rows[0]?.cells.slice(0, 2), ['b', 1])
    })
  })

  describe('a dry run', () => {
    it('a dry run of every verb answers like the write, and writes nothing', async () => {
      await create('c', { labels: { l: 'x' } })
      const revision = await kit.store.currentRevision()
      const body = { metadata: { name: 'd' } }
      const rows: [string, string, object | undefined, Record<string, string>, number][] = [
        ['POST', `${base}?dryRun=All`, body, {}, 201],
        ['PUT', `${base}/c?dryRun=All`, { metadata: { name: 'c' } }, {}, 200],
        ['PATCH', `${base}/c?dryRun=All`, { data: { z: 'z' } }, merge, 200],
        ['DELETE', `${base}/c?dryRun=All`, undefined, {}, 200],
        ['DELETE', `${base}/c`, { dryRun: ['All'] }, {}, 200],
        ['DELETE', `${base}?dryRun=All`, undefined, {}, 200],
        ['DELETE', `${base}/c?dryRun=All`, { propagationPolicy: 'Background' }, {}, 200],
        ['DELETE', `${base}?dryRun=All`, { gracePeriodSeconds: 0 }, {}, 200],
        ['DELETE', `${base}/c?dryRun=Foo`, {}, {}, 422],
        ['POST', `${base}?dryRun=All`, { metadata: { name: 'c' } }, {}, 409],
        ['PUT', `${base}/nope?dryRun=All`, { metadata: { name: 'nope' } }, {}, 404],
        [
          'PUT',
          '/apis/coordination.k8s.io/v1/namespaces/default/leases/n?dryRun=All',
          { metadata: { name: 'n' } },
          {},
          201,
        ],
      ]
      for (const [method, url, sent, headers, code] of rows) {
        const answer = await kit.request(method, url, { body: sent, headers })
        assert.equal(answer.status, code, `${method} ${url}: ${answer.text}`)
      }
      assert.equal(await kit.store.currentRevision(), revision)
      assert.equal((await get('c')).status, 200)
    })

    it('a dry run of a create keeps the sent resourceVersion', async () => {
      const body = { metadata: { name: 'd', resourceVersion: '5' } }
      const answer = await kit.request('POST', `${base}?dryRun=All`, { body })
      assert.deepEqual([answer.status, answer.json.metadata.resourceVersion], [201, '5'])
      assert.equal((await kit.request('POST', base, { body })).status, 500)
    })

    it('is off when the parameter is empty', async () => {
      await kit.request('POST', `${base}?dryRun=`, { body: { metadata: { name: 'e' } } })
      assert.equal((await get('e')).status, 200)
    })
  })

  it('an object that an older release stored reads the same in every form, and an unchanged write replaces it', async () => {
    const created = await create('c', { labels: { l: 'x' }, annotations: { a: 'b' } })
    const key = '/registry/configmaps/default/c'
    const { value } = await kit.store.get(key)
    assert.ok(value)
    const old = asOldRelease(value.value)
    const written = await kit.store.update(key, old, value.modRevision)
    assert.ok(written.ok)
    const version = String(written.revision)
    const expected = { ...created.json, metadata: { ...created.json.metadata, resourceVersion: version } }
    const listed = await kit.request('GET', `${base}?labelSelector=l%3Dx`)
    assert.deepEqual(listed.json.items, [{ ...expected, apiVersion: undefined, kind: undefined }].map(withoutAbsent))
    assert.deepEqual((await get('c')).json, expected)
    assert.deepEqual(Buffer.from((await kit.store.get(key)).value?.value ?? []), old, 'reading writes nothing')
    const put = await kit.request('PUT', `${base}/c`, { body: expected })
    assert.equal(put.status, 200, put.text)
    assert.notEqual(put.json.metadata.resourceVersion, version)
    const after = (await kit.store.get(key)).value
    assert.deepEqual(Buffer.from(after?.value ?? []), Buffer.from(value.value))
    const again = await kit.request('PUT', `${base}/c`, { body: put.json })
    assert.equal(again.json.metadata.resourceVersion, put.json.metadata.resourceVersion)
  })

  it('a write of unknown outcome is never repeated', async () => {
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    let updates = 0
    const update: Store['update'] = async (...args) => {
      updates++
      await store.update(...args)
      throw new StoreError('unavailable', 'the answer was lost')
    }
    const shaky = new Proxy(store, {
      get(target, property) {
        if (property === 'update') return update
        const value: unknown = Reflect.get(target, property)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const replica = await createEndpointKit({ store: shaky })
    try {
      await replica.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
      await replica.request('POST', base, { body: { metadata: { name: 'c', finalizers: ['a/b'] } } })
      const body = [{ op: 'add', path: '/metadata/finalizers/-', value: 'a/c' }]
      const headers = { 'content-type': 'application/json-patch+json' }
      await assert.rejects(replica.request('PATCH', `${base}/c`, { body, headers }), StoreError)
      assert.equal(updates, 1)
      assert.deepEqual((await replica.request('GET', `${base}/c`)).json.metadata.finalizers, ['a/b', 'a/c'])
    } finally {
      await replica.close()
      await store.close()
    }
  })

  describe('two replicas over one store', () => {
    it('answer the same for a list that was sent empty, and sending it again changes nothing', async () => {
      const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
      const body = { metadata: { name: 's' }, addressType: 'IPv4', endpoints: [], ports: [] }
      const created = await kit.request('POST', slices, { body })
      assert.deepEqual([created.json['endpoints'], created.json['ports']], [null, null])
      const other = await createEndpointKit({ store: kit.store, seed: 2 })
      try {
        for (const replica of [kit, other]) {
          assert.equal((await replica.request('GET', `${slices}/s`)).text, created.text)
          const again = await replica.request('PUT', `${slices}/s`, { body: { ...created.json, ...body } })
          assert.equal(again.status, 200, again.text)
          assert.equal(again.json.metadata['generation'], 1)
        }
      } finally {
        await other.close()
      }
    })

    it('agree: none loses an update or refuses one because it is behind', async () => {
      const other = await createEndpointKit({ store: kit.store, seed: 2 })
      try {
        await create('c')
        for (let round = 0; round < 20; round++) {
          const [first, second] = round % 2 === 0 ? [kit, other] : [other, kit]
          // Right after the one's write the other's cache is behind.
          const written = await first.request('PATCH', `${base}/c`, {
            body: { data: { [`r${round}`]: 'x' } },
            headers: merge,
          })
          const updated = await second.request('PUT', `${base}/c`, {
            body: { ...written.json, data: { ...(written.json.data as object), [`s${round}`]: 'y' } },
          })
          assert.equal(updated.status, 200, updated.text)
          const stale = await first.request('PUT', `${base}/c`, { body: written.json })
          assert.equal(stale.status, 409)
          const read = await first.request('GET', `${base}/c`)
          assert.equal(read.text, updated.text, 'a read shows the write that another replica answered')
        }
        assert.equal(Object.keys((await get('c')).json.data as object).length, 41)
        await other.request('DELETE', `${base}/c`)
        assert.equal((await patch('c', { data: { late: 'x' } })).status, 404)
        const again = await create('c')
        assert.equal(again.status, 201)
        assert.equal((await other.request('DELETE', `${base}/c`)).status, 200)
      } finally {
        await other.close()
      }
    })

    it('answer the same for fields that were written empty', async () => {
      const cases: readonly (readonly [string, object])[] = [
        ['/apis/rbac.authorization.k8s.io/v1/clusterroles', { rules: [] }],
        ['/api/v1/namespaces/default/limitranges', { spec: { limits: [] } }],
        [
          '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
          { addressType: 'IPv4', endpoints: [], ports: [] },
        ],
      ]
      const other = await createEndpointKit({ store: kit.store, seed: 3 })
      try {
        for (const [path, fields] of cases) {
          const body = { metadata: { name: 'empty' }, ...fields }
          const dry = await kit.request('POST', `${path}?dryRun=All`, { body })
          const created = await kit.request('POST', path, { body })
          assert.equal(created.status, 201, created.text)
          for (const { text } of [dry, created]) assert.match(text, /"(rules|limits|endpoints)":null/)
          assert.equal((await other.request('GET', `${path}/empty`)).text, created.text)
          const updated = await kit.request('PUT', `${path}/empty`, {
            body: { ...body, metadata: { name: 'empty', labels: { a: 'b' } } },
          })
          assert.equal(updated.status, 200, updated.text)
          assert.equal((await other.request('GET', `${path}/empty`)).text, updated.text)
        }
      } finally {
        await other.close()
      }
    })

    it('count a counter together', async () => {
      const other = await createEndpointKit({ store: kit.store, seed: 2 })
      try {
        await kit.request('POST', base, { body: { metadata: { name: 'n' }, data: { n: '0' } } })
        const increment = async (replica: EndpointKit): Promise<void> => {
          for (;;) {
            const { json } = await replica.request('GET', `${base}/n?resourceVersion=0`)
            if (json.code === 404) continue
            const n = Number((json.data as { n: string }).n) + 1
            const answer = await replica.request('PUT', `${base}/n`, { body: { ...json, data: { n: String(n) } } })
            if (answer.status === 200) return
            assert.equal(answer.status, 409, answer.text)
            await new Promise((resolve) => setTimeout(resolve, 1))
          }
        }
        await Promise.all(Array.from({ length: 10 }, (_, i) => increment(i % 2 === 0 ? kit : other)))
        assert.deepEqual((await get('n')).json.data, { n: '10' })
      } finally {
        await other.close()
      }
    })
  })
})
