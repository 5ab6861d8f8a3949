import assert from 'node:assert/strict'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually } from '../../support/eventually.ts'
import { heldMs, heldMsBound } from '../../support/holdmeter.ts'

const most = 2_147_483_647
const home = '/namespaces/default'
/** Without the quota that the others exhaust. */
const orderedHome = '/namespaces/ordered'
const memoryBytesMax = 300 * 2 ** 20

describe('controllers: the largest numbers that objects may hold', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ controllers: true })
    await create('/api/v1', 'namespaces', { metadata: { name: 'ordered' } }, '')
    await create('/api/v1', 'resourcequotas', { metadata: { name: 'q' }, spec: { hard: { pods: '20' } } })
    await eventually(async () => {
      const quota = (await read(`/api/v1${home}/resourcequotas/q`)) as { status?: { hard?: object } }
      return quota.status?.hard !== undefined
    }, 'the quota is counted')
  })
  after(async () => {
    await plane.stop()
  })

  const labels = { app: 'web' }
  const containers = [{ name: 'c', image: 'i' }]
  const pods = (more: object = {}) => ({
    replicas: most,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
    ...more,
  })
  const jobs = (more: object) => ({
    parallelism: 100_000,
    completions: most,
    template: { spec: { restartPolicy: 'Never', containers } },
    ...more,
  })

  async function read(path: string): Promise<unknown> {
    return await (await plane.fetch(path)).json()
  }

  async function create(version: string, resource: string, object: object, where = home): Promise<void> {
    const headers = { 'content-type': 'application/json' }
    const answer = await plane.fetch(`${version}${where}/${resource}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(object),
    })
    assert.equal(answer.status, 201, await answer.text())
  }

  it('block the event loop no longer than other objects, and need no more memory', async () => {
    const objects: [version: string, resource: string, spec: object][] = [
      ['/apis/apps/v1', 'statefulsets', pods({ serviceName: 's', podManagementPolicy: 'Parallel' })],
      ['/apis/apps/v1', 'statefulsets', pods({ serviceName: 's', ordinals: { start: most } })],
      ['/apis/apps/v1', 'deployments', pods({ strategy: { rollingUpdate: { maxSurge: most } } })],
      ['/apis/batch/v1', 'jobs', jobs({ completionMode: 'Indexed' })],
      ['/apis/batch/v1', 'jobs', jobs({ completionMode: 'NonIndexed', parallelism: most, backoffLimit: most })],
    ]
    const before = process.memoryUsage().rss
    const held = await heldMs(async () => {
      for (const [index, [version, resource, spec]] of objects.entries())
        await create(version, resource, { metadata: { name: `most-${index}` }, spec })
      const ordered = { metadata: { name: 'ordered' }, spec: pods({ serviceName: 's' }) }
      await create('/apis/apps/v1', 'statefulsets', ordered, orderedHome)
      for (let second = 0; second < 2; second += 0.1) {
        assert.equal((await plane.fetch('/livez')).status, 200)
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    })
    assert.ok(held < heldMsBound(), `the loop was held ${held} ms`)
    assert.ok(process.memoryUsage().rss - before < memoryBytesMax)
    await eventually(async () => {
      const { items } = (await read(`/api/v1${orderedHome}/pods`)) as { items: { metadata: { name: string } }[] }
      return items.some(({ metadata }) => metadata.name === 'ordered-0')
    }, 'the ordered set has its first pod')
  }).timeout(60_000)
})
