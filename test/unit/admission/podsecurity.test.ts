import assert from 'node:assert/strict'
import type * as core from '../../../api/gen/core/v1.ts'
import {
  type AdmissionPlugin,
  createPodSecurity,
  type PodSecuritySettings,
  parseLevel,
  parseVersion,
  type Standard,
} from '../../../lib/admission/index.ts'
import { createFakeClock, silentMetrics } from '../../../lib/base/index.ts'
import { createMetrics } from '../../../lib/observe/index.ts'
import { type Admitted, admit, make } from '../../support/admissionkit.ts'

const label = 'pod-security.kubernetes.io/'
const privileged: Standard = { level: 'privileged', version: 'latest' }
const nothing: PodSecuritySettings = {
  defaults: { enforce: privileged, audit: privileged, warn: privileged },
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
}

interface Options {
  readonly labels?: Record<string, string>
  readonly settings?: PodSecuritySettings
  readonly pods?: readonly core.Pod[]
}

function pluginFor({ labels = {}, settings = nothing, pods = [] }: Options, metrics = silentMetrics): AdmissionPlugin {
  const own = Object.fromEntries(Object.entries(labels).map(([key, value]) => [label + key, value]))
  const namespace = make('Namespace', {}, { labels: own }) as core.Namespace
  return createPodSecurity(
    { clock: createFakeClock(), metrics, cached: () => namespace, live: async () => namespace, pods: async () => pods },
    { ...settings, newestMinor: 33 },
  )
}

/** A container that nothing forbids. */
const safe = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
}
const container = (securityContext: object | undefined, more: object = {}) => ({
  name: 'c',
  image: 'i',
  ...(securityContext && { securityContext }),
  ...more,
})
/** A pod of one container with this in its security context, beside what nothing forbids. */
const one = (securityContext: object = {}, more: object = {}) => ({
  containers: [container({ ...safe, ...securityContext })],
  ...more,
})
const two = (...contexts: object[]) => ({
  containers: contexts.map((context, index) => ({ ...container({ ...safe, ...context }), name: 'ab'.charAt(index) })),
})

