import assert from 'node:assert/strict'
import { resources } from '../../api/gen/resources.ts'
import type { ControlPlane } from '../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from './eventually.ts'

/** The controllers that keep pods, by the names that every release of the stock manager knows. */
export const workloadControllers: readonly string[] = ['deployment', 'replicaset', 'statefulset', 'daemonset', 'job']

/** One workload of each kind, in the namespace `default` of a plane that nothing else uses, brought on by hand. */
export interface Rollouts {
  /** Makes them, lets them come up, changes their templates, and stops in the middle: some pods are new and not ready. */
  begin(): Promise<void>
  /** Pods, replica sets and revisions with all that names them: a manager that takes over leaves them as they are. */
  state(): Promise<RolloutState>
  /** Resolves once a manager has made pods of new workloads of every kind. */
  untilAtWork(): Promise<void>
  /** Brings the rollouts to their end, and fails where a pod that was new in that state was replaced on the way. */
  finish(state: RolloutState): Promise<void>
}

interface RolloutState {
  readonly pods: readonly { readonly uid: string | undefined; readonly image: string | undefined }[]
  readonly sets: readonly object[]
  readonly revisions: readonly object[]
  readonly web: object
  readonly db: object
}

const { daemonsets, deployments, replicasets, statefulsets, controllerrevisions } = resources.apps.v1
const { nodes, pods } = resources.core.v1
const { jobs } = resources.batch.v1

const nodeNames = ['n1', 'n2', 'n3']
/** Keys that are numbers, which JavaScript puts first: revisions must have them in the order of the stock manager's. */
const pairs = { 9: 'a', 10: 'b' }

function specOf(kind: string, name: string, image: string): object {
  const labels = { ...pairs, app: name }
  const template = {
    metadata: { labels, annotations: { note: 'a < b && c' } },
    spec: {
      containers: [{ name: 'c', image, args: ['--text=<&>'] }],
      ...(kind === 'Job' ? { restartPolicy: 'Never' } : {}),
    },
  }
  const selector = { matchLabels: labels }
  if (kind === 'Job') return { parallelism: 2, completions: 4, template }
  if (kind === 'DaemonSet') return { selector, template }
  if (kind === 'Deployment')
    return { selector, template, replicas: 4, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }
  const metadata = { name: 'data' }
  const claim = { metadata, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }
  return { selector, template, replicas: 3, serviceName: name, volumeClaimTemplates: [claim] }
}

const kinds = {
  Deployment: '/apis/apps/v1/namespaces/default/deployments',
  StatefulSet: '/apis/apps/v1/namespaces/default/statefulsets',
  DaemonSet: '/apis/apps/v1/namespaces/default/daemonsets',
  Job: '/apis/batch/v1/namespaces/default/jobs',
} as const
type Kind = keyof typeof kinds

