import assert from 'node:assert/strict'
import type * as core from '../../../api/gen/core/v1.ts'
import { createResourceQuota, type LimitedResource } from '../../../lib/admission/index.ts'
import { systemClock } from '../../../lib/base/index.ts'
import { StatusError, statusErrors } from '../../../lib/object/index.ts'
import { createEvaluators, overdueByTimestamp } from '../../../lib/quota/index.ts'
import { type Admitted, admit, make } from '../../support/admissionkit.ts'

const gates = { podLevelResources: false, inPlaceResize: true, volumeAttributesClass: false }
type Amounts = Record<string, string>

function quota(name: string, hard: Amounts, used?: Amounts, spec: object = {}): core.ResourceQuota {
  const none = Object.fromEntries(Object.keys(hard).map((each) => [each, '0']))
  return {
    apiVersion: 'v1',
    kind: 'ResourceQuota',
    metadata: { name, namespace: 'ns', uid: name, resourceVersion: '1' },
    spec: { hard, ...spec },
    status: { hard, used: { ...none, ...used } },
  }
}

/** Quotas as several servers share them: a write of what is no longer there is refused. */
class QuotaStore {
  readonly quotas: Map<string, core.ResourceQuota>
  writes = 0
  #version = 1

  constructor(...quotas: core.ResourceQuota[]) {
    this.quotas = new Map(quotas.map((each) => [each.metadata.name ?? '', each]))
  }

  used(name: string): Amounts {
    return { ...this.quotas.get(name)?.status?.used }
  }

