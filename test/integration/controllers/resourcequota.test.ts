import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { StatusError } from '../../../lib/object/index.ts'
import { type EtcdServer, startEtcd } from '../../support/etcd.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const { configmaps, namespaces, pods, resourcequotas, secrets } = resources.core.v1

function kit(plane: () => ControlPlane) {
  const named = (name: string) => ({ namespace: 'default', name })
  const quota = async (name: string, spec: object) => {
    await plane()
      .client.resource(resourcequotas)
      .create({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: named(name), spec, status: {} })
    await eventually(async () => Object.keys(await used(name)).length > 0, `${name} is counted`)
  }
  const used = async (name: string): Promise<Record<string, string>> =>
    (await plane().client.resource(resourcequotas).get(named(name))).status?.used ?? {}
  const shows = (name: string, expected: Record<string, string>) =>
    eventually(
      async () => isDeepStrictEqual({ ...(await used(name)) }, expected),
      `${name} shows ${JSON.stringify(expected)}`,
      15_000,
    )
  const map = (name: string, on = plane()) =>
    on.client.resource(configmaps).create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: named(name) })
  const pod = (name: string, requests: object, more: object = {}) =>
    plane()
      .client.resource(pods)
      .create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: named(name),
        spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { ...requests } } }], ...more },
        status: {},
      })
  return { named, quota, used, shows, map, pod }
}

describe('resource quotas against the API', function () {
  this.timeout(30_000)
  let plane: ControlPlane
  const { named, quota, shows, map, pod } = kit(() => plane)
  before(async () => {
    plane = await startControlPlane({ controllers: ['resourcequota-controller', 'garbage-collector-controller'] })
  })
  after(async () => {
    await plane.stop()
  })

  it('a quota counts existing objects, refuses excess, and releases what is deleted', async () => {
    await map('before')
    await quota('maps', { hard: { configmaps: '2', 'count/configmaps': '9' } })
    await shows('maps', { configmaps: '1', 'count/configmaps': '1' })
    await map('second')
    await shows('maps', { configmaps: '2', 'count/configmaps': '2' })
    await assert.rejects(map('third'), {
      message:
        'configmaps "third" is forbidden: exceeded quota: maps, requested: configmaps=1, used: configmaps=2, limited: configmaps=2',
    })
    await plane.client.resource(configmaps).delete(named('before'))
    await shows('maps', { configmaps: '1', 'count/configmaps': '1' })
    await map('third')
    await plane.client.resource(resourcequotas).delete(named('maps'))
  })

  it('a change of a quota is applied', async () => {
    await quota('raised', { hard: { 'count/configmaps': '9' } })
    await plane.client.resource(resourcequotas).patch(named('raised'), 'merge', { spec: { hard: { secrets: '1' } } })
    await shows('raised', { 'count/configmaps': '2', secrets: '0' })
    const secret = (name: string) =>
      plane.client.resource(secrets).create({ apiVersion: 'v1', kind: 'Secret', metadata: named(name) })
    await secret('one')
    await assert.rejects(secret('two'), /exceeded quota: raised, requested: secrets=1, used: secrets=1/)
    await plane.client.resource(resourcequotas).delete(named('raised'))
  })

  it('pods that end release their usage, in the scope of the quota', async () => {
    await quota('cpu', { hard: { 'requests.cpu': '1', pods: '5' }, scopes: ['NotTerminating'] })
    await pod('worker', { cpu: '600m' })
    await pod('other', { cpu: '5' }, { activeDeadlineSeconds: 60 })
    await assert.rejects(
      pod('more', { cpu: '600m' }),
      /exceeded quota: cpu, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1$/,
    )
    await assert.rejects(pod('bare', {}), /failed quota: cpu: must specify requests.cpu for: c$/)
    await plane.client.resource(pods).patchStatus(named('worker'), 'merge', { status: { phase: 'Succeeded' } })
    await shows('cpu', { 'requests.cpu': '0', pods: '0' })
    await pod('more', { cpu: '600m' })
  })

  it('custom resources are counted as their definitions are created and deleted', async () => {
    await quota('wheels', { hard: { replicationcontrollers: '9', 'count/wheels.example.com': '1' } })
    await shows('wheels', { replicationcontrollers: '0' })
    const definitions = plane.client.resource(resources.apiextensions.v1.customresourcedefinitions)
    const define = () =>
      definitions.create({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'wheels.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'wheels', kind: 'Wheel' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
        status: {},
      } as never)
    const wheel = (name: string) =>
      plane.fetch('/apis/example.com/v1/namespaces/default/wheels', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ apiVersion: 'example.com/v1', kind: 'Wheel', metadata: { name } }),
      })
    for (const round of ['first', 'second']) {
      await define()
      await shows('wheels', { replicationcontrollers: '0', 'count/wheels.example.com': '0' })
      await eventuallyEquals(async () => (await wheel('one')).status, 201, `${round}: a wheel is made`)
      const refused = await wheel('two')
      assert.equal(refused.status, 403)
      assert.match(await refused.text(), /exceeded quota: wheels, requested: count\/wheels.example.com=1/)
      await definitions.delete({ name: 'wheels.example.com' })
      await shows('wheels', { replicationcontrollers: '0', 'count/wheels.example.com': '0' })
      await eventuallyEquals(
        async () => (await plane.fetch('/apis/example.com/v1/namespaces/default/wheels')).status,
        404,
        `${round}: no more wheels`,
      )
    }
  })

  it('writes that are refused after the charge are released', async () => {
    await map('taken').catch(() => {})
    const count = (await plane.client.resource(configmaps).list({ namespace: 'default' })).items.length
    await quota('exact', { hard: { 'count/configmaps': '9' } })
    await assert.rejects(map('taken'), /already exists/)
    await shows('exact', { 'count/configmaps': String(count + 1) })
    await shows('exact', { 'count/configmaps': String(count) })
  })
})