/** Expected: the text after `violates PodSecurity "…": `; '' for a pod that is admitted. */
const cases: [standard: string, title: string, spec: object, expected: string, annotations?: object][] = [
  ['privileged', 'anything', { hostNetwork: true, containers: [container({ privileged: true })] }, ''],
  ['baseline', 'an ordinary pod', { containers: [container(undefined)] }, ''],
  ['restricted', 'a safe pod', one(), ''],
  [
    'baseline',
    'host namespaces',
    one({}, { hostPID: true, hostNetwork: true, hostIPC: true }),
    'host namespaces (hostIPC=true, hostNetwork=true, hostPID=true)',
  ],
  [
    'baseline',
    'a privileged container',
    one({ privileged: true }),
    'privileged (container "c" must not set securityContext.privileged=true)',
  ],
  [
    'baseline',
    'a privileged init container',
    { containers: [], initContainers: [container({ privileged: true })] },
    'privileged (container "c" must not set securityContext.privileged=true)',
  ],
  [
    'baseline',
    'a privileged ephemeral container',
    { containers: [], ephemeralContainers: [container({ privileged: true })] },
    'privileged (container "c" must not set securityContext.privileged=true)',
  ],
  [
    'baseline',
    'capabilities beyond the usual',
    two({ capabilities: { add: ['NET_RAW', 'CHOWN'] } }, { capabilities: { add: ['BPF'] } }),
    'non-default capabilities (containers "a", "b" must not include "BPF", "NET_RAW" in securityContext.capabilities.add)',
  ],
  [
    'baseline',
    'volumes of the host',
    one({}, { volumes: [{ name: 'v', hostPath: { path: '/' } }] }),
    'hostPath volumes (volume "v")',
  ],
  [
    'baseline',
    'ports of the host',
    { containers: [container(safe, { ports: [{ hostPort: 80 }, { hostPort: 443 }, { hostPort: 0 }] })] },
    'hostPort (container "c" uses hostPorts 443, 80)',
  ],
  [
    'baseline',
    'another proc mount',
    one({ procMount: 'Unmasked' }),
    'procMount (container "c" must not set securityContext.procMount to "Unmasked")',
  ],
  ['baseline', 'the usual proc mount', one({ procMount: 'Default' }), ''],
  [
    'baseline',
    'a type of SELinux',
    one({ seLinuxOptions: { type: 'spc_t', user: 'u', role: 'r' } }),
    'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)',
  ],
  [
    'baseline:v1.30',
    'a type of SELinux that came later',
    one({ seLinuxOptions: { type: 'container_engine_t' } }),
    'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
  ],
  ['baseline:v1.31', 'a type of SELinux that has come', one({ seLinuxOptions: { type: 'container_engine_t' } }), ''],
  [
    'baseline',
    'no seccomp profile',
    {
      securityContext: { seccompProfile: { type: 'Unconfined' } },
      containers: [container({ seccompProfile: { type: 'Unconfined' } })],
    },
    'seccompProfile (pod and container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  ],
  [
    'baseline:v1.18',
    'seccomp of the time before its field',
    one({ seccompProfile: { type: 'Unconfined' } }),
    'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
    { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' },
  ],
  [
    'baseline',
    'AppArmor switched off',
    { securityContext: { appArmorProfile: { type: 'Unconfined' } }, containers: [container(safe)] },
    'forbidden AppArmor profile (pod must not set AppArmor profile type to "Unconfined")',
  ],
  [
    'baseline',
    'AppArmor switched off by an annotation',
    one(),
    'forbidden AppArmor profile (annotation must not set AppArmor profile type to "container.apparmor.security.beta.kubernetes.io/c="unconfined"")',
    { 'container.apparmor.security.beta.kubernetes.io/c': 'unconfined' },
  ],
  [
    'baseline',
    'AppArmor confined by an annotation',
    one(),
    '',
    { 'container.apparmor.security.beta.kubernetes.io/c': 'localhost/x' },
  ],
  [
    'baseline',
    'system settings',
    one({}, { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }, { name: 'kernel.msgmax' }] } }),
    'forbidden sysctls (kernel.msgmax)',
  ],
  [
    'baseline:v1.31',
    'system settings that were allowed later',
    one({}, { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }] } }),
    'forbidden sysctls (net.ipv4.tcp_rmem)',
  ],
  [
    'baseline:v1.99',
    'a release to come, as the newest',
    one({}, { securityContext: { sysctls: [{ name: 'net.ipv4.tcp_rmem' }] } }),
    '',
  ],
  [
    'baseline',
    'a process of a Windows host',
    one({ windowsOptions: { hostProcess: true } }, { securityContext: { windowsOptions: { hostProcess: true } } }),
    'hostProcess (pod and container "c" must not set securityContext.windowsOptions.hostProcess=true)',
  ],
  [
    'restricted',
    'escalation that is not ruled out',
    one({ allowPrivilegeEscalation: undefined }),
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  ],
  [
    'restricted',
    'escalation on Windows',
    one(
      { allowPrivilegeEscalation: undefined, capabilities: undefined, seccompProfile: undefined },
      { os: { name: 'windows' } },
    ),
    '',
  ],
  [
    'restricted:v1.24',
    'escalation on Windows, before that was told apart',
    one({ allowPrivilegeEscalation: undefined }, { os: { name: 'windows' } }),
    'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  ],
  [
    'restricted',
    'capabilities that are kept and added',
    one({ capabilities: { add: ['CHOWN', 'NET_BIND_SERVICE'] } }),
    'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]; container "c" must not include "CHOWN" in securityContext.capabilities.add)',
  ],
  [
    'restricted',
    'capabilities beyond baseline, told once',
    one({ capabilities: { drop: ['ALL'], add: ['BPF'] } }),
    'unrestricted capabilities (container "c" must not include "BPF" in securityContext.capabilities.add)',
  ],
  [
    'restricted:v1.21',
    'capabilities, before there was a stricter rule',
    one({ capabilities: { add: ['BPF'] } }),
    'non-default capabilities (container "c" must not include "BPF" in securityContext.capabilities.add)',
  ],
  [
    'restricted',
    'volumes',
    one(
      {},
      {
        volumes: [
          { name: 'v', hostPath: { path: '/' } },
          { name: 'w', nfs: {} },
          { name: 'x', secret: {} },
          { name: 'y', image: {} },
        ],
      },
    ),
    'restricted volume types (volumes "v", "w" use restricted volume types "hostPath", "nfs")',
  ],
  [
    'restricted',
    'root',
    one({ runAsNonRoot: false }, { securityContext: { runAsNonRoot: true } }),
    'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
  ],
  [
    'restricted',
    'who knows whom',
    one({ runAsNonRoot: undefined }),
    'runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true)',
  ],
  [
    'restricted',
    'nobody, as the pod says',
    one({ runAsNonRoot: undefined }, { securityContext: { runAsNonRoot: true } }),
    '',
  ],
  [
    'restricted',
    'user 0',
    one({ runAsUser: 0 }, { securityContext: { runAsUser: 0 } }),
    'runAsUser=0 (pod and container "c" must not set runAsUser=0)',
  ],
  ['restricted:v1.22', 'user 0, before that was looked at', one({ runAsUser: 0 }), ''],
  [
    'restricted',
    'seccomp that nobody set',
    one({ seccompProfile: undefined }),
    'seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
  [
    'restricted',
    'all of it, in its order',
    { hostNetwork: true, containers: [container(undefined)] },
    'host namespaces (hostNetwork=true), allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false), unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"]), runAsNonRoot != true (pod or container "c" must set securityContext.runAsNonRoot=true), seccompProfile (pod or container "c" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
  ],
]

describe('PodSecurity', () => {
  describe('enforces', () => {
    for (const [standard, title, spec, expected, annotations] of cases)
      it(`${standard}: ${expected === '' ? 'lets pass' : 'refuses'} ${title}`, async () => {
        const [enforce = '', version = 'latest'] = standard.split(':')
        const plugin = pluginFor({ labels: { enforce, 'enforce-version': version } })
        const admitted = admit(plugin, 'pods', make('Pod', spec, { annotations }))
        if (expected === '') await admitted
        else
          await assert.rejects(admitted, {
            code: 403,
            message: `pods "x" is forbidden: violates PodSecurity "${enforce}:${version}": ${expected}`,
          })
      })
  })

  const bad = () => make('Pod', { hostNetwork: true, containers: [container(safe)] })
  const violation = 'violate PodSecurity "baseline:latest": host namespaces (hostNetwork=true)'

  it('warns and writes audit annotations without refusing where labels demand it', async () => {
    const seen = { warnings: [] as string[], annotations: {} as Record<string, string> }
    await admit(pluginFor({ labels: { warn: 'baseline', audit: 'baseline' } }), 'pods', bad(), seen)
    assert.deepEqual(seen, {
      warnings: [`would ${violation}`],
      annotations: {
        [`${label}enforce-policy`]: 'privileged:latest',
        [`${label}audit-violations`]: `would ${violation}`,
      },
    })
  })

  it('writes audit annotations for refusals, without a warning', async () => {
    const seen = { warnings: [] as string[], annotations: {} as Record<string, string> }
    const labels = { enforce: 'baseline', warn: 'restricted', audit: 'baseline' }
    await assert.rejects(admit(pluginFor({ labels }), 'pods', bad(), seen), { code: 403 })
    assert.deepEqual(seen.warnings, [])
    assert.equal(seen.annotations[`${label}audit-violations`], `would ${violation}`)
  })

  describe('of what makes pods', () => {
    const template = { spec: { hostNetwork: true, containers: [container(safe)] } }
    for (const [on, object] of [
      ['deployments.apps', make('Deployment', { template })],
      ['replicasets.apps', make('ReplicaSet', { template })],
      ['statefulsets.apps', make('StatefulSet', { template })],
      ['daemonsets.apps', make('DaemonSet', { template })],
      ['replicationcontrollers', make('ReplicationController', { template })],
      ['jobs.batch', make('Job', { template })],
      ['cronjobs.batch', make('CronJob', { jobTemplate: { spec: { template } } })],
      ['podtemplates', { ...make('PodTemplate', {}), template }],
    ] as const)
      it(`warns for ${on}, and refuses nothing`, async () => {
        const warnings: string[] = []
        await admit(pluginFor({ labels: { warn: 'baseline', enforce: 'baseline' } }), on, object as never, { warnings })
        assert.deepEqual(warnings, [`would ${violation}`])
      })
  })

  describe('of a pod that is there', () => {
    const update = (object: ReturnType<typeof bad>, subresource = '') =>
      admit(pluginFor({ labels: { enforce: 'baseline' } }), 'pods', object, {
        operation: 'UPDATE',
        subresource,
        oldObject: bad(),
      })
    it('allows changes that the standards do not concern', async () => {
      await update({ ...bad(), metadata: { ...bad().metadata, labels: { a: 'b' } } })
    })
    for (const [title, change] of [
      ['another image', { containers: [{ ...container(safe), image: 'other' }] }],
      ['an ephemeral container', { ephemeralContainers: [container(safe)] }],
    ] as const)
      it(`checks again after ${title}`, () =>
        assert.rejects(update(make('Pod', { ...(bad()['spec'] as object), ...change })), { code: 403 }))
    it('does not check its status', async () => {
      await update(make('Pod', { hostPID: true, containers: [] }), 'status')
    })
  })

  describe('exempts', () => {
    const labels = { enforce: 'baseline' }
    for (const [by, exemptions] of [
      ['namespace', { namespaces: ['ns'] }],
      ['user', { usernames: ['u'] }],
      ['runtimeClass', { runtimeClasses: ['sandbox'] }],
    ] as const)
      it(`a pod is exempt by ${by}, and the audit event has the exemption`, async () => {
        const annotations: Record<string, string> = {}
        const settings = { ...nothing, exemptions: { ...nothing.exemptions, ...exemptions } }
        const pod = make('Pod', { ...(bad()['spec'] as object), runtimeClassName: 'sandbox' })
        await admit(pluginFor({ labels, settings }), 'pods', pod, { annotations })
        assert.equal(annotations[`${label}exempt`], by)
      })
  })

  it('uses the operator’s defaults for namespaces without labels', async () => {
    const baseline: Standard = { level: 'baseline', version: 'latest' }
    const settings = { ...nothing, defaults: { ...nothing.defaults, enforce: baseline } }
    await assert.rejects(admit(pluginFor({ settings }), 'pods', bad()), { code: 403 })
    await admit(pluginFor({ settings, labels: { enforce: 'privileged' } }), 'pods', bad())
  })

  it('enforces restricted where labels can not be read', () =>
    assert.rejects(
      admit(pluginFor({ labels: { enforce: 'strict' } }), 'pods', bad()),
      /violates PodSecurity "restricted:latest"/,
    ))

  describe('of namespaces', () => {
    const namespace = (labels: Record<string, string>) =>
      make(
        'Namespace',
        {},
        { labels: Object.fromEntries(Object.entries(labels).map(([key, value]) => [label + key, value])) },
      )
    const write = (labels: Record<string, string>, more: Admitted = {}, pods: readonly core.Pod[] = []) =>
      admit(pluginFor({ pods }), 'namespaces', namespace(labels), more)

    for (const [key, value, why] of [
      ['enforce', 'strict', 'must be one of privileged, baseline, restricted'],
      ['warn-version', '1.30', 'must be "latest" or "v1.x"'],
      ['audit-version', 'v1.030', 'must be "latest" or "v1.x"'],
    ] as const)
      it(`refuses ${key}=${value}`, async () => {
        const message = `Namespace "x" is invalid: metadata.labels[${label}${key}]: Invalid value: "${value}": ${why}`
        await assert.rejects(write({ [key]: value }), { code: 422, message })
        const operation = 'UPDATE'
        await assert.rejects(write({ [key]: value }, { operation, oldObject: namespace({}) }), { code: 422, message })
        await write({ [key]: value }, { operation, oldObject: namespace({ [key]: value }) })
      })

    const pod = (name: string, spec: object, metadata: object = {}): core.Pod =>
      make('Pod', { containers: [container(undefined)], ...spec }, { name, ...metadata }) as core.Pod
    it('warns of pods that violate the level to be enforced', async () => {
      const warnings: string[] = []
      const pods = [
        pod('d', { hostPID: true }),
        pod('c', { hostNetwork: true }),
        pod('b', { hostNetwork: true }),
        pod('a', {}),
        pod('e', { hostNetwork: true, containers: [container({ privileged: true })] }),
      ]
      await write({ enforce: 'baseline' }, { operation: 'UPDATE', oldObject: namespace({}), warnings }, pods)
      assert.deepEqual(warnings, [
        'existing pods in namespace "x" violate the new PodSecurity enforce level "baseline:latest"',
        'b (and 2 other pods): host namespaces',
        'e: host namespaces, privileged',
      ])
    })
    it('warns of no pods where the level becomes no stricter', async () => {
      const warnings: string[] = []
      const oldObject = namespace({ enforce: 'restricted' })
      await write({ enforce: 'baseline' }, { operation: 'UPDATE', oldObject, warnings }, [pod('a', { hostPID: true })])
      assert.deepEqual(warnings, [])
    })
    it('checks a limited number of pods, one of each controller first', async () => {
      const warnings: string[] = []
      const owned = (index: number) => pod(`p${index}`, {}, { ownerReferences: [{ uid: 'u', controller: true }] })
      const pods = [...Array.from({ length: 3000 }, (_, index) => owned(index)), pod('last', { hostPID: true })]
      await write({ enforce: 'baseline' }, { operation: 'UPDATE', oldObject: namespace({}), warnings }, pods)
      assert.deepEqual(warnings, [
        'new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods',
        'existing pods in namespace "x" violate the new PodSecurity enforce level "baseline:latest"',
        'last: host namespaces',
      ])
    })
  })

  it('reads a namespace that the cache does not show from the store', async () => {
    const labels = { [`${label}enforce`]: 'baseline' }
    const found = make('Namespace', {}, { labels }) as core.Namespace
    const pluginWith = (namespace: core.Namespace | undefined) =>
      createPodSecurity(
        {
          clock: createFakeClock(),
          metrics: silentMetrics,
          cached: () => undefined,
          live: async () => namespace,
          pods: async () => [],
        },
        { ...nothing, newestMinor: 33 },
      )
    await assert.rejects(admit(pluginWith(found), 'pods', bad()), { code: 403 })
    await assert.rejects(admit(pluginWith(undefined), 'pods', bad()), { code: 500 })
  })

  it('counts evaluations, exemptions and errors', async () => {
    const metrics = createMetrics()
    const plugin = pluginFor({ labels: { enforce: 'baseline', 'enforce-version': 'v1.99' } }, metrics)
    await assert.rejects(admit(plugin, 'pods', bad()))
    const { body: text } = await metrics.exposition()
    assert.match(
      text,
      /pod_security_evaluations_total\{decision="deny",mode="enforce",policy_level="baseline",policy_version="future",request_operation="create",resource="pod",subresource=""\} 1/,
    )
  })

  it('reads levels and versions', () => {
    assert.deepEqual(['baseline', 'Baseline', ''].map(parseLevel), ['baseline', undefined, undefined])
    assert.deepEqual(['latest', 'v1.0', 'v1.33', 'v2.0', 'v1', '1.1', 'v1.01'].map(parseVersion), [
      'latest',
      0,
      33,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })
})
