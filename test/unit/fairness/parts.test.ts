import { deepEqual, equal, ok } from 'node:assert/strict'
import { allocateSeats, type LevelDemand, limitsOf } from '../../../lib/fairness/concurrency.ts'
import { dealHand, hashFlow } from '../../../lib/fairness/flow.ts'
import { compileFlowSchema, createFlowSchemaMatcher } from '../../../lib/fairness/flowschema.ts'
import { RetryAfter } from '../../../lib/fairness/retryafter.ts'
import { SeatDemand, smoothDemand } from '../../../lib/fairness/seatdemand.ts'
import { WatcherCounts } from '../../../lib/fairness/watchercounts.ts'
import { type ListWork, listWidth, mutatingWidth } from '../../../lib/fairness/width.ts'
import { defaultSchemas, infoOf, userOf } from '../../support/fairnesskit.ts'

describe('hands of shuffle sharding', () => {
  it('are dealt as documented', () => {
    deepEqual(dealHand(5n, 3, 2), [2, 1])
    deepEqual(dealHand(0n, 8, 3), [0, 1, 2])
    deepEqual(dealHand(7n + 8n * 6n, 8, 2), [7, 6])
  })

  it('hold distinct queues of the deck, all of them where the hand is as large', () => {
    for (let seed = 0; seed < 500; seed++) {
      const hand = dealHand(hashFlow('schema', `flow ${seed}`), 64, 6)
      equal(new Set(hand).size, 6)
      ok(hand.every((card) => card >= 0 && card < 64))
    }
    deepEqual(new Set(dealHand(hashFlow('a', 'b'), 5, 5)), new Set([0, 1, 2, 3, 4]))
  })

  it('differ between flows, and between schemas and flows that share their letters', () => {
    ok(hashFlow('ab', 'c') !== hashFlow('a', 'bc'))
    ok(hashFlow('a', 'b') !== hashFlow('a', 'c'))
  })
})

describe('flow schemas', () => {
  const matcher = createFlowSchemaMatcher(defaultSchemas().map(compileFlowSchema))
  const node = userOf('system:node:n1', ['system:nodes'])
  const account = userOf('system:serviceaccount:kube-system:x', ['system:serviceaccounts'])
  const cases: readonly (readonly [string, ReturnType<typeof userOf>, Parameters<typeof infoOf>[0], string])[] = [
    ['masters', userOf('admin', ['system:masters']), {}, 'exempt'],
    [
      'a node writing its Node',
      node,
      { verb: 'patch', resource: 'nodes', subresource: 'status', name: 'n1' },
      'system-node-high',
    ],
    [
      'a node renewing its lease',
      node,
      { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-node-lease', verb: 'update' },
      'system-node-high',
    ],
    ['a node reading pods', node, { verb: 'list' }, 'system-nodes'],
    ['a probe', userOf('someone'), { isResource: false, path: '/readyz', verb: 'get' }, 'probes'],
    ['another path', userOf('someone'), { isResource: false, path: '/readyz/etcd', verb: 'get' }, 'global-default'],
    [
      'leader election',
      account,
      { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system', verb: 'update' },
      'system-leader-election',
    ],
    [
      'a watch of leases, which is none',
      account,
      { group: 'coordination.k8s.io', resource: 'leases', namespace: 'kube-system', verb: 'watch' },
      'kube-system-service-accounts',
    ],
    ['the stock controller manager', userOf('system:kube-controller-manager'), {}, 'kube-controller-manager'],
    [
      'an account elsewhere',
      userOf('system:serviceaccount:default:x', ['system:serviceaccounts']),
      {},
      'service-accounts',
    ],
    [
      'an account of a namespace whose name begins alike',
      userOf('system:serviceaccount:kube-system2:x', ['system:serviceaccounts']),
      {},
      'service-accounts',
    ],
    ['a user', userOf('someone'), { verb: 'create', namespace: 'default' }, 'global-default'],
  ]
  for (const [what, user, info, wanted] of cases)
    it(`put ${what} into ${wanted}`, () => equal(matcher.match(user, infoOf(info))?.name, wanted))

  it('match only requests without a namespace by clusterScope', () => {
    const schema = (resourceRule: object) =>
      createFlowSchemaMatcher([
        compileFlowSchema({
          metadata: { name: 's' },
          spec: {
            priorityLevelConfiguration: { name: 'l' },
            matchingPrecedence: 1,
            rules: [
              {
                subjects: [{ kind: 'User', user: { name: '*' } }],
                resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['pods/log'], ...resourceRule }],
              },
            ],
          },
        }),
      ])
    const log = { subresource: 'log', name: 'p' }
    const user = userOf('u')
    ok(schema({ clusterScope: true }).match(user, infoOf(log)))
    ok(!schema({ clusterScope: true }).match(user, infoOf({ ...log, namespace: 'a' })))
    ok(!schema({ namespaces: ['*'] }).match(user, infoOf(log)))
    ok(schema({ namespaces: ['a'] }).match(user, infoOf({ ...log, namespace: 'a' })))
    ok(!schema({ namespaces: ['a'] }).match(user, infoOf({ ...log, namespace: 'b' })))
    ok(!schema({ namespaces: ['*'] }).match(user, infoOf({ namespace: 'a' })), 'pods are not pods/log')
  })
})