  /** Another server, whose cache shows nothing newer than what there is now, if it `lags`. */
  server(limitedResources: readonly LimitedResource[] = [], lags = false, more: Partial<typeof gates> = {}) {
    const shown = [...this.quotas.values()]
    const live = async () => [...this.quotas.values()]
    return createResourceQuota(
      {
        clock: systemClock,
        evaluators: createEvaluators({ isOverdue: overdueByTimestamp(systemClock), ...gates, ...more }),
        cached: () => (lags ? shown : [...this.quotas.values()]),
        live,
        write: async ({ metadata: { name = '', resourceVersion } }, used) => {
          await systemClock.sleep(1)
          const known = this.quotas.get(name)
          if (!known) throw statusErrors.notFound({ group: '', resource: 'resourcequotas' }, name)
          if (known.metadata.resourceVersion !== resourceVersion)
            throw statusErrors.modified({ group: '', resource: 'resourcequotas' }, name)
          this.writes++
          const metadata = { ...known.metadata, resourceVersion: String(++this.#version) }
          const next = { ...known, metadata, status: { ...known.status, used: { ...used } } }
          this.quotas.set(name, next)
          return next
        },
      },
      { limitedResources },
    )
  }
}

const container = (requests: object = {}, limits: object = {}, name = 'c') => ({
  name,
  resources: { requests, limits },
})
const pod = (...containers: object[]) => make('Pod', { containers })
const map = () => make('ConfigMap', {})

async function refusedWith(attempt: Promise<unknown>, message: string, code = 403): Promise<void> {
  await assert.rejects(attempt, (error: unknown) => {
    assert.ok(error instanceof StatusError)
    assert.deepEqual([error.code, error.message], [code, message])
    return true
  })
}

describe('ResourceQuota', () => {
  it('charges the usage of a write, and nothing else', async () => {
    const store = new QuotaStore(quota('q', { pods: '2', 'requests.cpu': '1' }), quota('other', { services: '1' }))
    await admit(store.server(), 'pods', pod(container({ cpu: '100m', memory: '1Gi' })))
    assert.deepEqual(store.used('q'), { pods: '1', 'requests.cpu': '100m' })
    assert.deepEqual(store.used('other'), { services: '0' })
    assert.equal(store.writes, 1)
  })

  const refusals: [string, core.ResourceQuota, string, ReturnType<typeof make>, string, Admitted?][] = [
    [
      'what is more than a quota allows, with the exceeded amounts in order',
      quota('q', { 'requests.cpu': '1', 'requests.memory': '1Gi', pods: '9' }, { 'requests.cpu': '900m', pods: '1' }),
      'pods',
      pod(container({ cpu: '200m', memory: '2Gi' })),
      'pods "x" is forbidden: exceeded quota: q, requested: requests.cpu=200m,requests.memory=2Gi, used: requests.cpu=900m,requests.memory=0, limited: requests.cpu=1,requests.memory=1Gi',
    ],
    [
      'containers that do not state what is limited',
      quota('q', { 'requests.cpu': '1', 'limits.memory': '1Gi' }),
      'pods',
      pod(container({ cpu: '1' }, {}, 'b'), container({}, {}, 'a')),
      'pods "x" is forbidden: failed quota: q: must specify limits.memory for: a,b; requests.cpu for: a',
    ],
    [
      'what a quota counts that was not counted yet',
      { ...quota('q', { pods: '1', 'count/pods': '1' }), status: {} },
      'pods',
      pod(container()),
      'pods "x" is forbidden: status unknown for quota: q, resources: count/pods,pods',
    ],
    [
      'a resource less than nothing',
      quota('q', { 'requests.memory': '1' }),
      'pods',
      pod(container({ memory: '-1' })),
      'pods "x" is forbidden: quota usage is negative for resource(s): memory,requests.memory',
    ],
    [
      'a service that takes too many node ports by an update',
      quota('q', { 'services.nodeports': '1' }),
      'services',
      make('Service', { type: 'NodePort', ports: [{}, {}] }),
      'services "x" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, limited: services.nodeports=1',
      { operation: 'UPDATE', oldObject: make('Service', { type: 'ClusterIP', ports: [{}, {}] }) },
    ],
    [
      'a custom object too many',
      quota('q', { 'count/wheels.example.com': '0' }),
      'wheels.example.com',
      map(),
      'wheels.example.com "x" is forbidden: exceeded quota: q, requested: count/wheels.example.com=1, used: count/wheels.example.com=0, limited: count/wheels.example.com=0',
    ],
  ]
  for (const [title, has, on, object, message, options] of refusals)
    it(`refuses ${title}`, async () => {
      const store = new QuotaStore(has)
      await refusedWith(admit(store.server(), on, object, options), message)
      assert.equal(store.writes, 0)
    })

  const passes: [string, core.ResourceQuota, string, ReturnType<typeof make>, Admitted?][] = [
    ['what no quota counts', quota('q', { secrets: '0' }), 'configmaps', map()],
    [
      'a pod outside the scope',
      quota('q', { pods: '0' }, {}, { scopes: ['BestEffort'] }),
      'pods',
      pod(container({ cpu: '1' })),
    ],
    [
      'what an update gives back',
      quota('q', { 'services.nodeports': '0' }),
      'services',
      make('Service', { ports: [{}] }),
      { operation: 'UPDATE', oldObject: make('Service', { type: 'NodePort', ports: [{}] }) },
    ],
    [
      'a status',
      quota('q', { pods: '0' }),
      'pods',
      pod(container()),
      { operation: 'UPDATE', subresource: 'status', oldObject: pod(container()) },
    ],
    ['an event', quota('q', { 'count/events': '0' }), 'events', map()],
  ]
  for (const [title, has, on, object, options] of passes)
    it(`admits ${title}, without a charge`, async () => {
      const store = new QuotaStore(has)
      await admit(store.server(), on, object, options)
      assert.equal(store.writes, 0)
    })

  describe('of scopes', () => {
    const limits = { containers: [container()], activeDeadlineSeconds: 60 }
    const terminating = (hard = '1') => quota('short', { pods: hard }, {}, { scopes: ['Terminating'] })
    const selecting = (operator: string, ...values: string[]) => ({
      scopeSelector: { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator, values }] },
    })
    const update = (oldObject: object, subresource = ''): Admitted =>
      ({ operation: 'UPDATE', oldObject, subresource }) as Admitted

    it('charges a pod that an update moves into a scope, and the next one is refused at once', async () => {
      const store = new QuotaStore(
        terminating(),
        quota('long', { pods: '5' }, { pods: '1' }, { scopes: ['NotTerminating'] }),
      )
      const server = store.server()
      await admit(server, 'pods', make('Pod', limits), update(pod(container())))
      assert.deepEqual(store.used('short'), { pods: '1' })
      assert.deepEqual(store.used('long'), { pods: '1' }) // the controller takes it back: the write may fail yet
      const message = 'pods "x" is forbidden: exceeded quota: short, requested: pods=1, used: pods=1, limited: pods=1'
      await refusedWith(admit(server, 'pods', make('Pod', limits)), message)
      await refusedWith(admit(server, 'pods', make('Pod', limits), update(pod(container()))), message)
      await admit(server, 'pods', make('Pod', { ...limits, activeDeadlineSeconds: 5 }), update(make('Pod', limits)))
    })

    it('charges the increase of a resize where the pod was counted, and all of it where it was not', async () => {
      const small = pod(container({ cpu: '1' }))
      const store = new QuotaStore(
        quota('all', { 'requests.cpu': '3' }, { 'requests.cpu': '1' }),
        quota('sized', { 'requests.cpu': '3' }, {}, { scopes: ['NotBestEffort'] }),
      )
      await admit(store.server(), 'pods', pod(container({ cpu: '2' })), update(pod(container()), 'resize'))
      assert.deepEqual([store.used('all'), store.used('sized')], [{ 'requests.cpu': '3' }, { 'requests.cpu': '2' }])
      await refusedWith(
        admit(store.server(), 'pods', pod(container({ cpu: '3' })), update(small, 'resize')),
        'pods "x" is forbidden: exceeded quota: all, requested: requests.cpu=2, used: requests.cpu=3, limited: requests.cpu=3',
      )
    })

    it('charges a claim that its status moves into a class, and never refuses a status', async () => {
      const claim = (status: object = {}) => ({
        ...make('PersistentVolumeClaim', { resources: { requests: { storage: '1' } } }),
        status,
      })
      const store = new QuotaStore(
        quota('fast', { persistentvolumeclaims: '0' }, {}, selecting('In', 'fast')),
        quota('none', { persistentvolumeclaims: '9' }, { persistentvolumeclaims: '1' }, selecting('DoesNotExist')),
        quota('bytes', { 'requests.storage': '2' }, { 'requests.storage': '1' }),
      )
      const server = store.server([], false, { volumeAttributesClass: true })
      const moved = claim({ currentVolumeAttributesClassName: 'fast' })
      await admit(server, 'persistentvolumeclaims', moved, update(claim(), 'status'))
      assert.deepEqual(store.used('fast'), { persistentvolumeclaims: '1' })
      assert.deepEqual(store.used('none'), { persistentvolumeclaims: '1' })
      const grown = claim({ allocatedResources: { storage: '5' } })
      await admit(server, 'persistentvolumeclaims', grown, update(claim(), 'status'))
      assert.deepEqual(store.used('bytes'), { 'requests.storage': '5' })
      await admit(server, 'persistentvolumeclaims', grown, update(grown, 'status'))
      assert.equal(store.writes, 2)
    })
  })

  it('checks dry runs, and charges nothing for them', async () => {
    const store = new QuotaStore(quota('q', { configmaps: '1' }))
    const server = store.server()
    await admit(server, 'configmaps', map(), { dryRun: true })
    assert.deepEqual(store.used('q'), { configmaps: '0' })
    await admit(server, 'configmaps', map())
    await assert.rejects(admit(server, 'configmaps', map(), { dryRun: true }), /exceeded quota: q/)
  })

  it('charges no quota when another one refuses', async () => {
    const store = new QuotaStore(quota('a', { configmaps: '5' }), quota('b', { 'count/configmaps': '0' }))
    await assert.rejects(admit(store.server(), 'configmaps', map()), /exceeded quota: b/)
    assert.deepEqual(store.used('a'), { configmaps: '0' })
  })

  it('reads nothing, and waits for nothing, in namespaces without quotas', async () => {
    const server = new QuotaStore().server()
    await admit(server, 'configmaps', map()) // looks at the store once
    const object = map()
    const attributes = { operation: 'CREATE', resource: { group: '', resource: 'configmaps' }, namespace: 'ns', object }
    assert.equal(server.validate?.(attributes as never), undefined)
  })

  it('updates a quota once for all writes that wait', async () => {
    const store = new QuotaStore(quota('q', { configmaps: '100' }))
    const server = store.server()
    await Promise.all(Array.from({ length: 100 }, () => admit(server, 'configmaps', map())))
    assert.deepEqual(store.used('q'), { configmaps: '100' })
    assert.ok(store.writes <= 2, `${store.writes} writes`)
  })

  for (const lags of [false, true])
    it(`admits no more than the quota allows, on several servers${lags ? ' with caches that are behind' : ''}`, async () => {
      const store = new QuotaStore(quota('q', { configmaps: '30' }), quota('wide', { 'count/configmaps': '100' }))
      const servers = [store.server([], lags), store.server([], lags), store.server([], lags)]
      const outcomes = await Promise.allSettled(
        Array.from({ length: 90 }, async (_, index) => {
          await systemClock.sleep(index % 7)
          return admit(servers[index % 3] ?? store.server(), 'configmaps', map())
        }),
      )
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 30)
      assert.deepEqual(store.used('q'), { configmaps: '30' })
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') assert.match(String(outcome.reason), /exceeded quota: q/)
    })

