import assert from 'node:assert/strict'
import type { DaemonSet, Deployment } from '../../api/gen/apps/v1.ts'
import type { Container, Pod } from '../../api/gen/core/v1.ts'
import { resources } from '../../api/gen/resources.ts'
import type { ApiObject, Frozen, ResourceType } from '../../lib/object/index.ts'
import { eventually } from '../support/eventually.ts'
import { itAtOnce } from './atonce.ts'
import { container, forever } from './objects.ts'
import { describeOnNode } from './sharednode.ts'
import { createOver, isPodReady, untilObject, untilPod } from './waiting.ts'

const { pods, services } = resources.core.v1
const { daemonsets, deployments, statefulsets } = resources.apps.v1
const { jobs } = resources.batch.v1
const { endpointslices } = resources.discovery.v1
const { poddisruptionbudgets } = resources.policy.v1

const named = (name: string) => ({ name, namespace: 'default' })
const place = (name: string) => ({ namespace: 'default', name })

/** The template and selector of pods with the label `app`. */
function templateOf(app: string, main: Container, spec: object = {}) {
  return {
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: { terminationGracePeriodSeconds: 1, containers: [main], ...spec },
    },
  }
}

function deploymentOf(name: string, replicas: number, main: Container): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: named(name),
    spec: { replicas, ...templateOf(name, main) },
  }
}

const isComplete = ({ metadata, spec, status }: Frozen<Deployment>): boolean =>
  status.observedGeneration === metadata.generation &&
  status.updatedReplicas === spec.replicas &&
  status.availableReplicas === spec.replicas &&
  status.replicas === spec.replicas

