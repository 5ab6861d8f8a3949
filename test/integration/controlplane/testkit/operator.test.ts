import assert from 'node:assert/strict'
import {
  type ApiObject,
  type ControlPlane,
  createInformer,
  createLeaderElection,
  createReconciler,
  type Frozen,
  type ObjectRequest,
  resources,
  resourceType,
  StatusError,
  startControlPlane,
} from '../../../../cmd/pilothouse/library.ts'

type Widget = ApiObject & { spec: { size: number } }
const widgetType = resourceType<Widget>('example.org', 'v1', 'widgets', 'Widget', true)
const { apps, core, apiextensions } = resources

describe('an operator in the process of its control plane', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({ controllers: true, nodes: 1 })
    await plane.client.resource(apiextensions.v1.customresourcedefinitions).create(definition as never)
    await plane.eventually(() => plane.client.resource(widgetType).list())
  })
  after(() => plane.stop())

  const widget = (name: string, size: number): Widget => ({
    apiVersion: 'example.org/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default' },
    spec: { size },
  })

  it('makes pods ready for a custom resource, and follows its changes and those of what it owns', async () => {
    const { client } = plane
    using widgets = createInformer(client.resource(widgetType))
    using deployments = createInformer(client.resource(apps.v1.deployments), { namespace: 'default' })
    await using _ = createReconciler({
      watches: [widgets.requests(), deployments.ownerRequests(widgetType)],
      async reconcile(name) {
        const found = widgets.get(name)
        if (found)
          await client.resource(apps.v1.deployments).patch(name, 'apply', deploymentOf(found), { fieldManager: 'w' })
      },
    })
    const name = { namespace: 'default', name: 'first' }
    await client.resource(widgetType).create(widget('first', 2))
    const ready = (wanted: number) => async (): Promise<void> =>
      assert.equal((await client.resource(apps.v1.deployments).get(name)).status.readyReplicas, wanted)
    await plane.eventually(ready(2))
    await client.resource(widgetType).patch(name, 'merge', { spec: { size: 3 } })
    await plane.eventually(ready(3))
    await client.resource(apps.v1.deployments).delete(name)
    await plane.eventually(ready(3))
    const owner = await client.resource(widgetType).get(name)
    assert.deepEqual(
      deployments.controlledBy(owner).map(({ metadata }) => metadata.name),
      ['first'],
    )
    assert.equal(widgets.list({ namespace: 'default' }).length, 1)
    await client.resource(widgetType).delete(name)
  })

  it('is tried again after failures, which it reports, except for conflicts', async () => {
    using widgets = createInformer(plane.client.resource(widgetType))
    const errors: string[] = []
    const tries: string[] = []
    const failures = [new Error('first'), new StatusError(409, 'Conflict', 'old'), new Error('third')]
    await using reconciler = createReconciler({
      watches: [widgets.requests()],
      onError: (error, { name }) => errors.push(`${name}: ${(error as Error).message}`),
      async reconcile({ name }, attempt) {
        tries.push(`${name} ${attempt.failures}`)
        const failure = failures.shift()
        if (failure) throw failure
        return tries.length < 6 ? { againAfterMs: 1 } : undefined
      },
    })
    await reconciler.started
    reconciler.request({ namespace: 'default', name: 'asked' })
    await plane.eventually(() => tries.length === 6)
    assert.deepEqual(tries, ['asked 0', 'asked 1', 'asked 2', 'asked 3', 'asked 0', 'asked 0'])
    assert.deepEqual(errors, ['asked: first', 'asked: third'])
  })

  it('requests the owner before and after a change, and nothing once it is closed', async () => {
    using maps = createInformer(plane.client.resource(core.v1.configmaps), { labelSelector: 'for' })
    const seen: ObjectRequest[] = []
    const requests = ({ metadata }: Frozen<ApiObject>) => [{ name: metadata.labels?.['for'] ?? '' }]
    const reconciler = createReconciler({
      watches: [maps.requests(requests)],
      reconcile: async (request) => void seen.push(request),
    })
    const name = { namespace: 'default', name: 'one' }
    const client = plane.client.resource(core.v1.configmaps)
    await client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...name, labels: { for: 'a' } } })
    await plane.eventually(() => seen.length === 1)
    await client.patch(name, 'merge', { metadata: { labels: { for: 'b' } } })
    await plane.eventually(() => seen.length === 3)
    assert.deepEqual(seen, [{ name: 'a' }, { name: 'a' }, { name: 'b' }])
    await reconciler.close()
    await client.delete(name)
    await plane.eventually(() => maps.list().length === 0)
    assert.equal(seen.length, 3)
  })

  it('refuses options that make no sense', () => {
    const reconcile = async (): Promise<void> => {}
    assert.throws(() => createReconciler({ watches: [], reconcile, workers: 0 }), /workers must be a number from 1/)
    assert.throws(() => createReconciler({ watches: {} as never, reconcile }), /watches must be a list/)
    assert.throws(() => createInformer(plane.client.resource(widgetType), { clock: {} as never }), /not the clock/)
  })
})

