import assert from 'node:assert/strict'
import type * as core from '../../../api/gen/core/v1.ts'
import {
  createAlwaysAdmit,
  createAlwaysDeny,
  createAlwaysPullImages,
  createDenyServiceExternalIps,
  createExtendedResourceToleration,
  createLimitPodHardAntiAffinityTopology,
  createNamespaceAutoProvision,
  createNamespaceExists,
  createOwnerReferencesPermissionEnforcement,
  type OwnerQuestion,
} from '../../../lib/admission/index.ts'
import { type Admitted, admit, make } from '../../support/admissionkit.ts'

describe('AlwaysPullImages', () => {
  const plugin = createAlwaysPullImages()
  const pod = (image: string, imagePullPolicy = 'Never') =>
    make('Pod', {
      initContainers: [{ name: 'i', image, imagePullPolicy }],
      containers: [{ name: 'c', image, imagePullPolicy }],
      ephemeralContainers: [{ name: 'e', image, imagePullPolicy }],
      volumes: [{ name: 'v', image: { reference: 'r', pullPolicy: 'IfNotPresent' } }],
    })
  const policies = ({ spec }: ReturnType<typeof pod>): (string | undefined)[] => {
    const { initContainers, containers, ephemeralContainers, volumes } = spec as core.PodSpec
    const all = [initContainers, containers, ephemeralContainers].map((list) => list?.[0]?.imagePullPolicy)
    return [...all, volumes?.[0]?.image?.pullPolicy]
  }
  const four = (policy: string): string[] => Array.from({ length: 4 }, () => policy)

  it('makes nodes pull all images of a new pod', async () => {
    assert.deepEqual(policies(await admit(plugin, 'pods', pod('a'))), four('Always'))
  })
  it('makes nodes pull all images when an update brings another one', async () => {
    const object = await admit(plugin, 'pods', pod('b'), { operation: 'UPDATE', oldObject: pod('a') })
    assert.deepEqual(policies(object), four('Always'))
  })
  it('ignores an update without a new image', async () => {
    const object = await admit(plugin, 'pods', pod('a'), { operation: 'UPDATE', oldObject: pod('a', 'IfNotPresent') })
    assert.equal(policies(object)[0], 'Never')
  })
  it('refuses what a later plugin has changed', async () => {
    const late = { ...plugin, mutate: () => {} }
    await assert.rejects(admit(late, 'pods', pod('a')), {
      code: 403,
      message:
        'pods "x" is forbidden: spec.initContainers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"',
    })
  })
})

describe('DenyServiceExternalIPs', () => {
  const service = (...externalIPs: string[]) => make('Service', { externalIPs })
  const write = (object: ReturnType<typeof service>, more: Admitted = {}) =>
    admit(createDenyServiceExternalIps(), 'services', object, more)
  const refused = {
    code: 403,
    message: 'services "x" is forbidden: Use of external IPs is denied by admission control',
  }
  it('allows services without external addresses', async () => {
    await write(service())
  })
  it('refuses a new external address', () => assert.rejects(write(service('1.2.3.4')), refused))
  it('allows existing external addresses to stay and be removed, and none to be added', async () => {
    const before: Admitted = { operation: 'UPDATE', oldObject: service('1.2.3.4', '1.2.3.5') }
    await write(service('1.2.3.5'), before)
    await assert.rejects(write(service('1.2.3.5', '1.2.3.6'), before), refused)
  })
})

describe('NamespaceExists', () => {
  const known = make('Namespace', {})
  const pluginFor = (exists: boolean) => createNamespaceExists({ find: async () => (exists ? known : undefined) })
  for (const operation of ['CREATE', 'UPDATE', 'DELETE'] as const)
    it(`refuses ${operation} in a missing namespace`, async () => {
      await admit(pluginFor(true), 'configmaps', make('ConfigMap', {}), { operation })
      await assert.rejects(admit(pluginFor(false), 'configmaps', make('ConfigMap', {}), { operation }), {
        code: 404,
        message: 'namespaces "ns" not found',
      })
    })
  it('does not check namespaces themselves', async () => {
    await admit(pluginFor(false), 'namespaces', known)
  })
})

describe('AlwaysAdmit and AlwaysDeny', () => {
  it('admit and refuse everything', async () => {
    await admit(createAlwaysAdmit(), 'configmaps', make('ConfigMap', {}))
    await assert.rejects(admit(createAlwaysDeny(), 'configmaps', make('ConfigMap', {})), {
      code: 403,
      message: 'configmaps "x" is forbidden: admission control is denying all modifications',
    })
  })
})

describe('LimitPodHardAntiAffinityTopology', () => {
  const pod = (topologyKey: string, list = 'requiredDuringSchedulingIgnoredDuringExecution') =>
    make('Pod', { affinity: { podAntiAffinity: { [list]: [{ topologyKey }] } } })
  const write = (object: ReturnType<typeof pod>, more: Admitted = {}) =>
    admit(createLimitPodHardAntiAffinityTopology(), 'pods', object, more)
  it('allows required anti-affinity by node, and wider preferences', async () => {
    await write(pod('kubernetes.io/hostname'))
    await write(pod('zone', 'preferredDuringSchedulingIgnoredDuringExecution'))
  })
  it('refuses wider topologies, and does not check subresources of pods', async () => {
    await assert.rejects(write(pod('zone')), {
      code: 403,
      message:
        'pods "x" is forbidden: affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key kubernetes.io/hostname is allowed',
    })
    await write(pod('zone'), { operation: 'UPDATE', subresource: 'status' })
  })
})

