import assert from 'node:assert/strict'
import type { Node, Pod, Secret, ServiceAccount } from '../../../api/gen/core/v1.ts'
import { isTrackedLongEnough, plan, secretsOf } from '../../../lib/controllers/legacytokencleaner/plan.ts'
import { heartbeatAfter, isOverdue, unknownConditions } from '../../../lib/controllers/nodelifecycle/health.ts'
import { TaintQueue } from '../../../lib/controllers/nodelifecycle/taintqueue.ts'
import { labelsToMirror, withConditionTaints, withNoExecute } from '../../../lib/controllers/nodelifecycle/taints.ts'
import { areAllZonesDown, rateOf, zonesOf } from '../../../lib/controllers/nodelifecycle/zones.ts'
import { executingTaints, verdictOf } from '../../../lib/controllers/tainteviction/plan.ts'
import type { Frozen } from '../../../lib/object/index.ts'

describe('a pod on a tainted node', () => {
  const cases: [title: string, tolerations: object[], taints: string[], verdict: 'evict' | 'stay' | number][] = [
    ['goes at once without a toleration', [], ['a'], 'evict'],
    ['goes at once where it tolerates only one of two', [{ key: 'a', operator: 'Exists' }], ['a', 'b'], 'evict'],
    ['stays where it tolerates everything', [{ operator: 'Exists' }], ['a', 'b'], 'stay'],
    [
      'stays for the time of its toleration',
      [{ key: 'a', operator: 'Exists', tolerationSeconds: 300 }],
      ['a'],
      300_000,
    ],
    [
      'stays for the shortest time of those that are needed',
      [
        { key: 'a', operator: 'Exists', tolerationSeconds: 300 },
        { key: 'b', operator: 'Exists', tolerationSeconds: 20 },
        { key: 'c', operator: 'Exists', tolerationSeconds: 1 },
      ],
      ['a', 'b'],
      20_000,
    ],
    ['goes at once where the time is over', [{ key: 'a', operator: 'Exists', tolerationSeconds: -1 }], ['a'], 'evict'],
    [
      'is not helped by a toleration of another effect',
      [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
      ['a'],
      'evict',
    ],
  ]
  for (const [title, tolerations, keys, verdict] of cases)
    it(title, () => {
      const pod = { spec: { tolerations } } as unknown as Frozen<Pod>
      assert.equal(
        verdictOf(
          pod,
          keys.map((key) => ({ key, effect: 'NoExecute' })),
        ),
        verdict,
      )
    })

  it('a pod is only evicted by taints with the effect NoExecute', () => {
    const taints = [
      { key: 'a', effect: 'NoExecute' },
      { key: 'b', effect: 'NoSchedule' },
    ]
    assert.deepEqual(executingTaints({ spec: { taints } } as unknown as Frozen<Node>), [taints[0]])
    assert.deepEqual(executingTaints(undefined), [])
  })
})

describe('a secret token of a service account', () => {
  const year = 365 * 24 * 3600_000
  const now = Date.parse('2026-06-15T12:00:00Z')
  const secret = (more: object = {}): Frozen<Secret> =>
    ({
      metadata: {
        namespace: 'n',
        name: 't',
        creationTimestamp: '2020-01-01T00:00:00Z',
        annotations: { 'kubernetes.io/service-account.uid': 'u' },
        ...more,
      },
    }) as unknown as Frozen<Secret>
  const account = { metadata: { uid: 'u' }, secrets: [{ name: 't' }] } as unknown as Frozen<ServiceAccount>
  const invalid = { labels: { 'kubernetes.io/legacy-token-invalid-since': '2025-06-14' } }
  const cases: [title: string, secret: Frozen<Secret>, more: object, intention: string][] = [
    ['that was never used is invalidated', secret(), {}, 'invalidate'],
    ['that was invalidated a period ago goes', secret(invalid), {}, 'delete'],
    [
      'that was invalidated on this day a period ago stays',
      secret({ labels: { 'kubernetes.io/legacy-token-invalid-since': '2025-06-15' } }),
      {},
      'nothing',
    ],
    [
      'that was used lately stays',
      secret({ labels: { 'kubernetes.io/legacy-token-last-used': '2026-01-01' } }),
      {},
      'nothing',
    ],
    [
      'that was used a long time ago is invalidated',
      secret({ labels: { 'kubernetes.io/legacy-token-last-used': '2025-01-01' } }),
      {},
      'invalidate',
    ],
    [
      'whose last use is unreadable stays',
      secret({ labels: { 'kubernetes.io/legacy-token-last-used': 'x' } }),
      {},
      'nothing',
    ],
    ['that a pod mounts stays', secret(), { mounted: new Set(['t']) }, 'nothing'],
    [
      'that its account does not list was made by hand and stays',
      secret(),
      { account: { ...account, secrets: [] } },
      'nothing',
    ],
    [
      'of an account of the same name only stays',
      secret(),
      { account: { ...account, metadata: { uid: 'v' } } },
      'nothing',
    ],
    ['that is young stays', secret({ creationTimestamp: '2026-01-01T00:00:00Z' }), {}, 'nothing'],
    ['that is on its way out stays', secret({ deletionTimestamp: '2026-01-01T00:00:00Z' }), {}, 'nothing'],
  ]
  for (const [title, given, more, intention] of cases)
    it(title, () => assert.equal(plan(given, { account, mounted: new Set(), ...more }, year, now), intention))

  it('is checked only when uses have been tracked for the period and a day', () => {
    assert.equal(isTrackedLongEnough(undefined, year, now), false)
    assert.equal(isTrackedLongEnough('2025-06-14', year, now), true)
    assert.equal(isTrackedLongEnough('2025-06-15', year, now), false)
    assert.equal(isTrackedLongEnough('14.6.2025', year, now), false)
  })

  it('is used by pods as a volume, in a projection, in the environment, and to pull images', () => {
    const pod = {
      spec: {
        imagePullSecrets: [{ name: 'pull' }],
        volumes: [
          { secret: { secretName: 'volume' } },
          { projected: { sources: [{ secret: { name: 'projected' } }] } },
        ],
        containers: [{ env: [{ valueFrom: { secretKeyRef: { name: 'variable', key: 'k' } } }] }],
        initContainers: [{ envFrom: [{ secretRef: { name: 'all' } }] }],
      },
    } as unknown as Frozen<Pod>
    assert.deepEqual(secretsOf(pod).sort(), ['all', 'projected', 'pull', 'variable', 'volume'])
  })
})

describe('the health of a node', () => {
  const grace = { nodeMonitorGracePeriod: 50_000, nodeStartupGracePeriod: 60_000 }
  const at = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000', '')
  const node = (conditions: object[], more: object = {}): Frozen<Node> =>
    ({
      metadata: { name: 'n', creationTimestamp: at(0), ...more },
      spec: {},
      status: { conditions },
    }) as unknown as Frozen<Node>
  const ready = (heartbeat: number, more: object = {}): object => ({
    type: 'Ready',
    status: 'True',
    lastHeartbeatTime: at(heartbeat),
    ...more,
  })
  const lease = (seconds: number): never => ({ spec: { renewTime: at(seconds) } }) as never

  /** The monotonic clock, and a wall clock that began with it unless it was set since. */
  const moment = (monotonicMs: number, setByMs = 0) => ({ monotonicMs, nowMs: monotonicMs + setByMs })

  it('is measured by changes, by the clock of this process', () => {
    const first = heartbeatAfter(undefined, node([ready(999_999)]), undefined, moment(1000))
    assert.equal(first.seenMs, 1000)
    assert.equal(heartbeatAfter(first, node([ready(999_999)]), undefined, moment(9000)).seenMs, 1000)
    assert.equal(heartbeatAfter(first, node([ready(1_000_000)]), undefined, moment(9000)).seenMs, 9000)
    assert.equal(heartbeatAfter(first, node([ready(999_999)]), lease(1), moment(9000)).seenMs, 9000)
  })

  it('ends after the grace period, counted from the creation of a node that never posted', () => {
    const seen = heartbeatAfter(undefined, node([ready(1)]), undefined, moment(100_000))
    assert.equal(isOverdue(node([ready(1)]), seen, grace, moment(150_000)), false)
    assert.equal(isOverdue(node([ready(1)]), seen, grace, moment(150_001)), true)
    const never = heartbeatAfter(undefined, node([]), undefined, moment(50_000))
    assert.equal(isOverdue(node([]), never, grace, moment(60_000)), false)
    assert.equal(isOverdue(node([]), never, grace, moment(60_001)), true)
  })

  it('does not end because the wall clock is set forward, nor last longer because it is set back', () => {
    const dayMs = 86_400_000
    const seen = heartbeatAfter(undefined, node([ready(1)]), undefined, moment(100_000))
    const later = heartbeatAfter(seen, node([ready(1)]), undefined, moment(101_000, dayMs))
    assert.equal(isOverdue(node([ready(1)]), later, grace, moment(101_000, dayMs)), false)
    assert.equal(isOverdue(node([ready(1)]), later, grace, moment(150_001, -dayMs)), true)
    assert.equal(
      heartbeatAfter(undefined, node([]), undefined, moment(1000, -dayMs)).seenMs,
      1000,
      'born in the future',
    )
  })

  it('a condition that ended is written once, and a condition that was written is no sign of life', () => {
    const before = node([ready(1), { type: 'DiskPressure', status: 'False' }])
    const seen = heartbeatAfter(undefined, before, undefined, moment(1000))
    const conditions = unknownConditions(before, 99_000)
    assert.deepEqual(
      conditions?.map(({ type, status, reason }) => [type, status, reason]),
      [
        ['Ready', 'Unknown', 'NodeStatusUnknown'],
        ['DiskPressure', 'Unknown', 'NodeStatusUnknown'],
        ['MemoryPressure', 'Unknown', 'NodeStatusNeverUpdated'],
        ['PIDPressure', 'Unknown', 'NodeStatusNeverUpdated'],
      ],
    )
    const written = node(conditions as object[])
    assert.equal(unknownConditions(written, 100_000), undefined)
    assert.equal(heartbeatAfter(seen, written, undefined, moment(100_000)).seenMs, 1000)
  })

  it('is shown in taints that keep pods away, and other taints stay', () => {
    const own = { key: 'mine', effect: 'NoSchedule' }
    const stale = { key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' }
    const given = {
      ...node([{ type: 'Ready', status: 'Unknown' }]),
      spec: { taints: [own, stale], unschedulable: true },
    }
    const taints = withConditionTaints(given as Frozen<Node>, 0)
    assert.deepEqual(
      taints?.map(({ key }) => key),
      ['mine', 'node.kubernetes.io/unreachable', 'node.kubernetes.io/unschedulable'],
    )
    assert.equal(withConditionTaints({ ...given, spec: { taints, unschedulable: true } } as Frozen<Node>, 1), undefined)
  })

  it('swaps one NoExecute taint for the other, and takes both away', () => {
    const given = {
      ...node([]),
      spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }] },
    } as Frozen<Node>
    assert.deepEqual(
      withNoExecute(given, 'node.kubernetes.io/unreachable', 0)?.map(({ key }) => key),
      ['node.kubernetes.io/unreachable'],
    )
    assert.equal(withNoExecute(given, 'node.kubernetes.io/not-ready', 0), undefined)
    assert.deepEqual(withNoExecute(given, undefined, 0), [])
  })

  it('keeps the former names of labels equal', () => {
    const labels = { 'kubernetes.io/os': 'linux', 'beta.kubernetes.io/os': 'dos', 'kubernetes.io/arch': 'arm64' }
    assert.deepEqual(labelsToMirror(node([], { labels })), {
      'beta.kubernetes.io/os': 'linux',
      'beta.kubernetes.io/arch': 'arm64',
    })
    assert.equal(labelsToMirror(node([])), undefined)
  })
})