describe('leader election in the time of a control plane', () => {
  it('passes from a leader that does not renew its lease to the next one', async () => {
    await using plane = await startControlPlane({ clock: 'adjustable' })
    const { client, clock } = plane
    const end = new AbortController()
    const options = { client, clock, namespace: 'default', name: 'operator' }
    const first = createLeaderElection({ ...options, identity: 'first' })
    const second = createLeaderElection({ ...options, identity: 'second' })
    const untilAborted = (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    const running = first.run(end.signal, untilAborted)
    await plane.eventually(() => first.isLeader)
    const waiting = second.run(end.signal, untilAborted)
    await clock.advance('30s')
    assert.deepEqual([first.isLeader, second.isLeader, second.leader], [true, false, 'first'])
    // The lease is taken away: a leader that sees another one gives up.
    await client
      .resource(resources.coordination.v1.leases)
      .patch({ namespace: 'default', name: 'operator' }, 'merge', { spec: { holderIdentity: 'stranger' } })
    await clock.advance('10s')
    assert.equal(await running, 'lost')
    await clock.advance('20s')
    assert.deepEqual([first.isLeader, second.isLeader, second.leader], [false, true, 'second'])
    end.abort()
    assert.equal(await waiting, 'stopped')
    assert.throws(() => createLeaderElection({ ...options, identity: 'x', renewDeadlineMs: 20_000 }), RangeError)
  })
})

describe('eventually', () => {
  let plane: ControlPlane
  before(async () => (plane = await startControlPlane()))
  after(() => plane.stop())

  it('answers the first truth, and takes assertions that pass for one', async () => {
    let tries = 0
    assert.equal(await plane.eventually(() => ++tries === 3 && 'yes'), 'yes')
    assert.equal(await plane.eventually(() => assert.ok(++tries > 4)), undefined)
  })

  it('is woken by a change', async () => {
    const maps = plane.client.resource(core.v1.configmaps)
    const name = { namespace: 'default', name: 'woken' }
    let tries = 0
    const found = plane.eventually(async () => {
      tries++
      return await maps.get(name)
    })
    await maps.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: name })
    assert.equal((await found).metadata.name, 'woken')
    assert.ok(tries <= 3, `${tries} tries`)
  })

  it('names the condition and the last failure when the time is over, also of a condition that hangs', async () => {
    const cause = new Error('still Pending')
    const failing = plane.eventually(
      () => {
        throw cause
      },
      { timeoutMs: 60, message: 'the pod runs' },
    )
    await assert.rejects(failing, (error: Error) => {
      assert.equal(error.message, 'not within 60 ms: the pod runs; the condition last failed: still Pending')
      assert.equal(error.cause, cause)
      return true
    })
    await assert.rejects(
      plane.eventually(() => 0, { timeoutMs: 30 }),
      /the condition last answered 0$/,
    )
    await assert.rejects(
      plane.eventually(() => new Promise(() => {}), { timeoutMs: 30 }),
      /has not answered$/,
    )
    const signal = AbortSignal.timeout(20)
    await assert.rejects(
      plane.eventually(() => false, { signal }),
      { name: 'TimeoutError' },
    )
  })
})

describe('the events of a control plane', () => {
  it('are read as they come, and those that nobody reads in time are counted', async () => {
    await using plane = await startControlPlane()
    const events = plane.client.resource(core.v1.events)
    const record = (name: string): Promise<unknown> =>
      events.create({
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name, namespace: 'default' },
        involvedObject: { namespace: 'default', name: 'pod' },
        reason: name,
      } as never)
    const iterator = plane.events[Symbol.asyncIterator]()
    const reasonOf = async (): Promise<unknown> => {
      const { value } = await iterator.next()
      return value && [value.event.reason, value.dropped]
    }
    const early = reasonOf()
    await record('early')
    assert.deepEqual(await early, ['early', 0])
    for (let index = 0; index < 1010; index++) await record(`e${index}`)
    await plane.clock.idle()
    assert.deepEqual(await reasonOf(), ['e10', 10])
    assert.deepEqual(await reasonOf(), ['e11', 0])
    const seen: unknown[] = []
    for await (const { event } of plane.events) {
      seen.push(event.reason)
      if (seen.length === 3) break
    }
    await iterator.return?.()
    assert.deepEqual(await iterator.next(), { value: undefined, done: true })
    const reading = (async () => {
      let read = 0
      for await (const { dropped } of plane.events) read += 1 + dropped
      return read
    })()
    await plane.clock.idle()
    await plane.stop()
    assert.equal(await reading, 1011)
  })
})

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.org' },
  spec: {
    group: 'example.org',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
}

function deploymentOf({ apiVersion, kind, metadata: { name = '', namespace, uid = '' }, spec }: Frozen<Widget>) {
  const labels = { widget: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] },
    spec: {
      replicas: spec.size,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'main' }] } },
    },
  }
}
