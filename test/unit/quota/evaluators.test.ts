import assert from 'node:assert/strict'
import { createFakeClock } from '../../../lib/base/index.ts'
import {
  createEvaluators,
  formatAmounts,
  matchesScopes,
  overdueByTimestamp,
  type QuotaScope,
} from '../../../lib/quota/index.ts'

const clock = createFakeClock()
const isOverdue = overdueByTimestamp(clock)
const gates = { podLevelResources: false, inPlaceResize: true, volumeAttributesClass: true }
const evaluators = createEvaluators({ isOverdue, ...gates })

function evaluator(resource: string, group = '') {
  const found = evaluators.of({ group, resource })
  assert.ok(found, `${resource} has an evaluator`)
  return found
}

const container = (requests: object = {}, limits: object = {}, more: object = {}) => ({
  name: 'c',
  resources: { requests, limits },
  ...more,
})
const pod = (spec: object, more: object = {}) => ({ metadata: {}, spec, ...more })

describe('the use of quotas', () => {
  const sidecar = { restartPolicy: 'Always' }
  const usages: [string, string, object, string][] = [
    [
      'a pod counts under both names of requests, and under limits',
      'pods',
      pod({ containers: [container({ cpu: '100m', memory: '1Gi' }, { cpu: '1' }), container({ cpu: '200m' })] }),
      'count/pods=1,cpu=300m,limits.cpu=1,memory=1Gi,pods=1,requests.cpu=300m,requests.memory=1Gi',
    ],
    [
      'an init container counts where it asks for more than all containers',
      'pods',
      pod({ containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '3' })] }),
      'count/pods=1,cpu=3,pods=1,requests.cpu=3',
    ],
    [
      'a sidecar counts beside the containers',
      'pods',
      pod({ containers: [container({ cpu: '1' })], initContainers: [container({ cpu: '500m' }, {}, sidecar)] }),
      'count/pods=1,cpu=1500m,pods=1,requests.cpu=1500m',
    ],
    [
      'overhead adds to requests, and to limits that there are',
      'pods',
      pod({ containers: [container({ cpu: '1' }, { memory: '1Gi' })], overhead: { cpu: '250m', memory: '1Gi' } }),
      'count/pods=1,cpu=1250m,limits.memory=2Gi,memory=1Gi,pods=1,requests.cpu=1250m,requests.memory=1Gi',
    ],
    [
      'huge pages count twice, extended resources as requests only, others not at all',
      'pods',
      pod({ containers: [container({ 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2', 'x.kubernetes.io/y': '1' })] }),
      'count/pods=1,hugepages-2Mi=4Mi,pods=1,requests.example.com/gpu=2,requests.hugepages-2Mi=4Mi',
    ],
    [
      'a pod that has ended is an object, and no more',
      'pods',
      pod({ containers: [container({ cpu: '1' })] }, { status: { phase: 'Succeeded' } }),
      'count/pods=1',
    ],
    [
      'a pod past its time to end is an object, and no more',
      'pods',
      {
        metadata: { deletionTimestamp: new Date(clock.now() - 31_000).toISOString(), deletionGracePeriodSeconds: 30 },
        spec: { containers: [container({ cpu: '1' })] },
      },
      'count/pods=1',
    ],
    [
      'a pod that ends still counts',
      'pods',
      {
        metadata: { deletionTimestamp: new Date(clock.now() - 29_000).toISOString(), deletionGracePeriodSeconds: 30 },
        spec: { containers: [container({ cpu: '1' })] },
      },
      'count/pods=1,cpu=1,pods=1,requests.cpu=1',
    ],
    [
      'a pod that is being shrunk counts what it still holds',
      'pods',
      pod(
        { containers: [container({ cpu: '1' })] },
        { status: { containerStatuses: [{ name: 'c', resources: { requests: { cpu: '2' } } }] } },
      ),
      'count/pods=1,cpu=2,pods=1,requests.cpu=2',
    ],
    [
      'a pod whose resize is infeasible counts what it holds',
      'pods',
      pod(
        { containers: [container({ cpu: '9' })] },
        {
          status: {
            conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }],
            containerStatuses: [{ name: 'c', resources: { requests: { cpu: '2' } } }],
          },
        },
      ),
      'count/pods=1,cpu=2,pods=1,requests.cpu=2',
    ],
    [
      'a service of a cluster address takes no node ports',
      'services',
      { spec: { type: 'ClusterIP', ports: [{}, {}] } },
      'count/services=1,services=1,services.loadbalancers=0,services.nodeports=0',
    ],
    [
      'a service counts its node ports before they are allocated',
      'services',
      { spec: { type: 'NodePort', ports: [{}, {}] } },
      'count/services=1,services=1,services.loadbalancers=0,services.nodeports=2',
    ],
    [
      'a load balancer without allocated node ports counts those that it names',
      'services',
      { spec: { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [{ nodePort: 30000 }, {}] } },
      'count/services=1,services=1,services.loadbalancers=1,services.nodeports=1',
    ],
    [
      'a claim counts in all and in its storage class',
      'persistentvolumeclaims',
      { metadata: {}, spec: { storageClassName: 'gold', resources: { requests: { storage: '1Gi' } } } },
      'count/persistentvolumeclaims=1,gold.storageclass.storage.k8s.io/persistentvolumeclaims=1,gold.storageclass.storage.k8s.io/requests.storage=1Gi,persistentvolumeclaims=1,requests.storage=1Gi',
    ],
    [
      'a claim counts what an expansion has allocated, where that is more',
      'persistentvolumeclaims',
      {
        metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': '' } },
        spec: { resources: { requests: { storage: '1Gi' } } },
        status: { allocatedResources: { storage: '2Gi' } },
      },
      'count/persistentvolumeclaims=1,persistentvolumeclaims=1,requests.storage=2Gi',
    ],
    [
      'a claim of a fraction of a byte counts a whole one',
      'persistentvolumeclaims',
      { metadata: {}, spec: { resources: { requests: { storage: '1500m' } } } },
      'count/persistentvolumeclaims=1,persistentvolumeclaims=1,requests.storage=2',
    ],
    ['other objects count as objects', 'deployments.apps', {}, 'count/deployments.apps=1'],
    ['custom objects count as objects', 'wheels.example.com', {}, 'count/wheels.example.com=1'],
    ['config maps count under their short name as well', 'configmaps', {}, 'configmaps=1,count/configmaps=1'],
    [
      'a resource claim counts devices by class: alternatives by the most, all as 32',
      'resourceclaims.resource.k8s.io',
      {
        spec: {
          devices: {
            requests: [
              { exactly: { deviceClassName: 'a', allocationMode: 'ExactCount', count: 2 } },
              { exactly: { deviceClassName: 'b', allocationMode: 'All' } },
              {
                firstAvailable: [
                  { deviceClassName: 'a', count: 1 },
                  { deviceClassName: 'a', count: 4 },
                ],
              },
            ],
          },
        },
      },
      'a.deviceclass.resource.k8s.io/devices=6,b.deviceclass.resource.k8s.io/devices=32,count/resourceclaims.resource.k8s.io=1',
    ],
    [
      'a resource claim of an earlier version counts alike',
      'resourceclaims.resource.k8s.io',
      { spec: { devices: { requests: [{ deviceClassName: 'a', count: 3 }] } } },
      'a.deviceclass.resource.k8s.io/devices=3,count/resourceclaims.resource.k8s.io=1',
    ],
  ]
  for (const [title, on, object, expected] of usages)
    it(title, () => {
      const [resource = '', ...group] = on.split('.')
      assert.equal(formatAmounts(evaluator(resource, group.join('.')).usage(object)), expected)
    })

  it('pod-level resources count behind their gate', () => {
    const withGate = createEvaluators({ isOverdue, ...gates, podLevelResources: true }).of({
      group: '',
      resource: 'pods',
    })
    const object = pod({ containers: [container({ cpu: '1' })], resources: { requests: { cpu: '5' } } })
    assert.equal(withGate?.usage(object)['cpu'], '5')
    assert.equal(evaluator('pods').usage(object)['cpu'], '1')
  })

  it('a name of a JavaScript prototype is a name like any other', () => {
    const object = pod({ containers: [container(JSON.parse('{"__proto__": "1", "constructor": "1", "cpu": "1"}'))] })
    assert.equal(formatAmounts(evaluator('pods').usage(object)), 'count/pods=1,cpu=1,pods=1,requests.cpu=1')
  })

  it('events are never counted', () => {
    assert.equal(evaluators.of({ group: '', resource: 'events' }), undefined)
    assert.equal(evaluators.of({ group: 'events.k8s.io', resource: 'events' }), undefined)
  })
})

