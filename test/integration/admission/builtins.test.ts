import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { adminToken, scratchFolder } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { type Answer, ask } from '../../support/plane.ts'
import { createSigningRequest } from '../../support/signingrequest.ts'

const core = '/api/v1'
const apis = '/apis'
const home = `${core}/namespaces/default`

describe('built-in admission plugins of a whole server', function () {
  this.timeout(120_000)
  const folder = scratchFolder('admission')
  let server: Apiserver
  before(async () => {
    const flags = [
      '--authorization-mode=RBAC',
      '--default-not-ready-toleration-seconds=17',
      '--default-unreachable-toleration-seconds=18',
    ]
    server = await startComposed(folder.path, flags)
    await create(`${home}/serviceaccounts`, { metadata: { name: 'default' } })
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  type Options = Omit<NonNullable<Parameters<typeof ask>[2]>, 'token'> & { as?: string }
  const call = (path: string, { as, headers, ...options }: Options = {}): Promise<Answer> =>
    ask(server.url, path, {
      ...options,
      token: adminToken,
      headers: { ...headers, ...(as && { 'impersonate-user': as }) },
    })
  async function create(path: string, body: object, as?: string): Promise<Answer['body']> {
    const { status, text, body: answer } = await call(path, { body, ...(as === undefined ? {} : { as }) })
    assert.equal(status, 201, text)
    return answer
  }
  async function refused(path: string, body: object, message: string | RegExp, options: Options = {}): Promise<void> {
    const { status, body: answer } = await call(path, { body, ...options })
    assert.equal(status, 403, JSON.stringify(answer))
    if (typeof message === 'string') assert.equal(answer.message, message)
    else assert.match(answer.message, message)
  }
  const pod = (name: string, spec: object = {}) => ({
    metadata: { name },
    spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
  })
  const merge = { 'content-type': 'application/merge-patch+json' }

  it('ServiceAccount refuses a pod until its account exists, then completes it', async () => {
    const wanted = pod('p', { serviceAccountName: 'a' })
    await refused(`${home}/pods`, wanted, /default\/a: serviceaccount "a" not found$/)
    await create(`${home}/serviceaccounts`, { metadata: { name: 'a' } })
    const { spec } = await create(`${home}/pods`, wanted)
    assert.match(spec.volumes[0].name, /^kube-api-access-/)
    assert.equal(spec.priority, 0)
  })

  it('DefaultTolerationSeconds uses the seconds of the flags', async () => {
    const { spec } = await create(`${home}/pods`, pod('tolerant'))
    const seconds = spec.tolerations.map((each: { tolerationSeconds: number }) => each.tolerationSeconds)
    assert.deepEqual(seconds, [17, 18])
  })

  it('LimitRanger completes and refuses pods and claims of the namespace that has ranges', async () => {
    await create(`${core}/namespaces`, { metadata: { name: 'limited' } })
    const limited = `${core}/namespaces/limited`
    await create(`${limited}/serviceaccounts`, { metadata: { name: 'default' } })
    const limits = [
      { type: 'Container', default: { cpu: '200m' }, max: { cpu: '1' } },
      { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
    ]
    await create(`${limited}/limitranges`, { metadata: { name: 'r' }, spec: { limits } })
    const { spec, metadata } = await create(`${limited}/pods`, pod('p'))
    assert.deepEqual(spec.containers[0].resources, { limits: { cpu: '200m' }, requests: { cpu: '200m' } })
    assert.match(metadata.annotations['kubernetes.io/limit-ranger'], /^LimitRanger plugin set: cpu request for/)
    const large = { name: 'c', image: 'i', resources: { limits: { cpu: '2' } } }
    await refused(
      `${limited}/pods`,
      pod('q', { containers: [large] }),
      'pods "q" is forbidden: maximum cpu usage per Container is 1, but limit is 2',
    )
    await create(`${home}/pods`, pod('elsewhere', { containers: [large] }))
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } }
    await refused(
      `${limited}/persistentvolumeclaims`,
      { metadata: { name: 'c' }, spec: claim },
      'persistentvolumeclaims "c" is forbidden: maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi',
    )
  })

  it('DefaultStorageClass and PersistentVolumeClaimResize decide by the storage classes', async () => {
    const classes = `${apis}/storage.k8s.io/v1/storageclasses`
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' }
    await create(classes, { metadata: { name: 'usual', annotations }, provisioner: 'example.com/p' })
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
    const claim = await create(`${home}/persistentvolumeclaims`, { metadata: { name: 'c' }, spec })
    assert.equal(claim.spec.storageClassName, 'usual')
    const path = `${home}/persistentvolumeclaims/c`
    const grow = { spec: { resources: { requests: { storage: '2Gi' } } } }
    await call(path, { method: 'PATCH', headers: merge, body: { spec: { volumeName: 'v' } } })
    const bound = { status: { phase: 'Bound', capacity: { storage: '1Gi' } } }
    assert.equal((await call(`${path}/status`, { method: 'PATCH', headers: merge, body: bound })).status, 200)
    await refused(path, grow, /^persistentvolumeclaims "c" is forbidden: only dynamically provisioned pvc can be/, {
      method: 'PATCH',
      headers: merge,
    })
    await call(`${classes}/usual`, { method: 'PATCH', headers: merge, body: { allowVolumeExpansion: true } })
    const grown = await call(path, { method: 'PATCH', headers: merge, body: grow })
    assert.equal(grown.status, 200, grown.text)
  })

  it('DefaultIngressClass gives ingresses their class', async () => {
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' }
    const spec = { controller: 'example.com/c' }
    await create(`${apis}/networking.k8s.io/v1/ingressclasses`, { metadata: { name: 'usual', annotations }, spec })
    const backend = { defaultBackend: { service: { name: 's', port: { number: 80 } } } }
    const path = `${apis}/networking.k8s.io/v1/namespaces/default/ingresses`
    assert.equal((await create(path, { metadata: { name: 'i' }, spec: backend })).spec.ingressClassName, 'usual')
  })

  it('RuntimeClass adds overhead and scheduling, and refuses missing classes', async () => {
    const scheduling = { nodeSelector: { sandbox: 'yes' } }
    const overhead = { podFixed: { cpu: '250m' } }
    const body = { metadata: { name: 'sandbox' }, handler: 'h', overhead, scheduling }
    await create(`${apis}/node.k8s.io/v1/runtimeclasses`, body)
    const { spec } = await create(`${home}/pods`, pod('boxed', { runtimeClassName: 'sandbox' }))
    assert.deepEqual([spec.overhead, spec.nodeSelector], [overhead.podFixed, scheduling.nodeSelector])
    await refused(
      `${home}/pods`,
      pod('unboxed', { runtimeClassName: 'nope' }),
      'pods "unboxed" is forbidden: pod rejected: RuntimeClass "nope" not found',
    )
  })

  it('PodSecurity enforces the labels of the namespace, and warns authors of workloads', async () => {
    const labels = {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/warn': 'baseline',
    }
    await create(`${core}/namespaces`, { metadata: { name: 'secure', labels } })
    const secure = `${core}/namespaces/secure`
    await create(`${secure}/serviceaccounts`, { metadata: { name: 'default' } })
    await refused(
      `${secure}/pods`,
      pod('p', { hostNetwork: true }),
      /^pods "p" is forbidden: violates PodSecurity "restricted:latest": host namespaces \(hostNetwork=true\), allowPriv/,
    )
    const template = {
      metadata: { labels: { a: 'b' } },
      spec: { hostNetwork: true, containers: [{ name: 'c', image: 'i' }] },
    }
    const deployment = { metadata: { name: 'd' }, spec: { selector: { matchLabels: { a: 'b' } }, template } }
    const made = await call(`${apis}/apps/v1/namespaces/secure/deployments`, { body: deployment })
    assert.equal(made.status, 201, made.text)
    assert.equal(
      made.headers['warning'],
      '299 - "would violate PodSecurity \\"baseline:latest\\": host namespaces (hostNetwork=true)"',
    )
    const wrong = { metadata: { name: 'w', labels: { 'pod-security.kubernetes.io/enforce': 'strict' } } }
    assert.equal((await call(`${core}/namespaces`, { body: wrong })).status, 422)
  })

  it('PodSecurity reads its defaults from a file', async () => {
    const file = join(folder.path, 'admission.yaml')
    const own = join(folder.path, 'podsecurity.yaml')
    writeFileSync(
      file,
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: PodSecurity\n  path: podsecurity.yaml\n',
    )
    const head = 'apiVersion: pod-security.admission.config.k8s.io/v1\nkind: PodSecurityConfiguration\n'
    writeFileSync(own, `${head}defaults: {enforce: baseline}\nexemptions: {namespaces: [kube-system]}\n`)
    const strict = await startComposed(folder.path, [`--admission-control-config-file=${file}`])
    try {
      const host = pod('p', { hostPID: true, automountServiceAccountToken: false })
      const send = async (namespace: string) => {
        const path = `${core}/namespaces/${namespace}`
        await ask(strict.url, `${path}/serviceaccounts`, { token: adminToken, body: { metadata: { name: 'default' } } })
        return await ask(strict.url, `${path}/pods`, { token: adminToken, body: host })
      }
      assert.match((await send('default')).body.message, /violates PodSecurity "baseline:latest": host namespaces/)
      assert.equal((await send('kube-system')).status, 201)
    } finally {
      await strict.stop()
    }
    writeFileSync(own, `${head}defaults: {enforce: strict}\n`)
    await assert.rejects(startComposed(folder.path, [`--admission-control-config-file=${file}`]), {
      message:
        '--admission-control-config-file: PodSecurity: defaults.enforce: Invalid value: "strict": must be one of privileged, baseline, restricted',
    })
    writeFileSync(
      file,
      'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins:\n- name: AlwaysDeny\n',
    )
    await assert.rejects(startComposed(folder.path, [`--admission-control-config-file=${file}`]), {
      message: `--admission-control-config-file: ${file}: plugins[0]: settings of "AlwaysDeny" are not read yet`,
    })
  })

  it('plugins read their settings from the file', async () => {
    const file = join(folder.path, 'plugins.yaml')
    const settings = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodNodeSelector
  configuration: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: zone=a } }
- name: EventRateLimit
  configuration:
    apiVersion: eventratelimit.admission.k8s.io/v1alpha1
    kind: Configuration
    limits: [{ type: Namespace, qps: 1, burst: 1 }]
- name: ResourceQuota
  configuration:
    apiVersion: apiserver.config.k8s.io/v1
    kind: ResourceQuotaConfiguration
    limitedResources: [{ resource: pods, matchContains: [pods] }]
`
    writeFileSync(file, settings)
    const limited = await startComposed(folder.path, [
      '--enable-admission-plugins=PodNodeSelector,EventRateLimit',
      '--disable-admission-plugins=ServiceAccount',
      `--admission-control-config-file=${file}`,
    ])
    try {
      const send = (path: string, body: object): Promise<Answer> =>
        ask(limited.url, `${home}/${path}`, { token: adminToken, body })
      const event = { metadata: { generateName: 'e-' }, involvedObject: { namespace: 'default' } }
      assert.equal((await send('events', event)).status, 201)
      const second = await send('events', event)
      assert.deepEqual([second.status, second.body.message], [429, 'limit reached on type Namespace for key default'])
      const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } }
      const refused = await send('pods', pod)
      assert.equal(refused.status, 403)
      assert.match(refused.body.message, /insufficient quota to consume: count\/pods,pods/)
    } finally {
      await limited.stop()
    }
  })

  it('plugins that flags enable run, and others do not', async () => {
    const image = { name: 'p', namespace: 'default' }
    const body = { metadata: image, spec: { containers: [{ name: 'c', image: 'i:1', imagePullPolicy: 'Never' }] } }
    const plain = await create(`${home}/pods`, { ...body, metadata: { name: 'pulled' } })
    assert.equal(plain.spec.containers[0].imagePullPolicy, 'Never')
    const flags = ['--enable-admission-plugins=AlwaysPullImages', '--disable-admission-plugins=ServiceAccount']
    const careful = await startComposed(folder.path, flags)
    try {
      const made = await ask(careful.url, `${home}/pods`, { token: adminToken, body })
      assert.equal(made.body.spec.containers[0].imagePullPolicy, 'Always', made.text)
    } finally {
      await careful.stop()
    }
  })

  it('the plugins that --admission-control names run, and no others', async () => {
    const few = await startComposed(folder.path, ['--admission-control=NamespaceLifecycle,AlwaysPullImages'])
    try {
      const body = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } }
      const { body: made } = await ask(few.url, `${home}/pods`, { token: adminToken, body })
      assert.deepEqual([made.spec.containers[0].imagePullPolicy, made.spec.tolerations], ['Always', undefined])
    } finally {
      await few.stop()
    }
  })

  describe('Priority', () => {
    it('refuses a reserved class name', () =>
      refused(
        `${home}/pods`,
        pod('oddly', { priorityClassName: 'a.b/c' }),
        'pods "oddly" is forbidden: no PriorityClass with name a.b/c was found',
      ))
    it("has the system's classes from the start", async () => {
      const { spec } = await create(`${home}/pods`, pod('critical', { priorityClassName: 'system-node-critical' }))
      assert.deepEqual([spec.priority, spec.preemptionPolicy], [2_000_001_000, 'PreemptLowerPriority'])
    })
    for (const name of ['system-node-critical', 'system-cluster-critical'])
      it(`refuses to delete ${name}`, async () => {
        const path = `${apis}/scheduling.k8s.io/v1/priorityclasses/${name}`
        const { status, body } = await call(path, { method: 'DELETE' })
        assert.equal(status, 403)
        const why = 'this is a system priority class and cannot be deleted'
        assert.equal(body.message, `priorityclasses.scheduling.k8s.io "${name}" is forbidden: ${why}`)
        assert.equal((await call(path)).status, 200)
      })
    it("reports ready once the system's classes exist", async () => {
      const { text } = await call('/readyz?verbose')
      assert.match(text, /^\[\+\]poststarthook\/scheduling\/bootstrap-system-priority-classes ok$/m)
    })
  })

  describe('signing requests', () => {
    const requests = `${apis}/certificates.k8s.io/v1/certificatesigningrequests`
    const rbac = `${apis}/rbac.authorization.k8s.io/v1`
    const signerName = 'kubernetes.io/kube-apiserver-client'
    const body = (name: string, organizations: readonly string[] = []) => {
      const request = Buffer.from(createSigningRequest('eve', organizations).request).toString('base64')
      return { metadata: { name }, spec: { request, signerName, usages: ['client auth'] } }
    }
    const grant = async (user: string, ...rules: object[]): Promise<void> => {
      await create(`${rbac}/clusterroles`, { metadata: { name: user }, rules })
      const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user }
      const subjects = [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: user }]
      await create(`${rbac}/clusterrolebindings`, { metadata: { name: user }, roleRef, subjects })
    }
    const group = ['certificates.k8s.io']
    const parts = ['certificatesigningrequests/approval', 'certificatesigningrequests/status']
    const write = { apiGroups: group, resources: parts, verbs: ['patch'] }
    const signers = (verbs: string[], name: string) => ({
      apiGroups: group,
      resources: ['signers'],
      resourceNames: [name],
      verbs,
    })
    before(async () => {
      await grant('nobody-special', write)
      await grant('approver', write, signers(['approve'], signerName))
      await grant('signer', write, signers(['sign'], 'kubernetes.io/*'))
      await create(requests, body('r'))
    })
    const patch = (part: string, status: object, as: string) =>
      call(`${requests}/r/${part}`, { method: 'PATCH', headers: merge, body: { status }, as })
    const approved = { conditions: [{ type: 'Approved', status: 'True', reason: 'r', message: 'm' }] }
    const failed = { conditions: [...approved.conditions, { type: 'Failed', status: 'True', reason: 'r' }] }

    it('CertificateSubjectRestriction refuses requests for system:masters', () =>
      refused(
        requests,
        body('m', ['system:masters']),
        `certificatesigningrequests.certificates.k8s.io "m" is forbidden: use of ${signerName} signer with system:masters group is not allowed`,
      ))
    for (const [part, status, verb, allowed] of [
      ['approval', approved, 'approve', 'approver'],
      ['status', failed, 'sign', 'signer'],
    ] as const)
      it(`a request to ${verb} needs the permission for the signer, too`, async () => {
        for (const user of ['nobody-special', allowed === 'signer' ? 'approver' : 'signer']) {
          const answer = await patch(part, status, user)
          assert.equal(answer.status, 403, answer.text)
          assert.equal(
            answer.body.message,
            `certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to ${verb} requests with signerName "${signerName}"`,
          )
        }
        const done = await patch(part, status, allowed)
        assert.equal(done.status, 200, done.text)
      })
  })
})
