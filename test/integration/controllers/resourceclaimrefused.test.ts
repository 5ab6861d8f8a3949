import assert from 'node:assert/strict'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import type { Manager } from '../../../lib/controller/index.ts'
import { resourceclaim } from '../../../lib/controllers/resourceclaim/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { runControllers } from '../../support/runcontrollers.ts'

const group = '/apis/resource.k8s.io/v1beta1/namespaces/default'
const home = '/api/v1/namespaces/default'

describe('resource claims that the server refuses', () => {
  let plane: ControlPlane
  let manager: Manager
  const metrics = createMetrics()
  before(async () => {
    plane = await startControlPlane({
      featureGates: { DynamicResourceAllocation: true, DRAAdminAccess: true },
      runtimeConfig: { 'resource.k8s.io/v1beta1': true },
    })
    const gate = (name: string): boolean => name !== 'DRAAdminAccess'
    manager = await runControllers(plane, [resourceclaim], { concurrentResourceclaimSyncs: 1 }, { metrics, gate })
  })
  after(async () => {
    await manager.close()
    await plane.stop()
  })

  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of any shape
  type Body = any
  const read = async (path: string): Promise<Body> => await (await plane.fetch(path)).json()
  const made = async (path: string, body: object): Promise<Body> => {
    const headers = { 'content-type': 'application/json' }
    const answer = await plane.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
    const read = (await answer.json()) as Body
    assert.equal(answer.status, 201, JSON.stringify(read))
    return read
  }
  const template = async (name: string, request = {}, metadata = {}): Promise<void> => {
    const devices = { requests: [{ name: 'r', deviceClassName: 'gpus', ...request }] }
    await made(`${group}/resourceclaimtemplates`, { metadata: { name }, spec: { metadata, spec: { devices } } })
  }
  const pod = async (name: string, from: string): Promise<void> => {
    await made(`${home}/pods`, {
      metadata: { name },
      spec: {
        automountServiceAccountToken: false,
        resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: from }],
        containers: [{ name: 'c', image: 'i' }],
      },
    })
  }
  const messageOf = async (name: string): Promise<string | undefined> => {
    const { items } = await read(`${home}/events?fieldSelector=involvedObject.name=${name}`)
    const told = items.filter(({ reason }: Body) => reason === 'FailedResourceClaimCreation')
    assert.ok(told.every(({ type, source }: Body) => type === 'Warning' && source.component === 'resource_claim'))
    return told[0]?.message
  }
  const claimsOf = async (name: string): Promise<Body[]> =>
    (await read(`${group}/resourceclaims`)).items.filter(
      ({ metadata }: Body) => metadata.ownerReferences?.[0].name === name,
    )
  const series = async (): Promise<string[]> => {
    const { body } = await metrics.exposition('text')
    return body.split('\n').filter((line) => line.startsWith('resourceclaim_controller_'))
  }

  it('are reported, tried again with growing delays, and delay no other pod', async () => {
    // The annotation that the controller adds is one byte more than a claim may have.
    const full = { annotations: { a: 'x'.repeat(256 * 1024 - 1) } }
    await template('full', {}, full)
    const startedMs = performance.now()
    await pod('refused', 'full')
    await eventually(async () => (await messageOf('refused')) !== undefined, 'an event tells of it')
    assert.match(
      (await messageOf('refused')) ?? '',
      /^PodResourceClaim gpu: create ResourceClaim : ResourceClaim\.resource\.k8s\.io "refused-gpu-\w{5}" is invalid: metadata\.annotations: Too long: may not be more than 262144 bytes$/,
    )
    await template('good')
    await pod('served', 'good')
    await eventuallyEquals(async () => (await claimsOf('served')).length, 1, 'another pod is served by the only worker')
    await eventually(async () => {
      const failure = (await series()).find((line) => line.includes('status="failure"')) ?? ''
      return Number(failure.split(' ').at(-1)) >= 7 || failure
    }, 'seven attempts')
    // After 5 ms, then after twice the last pause: the seventh is due after 315 ms.
    assert.ok(performance.now() - startedMs > 300)
    assert.deepEqual(await claimsOf('refused'), [])
  })

  it('are not sent where they ask for administrative access and the gate is off', async () => {
    await made('/api/v1/namespaces', {
      metadata: { name: 'admins', labels: { 'resource.kubernetes.io/admin-access': 'true' } },
    })
    const elsewhere = '/apis/resource.k8s.io/v1beta1/namespaces/admins'
    const devices = { requests: [{ name: 'r', deviceClassName: 'gpus', adminAccess: true }] }
    await made(`${elsewhere}/resourceclaimtemplates`, { metadata: { name: 'admin' }, spec: { spec: { devices } } })
    await made('/api/v1/namespaces/admins/pods', {
      metadata: { name: 'admin' },
      spec: {
        automountServiceAccountToken: false,
        resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'admin' }],
        containers: [{ name: 'c', image: 'i' }],
      },
    })
    const told = async (): Promise<string[]> => {
      const { items } = await read('/api/v1/namespaces/admins/events')
      return items.map(({ message }: Body) => message)
    }
    await eventually(async () => (await told()).length > 0, 'an event tells of it')
    assert.deepEqual(await told(), ['PodResourceClaim gpu: admin access is requested, but the feature is disabled'])
    assert.deepEqual((await read(`${elsewhere}/resourceclaims`)).items, [])
  })

  it('are counted, like created ones, and all claims by their origin', async () => {
    await made(`${group}/resourceclaims`, {
      metadata: { name: 'by-hand' },
      spec: { devices: { requests: [{ name: 'r', deviceClassName: 'gpus' }] } },
    })
    await made(`${group}/resourceclaims`, {
      metadata: { name: 'extended', annotations: { 'resource.kubernetes.io/extended-resource-claim': 'true' } },
      spec: { devices: { requests: [{ name: 'r', deviceClassName: 'gpus' }] } },
    })
    const labels = (source: string): string =>
      `resourceclaim_controller_resource_claims{admin_access="false",allocated="false",source="${source}"} 1`
    await eventually(
      async () => {
        const shown = await series()
        return ['', 'extended_resource', 'resource_claim_template'].every((source) => shown.includes(labels(source)))
      },
      `one claim of each source: ${(await series()).join()}`,
      5000,
    )
    const created = (await series()).filter((line) => line.includes('creates_total'))
    assert.ok(
      created.includes('resourceclaim_controller_creates_total{admin_access="false",status="success"} 1'),
      created.join(),
    )
  })
})