describeOnNode('workloads on a real kubelet', (on) => {
  const client = () => on().cluster.client
  const kubectl = async (...line: string[]): Promise<string> => {
    const { code, stdout, stderr } = await on().cluster.kubectl(line)
    assert.equal(code, 0, stderr)
    return stdout
  }
  /** Creates what a user would write: the server fills in the rest. */
  const create = async <T extends ApiObject>(type: ResourceType<T>, manifest: object) =>
    await createOver(client(), type, manifest as Frozen<T>)
  const podsOf = async (app: string) =>
    (
      await client()
        .resource(pods)
        .list({ namespace: 'default', labelSelector: `app=${app}` })
    ).items

  itAtOnce({
    async 'a deployment rolls out, is a service’s endpoints, and rolls back'() {
      const byName = { periodSeconds: 1, httpGet: { path: '/', port: 8080 } }
      const main = container(undefined, { readinessProbe: byName, ports: [{ containerPort: 8080 }] })
      await create(deployments, deploymentOf('shop', 3, main))
      await create(services, {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: named('shop'),
        spec: { selector: { app: 'shop' }, ports: [{ port: 80, targetPort: 8080 }] },
      })
      await untilObject(client(), deployments, place('shop'), isComplete)
      const addresses = (await podsOf('shop')).map(({ status }) => status.podIP ?? '').sort()
      await eventually(async () => {
        const slices = await client()
          .resource(endpointslices)
          .list({ namespace: 'default', labelSelector: 'kubernetes.io/service-name=shop' })
        const ready = slices.items.flatMap(({ endpoints }) =>
          (endpoints ?? [])
            .filter(({ conditions }) => conditions?.ready)
            .flatMap((endpoint) => [...(endpoint.addresses ?? [])]),
        )
        return JSON.stringify(ready.sort()) === JSON.stringify(addresses) || { ready, addresses }
      }, 'the endpoints are the ready pods')
      const answer = await kubectl('get', '--raw', '/api/v1/namespaces/default/services/shop:80/proxy/')
      assert.match(answer, /^shop-/)
      await kubectl('set', 'env', 'deployment/shop', 'COLOUR=blue')
      assert.match(await kubectl('rollout', 'status', 'deployment/shop'), /successfully rolled out\n$/)
      const [pod] = (await podsOf('shop')).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      assert.equal(await kubectl('exec', pod?.metadata.name ?? '', '--', 'sh', '-c', 'echo $COLOUR'), 'blue\n')
      await kubectl('rollout', 'undo', 'deployment/shop')
      await kubectl('rollout', 'status', 'deployment/shop')
      const { spec } = await client().resource(deployments).get(place('shop'))
      assert.equal(spec?.template.spec?.containers?.[0]?.env, undefined)
      await client().resource(deployments).delete(place('shop'))
    },

    async 'a job runs its completions, tries again what fails, and gives up'() {
      const job = (name: string, script: string, spec: object) => ({
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: named(name),
        spec: { ...spec, template: { spec: { restartPolicy: 'Never', containers: [container(script)] } } },
      })
      const indexed = job('counts', 'echo $JOB_COMPLETION_INDEX', {
        completions: 4,
        parallelism: 2,
        completionMode: 'Indexed',
      })
      await create(jobs, indexed)
      await create(jobs, job('fails', 'exit 1', { backoffLimit: 0 }))
      const ended = async (name: string) =>
        (
          await untilObject(client(), jobs, place(name), ({ status }) =>
            (status.conditions ?? []).some(({ type }) => type === 'Complete' || type === 'Failed'),
          )
        ).status
      const counts = await ended('counts')
      assert.deepEqual([counts.succeeded, counts.completedIndexes], [4, '0-3'])
      const failed = await ended('fails')
      assert.equal(failed.conditions?.find(({ type }) => type === 'Failed')?.reason, 'BackoffLimitExceeded')
      const { items } = await client().resource(pods).list({ namespace: 'default', labelSelector: 'job-name=counts' })
      const logs = await Promise.all(items.map(async ({ metadata }) => await kubectl('logs', metadata.name ?? '')))
      assert.deepEqual(logs.sort(), ['0\n', '1\n', '2\n', '3\n'])
      assert.deepEqual(
        items.flatMap(({ metadata }) => metadata.finalizers ?? []),
        [],
      )
    },

    async 'a daemon set has a pod on the node, and replaces it'() {
      await create(daemonsets, {
        apiVersion: 'apps/v1',
        kind: 'DaemonSet',
        metadata: named('agent'),
        spec: templateOf('agent', container(forever), { hostNetwork: true, hostPID: true }),
      })
      const isAvailable = ({ metadata, status }: Frozen<DaemonSet>): boolean =>
        status.observedGeneration === metadata.generation &&
        status.updatedNumberScheduled === 1 &&
        status.numberAvailable === 1
      await untilObject(client(), daemonsets, place('agent'), isAvailable)
      // A pod of an earlier try may still end, and its container be gone.
      const live = async () =>
        (await podsOf('agent')).filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      let first: Frozen<Pod> | undefined
      await eventually(async () => {
        ;[first] = await live()
        const { code, stdout, stderr } = await on().cluster.kubectl(['exec', first?.metadata.name ?? '', '--', 'ps'])
        return (code === 0 && /kubelet/.test(stdout)) || stderr || stdout
      }, 'the processes of the node, in its pod')
      assert.equal(first?.status.podIP, on().node.machine.address)
      await kubectl('set', 'env', 'daemonset/agent', 'COLOUR=blue')
      await kubectl('rollout', 'status', 'daemonset/agent')
      assert.notEqual((await live())[0]?.metadata.uid, first?.metadata.uid)
    },

    async 'a stateful set starts its pods in order, and gives a pod its name again'() {
      await create(statefulsets, {
        apiVersion: 'apps/v1',
        kind: 'StatefulSet',
        metadata: named('store'),
        spec: { replicas: 2, serviceName: 'store', ...templateOf('store', container()) },
      })
      const first = await untilPod(client(), 'store-0', isPodReady)
      const second = await untilPod(client(), 'store-1', isPodReady)
      const readyAt = first.status.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? ''
      assert.ok(readyAt <= (second.metadata.creationTimestamp ?? ''), 'the second waited for the first')
      await client().resource(pods).delete(place('store-0'))
      await untilPod(client(), 'store-0', (pod) => pod.metadata.uid !== first.metadata.uid && isPodReady(pod))
      assert.equal(await kubectl('exec', 'store-0', '--', 'hostname'), 'store-0\n')
    },

    async 'an eviction waits for the disruption budget'() {
      await create(deployments, deploymentOf('guarded', 1, container(forever)))
      await create(poddisruptionbudgets, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: named('guarded'),
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
      })
      await untilObject(client(), deployments, place('guarded'), isComplete)
      await untilObject(client(), poddisruptionbudgets, place('guarded'), ({ status }) => status.currentHealthy === 1)
      const [pod] = await podsOf('guarded')
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: pod?.metadata ?? {} }
      const evict = async () =>
        await client()
          .resource(pods)
          .subresource('eviction')
          .create(pod?.metadata ?? {}, eviction as never)
      await assert.rejects(evict(), /Cannot evict pod as it would violate the pod's disruption budget/)
      await client()
        .resource(deployments)
        .patch(place('guarded'), 'merge', { spec: { replicas: 2 } })
      await untilObject(
        client(),
        poddisruptionbudgets,
        place('guarded'),
        ({ status }) => status.disruptionsAllowed === 1,
      )
      await evict()
      await untilPod(client(), pod?.metadata.name ?? '', 'deleted')
    },
  })

  after(async () => {
    for (const type of [deployments, daemonsets, statefulsets, jobs])
      await client()
        .resource(type as never)
        .deleteCollection({ namespace: 'default' })
    await client().resource(pods).deleteCollection({ namespace: 'default' })
  })
})
