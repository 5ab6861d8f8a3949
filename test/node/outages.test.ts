import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { resources } from '../../api/gen/resources.ts'
import { bindAdmins } from '../../hack/ha/admins.ts'
import { approveServing } from '../../hack/node/joining.ts'
import type { RealNode } from '../../hack/node/realnode.ts'
import type { Client } from '../../lib/client/index.ts'
import { eventually } from '../support/eventually.ts'
import { type Cluster, openCluster, programsOfNodes } from './cluster.ts'
import { container, forever } from './objects.ts'
import { type Parts, startParts } from './parts.ts'
import { isLong, untilObject } from './waiting.ts'

const { nodes, pods } = resources.core.v1
const { deployments } = resources.apps.v1

const programs = process.env['PILOTHOUSE_ETCD'] ? await programsOfNodes() : undefined
/** A node that says nothing for so long is lost. */
const lost = ['--node-monitor-period=1s', '--node-monitor-grace-period=8s']
const shortLived = '--cluster-signing-duration=90s'

describe('outages of real nodes and of their control plane', function () {
  if (!programs) {
    it.skip('needs root, control groups of version 1, the programs of a node and etcd')
    return
  }
  this.timeout(150_000)
  let parts: Parts
  let cluster: Cluster
  let joined: RealNode[]
  let client: Client
  let approving: NodeJS.Timeout

  before(async function () {
    this.timeout(180_000)
    cluster = await openCluster(programs, async (site) => (parts = await startParts(site, [...lost, shortLived])))
    // The API server's client certificate for kubelets is of this group.
    await bindAdmins(cluster.site.folder, parts.url)
    client = cluster.client
    const configuration = { nodeLeaseDurationSeconds: 4 }
    joined = await Promise.all([1, 2].map(async (index) => await cluster.join(index, { configuration })))
    await parts.restart('controller-manager', lost)
    approving = setInterval(() => {
      for (const { name } of joined) approveServing(client, name).catch(() => {})
    }, 1000)
    await create('web', 4)
    await untilComplete('web')
  })
  after(async () => {
    clearInterval(approving)
    await cluster?.close()
  })

  /** A deployment whose pods leave a lost node after a second. */
  async function create(name: string, replicas: number): Promise<void> {
    const tolerations = ['not-ready', 'unreachable'].map((what) => ({
      key: `node.kubernetes.io/${what}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 1,
    }))
    const spec = { terminationGracePeriodSeconds: 1, tolerations, containers: [container(forever)] }
    const template = { metadata: { labels: { app: name } }, spec }
    const manifest = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name, namespace: 'default' },
      spec: { replicas, selector: { matchLabels: { app: name } }, template },
    }
    // What a user writes: the server fills in the rest.
    await client.resource(deployments).create(manifest as never)
  }

  const untilComplete = async (name: string, waitMs?: number) =>
    await untilObject(client, deployments, { namespace: 'default', name, waitMs }, ({ metadata, spec, status }) => {
      const counts = [status.updatedReplicas, status.availableReplicas, status.replicas]
      return status.observedGeneration === metadata.generation && counts.every((count) => count === spec.replicas)
    })

  const podsOf = async (app: string) =>
    (await client.resource(pods).list({ namespace: 'default', labelSelector: `app=${app}` })).items.filter(
      ({ metadata }) => metadata.deletionTimestamp === undefined,
    )

  /** In milliseconds; 0 while the kubelet exchanges the file. */
  function validFor({ machine }: RealNode): number {
    const file = join(machine.folder, 'pki/kubelet-client-current.pem')
    return existsSync(file) ? Date.parse(new X509Certificate(readFileSync(file)).validTo) - Date.now() : 0
  }

  it('kubelets renew their client certificates before they end', async () => {
    const hourMs = 3_600_000
    await eventually(
      () => joined.every((node) => validFor(node) > hourMs),
      'both have certificates of the longer duration',
      100_000,
    )
  })

  it('a rollout goes on while API server, controllers, store and kubelets are killed and started again', async () => {
    const before = await podsOf('web')
    const env = [{ name: 'COLOUR', value: 'blue' }]
    const change = { spec: { template: { spec: { containers: [{ name: 'main', env }] } } } }
    await client.resource(deployments).patch({ namespace: 'default', name: 'web' }, 'strategic', change)
    await parts.restart('controller-manager')
    await parts.etcd.kill()
    await parts.etcd.start()
    for (const node of joined) {
      await node.kubelet().stop('SIGKILL')
      node.startKubelet()
    }
    await parts.restart('apiserver')
    await parts.restart('scheduler')
    await parts.ready()
    // The turn that failed last is tried again within 82 s (15 tries from 5 ms on).
    await untilComplete('web', 100_000)
    const after = await podsOf('web')
    assert.equal(after.length, 4)
    assert.ok(after.every(({ metadata }) => before.every((old) => old.metadata.uid !== metadata.uid)))
    assert.deepEqual(
      after.map(({ status }) => status.containerStatuses?.[0]?.restartCount),
      [0, 0, 0, 0],
    )
  })

  it('running containers survive the restart of their kubelet', async () => {
    const started = async () =>
      (await podsOf('web')).map(({ status }) => status.containerStatuses?.[0]?.containerID ?? '').sort()
    const before = await started()
    const [first] = joined
    await first?.kubelet().stop('SIGTERM')
    first?.startKubelet()
    await eventually(async () => {
      const { stdout, stderr } = await cluster.kubectl(['get', '--raw', '/api/v1/nodes/node-1/proxy/healthz'])
      return stdout === 'ok' || stdout + stderr
    }, 'the kubelet answers again')
    assert.deepEqual(await started(), before)
  })

  it('a drain moves the pods to the other node', async () => {
    const { code, stderr } = await cluster.kubectl(['drain', 'node-1', '--ignore-daemonsets'], { timeoutMs: 100_000 })
    assert.equal(code, 0, stderr)
    await untilComplete('web')
    assert.deepEqual([...new Set((await podsOf('web')).map(({ spec }) => spec.nodeName))], ['node-2'])
    await cluster.kubectl(['uncordon', 'node-1'])
  })

  it('a lost node’s pods move to the other, and the node comes back without them', async () => {
    const taintsOf = async (): Promise<string> => {
      const { spec } = await client.resource(nodes).get({ name: 'node-2' })
      return (spec.taints ?? [])
        .map(({ key, effect }) => `${key}:${effect}`)
        .sort()
        .join()
    }
    joined[1]?.machine.connect(false)
    await untilObject(client, nodes, { name: 'node-2' }, ({ status }) =>
      (status.conditions ?? []).some(
        ({ type, status, reason }) => type === 'Ready' && status === 'Unknown' && reason === 'NodeStatusUnknown',
      ),
    )
    const unreachable = 'node.kubernetes.io/unreachable'
    await eventually(async () => {
      const taints = await taintsOf()
      return taints === `${unreachable}:NoExecute,${unreachable}:NoSchedule` || taints
    }, 'the lost node is tainted')
    await eventually(async () => {
      const places = (await podsOf('web')).map(({ spec, status }) => `${spec.nodeName} ${status.phase}`)
      return places.join() === Array(4).fill('node-1 Running').join() || places
    }, 'four pods run on the other node')
    // The pods of the lost node wait for their kubelet.
    const all = (await client.resource(pods).list({ namespace: 'default', labelSelector: 'app=web' })).items
    const waiting = all.filter(
      ({ metadata, spec }) => metadata.deletionTimestamp !== undefined && spec.nodeName === 'node-2',
    )
    assert.ok(waiting.length > 0)
    joined[1]?.machine.connect(true)
    await eventually(async () => (await taintsOf()) === '' || (await taintsOf()), 'the taints are gone')
    await eventually(async () => {
      const left = (await client.resource(pods).list({ namespace: 'default', labelSelector: 'app=web' })).items
      return left.length === 4 || left.map(({ metadata }) => metadata.name)
    }, 'the pods of the lost node have ended')
  })

  if (isLong)
    it('the pods of a node that is deleted are deleted, too, once it has been missed for a while', async () => {
      await joined[1]?.close()
      await cluster.kubectl(['scale', 'deployment/web', '--replicas=6'])
      await eventually(
        async () => (await podsOf('web')).some(({ spec }) => spec.nodeName === 'node-2') || 'none',
        'a pod is on the node',
      )
      await client.resource(nodes).delete({ name: 'node-2' })
      await untilComplete('web', 130_000)
      const all = (await client.resource(pods).list({ namespace: 'default', labelSelector: 'app=web' })).items
      assert.deepEqual([...new Set(all.map(({ spec }) => spec.nodeName))], ['node-1'])
    })
})
