import assert from 'node:assert/strict'
import type { Lease } from '../../../api/gen/coordination.k8s.io/v1.ts'
import {
  type Clock,
  createFakeClock,
  createSeededRandom,
  type LogFields,
  type Logger,
  silentLogger,
  silentMetrics,
} from '../../../lib/base/index.ts'
import { type Client, RequestError } from '../../../lib/client/index.ts'
import { createLeaderElection, type LeaderElectionOptions, type Leadership } from '../../../lib/controller/index.ts'
import { type Frozen, StatusError } from '../../../lib/object/index.ts'

/** Lets promises settle that wait for nothing but each other. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await new Promise((resolve) => void setImmediate(resolve))
}

/** One Lease, with conflicts as the API has them. */
class Server {
  lease: Frozen<Lease> | undefined
  version = 0

  /** The way of one candidate to the server. */
  connect(way: { broken: boolean; silent: boolean }): Client {
    const reach = async (signal: AbortSignal | undefined): Promise<void> => {
      if (way.broken) throw new RequestError('no connection')
      if (!way.silent) return
      await new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
    }
    type Options = { readonly signal?: AbortSignal } | undefined
    const put = (lease: Frozen<Lease>): Frozen<Lease> => {
      const resourceVersion = String(++this.version)
      return (this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion } })
    }
    const leases = {
      get: async (_name: unknown, options: Options) => {
        await reach(options?.signal)
        if (!this.lease) throw new StatusError(404, 'NotFound', 'no such lease')
        return this.lease
      },
      create: async (lease: Frozen<Lease>, options: Options) => {
        await reach(options?.signal)
        if (this.lease) throw new StatusError(409, 'AlreadyExists', 'it is there')
        return put(lease)
      },
      update: async (lease: Frozen<Lease>, options: Options) => {
        await reach(options?.signal)
        if (lease.metadata.resourceVersion !== this.lease?.metadata.resourceVersion)
          throw new StatusError(409, 'Conflict', 'another came first')
        return put(lease)
      },
    }
    // No other method is called.
    return { resource: () => leases } as unknown as Client
  }
}

interface Candidate {
  readonly election: Leadership
  readonly way: { broken: boolean; silent: boolean }
  readonly stop: AbortController
  readonly outcome: Promise<'stopped' | 'lost'>
  leads: boolean
  ended: 'stopped' | 'lost' | undefined
}

