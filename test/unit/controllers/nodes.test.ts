import assert from 'node:assert/strict'
import type { Node, Pod, Secret, ServiceAccount } from '../../../api/gen/core/v1.ts'
import { isTrackedLongEnough, plan, secretsOf } from '../../../lib/controllers/legacytokencleaner/plan.ts'
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

  it('only taints that execute count', () => {
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

  it('is looked at only when uses have been tracked for the period and a day', () => {
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
