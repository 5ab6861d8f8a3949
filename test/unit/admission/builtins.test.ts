import assert from 'node:assert/strict'
import type * as core from '../../../api/gen/core/v1.ts'
import {
  type AdmissionOperation,
  type AdmissionPlugin,
  createDefaultTolerationSeconds,
  createPriority,
  createServiceAccountAdmission,
  createStorageObjectInUseProtection,
  createTaintNodesByCondition,
} from '../../../lib/admission/index.ts'
import { createSeededRandom, systemClock } from '../../../lib/base/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'

const make = (kind: string, spec: object, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name: 'x', namespace: 'ns', ...metadata },
  spec: spec as never,
})

/** Passes a write through both phases; answers the object. */
async function admit(
  plugin: AdmissionPlugin,
  on: string,
  object: ApiObject,
  { operation = 'CREATE' as AdmissionOperation, oldObject = undefined as ApiObject | undefined, subresource = '' } = {},
): Promise<ApiObject> {
  const [resource = '', ...group] = on.split('.')
  const attributes = {
    operation,
    kind: { group: group.join('.'), version: 'v1', kind: object.kind },
    resource: { group: group.join('.'), version: 'v1', resource },
    subresource,
    namespace: 'ns',
    name: 'x',
    user: { name: 'u', uid: '', groups: [], extra: {} },
    dryRun: false,
    object,
    oldObject,
    options: undefined,
    signal: AbortSignal.timeout(10_000),
    warn() {},
    annotate() {},
  }
  if (!plugin.handles(operation)) return object
  await plugin.mutate?.(attributes)
  await plugin.validate?.(attributes)
  return object
}

describe('ServiceAccount', () => {
  const accounts: Record<string, object> = {
    default: { imagePullSecrets: [{ name: 'pull' }] },
    quiet: { automountServiceAccountToken: false },
  }
  const find = (_namespace: string, name: string) =>
    accounts[name] && { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name }, ...accounts[name] }
  const plugin = createServiceAccountAdmission({
    clock: { ...systemClock, sleep: async () => {} },
    random: createSeededRandom(1),
    cached: () => undefined,
    live: async (namespace, name) => find(namespace, name) as never,
  })
  const path = '/var/run/secrets/kubernetes.io/serviceaccount'
  const pod = (spec: object = {}, metadata: object = {}) =>
    make('Pod', { containers: [{ name: 'c', image: 'i' }], ...spec }, metadata)
  const mirror = { annotations: { 'kubernetes.io/config.mirror': 'x' } }

  it('gives a pod the default account, its pull secrets and a token', async () => {
    const { spec } = (await admit(plugin, 'pods', pod())) as unknown as { spec: core.PodSpec }
    assert.equal(spec.serviceAccountName, 'default')
    assert.deepEqual(spec.imagePullSecrets, [{ name: 'pull' }])
    const [volume] = spec.volumes ?? []
    assert(volume)
    const { name, projected } = volume
    assert.match(name, /^kube-api-access-[a-z0-9]{5}$/)
    assert.equal(projected?.sources?.[0]?.serviceAccountToken?.expirationSeconds, 3607)
    assert.equal(projected?.sources?.[1]?.configMap?.name, 'kube-root-ca.crt')
    assert.deepEqual(spec.containers?.[0]?.volumeMounts, [{ name, readOnly: true, mountPath: path }])
  })

  const taken = { containers: [{ name: 'c', volumeMounts: [{ name: 'v', mountPath: path }] }] }
  for (const [title, spec] of [
    ['the pod does not want it', { automountServiceAccountToken: false }],
    ['the account does not want it', { serviceAccountName: 'quiet' }],
    ['something else is mounted there', taken],
  ] as const)
    it(`mounts no token where ${title}`, async () => {
      const admitted = (await admit(plugin, 'pods', pod(spec))) as unknown as { spec: core.PodSpec }
      assert.equal(admitted.spec.volumes, undefined)
    })

  it('lets the pod overrule the account', async () => {
    const admitted = (await admit(
      plugin,
      'pods',
      pod({ serviceAccountName: 'quiet', automountServiceAccountToken: true }),
    )) as unknown as { spec: core.PodSpec }
    assert.equal(admitted.spec.volumes?.length, 1)
  })

  for (const [title, object, why] of [
    [
      'an account that is not there',
      pod({ serviceAccountName: 'nope' }),
      'error looking up service account ns/nope: serviceaccount "nope" not found',
    ],
    [
      'a mirror pod with an account',
      pod({ serviceAccountName: 'default' }, mirror),
      'a mirror pod may not reference service accounts',
    ],
    [
      'a mirror pod with a secret',
      pod({ volumes: [{ name: 'v', secret: { secretName: 's' } }] }, mirror),
      'a mirror pod may not reference secrets',
    ],
  ] as const)
    it(`refuses ${title}`, () =>
      assert.rejects(admit(plugin, 'pods', object), { code: 403, message: `pods "x" is forbidden: ${why}` }))

  it('leaves a mirror pod as it is', async () => {
    assert.deepEqual(await admit(plugin, 'pods', pod({}, mirror)), pod({}, mirror))
  })
})

