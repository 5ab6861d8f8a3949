import assert from 'node:assert/strict'
import { refusesToCreate, refusesToUpdate } from '../../../support/kindcases.ts'
import { created } from '../../../support/kindrun.ts'
import { valid as limitRange } from '../../../support/valid/LimitRange.ts'
import { valid as node } from '../../../support/valid/Node.ts'
import { valid as quota } from '../../../support/valid/ResourceQuota.ts'

const container = (item: object) => (o: { spec: { limits: object[] } }) =>
  (o.spec.limits = [{ type: 'Container', ...item }])

describe('kinds: limits, quotas and nodes', () => {
  refusesToCreate(limitRange, [
    [
      'min above max',
      container({ min: { cpu: '2' }, max: { cpu: '1' }, default: { cpu: '2' }, defaultRequest: { cpu: '2' } }),
      [
        'spec.limits[0].min[cpu]: Invalid value: "2": min value 2 is greater than max value 1',
        'spec.limits[0].defaultRequest[cpu]: Invalid value: "2": default request value 2 is greater than max value 1',
        'spec.limits[0].default[cpu]: Invalid value: "1": default value 2 is greater than max value 1',
      ],
    ],
    [
      'a ratio below one',
      container({ maxLimitRequestRatio: { cpu: '500m' } }),
      ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1'],
    ],
    [
      'a ratio that can never be',
      container({ min: { cpu: '1' }, max: { cpu: '2' }, maxLimitRequestRatio: { cpu: '3' } }),
      ['spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "3": ratio 3 is greater than max/min = 2.000000'],
    ],
    [
      'defaults for pods',
      (o) => (o.spec.limits = [{ type: 'Pod', default: { cpu: '1' } }]),
      ["spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'"],
    ],
    [
      'claims without storage',
      (o) => (o.spec.limits = [{ type: 'PersistentVolumeClaim' }]),
      [
        'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
      ],
    ],
  ])
  refusesToCreate(quota, [
    [
      'a resource that nobody knows',
      (o) => (o.spec = { hard: { nonsense: '1' } }),
      [
        'spec.hard[nonsense]: Invalid value: "nonsense": must be a standard resource type or fully qualified',
        'spec.hard[nonsense]: Invalid value: "nonsense": must be a standard resource for quota',
      ],
    ],
    [
      'half a pod',
      (o) => (o.spec = { hard: { pods: '500m' } }),
      ['spec.hard[pods]: Invalid value: "500m": must be an integer'],
    ],
    [
      'scopes that exclude each other',
      (o) => (o.spec = { hard: { pods: '1' }, scopes: ['BestEffort', 'NotBestEffort'] }),
      ['spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes'],
    ],
    [
      'a scope that can not count it',
      (o) => (o.spec = { hard: { services: '1' }, scopes: ['BestEffort'] }),
      ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
    ],
    [
      'a scope that only exists',
      (o) =>
        (o.spec = {
          hard: { pods: '1' },
          scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'In', values: ['a'] }] },
        }),
      ['spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when…'],
    ],
  ])
  refusesToUpdate(node, [
    [
      'an older field changes nothing that is set',
      (o) => (o.spec.podCIDR = '10.9.0.0/24'),
      ['spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid'],
    ],
  ])
  it('a limit range without a name gets one', () => {
    const { object, findings } = created({ ...limitRange, metadata: { namespace: 'default' } })
    assert.deepEqual(findings, [])
    assert.match(object.metadata.name ?? '', /^[0-9a-f-]{36}$/)
  })
  refusesToUpdate(
    node,
    [
      [
        'half a pod',
        (o) => (o.status.capacity = { pods: '500m' }),
        [
          'status.capacity.pods: Invalid value: "500m": must be an integer',
          'status.allocatable.pods: Invalid value: "500m": must be an integer',
        ],
      ],
      [
        'an address twice',
        (o) =>
          (o.status.addresses = [
            { type: 'InternalIP', address: '1.2.3.4' },
            { type: 'InternalIP', address: '1.2.3.4' },
          ]),
        ['status.addresses[1]: Duplicate value: {"Type":"InternalIP","Address":"1.2.3.4"}'],
      ],
      [
        'less than nothing',
        (o) => (o.status.capacity = { cpu: '-1' }),
        [
          'status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0',
          'status.allocatable.cpu: Invalid value: "-1": must be greater than or equal to 0',
        ],
      ],
    ],
    'status',
  )
})
