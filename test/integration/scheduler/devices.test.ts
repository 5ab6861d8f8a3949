import assert from 'node:assert/strict'
import type { PodSpec } from '../../../api/gen/core/v1.ts'
import type { ResourceClaim } from '../../../api/gen/resource.k8s.io/v1.ts'
import { resources } from '../../../api/gen/resources.ts'
import type { Frozen } from '../../../lib/object/index.ts'
import { eventually } from '../../support/eventually.ts'
import { type HollowPlane, isReady, startHollowPlane } from '../../support/hollowplane.ts'

const { deviceclasses, resourceclaims, resourceclaimtemplates, resourceslices } = resources.resource.v1
const driver = 'gpu.example.org'
const namespace = 'default'

describe('scheduler: devices', () => {
  let hollow: HollowPlane
  before(async () => {
    hollow = await startHollowPlane(2)
    const { client } = hollow.plane
    await client.resource(deviceclasses).create({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'gpu' },
      spec: { selectors: [{ cel: { expression: `device.driver == "${driver}"` } }] },
    })
    await client.resource(resourceclaimtemplates).create({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaimTemplate',
      metadata: { namespace, name: 'one' },
      spec: { metadata: {}, spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } } },
    })
    await client.resource(resourceslices).create({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'hollow-1-gpus' },
      spec: {
        driver,
        pool: { name: 'hollow-1', generation: 1, resourceSliceCount: 1 },
        nodeName: 'hollow-1',
        devices: [
          { name: 'gpu-0' },
          { name: 'slow', bindingConditions: ['Ready'], bindingFailureConditions: ['Broken'] },
        ],
      },
    })
  })
  after(async () => {
    await hollow.plane.stop()
  })

  const withClaim: Partial<PodSpec> = { resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one' }] }
  const claimOf = async (pod: string): Promise<Frozen<ResourceClaim> | undefined> => {
    const { items } = await hollow.plane.client.resource(resourceclaims).list({ namespace })
    return items.find(({ metadata }) => metadata.ownerReferences?.some(({ name }) => name === pod))
  }
  const setCondition = async (pod: string, type: string): Promise<void> => {
    const claim = await claimOf(pod)
    assert.ok(claim)
    const condition = { type, status: 'True', reason: 'Test', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
    const devices = [{ driver, pool: 'hollow-1', device: 'slow', conditions: [condition] }]
    await hollow.plane.client.resource(resourceclaims).patchStatus(claim.metadata, 'merge', { status: { devices } })
  }
  const deviceOf = async (pod: string): Promise<string | undefined> =>
    (await claimOf(pod))?.status.allocation?.devices.results?.[0]?.device

  it("a pod gets the device of its claim's template, and the claim names the device, the node and the pod", async () => {
    await hollow.createPod('first', withClaim)
    const pod = await hollow.until('first', isReady, 'a ready pod')
    assert.equal(pod.spec.nodeName, 'hollow-1')
    const claim = await claimOf('first')
    assert.deepEqual(claim?.status.allocation?.devices.results, [
      { request: 'r', driver, pool: 'hollow-1', device: 'gpu-0' },
    ])
    assert.deepEqual(claim?.status.reservedFor, [{ resource: 'pods', name: 'first', uid: pod.metadata.uid }])
    assert.deepEqual(claim?.metadata.finalizers, ['resource.kubernetes.io/delete-protection'])
    assert.deepEqual(claim?.status.allocation?.nodeSelector?.nodeSelectorTerms, [
      { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['hollow-1'] }] },
    ])
  })

  it('a device with binding conditions is bound once its driver reports them', async () => {
    await hollow.createPod('second', withClaim)
    await eventually(async () => (await deviceOf('second')) === 'slow', 'the slow device')
    assert.equal((await hollow.pod('second')).spec.nodeName, undefined)
    await setCondition('second', 'Ready')
    await hollow.until('second', isReady, 'a ready pod')
  })

  it('a pod without a device left waits, with the reason, and gets one that comes free', async () => {
    await hollow.createPod('third', withClaim)
    const message = '0/2 nodes are available: 2 cannot allocate all claims.'
    await hollow.until(
      'third',
      ({ status }) => status.conditions?.some((each) => each.message?.startsWith(message)) === true,
      'the reason',
    )
    await hollow.plane.client
      .resource(resources.core.v1.pods)
      .delete({ namespace, name: 'first' }, { gracePeriodSeconds: 0 })
    await hollow.until('third', isReady, 'a ready pod')
    assert.equal(await deviceOf('third'), 'gpu-0')
  })

  it('a device whose driver reports a failure is given back, and an event of the pod names the failure', async () => {
    await hollow.plane.client
      .resource(resources.core.v1.pods)
      .delete({ namespace, name: 'second' }, { gracePeriodSeconds: 0 })
    await eventually(async () => (await claimOf('second')) === undefined, 'no claim')
    await hollow.createPod('fourth', withClaim)
    await eventually(async () => (await deviceOf('fourth')) === 'slow', 'the slow device')
    await setCondition('fourth', 'Broken')
    const told = `FailedScheduling: running PreBind plugin "DynamicResources": device ${driver}/hollow-1/slow: binding failure condition Broken is true`
    await eventually(async () => (await hollow.eventsOf('fourth')).includes(told), told)
    assert.equal((await hollow.pod('fourth')).spec.nodeName, undefined)
  })

  it('a pod gets the devices of a class as an extended resource, by a claim that ends with it', async () => {
    const { client } = hollow.plane
    const card = 'card.example.org'
    await client.resource(deviceclasses).create({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'DeviceClass',
      metadata: { name: 'card' },
      spec: {
        selectors: [{ cel: { expression: `device.driver == "${card}"` } }],
        extendedResourceName: 'example.org/card',
      },
    })
    await client.resource(resourceslices).create({
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceSlice',
      metadata: { name: 'hollow-0-cards' },
      spec: {
        driver: card,
        pool: { name: 'cards', generation: 1, resourceSliceCount: 1 },
        nodeName: 'hollow-0',
        devices: [{ name: 'card-0' }, { name: 'card-1' }],
      },
    })
    const amounts = { 'example.org/card': '2' }
    const withCards = { containers: [{ name: 'c', image: 'i', resources: { limits: amounts, requests: amounts } }] }
    await hollow.createPod('cards', withCards)
    const pod = await hollow.until('cards', isReady, 'a ready pod')
    assert.equal(pod.spec.nodeName, 'hollow-0')
    const claim = await claimOf('cards')
    assert.match(claim?.metadata.name ?? '', /^cards-extended-resources-.{5}$/)
    assert.equal(claim?.metadata.annotations?.['resource.kubernetes.io/extended-resource-claim'], 'true')
    const request = 'container-0-request-0'
    const result = { request, driver: card, pool: 'cards' }
    assert.deepEqual(claim?.status.allocation?.devices.results, [
      { ...result, device: 'card-0' },
      { ...result, device: 'card-1' },
    ])
    assert.deepEqual(claim?.status.reservedFor, [{ resource: 'pods', name: 'cards', uid: pod.metadata.uid }])
    const requestMappings = [{ containerName: 'c', resourceName: 'example.org/card', requestName: request }]
    assert.deepEqual(pod.status.extendedResourceClaimStatus, {
      resourceClaimName: claim?.metadata.name,
      requestMappings,
    })
    await hollow.createPod('later', withCards)
    const message = '0/2 nodes are available: 2 cannot allocate all claims.'
    await hollow.until(
      'later',
      ({ status }) => status.conditions?.some((each) => each.message?.startsWith(message)) === true,
      'the reason',
    )
    assert.equal(await claimOf('later'), undefined)
    await client.resource(resources.core.v1.pods).delete({ namespace, name: 'cards' }, { gracePeriodSeconds: 0 })
    await hollow.until('later', isReady, 'a ready pod')
    await eventually(async () => (await claimOf('cards')) === undefined, 'no claim of the deleted pod')
  })
})
