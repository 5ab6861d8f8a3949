import assert from 'node:assert/strict'
import type { HorizontalPodAutoscaler } from '../../../api/gen/autoscaling/v2.ts'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { Manager } from '../../../lib/controller/index.ts'
import { horizontalpodautoscaler } from '../../../lib/controllers/horizontalpodautoscaler/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { runControllers } from '../../support/runcontrollers.ts'

const { events, pods } = resources.core.v1
const { deployments } = resources.apps.v1
const { horizontalpodautoscalers } = resources.autoscaling.v2
const namespace = 'default'

/** The metrics API as a custom resource: what a test writes is what autoscalers read. */
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'pods.metrics.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, for a test' } },
  spec: {
    group: 'metrics.k8s.io',
    scope: 'Namespaced',
    names: { plural: 'pods', kind: 'PodMetrics' },
    versions: [
      {
        name: 'v1beta1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

describe('autoscalers against the API', () => {
  let plane: ControlPlane
  let manager: Manager
  before(async () => {
    plane = await startControlPlane()
    manager = await runControllers(plane, [horizontalpodautoscaler], { horizontalPodAutoscalerSyncPeriod: 50 })
    for (const name of ['a', 'b']) await makePod(name)
    await plane.client.resource(deployments).create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { namespace, name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    } as never)
    await plane.client.resource(horizontalpodautoscalers).create({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { namespace, name: 'web' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        minReplicas: 1,
        maxReplicas: 5,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        ],
      },
    } as HorizontalPodAutoscaler)
  })
  after(async () => {
    await manager.close()
    await plane.stop()
  })

  async function makePod(name: string): Promise<void> {
    const made = await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { namespace, name, labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '1' } } }] },
    } as unknown as Pod)
    const since = '2026-01-01T00:00:00Z'
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: since }]
    await plane.client
      .resource(pods)
      .updateStatus({ ...made, status: { phase: 'Running', startTime: since, conditions } } as Pod)
  }
  const send = async (method: string, path: string, body: object): Promise<number> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    return (await plane.fetch(path, { method, headers: { 'content-type': type }, body: JSON.stringify(body) })).status
  }
  const autoscaler = async () => await plane.client.resource(horizontalpodautoscalers).get({ namespace, name: 'web' })
  const condition = async (type: string) => (await autoscaler()).status.conditions?.find((each) => each.type === type)
  const replicas = async (): Promise<number | undefined> =>
    (await plane.client.resource(deployments).get({ namespace, name: 'web' })).spec.replicas
  it('an autoscaler without a metrics API reports this in its conditions, and changes nothing', async () => {
    await eventuallyEquals(async () => (await condition('ScalingActive'))?.status, 'False', 'the condition')
    const said = await condition('ScalingActive')
    assert.equal(said?.reason, 'FailedGetResourceMetric')
    assert.equal(
      said?.message,
      'the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)',
    )
    const { currentReplicas, desiredReplicas } = (await autoscaler()).status
    assert.deepEqual({ currentReplicas, desiredReplicas }, { currentReplicas: 2, desiredReplicas: 0 })
    assert.equal((await condition('AbleToScale'))?.reason, 'SucceededGetScale')
    assert.equal(await replicas(), 2)
  })

  it('reports a missing metric with the text of the stock controller', async () => {
    const labels = { app: 'blind' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const metric = { name: 'rps' }
    const selector = {
      matchLabels: { b: '2', a: '1' },
      matchExpressions: [{ key: 'k', operator: 'In', values: ['x', 'y'] }],
    }
    const metrics = [
      { type: 'External', external: { metric: { ...metric, selector }, target: { type: 'Value', value: '1' } } },
      { type: 'Pods', pods: { metric, target: { type: 'AverageValue', averageValue: '1' } } },
      {
        type: 'Object',
        object: {
          metric,
          describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
          target: { type: 'Value', value: '1' },
        },
      },
    ]
    const at = { namespace, name: 'blind' }
    await plane.client.resource(deployments).create({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: at,
      spec: { selector: { matchLabels: labels }, template },
    } as never)
    await plane.client.resource(horizontalpodautoscalers).create({
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: at,
      spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'blind' }, maxReplicas: 5, metrics },
    } as HorizontalPodAutoscaler)
    const external =
      'unable to get external metric default/rps/&LabelSelector{MatchLabels:map[string]string{a: 1,b: 2,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:k,Operator:In,Values:[x y],},},}: unable to fetch metrics from external metrics API: the server could not find the requested resource (get rps.external.metrics.k8s.io)'
    const custom =
      'unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io) registered'
    const wanted = new Map([
      ['FailedGetExternalMetric', external],
      ['FailedGetPodsMetric', `unable to get metric rps: ${custom}`],
      ['FailedGetObjectMetric', `unable to get metric rps: Service on default s/${custom}`],
      [
        'FailedComputeMetricsReplicas',
        `invalid metrics (3 invalid out of 3), first error is: failed to get rps external metric value: failed to get external metric rps: ${external}`,
      ],
    ])
    const told = async (): Promise<Map<string, string>> => {
      const { items } = await plane.client.resource(events).list({ namespace })
      const own = items.filter(({ involvedObject }) => involvedObject.name === 'blind')
      return new Map(own.map(({ reason, message }) => [reason ?? '', message ?? '']))
    }
    await eventually(async () => (await told()).size >= wanted.size, 'the events')
    assert.deepEqual(await told(), wanted)
    await plane.client.resource(horizontalpodautoscalers).delete(at)
  })

  it('scales by the pods’ usage, within its limits, and records the reason', async () => {
    assert.equal(await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition), 201)
    const path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods`
    const usage = (name: string, cpu: string): object => ({
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'PodMetrics',
      metadata: { name, labels: { app: 'web' } },
      timestamp: new Date().toISOString().replace(/\.\d+/, ''),
      window: '30s',
      containers: [{ name: 'c', usage: { cpu, memory: '1Mi' } }],
    })
    await eventuallyEquals(() => send('POST', path, usage('a', '900m')), 201, 'the metrics API')
    await send('POST', path, usage('b', '800m'))
    await eventuallyEquals(() => replicas(), 4, 'four pods')
    await eventuallyEquals(async () => (await autoscaler()).status.desiredReplicas, 4, 'the status')
    const { status } = await autoscaler()
    assert.deepEqual(status.currentMetrics?.[0]?.resource?.current, { averageUtilization: 85, averageValue: '850m' })
    const { items } = await plane.client.resource(events).list({ namespace })
    const rescale = items.find(({ reason }) => reason === 'SuccessfulRescale')
    assert.equal(rescale?.message, 'New size: 4; reason: cpu resource utilization (percentage of request) above target')
    await eventuallyEquals(async () => (await condition('ScalingActive'))?.reason, 'ValidMetricFound', 'the condition')
  })

  it('a target beyond the maximum is cut at once, whatever the metrics say', async () => {
    await send('PATCH', `/apis/apps/v1/namespaces/${namespace}/deployments/web/scale`, { spec: { replicas: 9 } })
    await eventuallyEquals(() => replicas(), 5, 'five pods')
  })

  it('a missing target is reported, and the status keeps the last observation', async () => {
    const aim = (name: string): Promise<number> =>
      send('PATCH', `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers/web`, {
        spec: { scaleTargetRef: { name } },
      })
    await eventuallyEquals(async () => (await autoscaler()).status.currentReplicas, 5, 'the status')
    await aim('nothing')
    await eventuallyEquals(async () => (await condition('AbleToScale'))?.reason, 'FailedGetScale', 'the condition')
    const { status } = await autoscaler()
    assert.equal(status.currentReplicas, 5)
    assert.notEqual(status.desiredReplicas, 0)
    await eventually(async () => {
      const { items } = await plane.client.resource(events).list({ namespace })
      return items.some(
        ({ reason, message }) => reason === 'FailedGetScale' && message === 'deployments.apps "nothing" not found',
      )
    }, 'the event')
    await aim('web')
  })

  it('a target of zero is left alone', async () => {
    await send('PATCH', `/apis/apps/v1/namespaces/${namespace}/deployments/web/scale`, { spec: { replicas: 0 } })
    await eventuallyEquals(async () => (await condition('ScalingActive'))?.reason, 'ScalingDisabled', 'the condition')
    assert.equal(await replicas(), 0)
  })
})
