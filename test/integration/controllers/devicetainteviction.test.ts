import assert from 'node:assert/strict'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually } from '../../support/eventually.ts'

const group = '/apis/resource.k8s.io/v1beta1'
const home = '/api/v1/namespaces/default'

describe('taints of devices', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: ['device-taint-eviction-controller'],
      featureGates: { DynamicResourceAllocation: true, DRADeviceTaints: true },
      runtimeConfig: { 'resource.k8s.io/v1beta1': true, 'resource.k8s.io/v1alpha3': true },
    })
  })
  after(async () => {
    await plane.stop()
  })

  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of any shape
  type Body = any
  const send = async (method: string, path: string, body?: object): Promise<Body> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const init = { method, headers: { 'content-type': type }, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await plane.fetch(path, init)
    const read = (await answer.json()) as Body
    if (method !== 'GET') assert.ok(answer.status < 300, JSON.stringify(read))
    return read
  }

  it('end the pods that use them, by a slice or by a rule', async () => {
    await send('POST', `${home}/serviceaccounts`, { metadata: { name: 'default' } })
    const device = (name: string, taints: object[] = []) => ({ name, basic: { taints } })
    const spec = { driver: 'd.example.com', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'n' }
    const slice = { metadata: { name: 's' }, spec: { ...spec, devices: [device('one'), device('two')] } }
    await send('POST', `${group}/resourceslices`, slice)
    for (const name of ['one', 'two']) {
      const claims = { resourceClaims: [{ name: 'gpu', resourceClaimName: name }] }
      const containers = [{ name: 'c', image: 'i', resources: { claims: [{ name: 'gpu' }] } }]
      const { metadata } = await send('POST', `${home}/pods`, {
        metadata: { name },
        spec: { nodeName: 'n', automountServiceAccountToken: false, ...claims, containers },
      })
      const request = { devices: { requests: [{ name: 'r', deviceClassName: 'gpus' }] } }
      await send('POST', `${group}/namespaces/default/resourceclaims`, { metadata: { name }, spec: request })
      const results = [{ request: 'r', driver: 'd.example.com', pool: 'p', device: name }]
      const status = {
        allocation: { devices: { results } },
        reservedFor: [{ resource: 'pods', name, uid: metadata.uid }],
      }
      await send('PATCH', `${group}/namespaces/default/resourceclaims/${name}/status`, { status })
    }
    const taint = { key: 'broken', effect: 'NoExecute' }
    await send('PATCH', `${group}/resourceslices/s`, { spec: { devices: [device('one', [taint]), device('two')] } })
    const conditionOf = async (name: string): Promise<Body> => {
      const { status } = await send('GET', `${home}/pods/${name}`)
      return status.conditions?.find(({ type }: Body) => type === 'DisruptionTarget')
    }
    const isGone = async (name: string): Promise<boolean> =>
      (await send('GET', `${home}/pods/${name}`)).metadata.deletionTimestamp !== undefined
    await eventually(() => isGone('one'), 'the pod on the tainted device goes')
    assert.equal((await conditionOf('one')).reason, 'DeletionByDeviceTaintManager')
    assert.equal(await isGone('two'), false)
    const rule = { deviceSelector: { driver: 'd.example.com' }, taint }
    await send('POST', '/apis/resource.k8s.io/v1alpha3/devicetaintrules', { metadata: { name: 'r' }, spec: rule })
    await eventually(() => isGone('two'), 'the other one goes by the rule')
    const { items } = await send('GET', `${home}/events`)
    const told = items.filter(({ reason }: Body) => reason === 'DeviceTaintManagerEviction')
    assert.deepEqual(new Set(told.map(({ message }: Body) => message)), new Set(['Marking for deletion']))
  })
})
