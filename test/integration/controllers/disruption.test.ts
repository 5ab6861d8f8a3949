import assert from 'node:assert/strict'
import type { Pod } from '../../../api/gen/core/v1.ts'
import type { PodDisruptionBudget } from '../../../api/gen/policy/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { ApiObject } from '../../../lib/object/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const { pods } = resources.core.v1
const { poddisruptionbudgets } = resources.policy.v1
const namespace = 'default'

describe('budgets of disruption against the API', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ controllers: ['disruption-controller'] })
  })
  after(async () => {
    await plane.stop()
  })

  const budget = async (name: string): Promise<PodDisruptionBudget['status'] | undefined> =>
    (await plane.client.resource(poddisruptionbudgets).get({ namespace, name })).status as PodDisruptionBudget['status']
  const makeBudget = async (name: string, spec: PodDisruptionBudget['spec']): Promise<void> => {
    const metadata = { namespace, name }
    await plane.client
      .resource(poddisruptionbudgets)
      .create({ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec } as PodDisruptionBudget)
  }
  const makePod = async (name: string, app: string, owner?: object): Promise<void> => {
    const metadata = { namespace, name, labels: { app }, ...(owner ? { ownerReferences: [owner] } : {}) }
    const made = await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata,
      spec: { containers: [{ name: 'c', image: 'i' }] },
    } as unknown as Pod)
    const conditions = [{ type: 'Ready', status: 'True' }]
    await plane.client.resource(pods).updateStatus({ ...made, status: { phase: 'Running', conditions } } as Pod)
  }
  const evict = async (name: string): Promise<number> => {
    const answer = await plane.fetch(`/api/v1/namespaces/${namespace}/pods/${name}/eviction`, {
      method: 'POST',
      body: JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } }),
      headers: { 'content-type': 'application/json' },
    })
    return answer.status
  }

  it('one pod may be evicted, the second one may not, and the budget is corrected when there are more', async () => {
    await makeBudget('web', { minAvailable: 2, selector: { matchLabels: { app: 'web' } } })
    for (const name of ['a', 'b', 'c']) await makePod(name, 'web')
    await eventuallyEquals(async () => (await budget('web'))?.disruptionsAllowed, 1, 'one that may go')
    assert.equal(await evict('a'), 201)
    assert.equal(await evict('b'), 429)
    await eventuallyEquals(async () => (await budget('web'))?.expectedPods, 2, 'two that are left')
    assert.equal((await budget('web'))?.disruptionsAllowed, 0)
    await makePod('d', 'web')
    await eventuallyEquals(async () => (await budget('web'))?.disruptionsAllowed, 1, 'one that may go again')
  })

  it('the scale of a custom owner is the number of expected pods', async () => {
    const created = await plane.fetch('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(definition),
    })
    assert.equal(created.status, 201)
    let owner: ApiObject | undefined
    await eventually(async () => {
      const answer = await plane.fetch(`/apis/example.com/v1/namespaces/${namespace}/widgets`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          apiVersion: 'example.com/v1',
          kind: 'Widget',
          metadata: { name: 'w' },
          spec: { replicas: 4 },
        }),
      })
      owner = (await answer.json()) as ApiObject
      return answer.status === 201
    }, 'the custom resource')
    const { uid = '' } = owner?.metadata ?? {}
    await makePod('w1', 'widget', { apiVersion: 'example.com/v1', kind: 'Widget', name: 'w', uid, controller: true })
    await makeBudget('widget', { maxUnavailable: '50%', selector: { matchLabels: { app: 'widget' } } })
    await eventuallyEquals(async () => (await budget('widget'))?.expectedPods, 4, 'the scale of the owner')
    assert.equal((await budget('widget'))?.desiredHealthy, 2)
  })

  it('an owner without a scale makes the budget refuse every eviction, and report why', async () => {
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'm', uid: 'm', controller: true }
    await makePod('m1', 'map', owner)
    await makeBudget('map', { maxUnavailable: 1, selector: { matchLabels: { app: 'map' } } })
    await eventuallyEquals(async () => (await budget('map'))?.conditions?.[0]?.reason, 'SyncFailed', 'the failure')
    const status = await budget('map')
    assert.equal(status?.disruptionsAllowed, 0)
    assert.match(status?.conditions?.[0]?.message ?? '', /does not implement the scale subresource/)
  })
})

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
}
