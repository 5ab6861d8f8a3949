import assert from 'node:assert/strict'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually } from '../../support/eventually.ts'

const group = '/apis/resource.k8s.io/v1beta1/namespaces/default'
const pods = '/api/v1/namespaces/default/pods'

describe('resource claims of pods', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: ['resourceclaim-controller'],
      featureGates: { DynamicResourceAllocation: true },
      runtimeConfig: { 'resource.k8s.io/v1beta1': true },
    })
  })
  after(async () => {
    await plane.stop()
  })

  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of any shape
  type Body = any
  const send = async (method: string, path: string, body?: object): Promise<{ status: number; body: Body }> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const init = { method, headers: { 'content-type': type }, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await plane.fetch(path, init)
    return { status: answer.status, body: await answer.json() }
  }
  const claims = async (): Promise<Body[]> => (await send('GET', `${group}/resourceclaims`)).body.items
  const pod = (name: string) => ({
    metadata: { name },
    spec: {
      automountServiceAccountToken: false,
      resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: 'one' }],
      containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'gpu' }] } }],
    },
  })

  it('are made of templates, once these are there, are told to the pod, and freed and deleted when it is over', async () => {
    await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
    const created = await send('POST', pods, pod('web'))
    assert.equal(created.status, 201, JSON.stringify(created.body))
    await eventually(async () => {
      const { body } = await send('GET', '/api/v1/namespaces/default/events')
      return body.items.some(
        ({ message }: Body) => message === 'PodResourceClaim gpu: resource claim template "one": not found',
      )
    }, 'an event tells that there is no template')
    const spec = {
      metadata: { labels: { from: 'one' } },
      spec: { devices: { requests: [{ name: 'r', deviceClassName: 'gpus' }] } },
    }
    const template = await send('POST', `${group}/resourceclaimtemplates`, { metadata: { name: 'one' }, spec })
    assert.equal(template.status, 201, JSON.stringify(template.body))
    await eventually(async () => (await claims()).length === 1, 'the claim is made')
    const [claim] = await claims()
    assert.match(claim.metadata.name, /^web-gpu-[a-z0-9]{5}$/)
    assert.deepEqual(
      [claim.metadata.labels, claim.metadata.annotations],
      [{ from: 'one' }, { 'resource.kubernetes.io/pod-claim-name': 'gpu' }],
    )
    const isTold = async (): Promise<boolean> => {
      const { body } = await send('GET', `${pods}/web`)
      return body.status.resourceClaimStatuses?.[0]?.resourceClaimName === claim.metadata.name
    }
    await eventually(isTold, 'the pod is told')
    // As the scheduler does it.
    const status = {
      allocation: { devices: { results: [{ request: 'r', driver: 'd.example.com', pool: 'p', device: 'd1' }] } },
      reservedFor: [{ resource: 'pods', name: 'web', uid: claim.metadata.ownerReferences[0].uid }],
    }
    const finalizers = ['resource.kubernetes.io/delete-protection']
    await send('PATCH', `${group}/resourceclaims/${claim.metadata.name}`, { metadata: { finalizers } })
    const allocated = await send('PATCH', `${group}/resourceclaims/${claim.metadata.name}/status`, { status })
    assert.equal(allocated.status, 200, JSON.stringify(allocated.body))
    const over = await send('PATCH', `${pods}/web/status`, { status: { phase: 'Succeeded' } })
    assert.equal(over.status, 200)
    await eventually(async () => (await claims()).length === 0, 'the claim is freed and gone')
  })
})