describe('leader election', () => {
  let clock: ReturnType<typeof createFakeClock>
  let server: Server
  let candidates: Candidate[]
  let logged: (readonly [message: string, fields: LogFields | undefined])[]
  const log: Logger = { ...silentLogger, error: (message, fields) => void logged.push([message, fields]) }
  beforeEach(() => {
    logged = []
    clock = createFakeClock(10 ** 12)
    server = new Server()
    candidates = []
  })
  afterEach(async () => {
    for (const { stop } of candidates) stop.abort()
    await pass(5000)
  })

  /** `pace` is how fast its clock goes, `skewMs` how far it is off. */
  function enter(
    identity: string,
    { pace = 1, skewMs = 0 }: { readonly pace?: number; readonly skewMs?: number } = {},
    options: Partial<LeaderElectionOptions> = {},
  ): Candidate {
    const own: Clock = {
      ...clock,
      now: () => clock.now() + skewMs,
      monotonicMs: () => clock.monotonicMs() * pace,
      after: (ms, run) => clock.after(ms / pace, run),
      sleep: (ms, signal) => clock.sleep(ms / pace, signal),
    }
    const way = { broken: false, silent: false }
    const random = createSeededRandom(candidates.length + 1)
    const election = createLeaderElection(
      { clock: own, random, log, metrics: silentMetrics, client: server.connect(way) },
      { namespace: 'kube-system', name: 'lock', identity, ...options },
    )
    const stop = new AbortController()
    const outcome = election.run(stop.signal, async (signal) => {
      candidate.leads = true
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      candidate.leads = false
    })
    const candidate: Candidate = { election, way, stop, outcome, leads: false, ended: undefined }
    void outcome.then((ended) => (candidate.ended = ended))
    candidates.push(candidate)
    return candidate
  }

  async function pass(ms: number, check: () => void = () => {}): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      clock.advance(250)
      await settled()
      check()
    }
  }

  it('makes the Lease, renews it, and counts who takes it over', async () => {
    const first = enter('a')
    await settled()
    assert.equal(first.leads, true)
    assert.equal(server.lease?.spec.holderIdentity, 'a')
    assert.equal(server.lease.spec.leaseDurationSeconds, 15)
    assert.equal(server.lease.spec.leaseTransitions, 0)
    const { acquireTime, renewTime } = server.lease.spec
    await pass(5000)
    assert.equal(server.lease.spec.acquireTime, acquireTime)
    assert.notEqual(server.lease.spec.renewTime, renewTime)
    const second = enter('b')
    await pass(30_000)
    assert.equal(second.leads, false)
    assert.equal(second.election.leader, 'a')
    first.stop.abort()
    await pass(6000)
    assert.equal(second.leads, true)
    assert.equal(server.lease.spec.leaseTransitions, 1)
  })

  it('releases the Lease when it is stopped, unless an option forbids it', async () => {
    const first = enter('a')
    await settled()
    first.stop.abort()
    assert.equal(await first.outcome, 'stopped')
    assert.deepEqual([server.lease?.spec.holderIdentity, server.lease?.spec.leaseDurationSeconds], ['', 1])
    const second = enter('b', {}, { releaseOnStop: false })
    await pass(6000)
    second.stop.abort()
    await second.outcome
    assert.equal(server.lease?.spec.holderIdentity, 'b')
  })

  it('ends within a second when it is stopped and the server does not answer', async () => {
    const first = enter('a')
    await settled()
    first.way.silent = true
    first.stop.abort()
    await pass(750)
    assert.equal(first.ended, undefined)
    await pass(500)
    assert.equal(first.ended, 'stopped')
  })

  for (const fault of ['broken', 'silent'] as const)
    it(`stops leading within the renew deadline when the connection is ${fault}, before another one leads`, async () => {
      const first = enter('a')
      await settled()
      const second = enter('b')
      await pass(4000)
      first.way[fault] = true
      await pass(9000)
      assert.equal(first.leads, true, 'a fault that passes loses nothing')
      await pass(3000)
      assert.equal(first.leads, false)
      assert.equal(first.ended, 'lost')
      const [[message, fields] = []] = logged
      assert.equal(message, 'the lease was not renewed in time')
      assert.ok(fields?.['error'] instanceof Error, 'the log names the fault')
      assert.equal(second.leads, false)
      await pass(8000)
      assert.equal(second.leads, true)
    })

  it('waits two seconds for work that does not end when the Lease is lost', async () => {
    const way = { broken: false, silent: false }
    const means = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics }
    const election = createLeaderElection(
      { ...means, client: server.connect(way) },
      { namespace: 'kube-system', name: 'lock', identity: 'one' },
    )
    let outcome: string | undefined
    let isOver = false
    void election
      .run(new AbortController().signal, async (signal) => {
        signal.addEventListener('abort', () => (isOver = true), { once: true })
        await new Promise(() => {})
      })
      .then((said) => (outcome = said))
    await settled()
    way.broken = true
    while (!isOver) await pass(100)
    await pass(1500)
    assert.equal(outcome, undefined)
    await pass(1000)
    assert.equal(outcome, 'lost')
  })

  it('still leads when renewals fail for less than the deadline', async () => {
    const first = enter('a')
    await settled()
    for (let round = 0; round < 4; round++) {
      first.way.broken = true
      await pass(7000)
      first.way.broken = false
      await pass(3000)
    }
    assert.equal(first.leads, true)
  })

  it('ends at once when another one holds the Lease', async () => {
    const first = enter('a')
    await settled()
    assert.ok(server.lease)
    const { metadata, spec } = server.lease
    server.lease = {
      ...server.lease,
      metadata: { ...metadata, resourceVersion: '99' },
      spec: { ...spec, holderIdentity: 'z' },
    }
    await pass(2500)
    assert.equal(first.ended, 'lost')
    assert.deepEqual(logged, [['the lease is lost', { lease: 'lock', leader: 'z' }]])
    assert.equal(server.lease.spec.holderIdentity, 'z', 'it is not released by one that lost it')
  })

  it('trusts no clock but its own: times in the Lease may be an hour off', async () => {
    const first = enter('a', { skewMs: -3_600_000 })
    await settled()
    const second = enter('b', { skewMs: 3_600_000 })
    await pass(40_000)
    assert.deepEqual([first.leads, second.leads], [true, false])
  })

  it('never has two leaders, with clocks a fifth too fast or slow and connections that break and recover', async () => {
    const random = createSeededRandom(7)
    const all = [enter('a', { pace: 0.85 }), enter('b', { pace: 1.2 }), enter('c')]
    let terms = 0
    let leader: Candidate | undefined
    for (let round = 0; round < 40; round++) {
      for (const { way } of all) {
        way.broken = random.below(3) === 0
        way.silent = random.below(6) === 0
      }
      await pass(2000 + random.below(20_000), () => {
        const leading = candidates.filter(({ leads }) => leads)
        assert.ok(leading.length <= 1, 'two lead')
        if (leading[0] && leading[0] !== leader) terms++
        leader = leading[0] ?? leader
        for (const [index, each] of all.entries())
          if (each.ended === 'lost') all[index] = enter(`${index}-${round}`, { pace: [0.85, 1.2, 1][index] ?? 1 })
      })
    }
    assert.ok(terms > 5, `${terms} terms`)
  })

  it('is unhealthy when it has not renewed for the lease and twenty seconds, as it was held up', async () => {
    const way = { broken: false, silent: false }
    let heldUpMs = 0
    const slow: Clock = { ...clock, monotonicMs: () => clock.monotonicMs() + heldUpMs }
    const means = { clock: slow, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics }
    const given = { namespace: 'kube-system', name: 'lock', identity: 'a' }
    const election = createLeaderElection({ ...means, client: server.connect(way) }, given)
    const over = Promise.withResolvers<void>()
    const outcome = election.run(new AbortController().signal, () => over.promise)
    await pass(60_000)
    assert.equal(election.check(), undefined)
    heldUpMs = 32_000
    assert.equal(election.check(), undefined)
    heldUpMs += 6000
    assert.match(String(election.check()), /failed election to renew leadership on lease lock/)
    await pass(5000)
    assert.equal(await outcome, 'lost')
    over.resolve()
  })

  for (const [what, options] of [
    ['a deadline beyond the lease', { leaseDurationMs: 10_000, renewDeadlineMs: 10_000 }],
    ['a period too close to the deadline', { renewDeadlineMs: 2400, retryPeriodMs: 2000 }],
    ['no identity', { identity: '' }],
  ] as const)
    it(`refuses ${what}`, () => {
      const means = { clock, random: createSeededRandom(1), log: silentLogger, metrics: silentMetrics }
      const given = { namespace: 'n', name: 'l', identity: 'a', ...options }
      const client = server.connect({ broken: false, silent: false })
      assert.throws(() => createLeaderElection({ ...means, client }, given), RangeError)
    })
})