describe('writes that use quotas', () => {
  const none = pod({ containers: [] })
  const limited = pod({ containers: [], activeDeadlineSeconds: 5 })
  const later = pod({ containers: [], activeDeadlineSeconds: 9 })
  const writes: [string, string, string, string, boolean, object?, object?][] = [
    ['pods', '', 'CREATE', 'a new pod', true],
    ['pods', '', 'UPDATE', 'no update of a pod that stays in its scopes', false, none, none],
    ['pods', '', 'UPDATE', 'no update of the deadline of a pod that has one', false, limited, later],
    ['pods', '', 'UPDATE', 'an update that gives a pod a deadline', true, none, limited],
    ['pods', '', 'UPDATE', 'an update that takes the deadline of a pod away', true, limited, none],
    ['pods', 'status', 'UPDATE', 'no status, whatever it brings', false, none, limited],
    ['pods', 'resize', 'UPDATE', 'a resize', true],
    ['pods', 'status', 'UPDATE', 'no status', false],
    ['pods', 'binding', 'CREATE', 'no binding', false],
    ['services', '', 'UPDATE', 'an update of a service', true],
    ['services', 'status', 'UPDATE', 'no status of a service', false],
    ['persistentvolumeclaims', '', 'UPDATE', 'an update of a claim', true],
    ['persistentvolumeclaims', 'status', 'UPDATE', 'the status of a claim', true],
    ['configmaps', '', 'CREATE', 'a new object', true],
    ['configmaps', '', 'UPDATE', 'no update of an object', false],
  ]
  for (const [resource, subresource, operation, title, expected, oldObject, object] of writes)
    it(title, () => assert.equal(evaluator(resource).charges({ operation, subresource, oldObject, object }), expected))
})

