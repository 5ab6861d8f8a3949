import assert from 'node:assert/strict'
import type { Pod } from '../../../api/gen/core/v1.ts'
import { type ControlPlane, resources, startControlPlane } from '../../../cmd/pilothouse/library.ts'
import { type Clock, systemClock } from '../../../lib/base/index.ts'
import type { ControllerContext, Manager } from '../../../lib/controller/index.ts'
import { devicetainteviction } from '../../../lib/controllers/devicetainteviction/index.ts'
import { createTaintEviction } from '../../../lib/controllers/shared/tainteviction.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { runControllers } from '../../support/runcontrollers.ts'

const group = '/apis/resource.k8s.io/v1beta1'
const rules = '/apis/resource.k8s.io/v1alpha3/devicetaintrules'
const home = '/api/v1/namespaces/default'

const planeOptions = {
  featureGates: { DRADeviceTaintRules: true },
  runtimeConfig: {
    'resource.k8s.io/v1beta1': true,
    'resource.k8s.io/v1beta2': true,
    'resource.k8s.io/v1alpha3': true,
  },
}
const taint = { key: 'broken', effect: 'NoExecute' }
const device = (name: string, taints: object[] = []) => ({ name, basic: { taints } })

// oxlint-disable-next-line typescript/no-explicit-any -- bodies of any shape
type Body = any

/** What drivers, users and the scheduler do. */
function actors(plane: () => ControlPlane) {
  const send = async (method: string, path: string, body?: object): Promise<Body> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const init = { method, headers: { 'content-type': type }, ...(body ? { body: JSON.stringify(body) } : {}) }
    const answer = await plane().fetch(path, init)
    const read = (await answer.json()) as Body
    if (method !== 'GET') assert.ok(answer.status < 300, JSON.stringify(read))
    return read
  }
  const podOf = (name: string, namespace: string): Body => ({
    metadata: { name, namespace },
    spec: {
      nodeName: 'n',
      automountServiceAccountToken: false,
      resourceClaims: [{ name: 'gpu', resourceClaimName: name }],
      containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'gpu' }] } }],
    },
  })
  return {
    send,
    /** A slice of a driver with these devices. */
    async slice(name: string, driver: string, devices: object[]): Promise<void> {
      const pool = { name: 'p', generation: 1, resourceSliceCount: 1 }
      await send('POST', `${group}/resourceslices`, {
        metadata: { name },
        spec: { driver, pool, nodeName: 'n', devices },
      })
    },
    /** A pod with a claim of its name, which has one device of its name. */
    async user(name: string, driver: string, tolerations: object[] = [], namespace = 'default'): Promise<Body> {
      const pod = await send('POST', `/api/v1/namespaces/${namespace}/pods`, podOf(name, namespace))
      const request = { devices: { requests: [{ name: 'r', deviceClassName: 'gpus' }] } }
      const claims = `${group}/namespaces/${namespace}/resourceclaims`
      await send('POST', claims, { metadata: { name }, spec: request })
      const results = [
        { request: 'r', driver, pool: 'p', device: name, ...(tolerations.length > 0 ? { tolerations } : {}) },
      ]
      const reservedFor = [{ resource: 'pods', name, uid: pod.metadata.uid }]
      await send('PATCH', `${claims}/${name}/status`, { status: { allocation: { devices: { results } }, reservedFor } })
      return pod
    },
    pod: async (name: string): Promise<Body> => await send('GET', `${home}/pods/${name}`),
    isGoing: async (name: string): Promise<boolean> =>
      (await send('GET', `${home}/pods/${name}`)).metadata.deletionTimestamp !== undefined,
    /** Messages of the events about a pod. */
    async told(name: string): Promise<string[]> {
      const { items } = await send('GET', `${home}/events?fieldSelector=involvedObject.name=${name}`)
      assert.ok(items.every(({ reason }: Body) => reason === 'DeviceTaintManagerEviction'))
      return items.flatMap(({ message, count }: Body) => Array.from({ length: count }, () => message))
    },
    async conditionOf(rule: string): Promise<Body> {
      const { status } = await send('GET', `${rules}/${rule}`)
      return status?.conditions?.find(({ type }: Body) => type === 'EvictionInProgress')
    },
  }
}