describe('seats of levels', () => {
  const shares = (name: string, nominalConcurrencyShares: number, lendablePercent: number) => ({
    name,
    exempt: false,
    nominalConcurrencyShares,
    lendablePercent,
    borrowingLimitPercent: undefined,
  })

  it('are shared out by shares, rounded up, and begin with half of what may be lent', () => {
    const limits = limitsOf([shares('a', 30, 33), shares('b', 40, 50), shares('c', 5, 0)], 600)
    deepEqual(limits.get('a'), { nominal: 240, min: 161, max: 840, initial: 201 })
    deepEqual(limits.get('b'), { nominal: 320, min: 160, max: 920, initial: 240 })
    deepEqual(limits.get('c'), { nominal: 40, min: 40, max: 640, initial: 40 })
  })

  const demand = (name: string, high: number, more: Partial<LevelDemand> = {}): LevelDemand => ({
    name,
    exempt: false,
    nominal: 100,
    min: 50,
    max: 1000,
    initial: 75,
    highSeatDemand: high,
    smoothedSeatDemand: high,
    ...more,
  })

  it('move from idle levels to busy ones, never below the minimum of a level', () => {
    const { current } = allocateSeats([demand('idle', 0), demand('busy', 500)])
    equal(current.get('idle'), 50)
    equal(current.get('busy'), 150)
  })

  it('are shared in proportion between busy levels that want more than available', () => {
    const levels = [demand('a', 400), demand('b', 400), demand('c', 0), demand('d', 0)]
    const { current, fairFraction } = allocateSeats(levels)
    equal(current.get('a'), 150)
    equal(current.get('b'), 150)
    ok(fairFraction > 0.37 && fairFraction < 0.38, String(fairFraction))
  })

  it('never exceed the borrowing limit of a level', () => {
    const { current } = allocateSeats([demand('a', 400, { max: 120 }), demand('b', 0), demand('c', 0)])
    equal(current.get('a'), 120)
  })

  it('give exempt levels their demand, and the others their minimum when that is nearly all', () => {
    const { current } = allocateSeats([
      demand('e', 150, { exempt: true, nominal: 0, min: 0 }),
      demand('a', 90),
      demand('b', 90),
    ])
    equal(current.get('e'), 150)
    equal(current.get('a'), 50)
    equal(current.get('b'), 50)
  })

  it('always add up to the total when all are wanted (property over seeded demands)', () => {
    let seed = 7
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return seed % below
    }
    for (let round = 0; round < 2000; round++) {
      const levels = Array.from({ length: 2 + random(6) }, (_, at) => {
        const nominal = 1 + random(200)
        const min = Math.round(nominal * (random(101) / 100))
        return demand(`l${at}`, random(400), { nominal, min, max: nominal + random(300) })
      })
      const { current } = allocateSeats(levels)
      let total = 0
      for (const level of levels) {
        const seats = current.get(level.name) ?? Number.NaN
        ok(seats >= level.min && seats <= Math.max(level.max, level.min), `${seats} in ${JSON.stringify(level)}`)
        total += seats
      }
      const nominal = levels.reduce((sum, level) => sum + level.nominal, 0)
      ok(total <= nominal + levels.length, `${total} of ${nominal}`)
    }
  })
})

describe('demand for seats', () => {
  it('is weighted by time', () => {
    const demand = new SeatDemand(0)
    demand.set(10, 0)
    demand.set(0, 1000)
    deepEqual(demand.summarize(4000), { average: 2.5, deviation: Math.sqrt(25 - 6.25), max: 10 })
    deepEqual(demand.summarize(5000), { average: 0, deviation: 0, max: 0 })
  })

  it('counts a peak at once and decays slowly', () => {
    const peak = smoothDemand(0, { average: 80, deviation: 20, max: 100 })
    equal(peak, 100)
    const later = smoothDemand(peak, { average: 0, deviation: 0, max: 0 })
    ok(later > 97 && later < 98)
  })
})

