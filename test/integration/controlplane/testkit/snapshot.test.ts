import assert from 'node:assert/strict'
import {
  type ControlPlane,
  type PlaneSnapshot,
  resources,
  startControlPlane,
} from '../../../../cmd/pilothouse/library.ts'
import type { WatchEvent } from '../../../../lib/client/index.ts'
import { processCpuMs } from '../../../support/cputime.ts'
import { eventually } from '../../../support/eventually.ts'

const { core, apps } = resources
const configMap = (name: string, data: Record<string, string> = {}) =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data }) as const

describe('a snapshot of a control plane', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ clock: 'adjustable' })
  })
  beforeEach(() => plane.reset())
  after(() => plane.stop())

  it('brings back what was changed, deleted, created or replaced, and watches see only the differences', async () => {
    const maps = plane.client.resource(core.v1.configmaps)
    for (const name of ['changed', 'deleted', 'replaced', 'untouched'])
      await maps.create(configMap(name, { is: 'old' }))
    const snapshot = await plane.snapshot()
    const before = await maps.list({ namespace: 'default' })
    await maps.update({ ...configMap('changed'), data: { is: 'new' } })
    await maps.delete({ namespace: 'default', name: 'deleted' })
    await maps.delete({ namespace: 'default', name: 'replaced' })
    await maps.create(configMap('replaced'))
    await maps.create(configMap('created'))
    const latest = (await maps.list()).metadata.resourceVersion ?? ''
    const seen: WatchEvent<unknown>[] = []
    const watching = maps.watch(
      { namespace: 'default', resourceVersion: latest, bookmarks: false },
      { onEvents: (events) => void seen.push(...events), onEnd: (error) => assert.ifError(error) },
    )
    await plane.restore(snapshot)
    const after = await maps.list({ namespace: 'default' })
    assert.deepEqual(after.items.map(contentOf), before.items.map(contentOf))
    assert.ok(Number(after.metadata.resourceVersion) > Number(latest))
    await eventually(() => seen.length === 5 || seen, 'the differences arrive')
    assert.deepEqual(
      seen.map(({ type, object }) => `${type} ${(object as { metadata: { name: string } }).metadata.name}`).sort(),
      ['ADDED deleted', 'ADDED replaced', 'DELETED created', 'DELETED replaced', 'MODIFIED changed'],
    )
    await watching.close()
    // Clients go on with versions that they read after the restore.
    const [changed] = after.items
    assert.ok(changed)
    await maps.update({ ...changed, data: { is: 'newer' } })
  })

  it('is restored again and again, and costs milliseconds at 1,000 objects', async () => {
    const maps = plane.client.resource(core.v1.configmaps)
    for (let index = 0; index < 1000; index++) await maps.create(configMap(`map-${index}`))
    const snapshot = await plane.snapshot()
    assert.ok(snapshot.objects > 1000)
    const times: number[] = []
    for (let round = 0; round < 3; round++) {
      await maps.deleteCollection({ namespace: 'default', limit: 50 } as never)
      const startMs = processCpuMs()
      await plane.restore(snapshot)
      times.push(processCpuMs() - startMs)
      assert.equal((await maps.list({ namespace: 'default' })).items.length, 1000)
    }
    assert.ok(Math.min(...times) < 300, `${times}`)
  })

  it('leaves cluster IPs and node ports as they were: none is given twice, and none is lost', async () => {
    const services = plane.client.resource(core.v1.services)
    const create = async (name: string) =>
      (
        await services.create({
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { name, namespace: 'default' },
          spec: { type: 'NodePort', ports: [{ port: 80 }] },
        } as never)
      ).spec
    const kept = await create('kept')
    const snapshot = await plane.snapshot()
    const later = await create('later')
    await services.delete({ namespace: 'default', name: 'kept' })
    await plane.restore(snapshot)
    const again = await services.get({ namespace: 'default', name: 'kept' })
    assert.equal(again.spec.clusterIP, kept.clusterIP)
    const claim = (clusterIP: string | undefined, nodePort: number | undefined) =>
      services.create({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { generateName: 'claim-', namespace: 'default' },
        spec: { type: 'NodePort', clusterIP, ports: [{ port: 80, nodePort }] },
      } as never)
    await assert.rejects(claim(kept.clusterIP, undefined), /already allocated/)
    await assert.rejects(claim(undefined, kept.ports?.[0]?.nodePort), /already allocated/)
    await claim(later.clusterIP, later.ports?.[0]?.nodePort)
  })

  it('gives objects that expire the time that they had left', async () => {
    const events = plane.client.resource(core.v1.events)
    const name = { namespace: 'default', name: 'one' }
    await events.create({ apiVersion: 'v1', kind: 'Event', metadata: name, involvedObject: name } as never)
    await plane.clock.advance('50m', { atOnce: true })
    const snapshot = await plane.snapshot()
    await plane.clock.advance('20m', { atOnce: true })
    await assert.rejects(events.get(name), { code: 404 })
    await plane.restore(snapshot)
    await plane.clock.advance('5m', { atOnce: true })
    await events.get(name)
    await plane.clock.advance('10m', { atOnce: true })
    await assert.rejects(events.get(name), { code: 404 })
  })

  it('brings definitions back with their objects', async () => {
    const definitions = plane.client.resource(resources.apiextensions.v1.customresourcedefinitions)
    const widgets = '/apis/example.org/v1/namespaces/default/widgets'
    const create = (name: string): Promise<Response> =>
      plane.fetch(widgets, {
        method: 'POST',
        body: JSON.stringify({ apiVersion: 'example.org/v1', kind: 'Widget', metadata: { name } }),
      })
    await definitions.create(widgetDefinition as never)
    await eventually(async () => (await create('one')).status === 201, 'the resource is served')
    const snapshot = await plane.snapshot()
    await definitions.delete({ name: 'widgets.example.org' })
    await plane.restore(snapshot)
    await eventually(async () => (await plane.fetch(`${widgets}/one`)).status === 200, 'the object is there again')
  })

  it('is of its control plane or an equal one', async () => {
    const snapshot = await plane.snapshot()
    await using equal = await startControlPlane()
    await plane.client.resource(core.v1.configmaps).create(configMap('one'))
    await equal.restore(await plane.snapshot())
    await equal.client.resource(core.v1.configmaps).get({ namespace: 'default', name: 'one' })
    await using older = await startControlPlane({ emulatedVersion: '1.35' })
    await assert.rejects(
      older.restore(snapshot),
      /^Error: restore: the snapshot is of a control plane with version v1.36/,
    )
    await using other = await startControlPlane({ runtimeConfig: { 'api/beta': true } })
    await assert.rejects(other.restore(snapshot), /with runtimeConfig \{\}, not \{"api\/beta":true\}/)
    for (const wrong of [{}, undefined, 'snapshot', { ...snapshot }, Object.create(snapshot)])
      await assert.rejects(plane.restore(wrong as PlaneSnapshot), /not a snapshot/)
  })
})

