import assert from 'node:assert/strict'
import https from 'node:https'
import { resources } from '../../../api/gen/resources.ts'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { scratchFolder } from '../../support/apiserver.ts'
import { eventually } from '../../support/eventually.ts'
import { type HollowPlane, isReady, startHollowPlane } from '../../support/hollowplane.ts'

const { nodes, pods } = resources.core.v1
const { leases } = resources.coordination.v1

describe('hollow nodes', () => {
  let hollow: HollowPlane
  before(async () => {
    hollow = await startHollowPlane(2)
  })
  after(async () => {
    await hollow.plane.stop()
  })

  it('register with conditions, capacity and a lease', async () => {
    const { client } = hollow.plane
    const { metadata, spec, status } = await client.resource(nodes).get({ name: 'hollow-1' })
    assert.equal(metadata.labels?.['topology.kubernetes.io/zone'], 'hollow-b')
    assert.deepEqual([spec.taints, status.capacity?.['pods']], [undefined, '110'])
    assert.deepEqual(
      status.conditions?.map(({ type, status: is }) => `${type}=${is}`),
      ['MemoryPressure=False', 'DiskPressure=False', 'PIDPressure=False', 'Ready=True'],
    )
    const lease = await client.resource(leases).get({ namespace: 'kube-node-lease', name: 'hollow-1' })
    assert.deepEqual([lease.spec.holderIdentity, lease.metadata.ownerReferences?.[0]?.uid], ['hollow-1', metadata.uid])
  })

  it('a command runs as a container: its output is the log, its exit code the container’s', async () => {
    const command = ['sh', '-c', 'echo from $HOSTNAME; exit 3']
    await hollow.createPod('failing', {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'i', command, resources: {} }],
    })
    const pod = await hollow.until('failing', ({ status }) => status.phase === 'Failed', 'the failure')
    const { exitCode, reason } = pod.status.containerStatuses?.[0]?.state.terminated ?? {}
    assert.deepEqual([exitCode, reason], [3, 'Error'])
    const log = await hollow.plane.fetch('/api/v1/namespaces/default/pods/failing/log')
    assert.equal(await log.text(), 'from failing\n')
  })

  it('an invalid annotation is reported by an event', async () => {
    await hollow.createPod('puzzled', {}, { annotations: { 'hollow.pilothouse/ready-delay': 'soon' } })
    await hollow.until('puzzled', isReady, 'the pod')
    const told = 'BadAnnotation: hollow.pilothouse/ready-delay: "soon" is not understood'
    await eventually(async () => (await hollow.eventsOf('puzzled')).includes(told), told)
  })

  it('a pod waits for a missing ConfigMap, reports it, and starts once it exists', async () => {
    await hollow.createPod('configured', { volumes: [{ name: 'c', configMap: { name: 'late' } }] })
    const told = 'FailedMount: configmap "late" not found'
    await eventually(async () => (await hollow.eventsOf('configured')).includes(told), told)
    assert.equal((await hollow.pod('configured')).status.phase, 'Pending')
    await hollow.plane.client.resource(resources.core.v1.configmaps).create({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'default', name: 'late' },
    })
    await hollow.until('configured', isReady, 'the pod')
  })

  it('resources that are changed in place are the container’s at once', async () => {
    await hollow.createPod('resized', {
      containers: [{ name: 'main', image: 'i', resources: { requests: { cpu: '1' } } }],
    })
    const { metadata } = await hollow.until('resized', isReady, 'the pod')
    const containers = [{ name: 'main', resources: { requests: { cpu: '2' } } }]
    await hollow.plane.client
      .resource(pods)
      .subresource('resize')
      .patch(metadata, 'strategic', { spec: { containers } })
    const isResized = ({ status }: Awaited<ReturnType<HollowPlane['pod']>>): boolean =>
      status.containerStatuses?.[0]?.resources?.requests?.['cpu'] === '2'
    await hollow.until('resized', isResized, 'the new resources')
  })

  it('a lost node runs none of its pods, until it is back', async () => {
    const lost = (value: 'true' | null) =>
      hollow.plane.client
        .resource(nodes)
        .patch({ name: 'hollow-0' }, 'merge', { metadata: { annotations: { 'hollow.pilothouse/lost': value } } })
    await hollow.createPod('before', { nodeName: 'hollow-0' })
    await hollow.until('before', isReady, 'a pod of the node')
    await lost('true')
    await hollow.createPod('marker', { nodeName: 'hollow-1' })
    await hollow.until('marker', isReady, 'a pod of the other node')
    await hollow.createPod('stranded', { nodeName: 'hollow-0' })
    await hollow.createPod('later', { nodeName: 'hollow-1' })
    await hollow.until('later', isReady, 'a later pod of the other node')
    assert.equal((await hollow.pod('stranded')).status.phase, 'Pending')
    await lost(null)
    await hollow.until('stranded', isReady, 'the pod of the node that is back')
  })

  it('are there again after a reset, with nothing of what they ran', async () => {
    await hollow.plane.reset()
    const { client } = hollow.plane
    const { items } = await client.resource(nodes).list()
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['hollow-0', 'hollow-1'],
    )
    assert.deepEqual((await client.resource(pods).list()).items, [])
    await hollow.createPod('anew')
    await hollow.until('anew', isReady, 'a pod after the reset')
  })

  it('the kubelets’ API answers nobody without a certificate of the authority', async () => {
    const { status } = await hollow.plane.client.resource(nodes).get({ name: 'hollow-0' })
    const port = status.daemonEndpoints.kubeletEndpoint?.Port ?? 0
    const answer = new Promise<number | undefined>((resolve, reject) => {
      https
        .get(`https://127.0.0.1:${port}/healthz`, { rejectUnauthorized: false, agent: false }, ({ statusCode }) =>
          resolve(statusCode),
        )
        .on('error', reject)
    })
    await assert.rejects(answer, /certificate required|ECONNRESET|socket hang up/)
  })
})

describe('library: nodes', () => {
  for (const count of [-1, 1.5, 5001])
    it(`refuses ${count} nodes`, async () => {
      await assert.rejects(startControlPlane({ nodes: count }), /^Error: nodes must be a number from 0 to 5000$/)
    })
})

describe('hollow nodes after a restart', () => {
  const folder = scratchFolder('hollow-restart')
  let plane: ControlPlane | undefined
  after(async () => {
    await plane?.stop()
    folder.remove()
  })

  it('continue the pods that they had, with their addresses and restarts', async () => {
    const options = { storage: { dir: folder.path }, nodes: 1 } as const
    plane = await startControlPlane(options)
    const name = { namespace: 'default', name: 'kept' }
    const get = async () => await plane?.client.resource(pods).get(name)
    await plane.client.resource(pods).create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...name, annotations: { 'hollow.pilothouse/crash-backoff': '100ms' } },
      spec: { containers: [{ name: 'main', image: 'i', command: ['sh', '-c', 'sleep 0.1'], resources: {} }] },
      status: {},
    })
    await eventually(async () => (await get())?.status.containerStatuses?.[0]?.restartCount === 1, 'a restart')
    const before = await get()
    await plane.stop()
    plane = await startControlPlane(options)
    await eventually(async () => (await get())?.status.containerStatuses?.[0]?.restartCount === 2, 'another restart')
    const later = await get()
    assert.deepEqual(
      [later?.metadata.uid, later?.status.podIP, later?.status.startTime],
      [before?.metadata.uid, before?.status.podIP, before?.status.startTime],
    )
  })
})
