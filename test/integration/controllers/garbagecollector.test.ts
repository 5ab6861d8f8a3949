import assert from 'node:assert/strict'
import type { ConfigMap } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { ControlPlane } from '../../../cmd/pilothouse/library.ts'
import { type ApiObject, type OwnerReference, resourceType } from '../../../lib/object/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { type ManagedPlane, startManagedPlane } from '../../support/managedplane.ts'

const { configmaps, events, namespaces } = resources.core.v1
const definitions = resourceType(
  'apiextensions.k8s.io',
  'v1',
  'customresourcedefinitions',
  'CustomResourceDefinition',
  false,
)

describe('garbage collector against the API', () => {
  let plane: ControlPlane
  let whenSettled: ManagedPlane['whenSettled']
  const maps = () => plane.client.resource(configmaps)
  before(async () => {
    ;({ plane, whenSettled } = await startManagedPlane({ controllers: ['garbage-collector-controller'] }))
  })
  after(async () => {
    await plane.stop()
  })

  const make = async (name: string, owners: readonly OwnerReference[] = [], more: object = {}) =>
    await maps().create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name, ownerReferences: [...owners], ...more },
    })
  const ref = (
    { metadata }: { readonly metadata: ConfigMap['metadata'] },
    more: Partial<OwnerReference> = {},
  ): OwnerReference => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    name: metadata.name ?? '',
    uid: metadata.uid ?? '',
    ...more,
  })
  const find = async (name: string) =>
    await maps()
      .get({ namespace: 'default', name })
      .catch(() => undefined)
  const isGone = async (name: string) => (await find(name)) === undefined

  it('an object that has lost its only owner is deleted, and then its own dependents', async () => {
    const a = await make('a')
    const b = await make('b', [ref(a as ConfigMap)])
    await make('c', [ref(b as ConfigMap)])
    await maps().delete({ namespace: 'default', name: 'a' }, { propagationPolicy: 'Background' })
    await eventually(async () => (await isGone('b')) && (await isGone('c')), 'cascade')
  })

  it('a deleted owner is removed from the owners of an object that has another one', async () => {
    const a = (await make('two-a')) as ConfigMap
    const b = (await make('two-b')) as ConfigMap
    await make('two-c', [ref(a), ref(b)])
    await maps().delete(a.metadata)
    await eventuallyEquals(async () => (await find('two-c'))?.metadata.ownerReferences?.length, 1, 'one owner left')
    assert.equal((await find('two-c'))?.metadata.ownerReferences?.[0]?.uid, b.metadata.uid)
  })

  it('a foreground deletion waits for dependents that block it', async () => {
    const a = (await make('fg-a')) as ConfigMap
    await make('fg-b', [ref(a, { blockOwnerDeletion: true })], { finalizers: ['example.com/hold'] })
    await maps().delete(a.metadata, { propagationPolicy: 'Foreground' })
    await eventually(async () => (await find('fg-b'))?.metadata.deletionTimestamp !== undefined, 'the dependent goes')
    assert.ok(await find('fg-a'))
    await maps().patch({ namespace: 'default', name: 'fg-b' }, 'merge', { metadata: { finalizers: null } })
    await eventually(async () => await isGone('fg-a'), 'the owner goes')
  })

  it('a cycle of objects that are deleted in the foreground is deleted', async () => {
    const a = (await make('ring-a')) as ConfigMap
    const b = (await make('ring-b', [ref(a, { blockOwnerDeletion: true })])) as ConfigMap
    await maps().patch(a.metadata, 'merge', { metadata: { ownerReferences: [ref(b, { blockOwnerDeletion: true })] } })
    await maps().delete(a.metadata, { propagationPolicy: 'Foreground' })
    await eventually(async () => (await isGone('ring-a')) && (await isGone('ring-b')), 'the ring goes')
  })

  it('an object that owns itself is deleted when it is deleted in the foreground', async () => {
    const a = (await make('self')) as ConfigMap
    await maps().patch(a.metadata, 'merge', { metadata: { ownerReferences: [ref(a, { blockOwnerDeletion: true })] } })
    await maps().delete(a.metadata, { propagationPolicy: 'Foreground' })
    await eventually(async () => await isGone('self'), 'the object goes')
  })

  it('a cycle whose objects are all deleted in the foreground is deleted after the object that blocks one of them', async () => {
    const a = (await make('round-a')) as ConfigMap
    const b = (await make('round-b', [ref(a, { blockOwnerDeletion: true })])) as ConfigMap
    const c = (await make('round-c', [ref(b, { blockOwnerDeletion: true })])) as ConfigMap
    await make('round-d', [ref(c, { blockOwnerDeletion: true })], { finalizers: ['example.com/hold'] })
    await Promise.all(
      [b, c].map(({ metadata }) => maps().delete(metadata, { propagationPolicy: 'Foreground', uid: metadata.uid })),
    )
    await maps().patch(a.metadata, 'merge', { metadata: { ownerReferences: [ref(c, { blockOwnerDeletion: true })] } })
    await maps().delete(a.metadata, { propagationPolicy: 'Foreground' })
    await eventually(
      async () => (await find('round-d'))?.metadata.deletionTimestamp !== undefined,
      'the dependent goes',
    )
    assert.ok(await find('round-c'))
    await maps().patch({ namespace: 'default', name: 'round-d' }, 'merge', { metadata: { finalizers: null } })
    await eventually(async () => (await isGone('round-a')) && (await isGone('round-b')), 'the circle goes')
    await eventually(async () => await isGone('round-c'), 'its last object goes')
  })

  it('an orphaning deletion removes the owner from dependents', async () => {
    const a = (await make('or-a')) as ConfigMap
    await make('or-b', [ref(a)])
    await eventually(async () => (await find('or-b')) !== undefined, 'made')
    await maps().delete(a.metadata, { propagationPolicy: 'Orphan' })
    await eventually(async () => await isGone('or-a'), 'the owner goes')
    assert.deepEqual((await find('or-b'))?.metadata.ownerReferences ?? [], [])
  })

  it('an owner that never existed is absent; one of an unknown kind is not', async () => {
    await make('unknown-kind', [{ apiVersion: 'example.com/v1', kind: 'Nothing', name: 'x', uid: 'n1' }])
    await make('never', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'never-there', uid: 'n2' }])
    await eventually(async () => await isGone('never'), 'absent owner')
    assert.ok(await find('unknown-kind'))
  })

  it('an owner in another namespace is no owner: the dependent gets a warning and is deleted, the owner stays', async () => {
    await plane.client
      .resource(namespaces)
      .create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'other' }, spec: {}, status: {} })
    const owner = await maps().create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'other', name: 'far' },
    })
    await whenSettled()
    await make('near', [ref(owner as ConfigMap)])
    await eventually(async () => await isGone('near'), 'the dependent goes')
    await eventually(async () => {
      const { items } = await plane.client.resource(events).list({ namespace: 'default' })
      return items.some(
        ({ reason, message }) =>
          reason === 'OwnerRefInvalidNamespace' &&
          message ===
            `ownerRef [v1/ConfigMap, namespace: default, name: far, uid: ${owner.metadata.uid}] does not exist in namespace "default"`,
      )
    }, 'a warning')
    assert.ok(await maps().get({ namespace: 'other', name: 'far' }))
  })

  it('custom resources are collected soon after they are defined, and are deleted with their owners', async () => {
    const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
    await plane.client.resource(definitions).create({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    } as never)
    const things = plane.client.resource(resourceType('example.com', 'v1', 'things', 'Thing', true))
    const thing = (name: string, owners: readonly OwnerReference[]): ApiObject => ({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { namespace: 'default', name, ownerReferences: [...owners] },
    })
    const owner = (await make('thing-owner')) as ConfigMap
    let made: ApiObject | undefined
    await eventually(async () => {
      made = (await things.create(thing('t', [ref(owner)])).catch(() => undefined)) as ApiObject | undefined
      return made !== undefined
    }, 'served')
    assert.ok(made)
    await make('thing-owned', [{ ...ref(made as never), apiVersion: 'example.com/v1', kind: 'Thing' }])
    await maps().delete(owner.metadata)
    await eventually(async () => await isGone('thing-owned'), 'cascade through the custom resource')
  })

  it('the garbage collector writes nothing when all is done', async () => {
    const revision = await whenSettled()
    await make('unrelated')
    assert.equal(await whenSettled(), revision + 1)
  })
})
