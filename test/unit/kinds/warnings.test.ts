import assert from 'node:assert/strict'
import { warningsOf as warnings } from '../../support/kindrun.ts'

function warningsOf(kindName: string, object: object, on: 'create' | 'update'): string[] {
  const [group = '', kind = ''] = kindName.includes('/') ? kindName.split('/') : ['', kindName]
  const whole = { metadata: {}, ...object }
  return warnings(
    { group, kind },
    whole,
    on === 'create' ? undefined : { ...whole, metadata: { ...whole.metadata, generation: 7 } },
  )
}

const arch = 'beta.kubernetes.io/arch'
const archText = 'deprecated since v1.14; use "kubernetes.io/arch" instead'
const outdated = 'will be considered invalid in a future Kubernetes release: use'
const oldClass = 'volume.beta.kubernetes.io/storage-class'
const classText = `metadata.annotations[${oldClass}]: deprecated since v1.8; use "storageClassName" attribute instead`
const headless = { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'], sessionAffinity: 'None' }
const indexed = { completionMode: 'Indexed', completions: 100_001, parallelism: 10_001, template: { spec: {} } }
const tooManyText =
  'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail'
const slices = (labels: object, ...addresses: string[]): object => ({
  metadata: { labels },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'] }, { addresses }],
})

/** Kind, what is odd about it, the object, what is said of it. */
const rows: readonly (readonly [kind: string, what: string, object: object, ...expected: string[]])[] = [
  ['Service', 'nothing', { spec: { ...headless, clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1', 'fd00::1'] } }],
  ['Service', 'an old annotation', { metadata: { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } }, spec: headless },
    'annotation service.kubernetes.io/topology-aware-hints is deprecated, please use service.kubernetes.io/topology-mode instead'],
  ['Service', 'what a headless one ignores', { spec: { ...headless, sessionAffinity: 'ClientIP', externalIPs: ['10.1.1.1'], loadBalancerIP: '10.1.1.1' } },
    'spec.loadBalancerIP is ignored for headless services',
    'spec.externalIPs is ignored for headless services',
    'spec.SessionAffinity is ignored for headless services'],
  ['Service', 'addresses of other forms', {
    spec: {
      type: 'LoadBalancer', clusterIP: '10.00.0.1', clusterIPs: ['10.00.0.1', 'FD00::1'], externalIPs: ['::ffff:1.2.3.4'],
      loadBalancerIP: '192.012.2.2', loadBalancerSourceRanges: ['10.0.0.0/8', '10.1.2.3/8', '010.0.0.0/8', 'fd00:0::/64'],
    },
  },
    `spec.clusterIPs[0]: non-standard IP address "10.00.0.1" ${outdated} "10.0.0.1"`,
    'spec.clusterIPs[1]: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
    `spec.externalIPs[0]: non-standard IP address "::ffff:1.2.3.4" ${outdated} "1.2.3.4"`,
    `spec.loadBalancerIP: non-standard IP address "192.012.2.2" ${outdated} "192.12.2.2"`,
    'spec.loadBalancerSourceRanges[1]: CIDR value "10.1.2.3/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.1.2.3/32"?)',
    `spec.loadBalancerSourceRanges[2]: non-standard CIDR value "010.0.0.0/8" ${outdated} "10.0.0.0/8"`,
    'spec.loadBalancerSourceRanges[3]: IPv6 CIDR value "fd00:0::/64" should be in RFC 5952 canonical format ("fd00::/64")'],
  ['Service', 'external addresses of an external name', { spec: { type: 'ExternalName', externalName: 'x', externalIPs: ['1.1.1.1'] } },
    'spec.externalIPs is ignored when spec.type is "ExternalName"'],
  ['Service', 'an external name of another type', { spec: { type: 'NodePort', externalName: 'x' } },
    'spec.externalName is ignored when spec.type is not "ExternalName"'],
  ['PersistentVolume', 'everything old', {
    metadata: { annotations: { [oldClass]: 'x' } },
    spec: {
      persistentVolumeReclaimPolicy: 'Recycle', storageos: {}, rbd: {},
      nodeAffinity: { required: { nodeSelectorTerms: [{}, { matchExpressions: [{ key: arch }] }] } },
    },
  },
    classText,
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    `spec.nodeAffinity.required.nodeSelectorTerms[1].matchExpressions[0].key: ${arch} is ${archText}`,
    'spec.storageOS: deprecated in v1.22, non-functional in v1.25+',
    'spec.rbd: deprecated in v1.28, non-functional in v1.31+'],
  ['PersistentVolumeClaim', 'a class by annotation, fractions of bytes', {
    metadata: { annotations: { [oldClass]: 'x' } },
    spec: { resources: { requests: { storage: '1500m' }, limits: { storage: '2500m' } } },
  },
    classText,
    'spec.resources.requests[storage]: fractional byte value "1500m" is invalid, must be an integer',
    'spec.resources.limits[storage]: fractional byte value "2500m" is invalid, must be an integer'],
  ['Node', 'old fields', { spec: { configSource: {}, externalID: 'x', podCIDRs: ['10.1.2.0/16'] } },
    'spec.configSource: the feature is removed',
    'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    'spec.podCIDRs[0]: CIDR value "10.1.2.0/16" is ambiguous in this context (should be "10.1.0.0/16" or "10.1.2.0/32"?)'],
  ['storage.k8s.io/StorageClass', 'labels of nodes', { allowedTopologies: [{ matchLabelExpressions: [{ key: 'a' }, { key: arch }] }] },
    `allowedTopologies[0].matchLabelExpressions[1].key: ${archText}`],
  ['storage.k8s.io/CSIStorageCapacity', 'labels of nodes', { nodeTopology: { matchLabels: { [arch]: 'x' }, matchExpressions: [{ key: arch }] } },
    `nodeTopology.matchExpressions[0].key: ${arch} is ${archText}`,
    `nodeTopology.matchLabels.${arch}: ${archText}`],
  ['node.k8s.io/RuntimeClass', 'labels of nodes', { scheduling: { nodeSelector: { [arch]: 'x', a: 'b' } } }, `scheduling.nodeSelector: ${archText}`],
  ['discovery.k8s.io/EndpointSlice', 'addresses of other forms', slices({}, '10.0.0.2', '010.0.0.3'),
    `endpoints[1].addresses[1]: non-standard IP address "010.0.0.3" ${outdated} "10.0.0.3"`],
  ['discovery.k8s.io/EndpointSlice', "nothing of its controller's", slices({ 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' }, '010.0.0.3')],
  ['Endpoints', 'addresses of other forms', { subsets: [{ addresses: [{ ip: '10.0.0.1' }] }, { addresses: [{ ip: '010.0.0.1' }], notReadyAddresses: [{ ip: 'FD00::1' }] }] },
    `subsets[1].addresses[0].ip: non-standard IP address "010.0.0.1" ${outdated} "10.0.0.1"`,
    'subsets[1].notReadyAddresses[0].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")'],
  ['networking.k8s.io/NetworkPolicy', 'blocks of other forms', {
    spec: { ingress: [{ from: [{}, { ipBlock: { cidr: '10.0.0.1/8', except: ['10.00.0.0/16'] } }] }], egress: [{ to: [{ ipBlock: { cidr: '1.2.3.4/32' } }] }] },
  },
    'spec.ingress[0].from[1].ipBlock.cidr: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    `spec.ingress[0].from[1].ipBlock.except[0]: non-standard CIDR value "10.00.0.0/16" ${outdated} "10.0.0.0/16"`],
  ['batch/Job', 'more indexes than its status can hold', { metadata: { name: 'x' }, spec: indexed }, `spec: ${tooManyText}`],
  ['batch/CronJob', 'more indexes than its jobs can hold', { metadata: { name: 'x' }, spec: { schedule: '* * * * *', jobTemplate: { spec: indexed } } }, `spec.jobTemplate.spec: ${tooManyText}`],
  ['apps/StatefulSet', 'fractions of bytes, and an endless history', {
    spec: { template: {}, revisionHistoryLimit: -1, volumeClaimTemplates: [{ spec: { resources: { requests: { storage: '500m' } } } }] },
  },
    'spec.volumeClaimTemplates[0].resources.requests[storage]: fractional byte value "500m" is invalid, must be an integer',
    'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'],
] // biome-ignore format: a table

describe('warnings', () => {
  for (const [kind, what, object, ...expected] of rows)
    for (const on of ['create', 'update'] as const)
      it(`${kind}, on ${on}: ${what}`, () => assert.deepEqual(warningsOf(kind, object, on), expected))

  it('EndpointSlice: names instead of addresses, when it is created', () => {
    const named = { addressType: 'FQDN', endpoints: [{ addresses: ['010.0.0.1'] }] }
    const deprecated = ['spec.addressType: FQDN endpoints are deprecated']
    assert.deepEqual(warningsOf('discovery.k8s.io/EndpointSlice', named, 'create'), deprecated)
    assert.deepEqual(warningsOf('discovery.k8s.io/EndpointSlice', named, 'update'), [])
  })

  it('CronJob: a time zone in the schedule, which older ones may have', () => {
    const object = { metadata: { name: 'x' }, spec: { schedule: 'TZ=UTC * * * * *', jobTemplate: {} } }
    assert.deepEqual(warningsOf('batch/CronJob', object, 'update'), [
      'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
    ])
  })
})
