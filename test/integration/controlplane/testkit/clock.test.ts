import assert from 'node:assert/strict'
import https from 'node:https'
import {
  type ControlPlane,
  type ControlPlaneOptions,
  resources,
  startControlPlane,
} from '../../../../cmd/pilothouse/library.ts'

const { core, batch, coordination } = resources
const container = { name: 'main', image: 'main' }
const hourly = {
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'hourly', namespace: 'default' },
  spec: {
    schedule: '0 * * * *',
    jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container] } } } },
  },
} as const

describe('a control plane whose time is moved', () => {
  let plane: ControlPlane
  before(async () => {
    plane = await startControlPlane({
      controllers: [
        'cronjob-controller',
        'job-controller',
        'ttl-after-finished-controller',
        'node-lifecycle-controller',
      ],
      nodes: 1,
      clock: { startAt: '2030-01-01T00:50:00Z' },
    })
    await plane.client
      .resource(core.v1.serviceaccounts)
      .create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'tester', namespace: 'default' } })
  })
  after(() => plane.stop())

  it('runs the jobs of an hour, keeps its node ready, and is idle afterwards', async () => {
    await plane.client.resource(batch.v1.cronjobs).create(hourly as never)
    await plane.clock.idle()
    await plane.clock.advance('15m')
    const { items } = await plane.client.resource(batch.v1.jobs).list({ namespace: 'default' })
    assert.deepEqual(
      items.map(({ status }) => [status?.startTime?.slice(0, 16), status?.succeeded]),
      [['2030-01-01T01:00', 1]],
    )
    const node = await plane.client.resource(core.v1.nodes).get({ name: 'hollow-0' })
    assert.equal(node.status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True')
    assert.ok(plane.clock.now().getTime() >= Date.parse('2030-01-01T01:05:00Z'))
    await plane.clock.idle()
  })

  it('lets tokens and events expire, and renews leases', async () => {
    const token = await plane.client
      .resource(core.v1.serviceaccounts)
      .subresource('token')
      .create({ namespace: 'default', name: 'tester' }, {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        metadata: {},
        spec: { expirationSeconds: 600 },
      } as never)
    const bearer = (token as unknown as { status: { token: string } }).status.token
    const events = plane.client.resource(core.v1.events)
    await events.create({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'short-lived', namespace: 'default' },
      involvedObject: { kind: 'Pod', namespace: 'default', name: 'none' },
    } as never)
    const leases = plane.client.resource(coordination.v1.leases)
    const lease = { namespace: 'kube-node-lease', name: 'hollow-0' }
    const before = await leases.get(lease)
    assert.equal(await statusAs(plane, bearer), 200)
    await plane.clock.advance('11m')
    assert.equal(await statusAs(plane, bearer), 401)
    const after = await leases.get(lease)
    assert.ok(secondsBetween(before.spec.renewTime, after.spec.renewTime) > 640)
    assert.equal((await events.get({ namespace: 'default', name: 'short-lived' })).metadata?.name, 'short-lived')
    await plane.clock.advance('50m', { atOnce: true })
    await plane.clock.advance('1s')
    await assert.rejects(events.get({ namespace: 'default', name: 'short-lived' }), { code: 404 })
  })

  it('keeps open connections and watches, and answers requests that were sent before', async () => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1, ca: plane.caCertificate })
    const first = await socketOf(plane, agent)
    await plane.clock.advance('2h', { atOnce: true })
    assert.equal(await socketOf(plane, agent), first)
    agent.destroy()
  })

  it('has moved once for each call, in order, when several move it at the same time', async () => {
    const from = plane.clock.now().getTime()
    await Promise.all([plane.clock.advance(20_000), plane.clock.advance('10s'), plane.clock.advance(0)])
    assert.ok(plane.clock.now().getTime() - from >= 30_000)
  })

  it('refuses times that make no sense', async () => {
    for (const by of ['soon', '-1h', -1, Number.NaN, '9000h', undefined as never])
      await assert.rejects(plane.clock.advance(by), /duration|between 0 and 366 days/)
  })
})

describe('the clock of a control plane', () => {
  it('is its own: another plane of the process stays where it is', async () => {
    await using early = await startControlPlane({ clock: { startAt: new Date('2029-12-31T00:00:00Z') } })
    await using late = await startControlPlane({ clock: 'adjustable' })
    await late.clock.advance('48h', { atOnce: true })
    assert.ok(late.clock.now().getTime() - Date.now() > 47 * 3_600_000)
    assert.equal(early.clock.now().toISOString().slice(0, 10), '2029-12-31')
    const made = await Promise.all(
      [early, late].map((plane) =>
        plane.client
          .resource(core.v1.configmaps)
          .create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one', namespace: 'default' } }),
      ),
    )
    const [first = '', second = ''] = made.map(({ metadata }) => metadata?.creationTimestamp)
    assert.equal(first.slice(0, 10), '2029-12-31')
    assert.ok(secondsBetween(new Date().toISOString(), second) > 47 * 3600)
  })

  it("is the machine's unless it is asked for, and then nothing moves it", async () => {
    await using plane = await startControlPlane()
    assert.equal(plane.clock.isAdjustable, false)
    await assert.rejects(plane.clock.advance('1s'), /start the control plane with \{ clock: 'adjustable' \}/)
    await plane.clock.idle()
  })

  it('is refused where it makes no sense', async () => {
    for (const clock of ['manual', {}, { startAt: 'tomorrow' }, { startAt: new Date(Number.NaN) }, 5])
      await assert.rejects(startControlPlane({ clock } as ControlPlaneOptions), /^Error: clock must be 'machine'/)
    await assert.rejects(startControlPlane({ clock: 'adjustable', storage: { dir: '/nowhere' } }), /only .* in memory/)
  })
})

function secondsBetween(from: string | undefined, to: string | undefined): number {
  return (Date.parse(to ?? '') - Date.parse(from ?? '')) / 1000
}

async function statusAs(plane: ControlPlane, token: string): Promise<number> {
  const answer = await plane.fetch('/api/v1/namespaces/default', { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.status
}

/** Sends a request, and returns the local port of its connection. */
async function socketOf(plane: ControlPlane, agent: https.Agent): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${plane.adminToken}` }
    https
      .get(`${plane.url}/version`, { agent, headers }, (answer) => {
        const { localPort } = answer.socket
        answer.resume().on('end', () => resolve(localPort))
      })
      .on('error', reject)
  })
}
