import assert from 'node:assert/strict'
import { warningsOf as warnings } from '../../../support/kindrun.ts'

const warningsOf = (group: string, kind: string, object: object, old?: object): string[] =>
  warnings({ group, kind }, object, old)

const port = (more: object): object => ({ containerPort: 80, protocol: 'TCP', ...more })
const twoPorts = (...ports: object[]): object => ({ containers: [{ name: 'c', ports }] })
const arch = 'beta.kubernetes.io/arch'
const archText = 'deprecated since v1.14; use "kubernetes.io/arch" instead'
const zone = 'failure-domain.beta.kubernetes.io/zone'
const zoneText = 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'
const nothingMatches = 'a null labelSelector results in matching no pod'
const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

describe('warnings about pods', () => {
  const rows: Readonly<Record<string, readonly [spec: object, ...expected: string[]]>> = {
    'nothing odd': [{ containers: [{ name: 'c', env: [{ name: 'A' }, { name: 'B' }], ports: [port({})] }] }],
    'labels of nodes in a selector': [
      { nodeSelector: { [arch]: 'x', other: 'y' } },
      `spec.nodeSelector[${arch}]: ${archText}`,
    ],
    'labels of nodes in affinity': [
      {
        affinity: {
          nodeAffinity: {
            [required]: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a' }, { key: arch }] }] },
            [preferred]: [{ preference: { matchExpressions: [{ key: zone }] } }],
          },
        },
      },
      `spec.affinity.nodeAffinity.${required}.nodeSelectorTerms[0].matchExpressions[1].key: ${arch} is ${archText}`,
      `spec.affinity.nodeAffinity.${preferred}[0].preference.matchExpressions[0].key: ${zone} is ${zoneText}`,
    ],
    'a spread over a deprecated label of nothing': [
      { topologySpreadConstraints: [{ topologyKey: zone }] },
      `spec.topologySpreadConstraints[0].topologyKey: ${zone} is ${zoneText}`,
      `spec.topologySpreadConstraints[0].labelSelector: ${nothingMatches}`,
    ],
    'affinity to no pod': [
      {
        affinity: {
          podAffinity: { [required]: [{ labelSelector: {} }, {}] },
          podAntiAffinity: { [preferred]: [{ podAffinityTerm: {} }] },
        },
      },
      `spec.affinity.podAffinity.${required}[1].labelSelector: ${nothingMatches}`,
      `spec.affinity.podAntiAffinity.${preferred}[0].podAffinityTerm.labelSelector: ${nothingMatches}`,
    ],
    'volumes that are gone': [
      { volumes: [{ name: 'a', gitRepo: {} }, { name: 'b', storageos: {} }, { name: 'c', rbd: {} }, { name: 'd' }] },
      'spec.volumes[0].gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
      'spec.volumes[1].storageOS: deprecated in v1.22, non-functional in v1.25+',
      'spec.volumes[2].rbd: deprecated in v1.28, non-functional in v1.31+',
    ],
    'files at one path': [
      {
        volumes: [
          {
            name: 'a',
            configMap: {
              name: 'm',
              items: [{ path: 'x' }, { path: 'y/z' }, { path: 'x/w/' }, { path: 'y' }, { path: 'xx' }],
            },
          },
          { name: 'b', secret: { secretName: 's', items: [{ path: 'x' }, { path: 'x' }] } },
          { name: 'c', downwardAPI: { items: [{ path: 'x/y' }, { path: 'x' }] } },
          { name: 'd', emptyDir: {} },
        ],
      },
      'volume "a" (ConfigMap "m"): overlapping paths: "x/w" with "x"',
      'volume "a" (ConfigMap "m"): overlapping paths: "y" with "y/z"',
      'volume "b" (Secret "s"): overlapping paths: "x" with "x"',
      'volume "c" (DownwardAPI): overlapping paths: "x" with "x/y"',
    ],
    'files at one path of several sources': [
      {
        volumes: [
          {
            name: 'p',
            projected: {
              sources: [
                { serviceAccountToken: { path: 'token' } },
                { configMap: { name: 'm', items: [{ path: 'ca.crt' }, { path: 'a/b' }] } },
                { configMap: { name: 'all' } },
                {},
                { secret: { name: 's', items: [{ path: 'a' }] } },
                { downwardAPI: { items: [{ path: 'token' }] } },
                { clusterTrustBundle: { signerName: 'x/y', path: 'ca.crt' } },
              ],
            },
          },
        ],
      },
      'volume "p" (Projected) has no sources provided',
      'volume "p" (Projected Secret "s"): overlapping paths: "a/b" with "a"',
      'volume "p" (Projected DownwardAPI): overlapping paths: "token" with "token"',
      'volume "p" (Projected ClusterTrustBundle "x/y"): overlapping paths: "ca.crt" with "ca.crt"',
    ],
    'addresses of other forms': [
      { dnsConfig: { nameservers: ['10.0.0.1', '010.0.0.1'] }, hostAliases: [{ ip: 'FD00::1' }] },
      'spec.dnsConfig.nameservers[1]: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
      'spec.hostAliases[0].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
    ],
    'fractions of bytes': [
      {
        volumes: [
          {
            name: 'v',
            ephemeral: { volumeClaimTemplate: { spec: { resources: { requests: { storage: '200m' } } } } },
          },
        ],
        containers: [
          { name: 'c', resources: { limits: { memory: '4m', cpu: '4m' }, requests: { memory: '4000m' } } },
          { name: 'd', resources: { requests: { 'ephemeral-storage': '1m', memory: '4M' } } },
        ],
        overhead: { memory: '1m' },
      },
      'spec.volumes[0].ephemeral.volumeClaimTemplate.spec.resources.requests[storage]: fractional byte value "200m" is invalid, must be an integer',
      'spec.containers[0].resources.limits[memory]: fractional byte value "4m" is invalid, must be an integer',
      'spec.containers[1].resources.requests[ephemeral-storage]: fractional byte value "1m" is invalid, must be an integer',
      'spec.overhead[memory]: fractional byte value "1m" is invalid, must be an integer',
    ],
    'things named twice': [
      { hostAliases: [{ ip: '1.1.1.1' }, { ip: '1.1.1.1' }], imagePullSecrets: [{ name: 'a' }, {}, { name: 'a' }] },
      'spec.hostAliases[1].ip: duplicate ip "1.1.1.1"',
      'spec.imagePullSecrets[1].name: invalid empty name ""',
      'spec.imagePullSecrets[2].name: duplicate name "a"',
    ],
    'a variable that hides another': [
      {
        initContainers: [
          {
            name: 'i',
            env: [
              { name: 'a', value: '1' },
              { name: 'a', value: '2' },
              { name: 'a', value: '$(a)' },
              { name: 'a', value: '$(a):more' },
              { name: 'constructor', value: '1' },
            ],
          },
        ],
      },
      'spec.initContainers[0].env[1]: hides previous definition of "a", which may be dropped when using apply',
      'spec.initContainers[0].env[2]: hides previous definition of "a", which may be dropped when using apply',
    ],
    'a port twice': [
      twoPorts(port({}), port({})),
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
    ],
    'a port by two protocols, and on two ports of the host': [
      twoPorts(port({}), port({ protocol: 'UDP', hostPort: 1 }), port({ protocol: 'UDP', hostPort: 2 })),
    ],
    'a port with and without one of the host': [
      twoPorts(port({ hostPort: 80 }), port({ hostIP: '10.0.0.1' })),
      'spec.containers[0].ports[1]: overlapping port definition with spec.containers[0].ports[0]',
      'spec.containers[0].ports[1]: hostIP set without hostPort: {Name: HostPort:0 ContainerPort:80 Protocol:TCP HostIP:10.0.0.1}',
    ],
    'a port of the host on all its addresses and on one': [
      twoPorts(port({ hostPort: 80 }), port({ hostPort: 80, hostIP: '10.0.0.1' })),
      'spec.containers[0].ports[1]: dangerously ambiguous port definition with spec.containers[0].ports[0]',
    ],
    'the name of a port in two containers': [
      {
        initContainers: [{ name: 'i', restartPolicy: 'Always', ports: [port({ name: 'web' })] }],
        containers: [{ name: 'c', ports: [port({ containerPort: 81, name: 'web' })] }],
      },
      'spec.containers[0].ports[0]: duplicate port name "web" with spec.initContainers[0].ports[0], services and probes that select ports by name will use spec.initContainers[0].ports[0]',
    ],
    'a grace period below 0': [
      { terminationGracePeriodSeconds: -1 },
      'spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ],
  }
  for (const [title, [spec, ...expected]] of Object.entries(rows))
    it(`name ${title}`, () => {
      assert.deepEqual(warningsOf('', 'Pod', { metadata: { name: 'p' }, spec }), expected)
    })

  const annotations = {
    'scheduler.alpha.kubernetes.io/critical-pod': '',
    'seccomp.security.alpha.kubernetes.io/pod': 'x',
    'container.seccomp.security.alpha.kubernetes.io/c': 'x',
    'container.apparmor.security.beta.kubernetes.io/c': 'x',
    'security.alpha.kubernetes.io/sysctls': 'x',
  }
  it('name annotations without an effect, unless the field is set, too', () => {
    const named = (spec: object): string[] =>
      warningsOf('', 'Pod', { metadata: { name: 'p', annotations }, spec }).map((text) => text.split(/[[\]]/)[1] ?? '')
    const profile = { seccompProfile: { type: 'Unconfined' } }
    const dead = ['scheduler.alpha.kubernetes.io/critical-pod', 'security.alpha.kubernetes.io/sysctls']
    assert.deepEqual(named({ containers: [{ name: 'c' }] }), [
      ...dead,
      'seccomp.security.alpha.kubernetes.io/pod',
      'container.seccomp.security.alpha.kubernetes.io/c',
    ])
    assert.deepEqual(named({ securityContext: profile, containers: [{ name: 'c', securityContext: profile }] }), dead)
  })

  it('name the path of templates, and are made again only when the spec changes', () => {
    const spec = { volumes: [{ name: 'v', rbd: {} }], containers: [{ name: 'c' }] }
    const template = {
      metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/c': 'x' } },
      spec,
    }
    const lines = (prefix: string): string[] => [
      `${prefix}metadata.annotations[container.apparmor.security.beta.kubernetes.io/c]: deprecated since v1.30; use the "appArmorProfile" field instead`,
      `${prefix}spec.volumes[0].rbd: deprecated in v1.28, non-functional in v1.31+`,
    ]
    const workload = (generation: number): object => ({ metadata: { name: 'w', generation }, spec: { template } })
    for (const [group, kind] of [
      ['apps', 'Deployment'],
      ['apps', 'ReplicaSet'],
      ['apps', 'StatefulSet'],
      ['apps', 'DaemonSet'],
      ['batch', 'Job'],
      ['', 'ReplicationController'],
    ] as const) {
      assert.deepEqual(warningsOf(group, kind, workload(1)), lines('spec.template.'), kind)
      assert.deepEqual(warningsOf(group, kind, workload(2), workload(1)), lines('spec.template.'), kind)
      assert.deepEqual(warningsOf(group, kind, workload(1), workload(1)), [], kind)
    }
    const cronJob = { metadata: { name: 'w' }, spec: { jobTemplate: { spec: { template } } } }
    assert.deepEqual(warningsOf('batch', 'CronJob', cronJob), lines('spec.jobTemplate.spec.template.'))
    assert.deepEqual(warningsOf('', 'PodTemplate', { metadata: { name: 'w' }, template }), lines('template.'))
  })

  it('name names that are no valid host names', () => {
    const metadata = { name: 'a.b' }
    const text = 'which can result in surprising behavior; a DNS label is recommended: [must not contain dots]'
    assert.deepEqual(warningsOf('', 'Pod', { metadata, spec: {} }), [
      `metadata.name: this is used in the Pod's hostname, ${text}`,
    ])
    assert.deepEqual(warningsOf('apps', 'Deployment', { metadata, spec: { template: { spec: {} } } }), [
      `metadata.name: this is used in Pod names and hostnames, ${text}`,
    ])
  })

  it('check as many ports as a pod may have in no time, and stop', () => {
    const ports = Array.from({ length: 50_000 }, () => port({}))
    const count = warningsOf('', 'Pod', { metadata: { name: 'p' }, spec: twoPorts(...ports) }).length
    assert.equal(count, (200 * 199) / 2)
  })
})