describe('width of requests', () => {
  const stored = (objects: number, objectBytes = 1000) => ({ objects, bytes: objects * objectBytes })
  const list = { stored: stored(2000), limit: 0, named: false, fromStore: false, hasSelector: false }
  const cases: readonly (readonly [string, Partial<ListWork>, number])[] = [
    ['of one object', { named: true }, 1],
    ['of 2000 objects from the cache', {}, 10],
    ['of 450 objects from the cache', { stored: stored(450) }, 5],
    ['of a page from the store', { fromStore: true, limit: 100 }, 2],
    ['of a page by label from the store', { fromStore: true, limit: 100, hasSelector: true, stored: stored(300) }, 4],
    ['of an empty resource', { stored: stored(0) }, 1],
  ]
  for (const [what, part, seats] of cases)
    it(`is ${seats} for a list ${what}, by their number`, () =>
      equal(listWidth({ ...list, ...part }, 1000, 6, false).initialSeats, seats))

  const sized: typeof cases = [
    ['of one small object', { named: true }, 1],
    ['of one large object', { named: true, stored: stored(2, 1_000_000) }, 10],
    ['of 450 small objects from the cache', { stored: stored(450) }, 5],
    ['of large objects from the cache, of which a megabyte counts', { stored: stored(2000, 10_000) }, 10],
    ['of large objects from the store', { stored: stored(500, 10_000), fromStore: true }, 50],
    ['of more than there may be', { stored: stored(500, 100_000), fromStore: true }, 100],
    ['of a page from the store', { fromStore: true, limit: 150 }, 2],
    ['of a page by label, half of all being passed over', { fromStore: true, limit: 100, hasSelector: true }, 10],
    ['of objects of an unknown size', { stored: { objects: 1, bytes: 0 } }, 10],
    ['of an empty resource', { stored: stored(0) }, 1],
    ['of a resource that is not known yet', { stored: undefined }, 1],
  ]
  for (const [what, part, seats] of sized)
    it(`is ${seats} for a list ${what}, by size`, () =>
      equal(listWidth({ ...list, ...part }, 1000, 6, true).initialSeats, seats))

  it('never takes more than a part of a small level', () => {
    equal(listWidth(list, 20, 6, false).initialSeats, 3)
    equal(listWidth(list, 20, 6, true).initialSeats, 3)
    equal(listWidth(list, 4, 6, false).initialSeats, 1)
  })

  it('holds seats after a write that many watches see', () => {
    deepEqual(mutatingWidth(9, 1000, 6), { initialSeats: 1, finalSeats: 0, extraLatencyMs: 0 })
    deepEqual(mutatingWidth(25, 1000, 6), { initialSeats: 1, finalSeats: 3, extraLatencyMs: 5 })
    deepEqual(mutatingWidth(1000, 1000, 6), { initialSeats: 1, finalSeats: 10, extraLatencyMs: 50 })
  })
})

describe('watches that see a write', () => {
  it('are those of everything, of its namespace and of its name', () => {
    const counts = new WatcherCounts((_, resource) => (resource === 'pods' ? 'spec.nodeName' : undefined))
    const none = new URLSearchParams()
    const ends = [
      counts.add(infoOf({ verb: 'watch' }), none),
      counts.add(infoOf({ verb: 'watch', namespace: 'a' }), none),
      counts.add(infoOf({ verb: 'watch', namespace: 'a', name: 'p' }), none),
      counts.add(infoOf({ verb: 'watch', namespace: 'b' }), none),
      counts.add(infoOf({ verb: 'watch' }), new URLSearchParams('fieldSelector=spec.nodeName=n1')),
    ]
    equal(counts.interestedIn(infoOf({ verb: 'update', namespace: 'a', name: 'p' })), 3)
    equal(counts.interestedIn(infoOf({ verb: 'create', namespace: 'b' })), 2)
    for (const end of [...ends, ...ends]) end()
    equal(counts.interestedIn(infoOf({ verb: 'update', namespace: 'a', name: 'p' })), 0)
  })
})

describe('Retry-After', () => {
  it('doubles while refusals go on in numbers, up to 32, and falls when they stop', () => {
    const retry = new RetryAfter()
    let nowMs = 1_000_000
    let highest = 0
    for (let second = 0; second < 200; second++, nowMs += 1000)
      for (let each = 0; each < 200; each++) highest = Math.max(highest, retry.refuse(nowMs))
    equal(highest, 32)
    let last = highest
    for (let second = 0; second < 2000; second++, nowMs += 60_000) last = retry.refuse(nowMs)
    equal(last, 1)
  })
})