describe('zones of nodes', () => {
  const settings = {
    nodeEvictionRate: 0.1,
    secondaryNodeEvictionRate: 0.01,
    largeClusterSizeThreshold: 50,
    unhealthyZoneThreshold: 0.55,
  }
  const nodesOf = (zone: string, up: number, down: number, labels: object = {}): Frozen<Node>[] =>
    Array.from({ length: up + down }, (_, at) => ({
      metadata: { name: `${zone}${at}`, labels: { 'topology.kubernetes.io/zone': zone, ...labels } },
      spec: {},
      status: { conditions: [{ type: 'Ready', status: at < up ? 'True' : 'Unknown' }] },
    })) as unknown as Frozen<Node>[]
  const only = (nodes: Frozen<Node>[]) => {
    const [zone] = zonesOf(nodes, settings).values()
    assert.ok(zone)
    return [zone.state, rateOf(zone, settings)]
  }

  it('are partly down from three nodes and the threshold on: large ones go on slowly, small ones stop', () => {
    assert.deepEqual(only(nodesOf('a', 10, 2)), ['Normal', 0.1])
    assert.deepEqual(only(nodesOf('a', 1, 2)), ['Normal', 0.1])
    assert.deepEqual(only(nodesOf('a', 4, 6)), ['PartialDisruption', 0])
    assert.deepEqual(only(nodesOf('a', 20, 40)), ['PartialDisruption', 0.01])
  })

  it('that are all down mean that this process is cut off', () => {
    assert.equal(areAllZonesDown(zonesOf([...nodesOf('a', 0, 2), ...nodesOf('b', 1, 1)], settings)), false)
    assert.equal(areAllZonesDown(zonesOf([...nodesOf('a', 0, 2), ...nodesOf('b', 0, 1)], settings)), true)
    assert.equal(areAllZonesDown(zonesOf([], settings)), false)
  })

  it('do not count nodes that are excluded', () => {
    const excluded = nodesOf('a', 0, 5, { 'node.kubernetes.io/exclude-disruption': '' })
    assert.deepEqual(only([...nodesOf('a', 1, 0), ...excluded]), ['Normal', 0.1])
  })

  it('taint one node at a time, at their rate', () => {
    const waiting = new TaintQueue()
    for (const name of ['a', 'b', 'a']) waiting.add(name)
    assert.equal(waiting.take(0), undefined, 'no rate yet')
    waiting.setRate(0.1)
    assert.deepEqual(
      [waiting.take(0), waiting.take(9_999), waiting.take(10_000), waiting.size],
      ['a', undefined, 'b', 0],
    )
  })
})
