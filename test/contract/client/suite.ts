import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { CustomResourceDefinition } from '../../../api/gen/apiextensions.k8s.io/v1.ts'
import type { ConfigMap, Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Client, WatchEvent } from '../../../lib/client/index.ts'
import { discover } from '../../../lib/controller/index.ts'
import { type ApiObject, type Frozen, resourceType, StatusError } from '../../../lib/object/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

interface Subject {
  /** A client of an administrator. */
  admin(): Client
  /** A client of a user who may do nothing; the server authorizes by RBAC. */
  stranger(): Client
}

const { configmaps, namespaces, pods } = resources.core.v1
const { deployments } = resources.apps.v1

function configMap(namespace: string, name: string, data: Record<string, string> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name }, data }
}

const labelled = (object: ConfigMap, labels: Record<string, string>): ConfigMap => ({
  ...object,
  metadata: { ...object.metadata, labels },
})

function gadgets(group: string): Frozen<CustomResourceDefinition> {
  const schema = { openAPIV3Schema: { type: 'object' } }
  const names = { plural: 'gadgets', kind: 'Gadget' }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
    status: { acceptedNames: names },
  }
}

function fails(code: number, reason: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof StatusError, `${String(error)} is no StatusError`)
    assert.deepEqual([error.code, error.reason], [code, reason], error.message)
    return true
  }
}

