import assert from 'node:assert/strict'
import { tables } from '../../../api/index.ts'
import type { AdmissionPlugin } from '../../../lib/admission/index.ts'
import { createFieldOwnership } from '../../../lib/apply/index.ts'
import { silentLogger, systemClock } from '../../../lib/base/index.ts'
import { builtInKinds, createKindSet } from '../../../lib/kinds/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { createScheme } from '../../../lib/scheme/index.ts'
import { createMemoryStore, type Store, type StoreWatchSink } from '../../../lib/storage/index.ts'
import { type Answer, createEndpointKit, type EndpointKit, type KitOptions } from '../../support/endpointkit.ts'

const deployments = '/apis/apps/v1/namespaces/default/deployments'
const applyType = { 'content-type': 'application/apply-patch+yaml' }
const mergeType = { 'content-type': 'application/merge-patch+json' }

const deployment = (image = 'a:1'): object => {
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } }
  const spec = { replicas: 2, selector: { matchLabels: labels }, template }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec }
}

/** Withholds the events of a store from its watches while `held` is true. */
function holdEvents(store: Store): { readonly store: Store; held: boolean } {
  const state = {
    held: false,
    store: new Proxy(store, {
      get(target, property) {
        if (property === 'watch')
          return (options: Parameters<Store['watch']>[0], sink: StoreWatchSink) =>
            target.watch(options, {
              ...sink,
              onEvents: (events) => state.held || sink.onEvents(events),
              onProgress: (revision) => state.held || sink.onProgress(revision),
              onEnd: (error) => sink.onEnd(error),
            })
        const value: unknown = Reflect.get(target, property)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    }),
  }
  return state
}

describe('endpoints: a write that changes nothing', () => {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close()
  })

  async function createKit(options: KitOptions = {}): Promise<EndpointKit> {
    const kinds = createKindSet(builtInKinds)
    const scheme = createScheme({ tables, kinds: kinds.get })
    const kit = await createEndpointKit({ ownership: createFieldOwnership(scheme.objects), ...options })
    open.unshift(kit)
    await kit.request('POST', '/api/v1/namespaces', { body: { metadata: { name: 'default' } } })
    return kit
  }

  const apply = (kit: EndpointKit, body: object, headers: object = {}, query = ''): Promise<Answer> =>
    kit.request('PATCH', `${deployments}/web?fieldManager=m${query}`, { body, headers: { ...applyType, ...headers } })

  it('is answered with the bytes of a get, in every format', async () => {
    const kit = await createKit()
    assert.equal((await apply(kit, deployment())).status, 201)
    for (const accept of ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'])
      for (const query of ['', '&pretty=true']) {
        const applied = await apply(kit, deployment(), { accept }, query)
        const got = await kit.request('GET', `${deployments}/web?${query}`, { headers: { accept } })
        assert.equal(applied.status, 200, applied.text)
        assert.equal(applied.text, got.text, `${accept} ${query}`)
        const put = await kit.request('PUT', `${deployments}/web?fieldManager=m${query}`, {
          body: (await kit.request('GET', `${deployments}/web`)).json,
          headers: { accept },
        })
        assert.equal(put.text, got.text, `${accept} ${query}`)
      }
  })

  it('is one in the version of the request: another version converts, and is answered in its own', async () => {
    const kit = await createKit()
    const scale = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 }
    const url = (version: string): string =>
      `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers/h?fieldManager=m`
    const object = (version: string): object => ({
      apiVersion: `autoscaling/${version}`,
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: scale,
    })
    const send = (version: string): Promise<Answer> =>
      kit.request('PATCH', url(version), { body: object(version), headers: applyType })
    const created = await send('v2')
    assert.equal(created.status, 201, created.text)
    for (const version of ['v2', 'v1']) {
      const first = await send(version)
      const again = await send(version)
      assert.equal(again.status, 200, again.text)
      assert.equal(again.json.apiVersion, `autoscaling/${version}`)
      assert.equal(again.json.metadata.resourceVersion, first.json.metadata.resourceVersion)
      assert.equal(again.text, (await kit.request('GET', url(version))).text)
    }
  })

  it('is none for a cache that lags behind: the store’s state is changed, and answered', async () => {
    const store = createMemoryStore({ clock: systemClock, log: silentLogger })
    open.push(store)
    const first = await createKit({ store })
    const lagging = holdEvents(store)
    const second = await createKit({ store: lagging.store })
    assert.equal((await apply(first, deployment())).status, 201)
    await apply(second, deployment())
    lagging.held = true
    const patch = { spec: { replicas: 7, template: { spec: { containers: [{ name: 'main', image: 'b:2' }] } } } }
    const changed = await first.request('PATCH', `${deployments}/web`, { body: patch, headers: mergeType })
    assert.equal(changed.status, 200, changed.text)
    const conflict = await apply(second, deployment())
    assert.equal(conflict.status, 409, 'the fields are the other manager’s by now')
    const forced = await apply(second, deployment(), {}, '&force=true')
    assert.equal(forced.status, 200, forced.text)
    assert.notEqual(forced.json.metadata.resourceVersion, changed.json.metadata.resourceVersion)
    assert.equal((forced.json['spec'] as { replicas?: number }).replicas, 2)
    const same = await apply(second, deployment())
    assert.equal(same.json.metadata.resourceVersion, forced.json.metadata.resourceVersion, 'still from the store')
    await first.request('DELETE', `${deployments}/web`)
    assert.equal((await apply(second, deployment())).status, 201, 'deleted meanwhile')
  })

  it('is none when admission changes the object, whose cached state stays as it was', async () => {
    let image = ''
    let refuses = false
    const plugin: AdmissionPlugin = {
      name: 'ImageSetter',
      handles: (operation) => operation === 'UPDATE',
      mutate(attributes) {
        const { object } = attributes
        if (image === '' || object?.kind !== 'Deployment') return
        const spec = object['spec'] as { template: { spec: { containers: { image: string }[] } } }
        for (const container of spec.template.spec.containers) container.image = image
        object.metadata.labels = { ...object.metadata.labels, set: 'x' }
      },
      validate() {
        if (refuses) throw new Error('refused')
      },
    }
    const kit = await createKit({ plugins: [plugin] })
    const created = await apply(kit, deployment())
    const before = (await kit.request('GET', `${deployments}/web`)).text
    image = 'c:3'
    refuses = true
    await assert.rejects(apply(kit, deployment()), /refused/)
    assert.equal((await kit.request('GET', `${deployments}/web`)).text, before)
    refuses = false
    const changed = await apply(kit, deployment())
    assert.equal(changed.status, 200, changed.text)
    assert.notEqual(changed.json.metadata.resourceVersion, created.json.metadata.resourceVersion)
    assert.equal(changed.text, (await kit.request('GET', `${deployments}/web`)).text)
    assert.match(changed.text, /"image":"c:3"/)
  })

  it('is validated all the same', async () => {
    const kit = await createKit()
    await apply(kit, deployment())
    const wrong = await apply(kit, { ...deployment(), metadata: { name: 'web', uid: 'another' } })
    assert.equal(wrong.status, 422, wrong.text)
    const unknown = await apply(kit, { ...deployment(), more: 1 })
    assert.equal(unknown.status, 500, unknown.text)
    const dry = await apply(kit, deployment(), {}, '&dryRun=All')
    assert.equal(dry.status, 200, dry.text)
  })

  it('a dry run of a patch leaves the cached object as it was, to its last field', async () => {
    const kit = await createKit()
    assert.equal((await apply(kit, deployment())).status, 201)
    const cache = kit.registry.resource({ group: 'apps', resource: 'deployments' })?.cache
    const cached = (): ApiObject | undefined => cache?.peek('/registry/deployments/default/web')?.object()
    const before = structuredClone(cached())
    assert.ok(before)
    const containers = [{ name: 'main', image: 'b:2', args: ['x'] }]
    const changes = { metadata: { labels: { a: 'b' } }, spec: { replicas: 9, template: { spec: { containers } } } }
    const patches: [string, unknown][] = [
      ['merge-patch', changes],
      ['strategic-merge-patch', changes],
      ['strategic-merge-patch', { spec: { template: { spec: { containers: [{ $patch: 'delete', name: 'main' }] } } } }],
      ['merge-patch', { metadata: { managedFields: [{}] } }],
      ['json-patch', [{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'b:2' }]],
      ['json-patch', [{ op: 'remove', path: '/metadata/managedFields/0/fieldsV1/f:spec' }]],
      ['json-patch', [{ op: 'add', path: '/metadata/managedFields/0/fieldsV1/f:x', value: {} }]],
    ]
    for (const [type, body] of patches)
      for (const query of ['?dryRun=All', '?dryRun=All&fieldManager=m']) {
        const headers = { 'content-type': `application/${type}+json` }
        await kit.request('PATCH', `${deployments}/web${query}`, { body, headers })
        assert.deepEqual(cached(), before, `${type} ${JSON.stringify(body)}`)
      }
  })

  it('a patch that doesn’t name the owners keeps them; one that does may replace them', async () => {
    const kit = await createKit()
    await apply(kit, deployment())
    const send = (body: object): Promise<Answer> =>
      kit.request('PATCH', `${deployments}/web?fieldManager=p`, { body, headers: mergeType })
    const managers = ({ json }: Answer): string[] =>
      (json.metadata.managedFields ?? []).map(({ manager, operation }) => `${operation} ${manager}`)
    assert.deepEqual(managers(await send({ spec: { replicas: 5 } })), ['Apply m', 'Update p'])
    assert.deepEqual(managers(await send({ metadata: { managedFields: null } })), ['Apply m', 'Update p'])
    assert.deepEqual(managers(await send({ metadata: { managedFields: [{}] }, spec: { replicas: 6 } })), ['Update p'])
    const text = await kit.request('PATCH', `${deployments}/web`, {
      body: { spec: { replicas: 'x' } },
      headers: mergeType,
    })
    assert.equal(text.status, 422)
    assert.match(text.json.message ?? '', /managedFields/, 'the whole document is shown')
  })
})