describe('DefaultTolerationSeconds', () => {
  const plugin = createDefaultTolerationSeconds({ notReadySeconds: 300, unreachableSeconds: 200 })
  const tolerations = async (own?: object[]) =>
    ((await admit(plugin, 'pods', make('Pod', own ? { tolerations: own } : {}))) as unknown as { spec: core.PodSpec })
      .spec.tolerations
  const key = 'node.kubernetes.io/'
  const added = (name: string, tolerationSeconds: number) => ({
    key: key + name,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds,
  })

  it('adds both tolerations', async () =>
    assert.deepEqual(await tolerations(), [added('not-ready', 300), added('unreachable', 200)]))
  it('leaves alone what tolerates everything', async () =>
    assert.deepEqual(await tolerations([{ operator: 'Exists' }]), [{ operator: 'Exists' }]))
  it('adds what is tolerated with another effect only', async () =>
    assert.equal((await tolerations([{ key: `${key}not-ready`, effect: 'NoSchedule' }]))?.length, 3))
})

describe('TaintNodesByCondition', () => {
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }
  for (const [title, spec] of [
    ['taints a new node', {}],
    ['taints no node twice', { taints: [taint] }],
  ] as const)
    it(title, async () => {
      const node = (await admit(createTaintNodesByCondition(), 'nodes', make('Node', spec))) as unknown as {
        spec: core.NodeSpec
      }
      assert.deepEqual(node.spec.taints, [taint])
    })
})

describe('Priority', () => {
  const classOf = (name: string, value: number, more: object = {}) =>
    ({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...more }) as never
  const classes: Record<string, never> = {
    high: classOf('high', 1000, { preemptionPolicy: 'Never' }),
    usual: classOf('usual', 7, { globalDefault: true }),
  }
  const pluginOf = (names: string[]) =>
    createPriority({
      find: async (name) => (names.includes(name) ? classes[name] : undefined),
      all: async () => names.flatMap((name) => classes[name] ?? []),
    })
  const both = pluginOf(['high', 'usual'])

  for (const [title, plugin, spec, expected] of [
    ['takes the named class', both, { priorityClassName: 'high' }, ['high', 1000, 'Never']],
    ['takes the default class', both, {}, ['usual', 7, 'PreemptLowerPriority']],
    ['is 0 without any class', pluginOf([]), {}, [undefined, 0, 'PreemptLowerPriority']],
  ] as const)
    it(title, async () => {
      const { spec: got } = (await admit(plugin, 'pods', make('Pod', spec))) as unknown as { spec: core.PodSpec }
      assert.deepEqual([got.priorityClassName, got.priority, got.preemptionPolicy], expected)
    })

  for (const [title, spec, why] of [
    ['an unknown class', { priorityClassName: 'nope' }, /: no PriorityClass with name nope was found$/],
    ['another priority', { priority: 3 }, /: the integer value of priority \(3\) must not .* computed 7 from/],
    ['another policy', { preemptionPolicy: 'Never' }, /: the string value of PreemptionPolicy \(Never\) must not/],
  ] as const)
    it(`refuses ${title}`, () => assert.rejects(admit(both, 'pods', make('Pod', spec)), { code: 403, message: why }))

  it('keeps the priority that an update leaves out', async () => {
    const oldObject = make('Pod', { priority: 5, preemptionPolicy: 'Never' })
    const { spec } = await admit(both, 'pods', make('Pod', {}), { operation: 'UPDATE', oldObject })
    assert.deepEqual(spec, oldObject.spec)
  })

  it('refuses a second default class', () =>
    assert.rejects(
      admit(both, 'priorityclasses.scheduling.k8s.io', classOf('x', 1, { globalDefault: true })),
      /PriorityClass usual is already marked as default\. Only one default can exist/,
    ))
})

describe('StorageObjectInUseProtection', () => {
  for (const [on, finalizer] of [
    ['persistentvolumes', 'kubernetes.io/pv-protection'],
    ['persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
    ['volumeattributesclasses.storage.k8s.io', 'kubernetes.io/vac-protection'],
  ] as const)
    it(`protects new ${on}, once`, async () => {
      for (const finalizers of [[], [finalizer]]) {
        const { metadata } = await admit(createStorageObjectInUseProtection(), on, make('K', {}, { finalizers }))
        assert.deepEqual(metadata.finalizers, [finalizer])
      }
    })
})