  it('admits a write whose quota was deleted meanwhile', async () => {
    const store = new QuotaStore(quota('q', { configmaps: '1' }))
    const server = store.server([], true)
    store.quotas.clear()
    await admit(server, 'configmaps', map())
  })

  it('answers 429 beyond ten thousand writes that wait in a namespace', async () => {
    const store = new QuotaStore(quota('q', { configmaps: '0' }))
    const server = store.server()
    const waiting = Array.from({ length: 10_000 }, () => admit(server, 'configmaps', map()))
    await refusedWith(admit(server, 'configmaps', map()), 'too many requests wait for the quotas of the namespace', 429)
    const outcomes = await Promise.allSettled(waiting)
    assert.ok(outcomes.every((each) => each.status === 'rejected' && /exceeded quota: q/.test(String(each.reason))))
  })

  describe('of limited resources', () => {
    const limited: LimitedResource = { group: '', resource: 'pods', contains: ['requests.cpu'], scopes: [] }
    const critical: LimitedResource = {
      group: '',
      resource: 'pods',
      contains: [],
      scopes: [{ scopeName: 'PriorityClass', operator: 'In', values: ['critical'] }],
    }
    const important = make('Pod', { containers: [container()], priorityClassName: 'critical' })

    it('refuses use in a namespace without a quota for it', async () => {
      const message = 'pods "x" is forbidden: insufficient quota to consume: requests.cpu'
      await refusedWith(admit(new QuotaStore().server([limited]), 'pods', pod(container({ cpu: '1' }))), message)
      const beside = new QuotaStore(quota('q', { pods: '1' }))
      await refusedWith(admit(beside.server([limited]), 'pods', pod(container({ cpu: '1' }))), message)
    })

    it('admits uses that a quota covers, and writes that use nothing of it', async () => {
      const store = new QuotaStore(quota('q', { 'requests.cpu': '1' }))
      await admit(store.server([limited]), 'pods', pod(container({ cpu: '1' })))
      await admit(new QuotaStore().server([limited]), 'pods', pod(container({ memory: '1' })))
    })

    it('admits an update that uses no more, though no quota covers it', async () => {
      const used = pod(container({ cpu: '1' }))
      const server = new QuotaStore().server([limited])
      await admit(server, 'pods', used, { operation: 'UPDATE', subresource: 'resize', oldObject: used })
      const more = pod(container({ cpu: '2' }))
      await refusedWith(
        admit(server, 'pods', more, { operation: 'UPDATE', subresource: 'resize', oldObject: used }),
        'pods "x" is forbidden: insufficient quota to consume: requests.cpu',
      )
    })

    it('refuses a scope that no quota covers', async () => {
      const message = 'insufficient quota to match these scopes: [{PriorityClass In [critical]}]'
      await refusedWith(admit(new QuotaStore().server([critical]), 'pods', important), message, 500)
    })

    it('admits a scope that a quota covers', async () => {
      const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['critical'] }] }
      const store = new QuotaStore(quota('q', { pods: '1' }, {}, { scopeSelector }))
      await admit(store.server([critical]), 'pods', important)
      assert.deepEqual(store.used('q'), { pods: '1' })
      await admit(new QuotaStore().server([critical]), 'pods', pod(container()))
    })
  })
})