describe('taints of devices', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ ...planeOptions, controllers: ['device-taint-eviction-controller'] })
    await send('POST', `${home}/serviceaccounts`, { metadata: { name: 'default' } })
  })
  after(async () => {
    await plane.stop()
  })
  const { send, slice, user, pod, isGoing, told, conditionOf } = actors(() => plane)

  it('evict the pods that use them, by a ResourceSlice or by a rule', async () => {
    const driver = 'd.example.com'
    await slice('s', driver, [device('one'), device('two')])
    for (const name of ['one', 'two']) await user(name, driver)
    await send('PATCH', `${group}/resourceslices/s`, { spec: { devices: [device('one', [taint]), device('two')] } })
    await eventually(() => isGoing('one'), 'the pod on the tainted device goes')
    const condition = (await pod('one')).status.conditions.find(({ type }: Body) => type === 'DisruptionTarget')
    assert.deepEqual(
      [condition.status, condition.reason, condition.message],
      ['True', 'DeletionByDeviceTaintManager', 'Device Taint manager: deleting due to NoExecute taint'],
    )
    assert.equal(await isGoing('two'), false)
    await send('POST', rules, { metadata: { name: 'r' }, spec: { deviceSelector: { driver }, taint } })
    await eventually(() => isGoing('two'), 'the other one goes by the rule')
    await eventually(async () => (await told('two')).length > 0, 'an event tells of it')
    assert.deepEqual([await told('one'), await told('two')], [['Marking for deletion'], ['Marking for deletion']])
    await send('DELETE', `${rules}/r`)
  })

  it('are tolerated for a time, and spare pods whose taints are removed before', async () => {
    const driver = 'e.example.com'
    const tolerations = [{ key: 'broken', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }]
    await slice('e', driver, [device('patient', [taint]), device('brief', [taint])])
    await user('patient', driver, tolerations)
    const since = performance.now()
    await user('brief', driver, [{ ...tolerations[0], tolerationSeconds: 2 }])
    await eventually(() => isGoing('brief'), 'the time of the brief one is over')
    // The taint is as old as the second in which it was set.
    assert.ok(performance.now() - since > 900, 'it had its time')
    assert.equal(await isGoing('patient'), false)
    await send('PATCH', `${group}/resourceslices/e`, { spec: { devices: [device('patient'), device('brief')] } })
    await eventually(async () => (await told('patient')).length > 0, 'its eviction is cancelled')
    assert.deepEqual([await told('patient'), await told('brief')], [['Cancelling deletion'], ['Marking for deletion']])
  })

  it('do not evict pods of other namespaces whose uid is forged into a claim', async () => {
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'other' } })
    await send('POST', '/api/v1/namespaces/other/serviceaccounts', { metadata: { name: 'default' } })
    const driver = 'f.example.com'
    await slice('f', driver, [device('victim'), device('bait', [taint])])
    const { metadata } = await user('victim', driver)
    const bait = await user('bait', driver, [], 'other')
    const path = `${group}/namespaces/other/resourceclaims/bait/status`
    const { name, uid } = bait.metadata
    const reservedFor = [
      { resource: 'pods', name: 'victim', uid: metadata.uid },
      { resource: 'pods', name, uid },
    ]
    await send('PATCH', path, { status: { reservedFor } })
    await eventually(
      async () => (await send('GET', '/api/v1/namespaces/other/pods/bait')).metadata.deletionTimestamp !== undefined,
      'the pod of that namespace goes',
    )
    await user('late', driver)
    await send('PATCH', `${group}/resourceslices/f`, {
      spec: { devices: [device('victim'), device('bait', [taint]), device('late', [taint])] },
    })
    await eventually(() => isGoing('late'), 'a later one goes')
    assert.equal(await isGoing('victim'), false)
  })

  it('taints of rules that name a class or expressions select no device, in no version', async () => {
    const driver = 'g.example.com'
    await slice('g', driver, [device('narrow'), device('wide')])
    for (const name of ['narrow', 'wide']) await user(name, driver)
    const cel = { expression: 'device.driver == "nothing.example.com"' }
    for (const [name, more] of Object.entries({ class: { deviceClassName: 'c' }, cel: { selectors: [{ cel }] } })) {
      await send('POST', rules, { metadata: { name }, spec: { deviceSelector: { driver, ...more }, taint } })
      const { spec } = await send('GET', `/apis/resource.k8s.io/v1beta2/devicetaintrules/${name}`)
      assert.equal(spec.deviceSelector, undefined)
      await eventually(async () => (await conditionOf(name)) !== undefined, 'the rule has its condition')
      assert.equal((await conditionOf(name)).reason, 'NotStarted')
    }
    await send('POST', rules, {
      metadata: { name: 'plain' },
      spec: { deviceSelector: { driver, device: 'wide' }, taint },
    })
    await eventually(() => isGoing('wide'), 'the one that a plain rule selects goes')
    assert.equal(await isGoing('narrow'), false)
  })

  it('count from when their effect has changed', async () => {
    const timeAdded = '2026-01-01T00:00:00Z'
    const spec = { deviceSelector: { driver: 'none.example.com' }, taint: { ...taint, effect: 'None', timeAdded } }
    await send('POST', rules, { metadata: { name: 'staged' }, spec })
    const key = async (change: object): Promise<string> =>
      (await send('PATCH', `${rules}/staged`, { spec: { taint: change } })).spec.taint.timeAdded
    assert.equal(await key({ value: 'x' }), timeAdded)
    assert.notEqual(await key({ effect: 'NoExecute' }), timeAdded)
    assert.equal(await key({ effect: 'None', timeAdded: '2026-02-01T00:00:00Z' }), '2026-02-01T00:00:00Z')
  })
})