/** What every way to the API keeps to. */
export function testClient(name: string, subject: Subject): void {
  describe(`a client ${name}`, () => {
    let namespace = ''
    let made = 0

    beforeEach(async () => {
      namespace = `client-${name.replaceAll(/[^a-z]+/g, '-')}-${made++}`
      await subject
        .admin()
        .resource(namespaces)
        .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace }, spec: {}, status: {} })
    })

    it('creates, gets, updates and deletes', async () => {
      const client = subject.admin().resource(configmaps)
      const created = await client.create(configMap(namespace, 'one', { a: '1' }))
      assert.equal(created.metadata.namespace, namespace)
      assert.ok(created.metadata.uid)
      assert.deepEqual(await client.get(created.metadata), created)
      const updated = await client.update({ ...created, data: { a: '2' } })
      assert.notEqual(updated.metadata.resourceVersion, created.metadata.resourceVersion)
      assert.deepEqual(updated.data, { a: '2' })
      await client.delete(updated.metadata, { uid: updated.metadata.uid })
      await assert.rejects(client.get(created.metadata), fails(404, 'NotFound'))
    })

    it('gets objects that say what they are', async () => {
      const client = subject.admin().resource(configmaps)
      await client.create(configMap(namespace, 'one'))
      const got = await client.get({ namespace, name: 'one' })
      const { items } = await client.list({ namespace })
      for (const object of [got, ...items]) assert.deepEqual([object.apiVersion, object.kind], ['v1', 'ConfigMap'])
    })

    it('leaves what it is given alone', async () => {
      const client = subject.admin().resource(pods)
      const pod: Pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { namespace, generateName: 'web-' },
        spec: { containers: [{ name: 'c', image: 'i', resources: {} }] },
        status: {},
      }
      const before = structuredClone(pod)
      const created = await client.create(pod)
      assert.deepEqual(pod, before)
      assert.match(created.metadata.name ?? '', /^web-.{5}$/)
      assert.equal(created.spec.restartPolicy, 'Always')
    })

    it('gets a StatusError for conflicts, missing objects and bad objects', async () => {
      const client = subject.admin().resource(configmaps)
      const created = await client.create(configMap(namespace, 'one'))
      await assert.rejects(client.create(configMap(namespace, 'one')), fails(409, 'AlreadyExists'))
      await client.update({ ...created, data: { a: '1' } })
      await assert.rejects(client.update({ ...created, data: { a: '2' } }), fails(409, 'Conflict'))
      await assert.rejects(client.delete({ namespace, name: 'other' }), fails(404, 'NotFound'))
      await assert.rejects(client.create(configMap(namespace, 'Not A Name')), (error) => {
        assert.ok(fails(422, 'Invalid')(error) && error instanceof StatusError)
        assert.equal(error.details?.causes?.[0]?.field, 'metadata.name')
        return true
      })
    })

    it('refuses to send what has no name or namespace', async () => {
      const client = subject.admin().resource(configmaps)
      await assert.rejects(async () => client.get({ namespace }), TypeError)
      await assert.rejects(async () => client.get({ name: 'one' }), TypeError)
    })

    it('may do what its user may, and nothing else', async () => {
      const client = subject.stranger().resource(configmaps)
      await assert.rejects(client.list({ namespace }), fails(403, 'Forbidden'))
      await assert.rejects(client.create(configMap(namespace, 'one')), fails(403, 'Forbidden'))
      const ended = Promise.withResolvers<unknown>()
      client.watch({ namespace }, { onEvents() {}, onEnd: (error) => ended.resolve(error) })
      assert.ok(fails(403, 'Forbidden')(await ended.promise))
    })

    it('speaks every kind of patch', async () => {
      const client = subject.admin().resource(configmaps)
      await client.create(configMap(namespace, 'one', { a: '1' }))
      const one = { namespace, name: 'one' }
      await client.patch(one, 'merge', { data: { b: '2' } })
      await client.patch(one, 'json', [{ op: 'add', path: '/data/c', value: '3' }])
      await client.patch(one, 'strategic', { data: { a: null } })
      const applied = await client.patch(
        one,
        'apply',
        { apiVersion: 'v1', kind: 'ConfigMap', data: { d: '4' } },
        { fieldManager: 'mine', force: true },
      )
      assert.deepEqual(applied.data, { b: '2', c: '3', d: '4' })
      assert.ok(applied.metadata.managedFields?.some(({ manager }) => manager === 'mine'))
    })

    it('writes status and other subresources apart', async () => {
      const client = subject.admin().resource(deployments)
      const created = await client.create({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { namespace, name: 'web' },
        spec: {
          replicas: 1,
          selector: { matchLabels: { app: 'web' } },
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { containers: [{ name: 'c', image: 'i', resources: {} }] },
          },
          strategy: {},
        },
        status: {},
      })
      const status = await client.updateStatus({ ...created, status: { replicas: 1, observedGeneration: 1 } })
      assert.equal(status.status.replicas, 1)
      await client.patchStatus(created.metadata, 'merge', { status: { replicas: 2 } })
      const scale = await client.subresource('scale').get(created.metadata)
      assert.deepEqual([scale.kind, scale['spec']], ['Scale', { replicas: 1 }])
    })

    it('lists in chunks, by selectors, and everything', async () => {
      const client = subject.admin().resource(configmaps)
      for (const name of ['a', 'b', 'c', 'd', 'e'])
        await client.create(labelled(configMap(namespace, name), { odd: String('ace'.includes(name)) }))
      const page = await client.list({ namespace, limit: 2 })
      assert.equal(page.items.length, 2)
      assert.ok(page.metadata.continue)
      const next = await client.list({ namespace, limit: 2, continue: page.metadata.continue })
      assert.deepEqual(names(next.items), ['c', 'd'])
      const all = await client.listAll({ namespace, limit: 2 })
      assert.deepEqual(names(all.items), ['a', 'b', 'c', 'd', 'e'])
      assert.equal(all.metadata.continue ?? '', '')
      const odd = await client.list({ namespace, labelSelector: 'odd=true' })
      assert.deepEqual(names(odd.items), ['a', 'c', 'e'])
      const one = await client.list({ namespace, fieldSelector: 'metadata.name=b' })
      assert.deepEqual(names(one.items), ['b'])
      assert.deepEqual((await client.list({ namespace, labelSelector: 'odd=never' })).items, [])
    })

    it('deletes collections by selector', async () => {
      const client = subject.admin().resource(configmaps)
      await client.create(labelled(configMap(namespace, 'a'), { go: 'yes' }))
      await client.create(configMap(namespace, 'b'))
      await client.deleteCollection({ namespace, labelSelector: 'go=yes' })
      assert.deepEqual(names((await client.list({ namespace })).items), ['b'])
    })

    it('watches from a state on, with everything in order', async () => {
      const client = subject.admin().resource(configmaps)
      await client.create(configMap(namespace, 'old'))
      const { metadata } = await client.list({ namespace })
      const seen: string[] = []
      const watch = client.watch(
        { namespace, resourceVersion: metadata.resourceVersion ?? '' },
        { onEvents: (events) => seen.push(...events.map(described)), onEnd() {} },
      )
      const created = await client.create(configMap(namespace, 'new', { a: '1' }))
      await client.update({ ...created, data: { a: '2' } })
      await client.delete(created.metadata)
      await eventually(() => isDeepStrictEqual(seen, ['ADDED new', 'MODIFIED new', 'DELETED new']), 'the events')
      await watch.close()
    })

    it('gets the state first where a watch names no version', async () => {
      const client = subject.admin().resource(configmaps)
      await client.create(configMap(namespace, 'old'))
      const seen: string[] = []
      const watch = client.watch(
        { namespace },
        { onEvents: (events) => seen.push(...events.map(described)), onEnd() {} },
      )
      await eventually(() => isDeepStrictEqual(seen, ['ADDED old']), 'the events')
      await watch.close()
    })

    it('gets the end of a watch once, and nothing after it', async () => {
      const client = subject.admin().resource(configmaps)
      const ends: unknown[] = []
      let events = 0
      const sink = { onEvents: () => void events++, onEnd: (error?: Error) => void ends.push(error) }
      const watch = client.watch({ namespace, timeoutSeconds: 600 }, sink)
      await client.create(configMap(namespace, 'a'))
      await eventually(() => events > 0, 'an event')
      await watch.close()
      await watch.close()
      const before = events
      await client.create(configMap(namespace, 'b'))
      await eventuallyEquals(() => ends.length, 1, 'the end')
      assert.deepEqual([events, ends], [before, [undefined]])
    })

    it('gets no error at the end of a watch whose time is over', async () => {
      const client = subject.admin().resource(configmaps)
      const ended = Promise.withResolvers<unknown>()
      client.watch({ namespace, timeoutSeconds: 1 }, { onEvents() {}, onEnd: (error) => ended.resolve(error) })
      assert.equal(await ended.promise, undefined)
    })

    it('gets metadata alone', async () => {
      await subject
        .admin()
        .resource(configmaps)
        .create(configMap(namespace, 'one', { a: '1' }))
      const client = subject.admin().metadata(configmaps)
      const got = await client.get({ namespace, name: 'one' })
      const { items } = await client.list({ namespace })
      for (const object of [got, ...items]) {
        assert.equal(object.metadata.name, 'one')
        assert.equal('data' in object, false)
      }
      const seen: WatchEvent<ApiObject>[] = []
      const watch = client.watch({ namespace }, { onEvents: (events) => seen.push(...events), onEnd() {} })
      await eventuallyEquals(() => seen.length, 1, 'an event')
      assert.equal(seen[0]?.object.kind, 'PartialObjectMetadata')
      await watch.close()
    })

    it('reads documents', async () => {
      const version = (await subject.admin().document('/version')) as { major?: string }
      assert.equal(version.major, '1')
      await assert.rejects(subject.admin().document('/nowhere'), fails(404, 'NotFound'))
    })

    it('reads discovery as it is after each change of what is served', async () => {
      const client = subject.admin()
      const definitions = client.resource(resources.apiextensions.v1.customresourcedefinitions)
      const group = `${namespace}.example.com`
      const isServed = async (): Promise<boolean> =>
        (await discover(client)).resources.some((each) => each.group === group && each.kind === 'Gadget')
      assert.equal(await isServed(), false)
      const { metadata } = await definitions.create(gadgets(group))
      await eventually(isServed, 'the definition in discovery')
      await definitions.delete(metadata)
      await eventually(async () => !(await isServed()), 'no definition in discovery')
    })

    it('gets 404 for a resource that does not exist', async () => {
      const client = subject.admin().resource(resourceType('example.com', 'v1', 'gadgets', 'Gadget', true))
      await assert.rejects(client.list({ namespace }), fails(404, 'NotFound'))
    })

    it('gives up when its caller does', async () => {
      const client = subject.admin().resource(configmaps)
      const aborted = AbortSignal.abort(new Error('enough'))
      await assert.rejects(client.list({ namespace, signal: aborted }), /enough/)
    })
  })
}

function names(items: readonly Frozen<ApiObject>[]): (string | undefined)[] {
  return items.map(({ metadata }) => metadata.name)
}

function described({ type, object }: WatchEvent<ConfigMap>): string {
  return `${type} ${object.metadata.name ?? ''}`
}