describe('scopes of quotas', () => {
  const exists = (scopeName: string): QuotaScope => ({ scopeName, operator: 'Exists' })
  const classes = (operator: string, ...values: string[]): QuotaScope => ({
    scopeName: 'PriorityClass',
    operator,
    values,
  })
  const plain = { containers: [{ name: 'c' }] }
  const affinity = (term: object) => ({
    ...plain,
    affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: term }] } },
  })
  const cases: [string, QuotaScope, object, boolean][] = [
    ['a deadline', exists('Terminating'), { ...plain, activeDeadlineSeconds: 0 }, true],
    ['no deadline', exists('Terminating'), plain, false],
    ['no deadline', exists('NotTerminating'), plain, true],
    ['nothing asked for', exists('BestEffort'), plain, true],
    ['zero asked for', exists('BestEffort'), { containers: [container({ cpu: '0' })] }, true],
    ['something limited', exists('BestEffort'), { containers: [container({}, { memory: '1' })] }, false],
    ['something limited', exists('NotBestEffort'), { containers: [container({}, { memory: '1' })] }, true],
    ['a class', exists('PriorityClass'), { ...plain, priorityClassName: 'high' }, true],
    ['no class', exists('PriorityClass'), plain, false],
    ['a listed class', classes('In', 'high'), { ...plain, priorityClassName: 'high' }, true],
    ['another class', classes('In', 'high'), { ...plain, priorityClassName: 'low' }, false],
    ['no class', classes('NotIn', 'high'), plain, true],
    ['no class', classes('DoesNotExist'), plain, true],
    ['other namespaces', exists('CrossNamespacePodAffinity'), affinity({ namespaces: ['a'] }), true],
    ['a selector of namespaces', exists('CrossNamespacePodAffinity'), affinity({ namespaceSelector: {} }), true],
    ['its own namespace', exists('CrossNamespacePodAffinity'), affinity({ topologyKey: 'x' }), false],
  ]
  for (const [title, scope, spec, expected] of cases)
    it(`a pod with ${title} is ${expected ? '' : 'not '}in ${scope.scopeName} ${scope.operator}`, () =>
      assert.equal(matchesScopes(evaluator('pods'), [scope], { metadata: {}, spec }), expected))

  it('a claim is in the scope of its present and its desired attributes class', () => {
    const scope: QuotaScope = { scopeName: 'VolumeAttributesClass', operator: 'In', values: ['fast'] }
    const claims = evaluator('persistentvolumeclaims')
    const claim = (spec: object, status: object = {}) => ({ metadata: {}, spec, status })
    assert.equal(matchesScopes(claims, [scope], claim({ volumeAttributesClassName: 'fast' })), true)
    assert.equal(matchesScopes(claims, [scope], claim({}, { currentVolumeAttributesClassName: 'fast' })), true)
    assert.equal(matchesScopes(claims, [scope], claim({})), false)
  })

  it('objects without scopes of their own are in none', () => {
    assert.equal(matchesScopes(evaluator('configmaps'), [exists('BestEffort')], {}), false)
    assert.equal(matchesScopes(evaluator('configmaps'), [], {}), true)
  })
})