describe('a quota over two replicas', function () {
  this.timeout(60_000)
  let etcd: EtcdServer
  let replicas: ControlPlane[]
  const { quota, shows, map } = kit(() => replicas[0] as ControlPlane)
  before(async () => {
    etcd = await startEtcd()
    const storage = { etcd: [etcd.url] }
    replicas = [
      await startControlPlane({ storage, controllers: ['resourcequota-controller'] }),
      await startControlPlane({ storage, controllers: ['resourcequota-controller'] }),
    ]
    const second = (replicas[1] as ControlPlane).client.resource(namespaces)
    await eventually(
      () =>
        second.get({ name: 'default' }).then(
          () => true,
          () => false,
        ),
      'the namespace is there',
    )
  })
  after(async () => {
    for (const replica of replicas) await replica.stop()
    await etcd.stop()
  })

  it('is never exceeded by 1,000 creates at once, while a quarter is deleted', async () => {
    await quota('maps', { hard: { configmaps: '300' } })
    const create = async (index: number) => {
      await map(`m${index}`, replicas[index % 2])
      return index
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 1000 }, (_, index) => create(index)))
    const made = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue
      assert.ok(outcome.reason instanceof StatusError)
      assert.match(outcome.reason.message, /exceeded quota: maps, requested: configmaps=1, used: configmaps=300/)
    }
    assert.equal(made.length, 300)
    await shows('maps', { configmaps: '300' })
    const maps = (replicas[0] as ControlPlane).client.resource(configmaps)
    for (const index of made.slice(0, 75)) await maps.delete({ namespace: 'default', name: `m${index}` })
    await shows('maps', { configmaps: '225' })
    const again = await Promise.allSettled(Array.from({ length: 200 }, (_, index) => create(1000 + index)))
    assert.equal(again.filter(({ status }) => status === 'fulfilled').length, 75)
    const { items } = await maps.list({ namespace: 'default' })
    assert.equal(items.length, 300)
  })
})