/** Ten times as fast as the machine's. */
const hurried: Clock = {
  ...systemClock,
  now: () => startMs + (systemClock.now() - startMs) * 10,
  monotonicMs: () => systemClock.monotonicMs() * 10,
  after: (delayMs, run) => systemClock.after(delayMs / 10, run),
}
const startMs = systemClock.now()

describe('rules that taint devices', () => {
  let plane: ControlPlane
  let manager: Manager
  let rulesMatter = true
  const metrics = createMetrics()
  before(async () => {
    plane = await startControlPlane(planeOptions)
    await send('POST', `${home}/serviceaccounts`, { metadata: { name: 'default' } })
  })
  beforeEach(async () => {
    const gate = (name: string): boolean => name !== 'DRADeviceTaintRules' || rulesMatter
    manager = await runControllers(plane, [devicetainteviction], {}, { metrics, clock: hurried, gate })
  })
  afterEach(async () => {
    await manager.close()
  })
  after(async () => {
    await plane.stop()
  })
  const { send, slice, user, pod, isGoing, told, conditionOf } = actors(() => plane)
  const driver = 'd.example.com'
  const of = async (rule: string): Promise<string[]> => {
    const { status = '', reason = '', message = '' } = (await conditionOf(rule)) ?? {}
    return [status, reason, message]
  }
  const reaches = async (rule: string, ...wanted: string[]): Promise<void> => {
    await eventuallyEquals(async () => (await of(rule)).join(), wanted.join(), `${rule}: ${wanted.join()}`)
  }

  it('report what they would do, what they are doing and what they have done', async () => {
    await slice('s', driver, [device('one'), device('two'), device('three')])
    await user('one', driver)
    await user('two', driver, [{ operator: 'Exists', tolerationSeconds: 3600 }])
    await send('POST', rules, {
      metadata: { name: 'r' },
      spec: { deviceSelector: { driver }, taint: { ...taint, effect: 'None' } },
    })
    await reaches(
      'r',
      'False',
      'NoEffect',
      '3 published devices selected. 2 allocated devices selected. 2 pods would be evicted in 1 namespace ' +
        'if the effect was NoExecute. This information will not be updated again. Recreate the DeviceTaintRule to ' +
        'trigger an update.',
    )
    assert.equal((await conditionOf('r')).observedGeneration, 1)
    await send('PATCH', `${rules}/r`, { spec: { taint: { effect: 'NoExecute' } } })
    await eventually(() => isGoing('one'), 'the pod that does not tolerate it goes')
    const one = '1 pod evicted since starting the controller.'
    await reaches('r', 'True', 'PodsPendingEviction', `1 pod needs to be evicted in 1 namespace. ${one}`)
    assert.equal((await conditionOf('r')).observedGeneration, 2)
    // Deleted by another client: the controller has no request for the eviction.
    await send('DELETE', `${home}/pods/two?gracePeriodSeconds=0`)
    await reaches('r', 'False', 'Completed', one)
    const { metadata } = await send('GET', `${rules}/r`)
    const managers = metadata.managedFields.filter(({ subresource }: Body) => subresource === 'status')
    assert.deepEqual(
      managers.map(({ manager: name, operation }: Body) => [name, operation]),
      [['device-taint-eviction-controller', 'Apply']],
    )
    await send('PATCH', `${rules}/r`, { spec: { taint: { effect: 'NoSchedule' } } })
    await reaches('r', 'False', 'OtherEffect', `Eviction only happens for the NoExecute effect. ${one}`)
    const { body } = await metrics.exposition('text')
    assert.match(body, /^device_taint_eviction_controller_pod_deletions_total 1$/m)
    assert.match(body, /^device_taint_eviction_controller_pod_deletion_duration_seconds_count 1$/m)
    await send('DELETE', `${rules}/r`)
    rulesMatter = false
  })

  it('have no effect where their gate is off, while taints of ResourceSlices have', async () => {
    await send('POST', rules, { metadata: { name: 'idle' }, spec: { deviceSelector: { driver }, taint } })
    await user('three', driver)
    await slice('t', 't.example.com', [device('four', [taint])])
    await user('four', 't.example.com')
    await eventually(() => isGoing('four'), 'the pod on the device that its slice taints goes')
    assert.equal(await isGoing('three'), false)
    assert.deepEqual(await of('idle'), ['', '', ''])
  })

  it('evict no pod that took the name of the one to evict, and none that is being deleted already', async () => {
    const events: string[] = []
    const context = {
      clock: systemClock,
      metrics: createMetrics(),
      events: { event: (_about: unknown, _type: unknown, _reason: unknown, message: string) => events.push(message) },
    }
    // The three are all that it uses.
    const eviction = createTaintEviction(context as unknown as ControllerContext, {
      event: 'DeviceTaintManagerEviction',
      reason: 'DeletionByDeviceTaintManager',
      message: 'Device Taint manager: deleting due to NoExecute taint',
      metrics: 'device_taint_eviction_controller',
      marking: () => 'Marking for deletion',
      cancelling: () => 'Cancelling deletion',
    })
    const pods = plane.client.resource(resources.core.v1.pods)
    const evict = async (of: Body): Promise<boolean> => await eviction.evict(plane.client, of as Pod, 0)
    const first = await user('five', driver)
    await send('DELETE', `${home}/pods/five?gracePeriodSeconds=0`)
    assert.equal(await evict(first), false, 'it is gone')
    const { metadata, ...rest } = first
    await send('POST', `${home}/pods`, { ...rest, metadata: { name: metadata.name } })
    assert.equal(await evict(first), false, 'another one has its name')
    assert.equal(await isGoing('five'), false)
    assert.deepEqual((await pod('five')).status.conditions, undefined)
    const second = await pod('five')
    assert.equal(await evict(second), true)
    const { resourceVersion } = (await pod('five')).metadata
    assert.equal(await evict(second), false, 'it goes already')
    assert.equal((await pods.get({ namespace: 'default', name: 'five' })).metadata.resourceVersion, resourceVersion)
    assert.deepEqual(events, ['Marking for deletion'])
    const { body } = await context.metrics.exposition('text')
    assert.match(body, /^device_taint_eviction_controller_pod_deletions_total 1$/m)
    assert.deepEqual(await told('five'), [])
  })
})
