import assert from 'node:assert/strict'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const { deployments, replicasets } = resources.apps.v1
const { configmaps, pods } = resources.core.v1

describe('deletions that reach dependents', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: ['garbage-collector-controller', 'deployment-controller', 'replicaset-controller'],
    })
  })
  after(async () => {
    await plane.stop()
  })

  const all = () => plane.client.resource(deployments)
  const at = (name: string) => ({ namespace: 'default', name })
  const of = (app: string) => ({ namespace: 'default', labelSelector: `app=${app}` })
  const podsOf = async (app: string) => (await plane.client.resource(pods).list(of(app))).items
  const setsOf = async (app: string) => (await plane.client.resource(replicasets).list(of(app))).items
  const isThere = async (name: string): Promise<boolean> =>
    (await all().list({ namespace: 'default' })).items.some(({ metadata }) => metadata.name === name)

  async function deploy(app: string): Promise<void> {
    const labels = { app }
    await all().create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: at(app),
      spec: {
        replicas: 3,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'one', resources: {} }] } },
        strategy: {},
      },
      status: {},
    })
    await eventuallyEquals(async () => (await podsOf(app)).length, 3, 'three pods')
  }

  it('a deployment deleted in the background has its sets and pods deleted', async () => {
    await deploy('background')
    await all().delete(at('background'), { propagationPolicy: 'Background' })
    assert.equal(await isThere('background'), false)
    await eventuallyEquals(
      async () => (await setsOf('background')).length + (await podsOf('background')).length,
      0,
      'end',
    )
  })

  it('a deployment deleted in the foreground stays until its last pod is deleted', async () => {
    await deploy('foreground')
    const [held] = await podsOf('foreground')
    assert.ok(held)
    const client = plane.client.resource(pods)
    await client.patch(held.metadata, 'merge', { metadata: { finalizers: ['example.com/hold'] } })
    await all().delete(at('foreground'), { propagationPolicy: 'Foreground' })
    await eventuallyEquals(async () => (await podsOf('foreground')).length, 1, 'one pod left')
    const [set] = await setsOf('foreground')
    assert.deepEqual(set?.metadata.finalizers, ['foregroundDeletion'])
    assert.equal(await isThere('foreground'), true)
    await client.patch(held.metadata, 'merge', { metadata: { finalizers: null } })
    await eventually(async () => !(await isThere('foreground')), 'the end of the deployment')
    assert.deepEqual([...(await setsOf('foreground')), ...(await podsOf('foreground'))], [])
  })

  it('a deployment deleted with orphaning leaves a set without an owner, and its pods', async () => {
    await deploy('orphan')
    await all().delete(at('orphan'), { propagationPolicy: 'Orphan' })
    await eventually(async () => !(await isThere('orphan')), 'the end of the deployment')
    const [set, ...others] = await setsOf('orphan')
    assert.equal(others.length, 0)
    assert.deepEqual(set?.metadata.ownerReferences ?? [], [])
    assert.equal((await podsOf('orphan')).length, 3)
    for (const { metadata } of await podsOf('orphan'))
      assert.equal(metadata.ownerReferences?.[0]?.uid, set?.metadata.uid)
  })

  it('an owner does not wait for dependents that do not block it; an object of the owner’s name with another uid is no owner', async () => {
    const maps = plane.client.resource(configmaps)
    const make = (name: string, more: object = {}) =>
      maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...at(name), ...more } })
    const owner = await make('owner')
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid }
    const finalizers = ['example.com/hold']
    await make('blocks', { finalizers, ownerReferences: [{ ...reference, blockOwnerDeletion: true }] })
    await make('free', { finalizers, ownerReferences: [reference] })
    await make('stolen', { ownerReferences: [{ ...reference, uid: 'another-uid' }] })
    const names = async () => (await maps.list({ namespace: 'default' })).items.map(({ metadata }) => metadata.name)
    await eventually(async () => !(await names()).includes('stolen'), 'the end of the stolen name')
    assert.deepEqual(await names(), ['blocks', 'free', 'owner'])
    await maps.delete(at('owner'), { propagationPolicy: 'Foreground' })
    const isGoing = async (name: string) => (await maps.get(at(name))).metadata.deletionTimestamp !== undefined
    await eventually(async () => (await isGoing('blocks')) && (await isGoing('free')), 'deletions of both')
    assert.ok((await names()).includes('owner'))
    await maps.patch(at('blocks'), 'merge', { metadata: { finalizers: null } })
    await eventually(async () => !(await names()).includes('owner'), 'the end of the owner')
    assert.deepEqual(await names(), ['free'])
    await maps.patch(at('free'), 'merge', { metadata: { finalizers: null } })
    await eventuallyEquals(async () => (await names()).length, 0, 'the end of all')
  })
})
