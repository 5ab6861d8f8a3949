import assert from 'node:assert/strict'
import { type ControlPlane, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'

const group = '/apis/resource.k8s.io/v1beta1/namespaces/default'
const pods = '/api/v1/namespaces/default/pods'

describe('resource claims of pods', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: ['resourceclaim-controller', 'resourcequota-controller'],
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
  const pod = (name: string, entries: Readonly<Record<string, string>> = { gpu: 'one' }, spec = {}) => ({
    metadata: { name },
    spec: {
      automountServiceAccountToken: false,
      resourceClaims: Object.entries(entries).map(([entry, template]) => ({
        name: entry,
        resourceClaimTemplateName: template,
      })),
      containers: [
        { name: 'c', image: 'i', resources: { claims: Object.keys(entries).map((entry) => ({ name: entry })) } },
      ],
      ...spec,
    },
  })
  const made = async (path: string, body: object): Promise<Body> => {
    const answer = await send('POST', path, body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body
  }
  const changed = async (path: string, body: object): Promise<Body> => {
    const answer = await send('PATCH', path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body
  }
  const devices = { devices: { requests: [{ name: 'r', deviceClassName: 'gpus' }] } }
  const template = async (name: string): Promise<Body> =>
    await made(`${group}/resourceclaimtemplates`, { metadata: { name }, spec: { spec: devices } })
  const statusesOf = async (name: string): Promise<Record<string, string>> => {
    const { body } = await send('GET', `${pods}/${name}`)
    return Object.fromEntries(
      (body.status.resourceClaimStatuses ?? []).map((each: Body) => [each.name, each.resourceClaimName]),
    )
  }
  const messagesOf = async (name: string): Promise<string[]> => {
    const { body } = await send('GET', '/api/v1/namespaces/default/events')
    return body.items
      .filter(
        ({ reason, involvedObject }: Body) => reason === 'FailedResourceClaimCreation' && involvedObject.name === name,
      )
      .map(({ message }: Body) => message)
  }
  /** As the scheduler does it. */
  const allocate = async (name: string, consumers: readonly Body[] = []): Promise<void> => {
    const results = [{ request: 'r', driver: 'd.example.com', pool: 'p', device: 'd1' }]
    const reservedFor = consumers.map(({ metadata }) => ({ resource: 'pods', name: metadata.name, uid: metadata.uid }))
    const status = { allocation: { devices: { results } }, ...(consumers.length > 0 ? { reservedFor } : {}) }
    await changed(`${group}/resourceclaims/${name}`, {
      metadata: { finalizers: ['resource.kubernetes.io/delete-protection'] },
    })
    await changed(`${group}/resourceclaims/${name}/status`, { status })
  }

  it('are made from templates, once these exist, are named in the pod’s status, and released and deleted when the pod has finished', async () => {
    await send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
    const created = await send('POST', pods, pod('web'))
    assert.equal(created.status, 201, JSON.stringify(created.body))
    await eventually(async () => {
      const { body } = await send('GET', '/api/v1/namespaces/default/events')
      return body.items.some(
        ({ message }: Body) =>
          message ===
          'PodResourceClaim gpu: resource claim template "one": resourceclaimtemplate.resource.k8s.io "one" not found',
      )
    }, 'an event tells that there is no template')
    const spec = { metadata: { labels: { from: 'one' } }, spec: devices }
    await made(`${group}/resourceclaimtemplates`, { metadata: { name: 'one' }, spec })
    await eventuallyEquals(async () => (await claims()).length, 1, 'the claim is made')
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
    await allocate(claim.metadata.name, [{ metadata: { name: 'web', uid: claim.metadata.ownerReferences[0].uid } }])
    const over = await send('PATCH', `${pods}/web/status`, { status: { phase: 'Succeeded' } })
    assert.equal(over.status, 200)
    await eventuallyEquals(async () => (await claims()).length, 0, 'the claim is freed and gone')
  })

  it('claims that can not be made are reported, and delay neither the other entries of the pod nor other pods', async () => {
    const quota = { metadata: { name: 'none' }, spec: { hard: { 'count/resourceclaims.resource.k8s.io': '1' } } }
    await template('first')
    await made(pods, pod('two', { late: 'second', soon: 'first' }))
    await eventually(async () => 'soon' in (await statusesOf('two')), 'the entry behind the one that fails is served')
    const soon = await statusesOf('two')
    await made('/api/v1/namespaces/default/resourcequotas', quota)
    await eventually(async () => {
      const { body } = await send('GET', '/api/v1/namespaces/default/resourcequotas/none')
      return body.status.used !== undefined
    }, 'the quota counts')
    await template('second')
    await eventually(
      async () =>
        (await messagesOf('two')).some((message) =>
          /^PodResourceClaim late: create ResourceClaim : resourceclaims\.resource\.k8s\.io "two-late-\w{5}" is forbidden: exceeded quota: none, requested: count\/resourceclaims\.resource\.k8s\.io=1, used: count\/resourceclaims\.resource\.k8s\.io=1, limited: count\/resourceclaims\.resource\.k8s\.io=1$/.test(
            message,
          ),
        ),
      'an event tells of the quota',
    )
    assert.deepEqual(await statusesOf('two'), soon)
    await send('DELETE', '/api/v1/namespaces/default/resourcequotas/none')
    await eventually(async () => 'late' in (await statusesOf('two')), 'the entry is served without the quota')
    assert.deepEqual({ ...(await statusesOf('two')), late: undefined }, { ...soon, late: undefined })
  })

  it('stay in the pod’s status where another one can not be made again', async () => {
    await template('here')
    await template('gone')
    await made(pods, pod('three', { a: 'here', b: 'gone', c: 'later' }))
    await eventuallyEquals(async () => Object.keys(await statusesOf('three')).join(), 'a,b', 'two of three are told')
    const before = await statusesOf('three')
    await send('DELETE', `${group}/resourceclaimtemplates/gone`)
    await send('DELETE', `${group}/resourceclaims/${before['b']}`)
    await template('later')
    await eventually(async () => 'c' in (await statusesOf('three')), 'the third is told')
    const after = await statusesOf('three')
    assert.deepEqual([after['a'], after['b']], [before['a'], before['b']])
    const missing = 'resource claim template "gone": resourceclaimtemplate.resource.k8s.io "gone" not found'
    await eventually(
      async () => (await messagesOf('three')).includes(`PodResourceClaim b: ${missing}`),
      'an event tells of the one whose template is gone',
    )
  })

  it('claims of another pod are not used: the pod gets its own', async () => {
    await template('own')
    await made(pods, pod('rightful', { gpu: 'own' }))
    await eventually(async () => 'gpu' in (await statusesOf('rightful')), 'the first pod has its claim')
    const { gpu: taken = '' } = await statusesOf('rightful')
    await made(pods, pod('other', { gpu: 'own' }))
    await eventually(async () => 'gpu' in (await statusesOf('other')), 'the other pod has its claim')
    const status = { resourceClaimStatuses: [{ name: 'gpu', resourceClaimName: taken }] }
    await changed(`${pods}/other/status`, { status })
    await eventually(async () => (await statusesOf('other'))['gpu'] !== taken, 'it is told its own again')
    const owned = (await claims()).filter(({ metadata }) => metadata.ownerReferences?.[0].name === 'other')
    assert.equal(owned.length, 1)
    assert.equal((await statusesOf('other'))['gpu'], owned[0].metadata.name)
  })

  it('have valid names, however long the pod’s name is', async () => {
    await template('short')
    const name = `${'p'.repeat(44)}.${'q'.repeat(150)}`
    await made(pods, pod(name, { ['c'.repeat(50)]: 'short' }))
    await eventuallyEquals(async () => Object.keys(await statusesOf(name)).length, 1, 'the claim is made')
  })

  it('lose deleted consumers, and their devices with the reported status, unless in use', async () => {
    const shared = await made(`${group}/resourceclaims`, { metadata: { name: 'shared' }, spec: devices })
    const by = { resourceClaims: [{ name: 'gpu', resourceClaimName: 'shared' }], nodeName: 'n' }
    const never = { metadata: { name: 'never', uid: 'b3c6d1f2-0000-4000-8000-000000000000' } }
    await allocate('shared', [never])
    const read = async (): Promise<Body> => (await send('GET', `${group}/resourceclaims/shared`)).body
    const consumers = async (): Promise<string[]> =>
      ((await read()).status.reservedFor ?? []).map(({ name }: Body) => name)
    await eventually(async () => (await read()).status.allocation === undefined, 'the pod that never was goes')
    assert.equal((await read()).metadata.finalizers, undefined)
    const user = await made(pods, pod('user', { gpu: '' }, by))
    await allocate('shared', [user])
    const report = { driver: 'd.example.com', pool: 'p', device: 'd1', conditions: [] }
    await changed(`${group}/resourceclaims/shared/status`, { status: { devices: [report] } })
    await made(pods, pod('second', { gpu: '' }, by))
    await eventuallyEquals(
      async () => (await consumers()).join(),
      'user,second',
      'the second is noted: it has its node',
    )
    await changed(`${pods}/user/status`, { status: { phase: 'Failed' } })
    await eventuallyEquals(async () => (await consumers()).join(), 'second', 'the first is over')
    assert.equal((await read()).status.devices.length, 1)
    await send('DELETE', `${pods}/second?gracePeriodSeconds=0`)
    await eventually(async () => (await read()).status.allocation === undefined, 'nobody uses the devices')
    const { status, metadata } = await read()
    assert.deepEqual([status, metadata.finalizers, metadata.uid], [{}, undefined, shared.metadata.uid])
  })
})
