import assert from 'node:assert/strict'
import type { Deployment, ReplicaSet } from '../../../api/gen/apps/v1.ts'
import type { Client } from '../../../lib/client/index.ts'
import { createFirstStatuses } from '../../../lib/controllers/deployment/firststatuses.ts'
import { perform } from '../../../lib/controllers/deployment/perform.ts'
import { plan } from '../../../lib/controllers/deployment/plan.ts'
import type { SomeDeployment, SomeSet } from '../../../lib/controllers/deployment/sets.ts'

const key = 'default/web'

function deploymentOf(uid = 'one'): SomeDeployment {
  const labels = { app: 'web' }
  const made: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: 'default', name: 'web', uid, generation: 1, resourceVersion: '7' },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'one', resources: {} }] } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      progressDeadlineSeconds: 600,
    },
    status: {},
  }
  return made
}

/** Turns of one deployment, as its controller takes them, against a server that only notes what is written. */
function open() {
  const written: Deployment[] = []
  const sets: ReplicaSet[] = []
  const first = createFirstStatuses()
  const all = {
    async create(set: ReplicaSet): Promise<ReplicaSet> {
      sets.push({ ...set, metadata: { ...set.metadata, uid: 'set', generation: 1 } })
      return set
    },
    async updateStatus(deployment: Deployment): Promise<Deployment> {
      written.push(deployment)
      return deployment
    },
  }
  // Only these two calls are made.
  const client = { resource: () => all } as unknown as Client
  async function turn(shown: SomeDeployment, nowMs: number): Promise<number | undefined> {
    const deployment = first.applied(key, shown)
    const claim = { owned: sets, adopt: [], release: [] }
    const step = plan({ deployment, sets, pods: () => [] })
    const events = { event() {} }
    const dependencies = { client, events, reportsTerminating: true, first, now: () => nowMs }
    return await perform(deployment, claim, step, dependencies)
  }
  const report = (status: ReplicaSet['status']): void => {
    const [set] = sets
    if (set) sets[0] = { ...set, status } satisfies SomeSet
  }
  return { turn, report, written }
}

const progressing = ({ status }: SomeDeployment) => status.conditions?.find(({ type }) => type === 'Progressing')
const revisionOf = ({ metadata }: SomeDeployment) => metadata.annotations?.['deployment.kubernetes.io/revision']

describe('the first status of a deployment', () => {
  it('is written once, with the first numbers of its set, as if it had been written before them', async () => {
    const { turn, report, written } = open()
    assert.equal(await turn(deploymentOf(), 0), 1000)
    assert.equal(await turn(deploymentOf(), 20), 980)
    assert.equal(written.length, 0)
    report({ replicas: 3, observedGeneration: 1, terminatingReplicas: 0 })
    assert.equal(await turn(deploymentOf(), 40), undefined)
    const [one, ...more] = written
    assert.ok(one)
    assert.equal(more.length, 0)
    const { observedGeneration, replicas, updatedReplicas, unavailableReplicas } = one.status
    assert.deepEqual([observedGeneration, replicas, updatedReplicas, unavailableReplicas], [1, 3, 3, 3])
    assert.equal(progressing(one)?.reason, 'ReplicaSetUpdated')
    assert.equal(revisionOf(one), '1')
    assert.equal(one.metadata.resourceVersion, '7')
  })

  it('is written as soon as its set is reported with no pods', async () => {
    const { turn, report, written } = open()
    await turn(deploymentOf(), 0)
    report({ replicas: 0, observedGeneration: 1 })
    await turn(deploymentOf(), 20)
    assert.deepEqual(
      written.map(progressing).map((condition) => condition?.reason),
      ['NewReplicaSetCreated'],
    )
  })

  it('is written after a second where nothing is reported about its set', async () => {
    const { turn, written } = open()
    await turn(deploymentOf(), 0)
    await turn(deploymentOf(), 999)
    assert.equal(written.length, 0)
    await turn(deploymentOf(), 1000)
    const [one] = written
    assert.ok(one)
    assert.equal(progressing(one)?.reason, 'NewReplicaSetCreated')
    assert.equal(one.status.observedGeneration, 1)
    assert.equal(revisionOf(one), '1')
  })

  it('is kept when others change the deployment meanwhile, with their changes', async () => {
    const { turn, written } = open()
    await turn(deploymentOf(), 0)
    const { metadata, ...rest } = deploymentOf()
    await turn({ ...rest, metadata: { ...metadata, resourceVersion: '8', labels: { note: 'new' } } }, 1000)
    const [one] = written
    assert.ok(one)
    assert.deepEqual(one.metadata.labels, { note: 'new' })
    assert.equal(revisionOf(one), '1')
    assert.equal(one.metadata.resourceVersion, '8')
    assert.equal(progressing(one)?.reason, 'NewReplicaSetCreated')
  })

  it('is dropped once the deployment has a status, or is another one of the same name', () => {
    const first = createFirstStatuses()
    const after = { ...deploymentOf(), status: { observedGeneration: 1, replicas: 0 } }
    for (const shown of [{ ...deploymentOf(), status: { observedGeneration: 1, replicas: 2 } }, deploymentOf('two')]) {
      first.defer(key, after, 0)
      assert.equal(first.applied(key, deploymentOf()).status.observedGeneration, 1)
      assert.equal(first.applied(key, shown), shown)
      assert.equal(first.waitMs(key, undefined, 0), undefined)
    }
  })
})