export function createRollouts(plane: ControlPlane): Rollouts {
  const { client } = plane
  const inDefault = { namespace: 'default' }

  async function send(method: string, path: string, body: object, type = 'application/json'): Promise<void> {
    const answer = await plane.fetch(path, { method, body: JSON.stringify(body), headers: { 'content-type': type } })
    assert.ok(answer.ok, `${method} ${path}: ${await answer.text()}`)
  }

  const make = (kind: Kind, name: string): Promise<void> =>
    send('POST', kinds[kind], {
      apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
      kind,
      metadata: { name },
      spec: specOf(kind, name, 'one'),
    })

  const roll = (kind: Kind, name: string): Promise<void> =>
    send(
      'PATCH',
      `${kinds[kind]}/${name}`,
      { spec: { template: { spec: { containers: [{ name: 'c', image: 'two' }] } } } },
      'application/strategic-merge-patch+json',
    )

  const podsOf = async (name: string, image?: string) =>
    (await client.resource(pods).list({ ...inDefault, labelSelector: `app=${name}` })).items.filter(
      ({ metadata, spec }) =>
        metadata.deletionTimestamp === undefined && (image === undefined || spec.containers?.[0]?.image === image),
    )

  type SomePod = Awaited<ReturnType<typeof podsOf>>[number]
  const isReady = ({ status }: SomePod): boolean =>
    status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true

  async function makeReady(pod: SomePod): Promise<void> {
    const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }]
    await client
      .resource(pods)
      .patchStatus(pod.metadata, 'merge', { status: { phase: 'Running', conditions } })
      // It may have been replaced just now.
      .catch(() => {})
  }

  /** Makes pods ready as they come, until so many of that image are, and no others are there. */
  const bringUp = (name: string, count: number, image: string): Promise<void> =>
    eventually(async () => {
      const all = await podsOf(name)
      for (const pod of all) if (!isReady(pod)) await makeReady(pod)
      const done = all.filter((pod) => isReady(pod) && pod.spec.containers?.[0]?.image === image)
      return all.length === count && done.length === count
    }, `${count} pods of ${name} with the image ${image}`)

  const counts: readonly (readonly [name: string, count: number])[] = [
    ['web', 4],
    ['db', 3],
    ['agent', nodeNames.length],
  ]

  async function state(): Promise<RolloutState> {
    const found = await Promise.all(['web', 'db', 'agent', 'work'].map((name) => podsOf(name)))
    const sets = await client.resource(replicasets).list({ ...inDefault, labelSelector: 'app=web' })
    const all = await client.resource(controllerrevisions).list({ ...inDefault, labelSelector: 'app in (db,agent)' })
    const web = await client.resource(deployments).get({ ...inDefault, name: 'web' })
    const db = await client.resource(statefulsets).get({ ...inDefault, name: 'db' })
    return {
      pods: found.flat().map(({ metadata: { uid, name, labels, ownerReferences }, spec }) => ({
        uid,
        name,
        labels,
        ownerReferences,
        image: spec.containers?.[0]?.image,
      })),
      sets: sets.items.map(({ metadata: { uid, name, labels, annotations }, spec }) => ({
        uid,
        name,
        labels,
        annotations,
        spec,
      })),
      revisions: all.items.map(({ metadata: { uid, name, labels }, data, revision }) => ({
        uid,
        name,
        labels,
        data,
        revision,
      })),
      web: { annotations: web.metadata.annotations, spec: web.spec },
      db: { current: db.status.currentRevision, update: db.status.updateRevision },
    }
  }

  /** The state, once it stays the same for two seconds. */
  async function settled(): Promise<void> {
    let last = ''
    let sinceMs = performance.now()
    await eventually(async () => {
      const now = JSON.stringify(await state())
      if (now !== last) [last, sinceMs] = [now, performance.now()]
      return performance.now() - sinceMs > 2000
    }, 'the rollouts stand still')
  }

  return {
    state,
    async begin() {
      for (const name of nodeNames) {
        await send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name } })
        // The kubelet that would take the taint of new nodes away is this test.
        await client.resource(nodes).patch({ name }, 'merge', { spec: { taints: null } })
      }
      await make('Deployment', 'web')
      await make('StatefulSet', 'db')
      await make('DaemonSet', 'agent')
      await make('Job', 'work')
      for (const [name, count] of counts) await bringUp(name, count, 'one')
      await eventuallyEquals(async () => (await podsOf('work')).length, 2, 'two pods of the job')
      await settled()
      await roll('Deployment', 'web')
      await roll('StatefulSet', 'db')
      await roll('DaemonSet', 'agent')
      const hasNew = async (name: string): Promise<boolean> => (await podsOf(name, 'two')).length > 0
      for (const [name] of counts) await eventually(() => hasNew(name), `a new pod of ${name}`)
      await settled()
      const [one] = await podsOf('web', 'two')
      assert.ok(one)
      await makeReady(one)
      await settled()
      for (const [name] of counts) {
        const [fresh, all] = [await podsOf(name, 'two'), await podsOf(name)]
        assert.ok(fresh.length > 0 && fresh.length < all.length, `${name} is under way`)
      }
    },
    async untilAtWork() {
      await make('Deployment', 'web-after')
      await make('StatefulSet', 'db-after')
      await make('DaemonSet', 'agent-after')
      await make('Job', 'work-after')
      for (const name of ['web-after', 'db-after', 'agent-after', 'work-after'])
        await eventually(async () => (await podsOf(name)).length > 0, `a pod of ${name}`)
    },
    async finish(before) {
      for (const [name, count] of counts) await bringUp(name, count, 'two')
      const now = new Set((await state()).pods.map(({ uid }) => uid))
      assert.deepEqual(
        before.pods.filter(({ uid, image }) => image === 'two' && !now.has(uid)),
        [],
      )
      await eventually(async () => {
        const { status } = await client.resource(deployments).get({ ...inDefault, name: 'web' })
        return status.conditions?.find(({ type }) => type === 'Progressing')?.reason === 'NewReplicaSetAvailable'
      }, 'the deployment says that it is done')
      await eventually(async () => {
        const { status } = await client.resource(statefulsets).get({ ...inDefault, name: 'db' })
        return status.currentRevision === status.updateRevision && status.updatedReplicas === 3
      }, 'the stateful set says that it is done')
      await eventually(async () => {
        const { status } = await client.resource(daemonsets).get({ ...inDefault, name: 'agent' })
        return status.updatedNumberScheduled === nodeNames.length && status.numberAvailable === nodeNames.length
      }, 'the daemon set says that it is done')
      const { items } = await client.resource(replicasets).list({ ...inDefault, labelSelector: 'app=web' })
      assert.equal(items.length, 2)
      const revisions = await client
        .resource(controllerrevisions)
        .list({ ...inDefault, labelSelector: 'app in (db,agent)' })
      assert.equal(revisions.items.length, 4)
      assert.equal((await client.resource(jobs).get({ ...inDefault, name: 'work' })).status.active, 2)
      assert.equal((await podsOf('work')).length, 2)
    },
  }
}