describe('a snapshot of a control plane with controllers and nodes', () => {
  it('brings back running pods, that a Deployment then scales, without two pods of one address', async () => {
    await using plane = await startControlPlane({ controllers: true, nodes: 2 })
    const deployments = plane.client.resource(apps.v1.deployments)
    const name = { namespace: 'default', name: 'web' }
    const addresses = async (): Promise<(string | undefined)[]> =>
      (await plane.client.resource(core.v1.pods).list({ labelSelector: 'app=web' })).items
        .filter(({ status }) => status?.phase === 'Running')
        .map(({ status }) => status?.podIP)
    const ready = (wanted: number) => async (): Promise<unknown> => {
      const { status } = await deployments.get(name)
      return (status?.readyReplicas === wanted && status.replicas === wanted) || status
    }
    await deployments.create(webDeployment as never)
    await eventually(ready(2), 'the deployment is ready')
    const snapshot = await plane.snapshot()
    await deployments.delete(name)
    await eventually(async () => (await addresses()).length === 0, 'its pods are deleted')
    await plane.restore(snapshot)
    await deployments.subresource('scale').patch(name, 'merge', { spec: { replicas: 5 } })
    await eventually(ready(5), 'the deployment is scaled')
    assert.equal(new Set(await addresses()).size, 5)
  })

  it('is refused where the store is a folder', async () => {
    const { scratchFolder } = await import('../../../support/apiserver.ts')
    const folder = scratchFolder('snapshots')
    await using plane = await startControlPlane({ storage: { dir: folder.path } })
    await assert.rejects(plane.snapshot(), /only a control plane in memory has snapshots/)
    await plane.stop()
    folder.remove()
  })
})

function contentOf(object: unknown): unknown {
  const { metadata, ...rest } = object as { metadata: Record<string, unknown> }
  return { ...rest, metadata: { ...metadata, resourceVersion: undefined } }
}

const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
}

const webDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
  },
}