describe('ExtendedResourceToleration', () => {
  const asking = (...names: string[]) => ({
    resources: { requests: Object.fromEntries(names.map((name) => [name, '1'])) },
  })
  const tolerations = async (spec: object): Promise<unknown> =>
    ((await admit(createExtendedResourceToleration(), 'pods', make('Pod', spec))).spec as core.PodSpec).tolerations
  const of = (key: string) => ({ key, operator: 'Exists', effect: 'NoSchedule' })
  it('tolerates taints of the extended resources that containers ask for, in the order of their names', async () => {
    const spec = { containers: [asking('z.com/b', 'cpu')], initContainers: [asking('a.com/a', 'z.com/b')] }
    assert.deepEqual(await tolerations(spec), [of('a.com/a'), of('z.com/b')])
  })
  it('ignores tolerated taints, and native resources', async () => {
    assert.equal(await tolerations({ containers: [asking('cpu', 'x.kubernetes.io/y')] }), undefined)
    const spec = { containers: [asking('a.com/a')], tolerations: [of('a.com/a')] }
    assert.deepEqual(await tolerations(spec), [of('a.com/a')])
  })
})

describe('NamespaceAutoProvision', () => {
  const made: string[] = []
  const plugin = createNamespaceAutoProvision({
    find: (name) => Promise.resolve(made.includes(name) ? make('Namespace', {}) : undefined),
    create: (name) => {
      made.push(name)
      return Promise.resolve()
    },
  })
  it('creates the namespace of a new object, once', async () => {
    await admit(plugin, 'pods', make('Pod', {}))
    await admit(plugin, 'pods', make('Pod', {}))
    assert.deepEqual(made, ['ns'])
  })
  it('creates nothing in a dry run, for a subresource, and in an update', async () => {
    made.length = 0
    await admit(plugin, 'pods', make('Pod', {}), { dryRun: true })
    await admit(plugin, 'pods', make('Pod', {}), { subresource: 'binding' })
    await admit(plugin, 'pods', make('Pod', {}), { operation: 'UPDATE', oldObject: make('Pod', {}) })
    assert.deepEqual(made, [])
  })
})

describe('OwnerReferencesPermissionEnforcement', () => {
  const asked: string[] = []
  const denied = new Set<string>()
  const plugin = createOwnerReferencesPermissionEnforcement({
    isAllowed({ verb, resource, subresource, namespace, name }: OwnerQuestion) {
      const question = `${verb} ${resource}${subresource === '' ? '' : `/${subresource}`} ${namespace}/${name}`
      asked.push(question)
      return Promise.resolve({ allowed: !denied.has(question), reason: 'no rule' })
    },
    resourcesOf: (apiVersion, kind) =>
      apiVersion === 'apps/v1' && kind === 'ReplicaSet'
        ? [{ group: 'apps', version: 'v1', resource: 'replicasets', namespaced: true }]
        : [],
  })
  beforeEach(() => {
    asked.length = 0
    denied.clear()
  })
  const owner = (more: object = {}): object => ({
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    name: 'r',
    uid: 'u',
    ...more,
  })
  const pod = (...ownerReferences: object[]) => make('Pod', {}, { ownerReferences })
  const update = (now: ReturnType<typeof pod>, before: ReturnType<typeof pod>, more: Admitted = {}) =>
    admit(plugin, 'pods', now, { operation: 'UPDATE', oldObject: before, ...more })

  it('checks nothing for unchanged owners, and for a new object without a blocking one', async () => {
    await update(pod(owner()), pod(owner()))
    await admit(plugin, 'pods', pod(owner()))
    await update(pod(owner()), pod(), { subresource: 'status' })
    assert.deepEqual(asked, [])
  })
  it('refuses new owners of an object that the user may not delete', async () => {
    denied.add('delete pods ns/x')
    await assert.rejects(update(pod(owner()), pod()), {
      code: 403,
      message: `pods "x" is forbidden: cannot set an ownerRef on a resource you can't delete: no rule, <nil>`,
    })
    await assert.rejects(update(pod(), pod(owner())), { code: 403 })
  })
  it('refuses to block the deletion of an owner whose finalizers the user may not set', async () => {
    denied.add('update replicasets/finalizers ns/r')
    await assert.rejects(admit(plugin, 'pods', pod(owner({ blockOwnerDeletion: true }))), {
      code: 403,
      message: `pods "x" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: no rule, <nil>`,
    })
  })
  it('allows a blocking owner to stay, and a new one whose finalizers the user may set', async () => {
    denied.add('update replicasets/finalizers ns/r')
    const blocking = owner({ blockOwnerDeletion: true })
    await update(pod(blocking, owner({ uid: 'v' })), pod(blocking))
    denied.clear()
    await admit(plugin, 'pods', pod(blocking))
    assert.deepEqual(asked, ['delete pods ns/x', 'update replicasets/finalizers ns/r'])
  })
  it('refuses a blocking owner of a kind that is not served', async () => {
    await assert.rejects(admit(plugin, 'pods', pod(owner({ kind: 'toString', blockOwnerDeletion: true }))), {
      code: 403,
      message:
        /cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion apps\/v1 Kind toString: /,
    })
  })
})
