import assert from 'node:assert/strict'
import type { Authorizer } from '../../../lib/authz/index.ts'
import type { Store } from '../../../lib/storage/index.ts'
import { encrypted, transformersOf } from '../../support/encryption.ts'
import { createEndpointKit, type EndpointKit, type KitOptions } from '../../support/endpointkit.ts'

const base = '/api/v1/namespaces/default/configmaps'

describe('endpoints: an object that can’t be read', () => {
  const bad = `${base}/bad`
  const key = '/registry/configmaps/default/bad'
  const forced = 'ignoreStoreReadErrorWithClusterBreakingPotential=true'
  const gate = 'AllowUnsafeMalformedObjectDeletion'
  const text =
    'StorageError: corrupt object, Code: 7, Key: /configmaps/default/bad, ResourceVersion: 0, AdditionalErrorMsg: data from the storage is not transformable revision=0: no matching key was found for the provided AES transformer'
  const stuck = Buffer.from('k8s:enc:aesgcm:v1:gone:something')
  let open: EndpointKit[] = []
  afterEach(async () => {
    for (const each of open) await each.close()
    open = []
  })

  async function start(gates: string[], options: KitOptions = {}): Promise<EndpointKit> {
    const transformerOf = transformersOf({ secrets: ['aesgcm:one', 'identity'] })
    const over = (store: Store): Store => encrypted(store, transformerOf)
    const started = await createEndpointKit({ gates, over, ...options })
    open.push(started)
    await started.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    return started
  }

  it('stays while the gate is off, whatever the options', async () => {
    const broken = await start([])
    await broken.store.create(key, stuck)
    for (const query of ['', `?${forced}`, `?${forced}&propagationPolicy=Background`])
      await assert.rejects(
        broken.request('DELETE', bad + query),
        /no matching key was found for the provided AES transformer/,
      )
    await assert.rejects(broken.request('GET', bad), /^UnreadableObject: no matching key was found/)
    const list = await broken.request('GET', base)
    assert.deepEqual(
      [list.status, list.json.message],
      [
        500,
        `Internal error occurred: unable to transform key "${key}": no matching key was found for the provided AES transformer`,
      ],
    )
    assert.ok((await broken.store.get(key)).value)
  })

  it('is named with the gate on: by reads and plain deletions, and by a list with all others', async () => {
    const broken = await start([gate])
    await broken.store.create(key, stuck)
    for (const method of ['GET', 'DELETE']) {
      const { status, json } = await broken.request(method, bad)
      assert.deepEqual([status, json.reason, json.message], [500, 'InternalError', `Internal error occurred: ${text}`])
      assert.deepEqual(json.details?.causes, [{ message: text }])
    }
    const created: number[] = []
    for (const name of ['bad2', 'bad3']) {
      const result = await broken.store.create(`/registry/configmaps/default/${name}`, Buffer.from('no object at all'))
      created.push(result.revision)
    }
    const { status, json } = await broken.request('GET', base)
    assert.deepEqual([status, json.reason], [500, 'StorageReadError'])
    assert.deepEqual([json.details?.name, json.details?.kind], ['list', 'configmaps'])
    const causes = json.details?.causes ?? []
    assert.deepEqual(
      causes.map(({ field }) => field),
      ['bad', 'bad2', 'bad3'].map((name) => `/registry/configmaps/default/${name}`),
    )
    assert.match(
      causes[1]?.message ?? '',
      new RegExp(
        `^StorageError: corrupt object, Code: 7, Key: /registry/configmaps/default/bad2, ResourceVersion: ${created[0]}, AdditionalErrorMsg: object not decodable revision=${created[0]}: `,
      ),
    )
    for (const { reason, message = '' } of causes) {
      assert.equal(reason, 'UnexpectedServerResponse')
      assert.ok(!message.includes('no object at all'))
    }
  })

  it('a list names a hundred, and reports that there are more', async () => {
    const broken = await start([gate])
    for (let number = 0; number < 105; number++)
      await broken.store.create(`/registry/configmaps/default/b${number}`, stuck)
    const { json } = await broken.request('GET', base)
    const causes = json.details?.causes ?? []
    assert.equal(causes.length, 101)
    assert.deepEqual(causes[100], { reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' })
  })

  it('is deleted by force where the gate is on, past its finalizers, and the audit log records it', async () => {
    const broken = await start([gate])
    for (const [name, bytes] of [
      ['bad', stuck],
      ['bad2', Buffer.from('no object at all')],
    ] as const) {
      await broken.store.create(`/registry/configmaps/default/${name}`, bytes)
      const { status, json } = await broken.request('DELETE', `${base}/${name}?${forced}`)
      assert.deepEqual([status, json.status, json.details], [200, 'Success', { name, kind: 'ConfigMap' }])
      assert.equal((await broken.store.get(`/registry/configmaps/default/${name}`)).value, undefined)
    }
  })

  it('is the only one that the option may delete: a readable or missing one is refused', async () => {
    const broken = await start([gate])
    const created = await broken.request('POST', base, {
      body: { metadata: { name: 'good', finalizers: ['example.com/hold'] } },
    })
    assert.equal(created.status, 201)
    for (const name of ['good', 'none']) {
      const { status, json } = await broken.request('DELETE', `${base}/${name}?${forced}`)
      assert.deepEqual(
        [status, json.message, json.details?.kind],
        [
          422,
          `configmaps "${name}" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is exclusively used to delete corrupt object(s), try again by removing this option`,
          'configmaps',
        ],
      )
    }
    assert.equal((await broken.request('GET', `${base}/good`)).json.metadata.deletionTimestamp, undefined)
  })

  it('the option excludes others, and collections', async () => {
    const broken = await start([gate])
    await broken.store.create(key, stuck)
    for (const other of [
      'dryRun=All',
      'propagationPolicy=Background',
      'orphanDependents=true',
      'gracePeriodSeconds=0',
      'uid=u',
    ]) {
      const { status, json } = await broken.request('DELETE', `${bad}?${forced}&${other}`)
      assert.equal(status, 422, other)
      assert.match(json.message ?? '', /Invalid value: true: cannot be set together with \./, other)
    }
    const { status, json } = await broken.request('DELETE', `${base}?${forced}`)
    assert.deepEqual(
      [status, json.message],
      [
        422,
        'DeleteOptions.meta.k8s.io "" is invalid: ignoreStoreReadErrorWithClusterBreakingPotential: Invalid value: true: is not allowed with DELETECOLLECTION, try again after removing the option',
      ],
    )
    assert.ok((await broken.store.get(key)).value)
  })

  it('needs its own permission', async () => {
    const asked: string[] = []
    const authorizer: Authorizer = {
      name: 'test',
      authorize({ verb, resource, name }) {
        asked.push(`${verb} ${resource}/${name}`)
        return { decision: 'no-opinion', reason: 'because' }
      },
    }
    const broken = await start([gate], { authorizer })
    await broken.store.create(key, stuck)
    const { status, json } = await broken.request('DELETE', `${bad}?${forced}`)
    assert.deepEqual(
      [status, json.message],
      [403, 'configmaps "bad" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: because'],
    )
    assert.deepEqual(asked, ['unsafe-delete-ignore-read-errors configmaps/bad'])
    assert.ok((await broken.store.get(key)).value)
  })
})
