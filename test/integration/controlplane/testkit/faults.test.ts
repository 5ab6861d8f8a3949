import assert from 'node:assert/strict'
import https from 'node:https'
import {
  type ControlPlane,
  createInformer,
  type FaultRule,
  RequestError,
  resources,
  type StatusError,
  startControlPlane,
} from '../../../../cmd/pilothouse/library.ts'

const { core, apps, admissionregistration } = resources
const path = '/api/v1/namespaces/default/configmaps'
const map = (name: string, data: Record<string, string> = {}) =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data }) as const

describe('injected faults', () => {
  let plane: ControlPlane
  before(async () => (plane = await startControlPlane()))
  beforeEach(async () => {
    plane.faults.clear()
    await plane.reset()
  })
  after(() => plane.stop())
  const maps = () => plane.client.resource(core.v1.configmaps)
  const create = (name: string): Promise<Response> =>
    plane.fetch(path, { method: 'POST', body: JSON.stringify(map(name)) })

  it('of an error do nothing, and answer as the server would, in process and over the network', async () => {
    const fault = plane.faults.add({ verbs: ['create'], resource: 'configmaps', fault: { kind: 'error', code: 503 } })
    await assert.rejects(maps().create(map('one')), { code: 503, reason: 'ServiceUnavailable' })
    const answer = await create('one')
    assert.equal(answer.status, 503)
    assert.equal(((await answer.json()) as { kind: string }).kind, 'Status')
    assert.equal(fault.times, 2)
    fault.remove()
    assert.equal((await create('one')).status, 201)
    assert.equal(fault.times, 2)
  })

  it('of 429 and 409 have their header, reason and words', async () => {
    plane.faults.add({
      verbs: ['update'],
      name: 'one',
      fault: { kind: 'error', code: 409 },
      count: 1,
    })
    const made = await maps().create(map('one'))
    await assert.rejects(maps().update(made), {
      code: 409,
      reason: 'Conflict',
      message: /^Operation cannot be fulfilled on configmaps "one": the object has been modified/,
    })
    await maps().update(made)
    plane.faults.add({ verbs: ['get'], fault: { kind: 'error', code: 429, retryAfterSeconds: 3 }, count: 1 })
    const answer = await plane.fetch(`${path}/one`)
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [429, '3'])
    // A client in this process waits and tries again, as all clients do.
    plane.faults.add({ verbs: ['get'], fault: { kind: 'error', code: 429, retryAfterSeconds: 1 }, count: 1 })
    assert.equal((await maps().get({ namespace: 'default', name: 'one' })).metadata.name, 'one')
  })

  it('of a lost answer have done the write, and only the client does not learn it', async () => {
    plane.faults.add({ verbs: ['create', 'delete'], resource: 'configmaps', fault: { kind: 'lostAnswer' } })
    await assert.rejects(maps().create(map('local')), RequestError)
    await assert.rejects(create('remote'), TypeError)
    await assert.rejects(overHttp1(plane, map('http1')), /socket hang up|ECONNRESET/)
    for (const name of ['local', 'remote', 'http1']) await maps().get({ namespace: 'default', name })
    await assert.rejects(maps().delete({ namespace: 'default', name: 'local' }), RequestError)
    await assert.rejects(maps().get({ namespace: 'default', name: 'local' }), { code: 404 })
    plane.faults.add({ verbs: ['list'], fault: { kind: 'lostAnswer' } })
    await assert.rejects(maps().list(), RequestError)
    await assert.rejects(plane.fetch(path), TypeError)
  })

  it('of a delay let the request wait, and give it up with its client', async () => {
    plane.faults.add({ verbs: ['get'], name: 'one', fault: { kind: 'delay', by: '60ms' } })
    await maps().create(map('one'))
    const startMs = performance.now()
    await maps().get({ namespace: 'default', name: 'one' })
    assert.ok(performance.now() - startMs >= 55)
    plane.faults.add({ verbs: ['list'], fault: { kind: 'delay', by: '1h' } })
    await assert.rejects(maps().list({ signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' })
  })

  it('of expiry strike lists that continue and reads from a version, and clients begin again', async () => {
    for (const name of ['a', 'b', 'c']) await maps().create(map(name))
    const fault = plane.faults.add({ fault: { kind: 'expired' }, count: 1 })
    const { items } = await maps().listAll({ namespace: 'default', limit: 2 })
    assert.equal(items.length, 3)
    assert.equal(fault.times, 1)
    const first = (await (await plane.fetch(`${path}?limit=1`)).json()) as { metadata: { continue: string } }
    plane.faults.add({ verbs: ['list'], fault: { kind: 'expired' } })
    const next = await plane.fetch(`${path}?limit=1&continue=${encodeURIComponent(first.metadata.continue)}`)
    assert.equal(next.status, 410)
    assert.match(await next.text(), /"reason":"Expired"/)
  })

  it('of watches delay, end and break them, and an informer shows everything nevertheless', async () => {
    const ended = plane.faults.add({
      resource: 'configmaps',
      fault: { kind: 'endedWatch', after: '5ms', breaks: true },
      count: 1,
    })
    const slow = plane.faults.add({ resource: 'configmaps', fault: { kind: 'slowWatch', by: '40ms' }, count: 2 })
    plane.faults.add({ resource: 'configmaps', fault: { kind: 'expired' }, skip: 1, count: 1 })
    using informer = createInformer(maps(), { namespace: 'default' })
    await informer.whenSynced()
    for (let index = 0; index < 20; index++) await maps().create(map(`m${index}`))
    await plane.eventually(() => ended.times === 1 && slow.times >= 1 && informer.list().length === 20)
    await maps().delete({ namespace: 'default', name: 'm0' })
    await plane.eventually(() => informer.list().length === 19)
  })

  it('of slow watches arrive late and in order, over the network', async () => {
    plane.faults.add({ fault: { kind: 'slowWatch', by: '50ms' } })
    const watching = await plane.fetch(`${path}?watch=true&timeoutSeconds=1`)
    const startMs = performance.now()
    for (const name of ['a', 'b', 'c']) await maps().create(map(name))
    let text = ''
    for await (const chunk of watching.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString()
      if (/"name":"c"/.test(text)) break
    }
    assert.ok(performance.now() - startMs >= 45)
    assert.deepEqual(
      Array.from(text.matchAll(/"name":"([abc])"/g), ([, name]) => name),
      ['a', 'b', 'c'],
    )
  })

  it('end a watch as the server would, or break its connection', async () => {
    const endOf = (fault: FaultRule['fault']): Promise<Error | undefined> => {
      plane.faults.clear()
      plane.faults.add({ fault })
      return new Promise((resolve) => maps().watch({}, { onEvents() {}, onEnd: (error) => resolve(error) }))
    }
    assert.equal(await endOf({ kind: 'endedWatch' }), undefined)
    assert.ok((await endOf({ kind: 'endedWatch', breaks: true })) instanceof Error)
    const broken = await plane.fetch(`${path}?watch=true`)
    await assert.rejects(broken.text())
  })

  it('select by user, resource, namespace, name and number, and the same seed selects the same requests', async () => {
    const struck = async (rule: Omit<FaultRule, 'fault'>, names: readonly string[]): Promise<string[]> => {
      plane.faults.clear()
      plane.faults.add({ ...rule, fault: { kind: 'error', code: 500 } })
      const failed: string[] = []
      for (const name of names)
        await maps()
          .get({ namespace: 'default', name })
          .catch((error: StatusError) => error.code === 500 && failed.push(name))
      return failed
    }
    const names = Array.from({ length: 30 }, (_, index) => `n${index}`)
    assert.deepEqual(await struck({ name: 'n3' }, names), ['n3'])
    assert.deepEqual(await struck({ skip: 2, count: 2 }, names), ['n2', 'n3'])
    assert.deepEqual(await struck({ user: 'somebody' }, names), [])
    assert.equal((await struck({ user: 'pilothouse:admin', namespace: 'default' }, names)).length, 30)
    for (const resource of ['pods', 'configmaps.apps', 'configmaps/status'])
      assert.deepEqual(await struck({ resource }, names), [])
    const random = await struck({ probability: 0.5, seed: 7 }, names)
    assert.ok(random.length > 5 && random.length < 25)
    assert.deepEqual(await struck({ probability: 0.5, seed: 7 }, names), random)
    assert.notDeepEqual(await struck({ probability: 0.5, seed: 8 }, names), random)
  })

  it('of webhooks decide by their failure policy', async () => {
    const hooks = plane.client.resource(admissionregistration.v1.validatingwebhookconfigurations)
    await hooks.create({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'hooks' },
      webhooks: ['Fail', 'Ignore'].map((failurePolicy) => ({
        name: `${failurePolicy.toLowerCase()}.example.org`,
        clientConfig: { url: 'https://127.0.0.1:1/' },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        objectSelector: { matchLabels: { hook: failurePolicy } },
        failurePolicy,
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      })),
    } as never)
    const labelled = (name: string, hook: string) => ({
      ...map(name),
      metadata: { ...map(name).metadata, labels: { hook } },
    })
    plane.faults.add({ fault: { kind: 'webhook', name: 'fail.example.org', how: 'timeout' } })
    const ignored = plane.faults.add({ fault: { kind: 'webhook', name: 'ignore.example.org' } })
    await plane.eventually(async () => {
      await assert.rejects(
        maps().create(labelled('one', 'Fail')),
        /failed calling webhook "fail.example.org": failed to call webhook: Post "https:.*": context deadline exceeded/,
      )
    })
    await maps().create(labelled('two', 'Ignore'))
    assert.equal(ignored.times, 1)
  })

  it('are refused with the field that makes no sense', () => {
    const error = { kind: 'error', code: 500 } as const
    for (const [rule, message] of [
      [{}, /fault.kind must be one of error, lostAnswer/],
      [{ fault: { kind: 'toString' } }, /fault.kind must be one of/],
      [{ fault: { kind: 'error', code: 404 } }, /fault.code must be 409, 429 or from 500 to 599, not 404/],
      [{ fault: { kind: 'error', code: 500, retryAfterSeconds: 1 } }, /for the codes 429 and 503, not for 500/],
      [
        { fault: { kind: 'error', code: 429, retryAfterSeconds: 0 } },
        /retryAfterSeconds must be a whole number from 1/,
      ],
      [{ fault: { kind: 'lostAnswer', code: 5 } }, /a fault lostAnswer has no field code/],
      [{ fault: { kind: 'lostAnswer' }, verbs: ['watch'] }, /not for watch/],
      [{ fault: { kind: 'expired' }, verbs: ['create'] }, /a fault expired is for list and watch, not for create/],
      [{ fault: { kind: 'delay' } }, /fault.by must be a duration/],
      [{ fault: { kind: 'delay', by: 'long' } }, /fault.by must be a duration of 1 ms to 24h, not long/],
      [{ fault: { kind: 'slowWatch', by: '25h' } }, /fault.by must be a duration/],
      [{ fault: { kind: 'endedWatch', after: -1 } }, /fault.after must be a duration/],
      [
        { fault: { kind: 'webhook', name: 'a' }, verbs: ['create'] },
        /verbs: a fault webhook is selected by fault.name/,
      ],
      [{ fault: { kind: 'webhook', name: 'a', how: 'slow' } }, /fault.how must be refused or timeout/],
      [{ fault: error, verb: ['get'] }, /there is no field verb/],
      [{ fault: error, verbs: [] }, /verbs must be a list that is not empty/],
      [{ fault: error, verbs: ['read'] }, /verbs: there is no read/],
      [{ fault: error, verbs: ['create'], name: 'a' }, /the path of a create names no object/],
      [{ fault: error, probability: 0 }, /probability must be greater than 0/],
      [{ fault: error, count: 0 }, /count must be a whole number from 1/],
      [{ fault: error, skip: -1 }, /skip must be a whole number from 0/],
      [{ fault: error, resource: '' }, /resource must be a text that is not empty/],
    ] as const)
      assert.throws(
        () => plane.faults.add(rule as never),
        (failure: Error) => message.test(failure.message),
      )
    for (let count = 0; count < 1000; count++) plane.faults.add({ fault: error, user: 'nobody' })
    assert.throws(() => plane.faults.add({ fault: error }), /at most 1000 rules/)
  })
})

describe('injected faults of a control plane with controllers', () => {
  it('do not keep a Deployment from its pods, and follow the time of the control plane', async () => {
    await using plane = await startControlPlane({ controllers: true, nodes: 1, clock: 'adjustable' })
    const seed = 11
    plane.faults.add({
      verbs: ['create', 'update', 'patch'],
      fault: { kind: 'lostAnswer' },
      probability: 0.2,
      seed,
      count: 20,
    })
    plane.faults.add({
      verbs: ['update', 'patch'],
      fault: { kind: 'error', code: 409 },
      probability: 0.2,
      seed,
      count: 20,
    })
    plane.faults.add({ fault: { kind: 'endedWatch', after: '1s', breaks: true }, probability: 0.3, seed, count: 5 })
    const deployments = plane.client.resource(apps.v1.deployments)
    await deployments
      .create({
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web', namespace: 'default' },
        spec: {
          replicas: 3,
          selector: { matchLabels: { app: 'web' } },
          template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
        },
      } as never)
      .catch((error: unknown) => assert.ok(error instanceof RequestError))
    await plane.clock.advance('2m')
    const found = await deployments.get({ namespace: 'default', name: 'web' })
    assert.equal(found.status.readyReplicas, 3)
    const { items } = await plane.client.resource(core.v1.pods).list({ namespace: 'default' })
    assert.equal(items.length, 3)
    plane.faults.add({
      verbs: ['list'],
      resource: 'pods',
      user: 'pilothouse:admin',
      fault: { kind: 'delay', by: '4m' },
    })
    const late = plane.client.resource(core.v1.pods).list()
    await plane.clock.advance('5m')
    assert.equal((await late).items.length >= 3, true)
  })
})

async function overHttp1(plane: ControlPlane, object: unknown): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${plane.adminToken}`, 'content-type': 'application/json' }
    https
      .request(plane.url + path, { method: 'POST', ca: plane.caCertificate, headers, agent: false }, (answer) =>
        resolve(answer.statusCode),
      )
      .on('error', reject)
      .end(JSON.stringify(object))
  })
}
