import assert from 'node:assert/strict'
import {
  type DefaultObject,
  defaultObjects,
  describePermissions,
  missingPermissions,
  type PolicyRule,
  permissionsMax,
  reconcileDefault,
} from '../../../lib/authz/index.ts'
import { createFeatureGates, parseRelease } from '../../../lib/features/index.ts'
import type { ApiObject } from '../../../lib/object/index.ts'

const rule = (apiGroups: string[], resources: string[], verbs: string[], resourceNames?: string[]): PolicyRule => ({
  apiGroups,
  resources,
  verbs,
  ...(resourceNames ? { resourceNames } : {}),
})

describe('rbac: what is missing to hold all of some rules', () => {
  const everything = [rule(['*'], ['*'], ['*']), { verbs: ['*'], nonResourceURLs: ['*'] }]
  const cases: [string, PolicyRule[], PolicyRule[], string][] = [
    ['nothing of nothing', [], [], ''],
    ['all', [], [rule([''], ['pods'], ['get', 'list'])], '{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}'],
    [
      'a verb',
      [rule([''], ['pods'], ['get'])],
      [rule([''], ['pods'], ['get', 'list'])],
      '{APIGroups:[""], Resources:["pods"], Verbs:["list"]}',
    ],
    [
      'nothing that several rules hold',
      [rule([''], ['a'], ['get']), rule(['x'], ['a', 'b'], ['get']), rule([''], ['b'], ['get'])],
      [rule(['', 'x'], ['a', 'b'], ['get'])],
      '',
    ],
    [
      'a wildcard that is spelled out',
      [rule([''], ['pods'], ['get', 'list'])],
      [rule([''], ['pods'], ['*'])],
      '{APIGroups:[""], Resources:["pods"], Verbs:["*"]}',
    ],
    [
      'a wildcard of groups',
      [rule(['a'], ['pods'], ['get'])],
      [rule(['*'], ['pods'], ['get'])],
      '{APIGroups:["*"], Resources:["pods"], Verbs:["get"]}',
    ],
    ['nothing of a subresource of all', [rule([''], ['*/scale'], ['get'])], [rule([''], ['pods/scale'], ['get'])], ''],
    [
      'all subresources of one',
      [rule([''], ['pods/scale'], ['get'])],
      [rule([''], ['*/scale'], ['get'])],
      '{APIGroups:[""], Resources:["*/scale"], Verbs:["get"]}',
    ],
    [
      'names',
      [rule([''], ['pods'], ['get'], ['a'])],
      [rule([''], ['pods'], ['get'], ['a', 'b'])],
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
    ],
    [
      'all names',
      [rule([''], ['pods'], ['get'], ['a'])],
      [rule([''], ['pods'], ['get'])],
      '{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    ],
    ['nothing of names when all are held', [rule([''], ['pods'], ['get'])], [rule([''], ['pods'], ['get'], ['a'])], ''],
    [
      'paths',
      [{ verbs: ['get'], nonResourceURLs: ['/a/*'] }],
      [{ verbs: ['get'], nonResourceURLs: ['/a/b', '/a/*', '/a', '*'] }],
      '{NonResourceURLs:["*"], Verbs:["get"]}\n{NonResourceURLs:["/a"], Verbs:["get"]}',
    ],
    ['nothing for who holds everything', everything, everything, ''],
    ['paths for who holds all resources', everything.slice(0, 1), everything, '{NonResourceURLs:["*"], Verbs:["*"]}'],
  ]
  for (const [title, held, wanted, expected] of cases)
    it(`is ${title}`, () => {
      assert.equal(describePermissions(missingPermissions(held, wanted).missing), expected)
    })

  it('is searched for up to a limit', () => {
    const many = (prefix: string): string[] => Array.from({ length: 1000 }, (_, at) => `${prefix}${at}`)
    const wide = rule(many('g'), many('r'), many('v'))
    const { missing, tooMany } = missingPermissions([], [wide])
    assert.deepEqual([missing.length, tooMany], [permissionsMax, true])
    assert.deepEqual(missingPermissions(everything, [wide]), { missing: [], tooMany: false })
  })
})

describe('rbac: default objects', () => {
  it('leave out the controllers of features that are off', () => {
    const gates = createFeatureGates({ release: parseRelease('1.33') })
    const names = defaultObjects((name) => gates.gate(name)).map(({ object }) => object.metadata.name)
    for (const controller of [
      'device-taint-eviction-controller',
      'resource-claim-controller',
      'volumeattributesclass-protection-controller',
      'kube-apiserver-serving-clustertrustbundle-publisher',
      'storage-version-garbage-collector',
      'storage-version-migrator-controller',
      'podcertificaterequestcleaner',
    ])
      assert.equal(names.includes(`system:controller:${controller}`), false, controller)
    assert.equal(names.includes('system:controller:replicaset-controller'), true)
    assert.equal(defaultObjects(() => true).length, names.length + 14, 'seven roles and their bindings')
  })

  it('have the controllers of features that are on in the default release', () => {
    const gates = createFeatureGates()
    const names = defaultObjects((name) => gates.gate(name)).map(({ object }) => object.metadata.name)
    for (const [controller, isOn] of [
      ['device-taint-eviction-controller', true],
      ['resource-claim-controller', true],
      ['volumeattributesclass-protection-controller', true],
      ['kube-apiserver-serving-clustertrustbundle-publisher', false],
      ['storage-version-garbage-collector', false],
      ['storage-version-migrator-controller', false],
    ] as const)
      assert.equal(names.includes(`system:controller:${controller}`), isOn, controller)
  })

  it('have the rules of a feature where it is on', () => {
    const rulesOf = (name: string, isOn: boolean): string[] => {
      const objects = defaultObjects((gate) => gate !== 'DRADeviceTaintRules' || isOn)
      const found = objects.find(({ object }) => object.kind === 'ClusterRole' && object.metadata.name === name)
      const rules = (found?.object['rules'] ?? []) as PolicyRule[]
      return rules
        .filter(({ resources = [] }) => resources.some((resource) => resource.startsWith('devicetaintrules')))
        .map(({ verbs = [], resources = [] }) => `${verbs.join()} ${resources.join()}`)
    }
    const eviction = 'system:controller:device-taint-eviction-controller'
    assert.deepEqual([rulesOf(eviction, false), rulesOf('system:kube-scheduler', false)], [[], []])
    assert.deepEqual(rulesOf('system:kube-scheduler', true), ['get,list,watch devicetaintrules'])
    assert.deepEqual(rulesOf(eviction, true), [
      'get,list,watch devicetaintrules',
      'patch,update devicetaintrules/status',
    ])
  })

  const all = defaultObjects(() => true)
  const find = (resource: string, name: string): DefaultObject => {
    const found = all.find((each) => each.resource === resource && each.object.metadata.name === name)
    assert.notEqual(found, undefined, name)
    return found ?? { resource: 'roles', object: { apiVersion: '', kind: '', metadata: {} } }
  }
  const changed = (wanted: DefaultObject, change: object): ApiObject => ({
    ...structuredClone(wanted.object),
    ...change,
  })

  it('default objects that are complete are not changed', () => {
    for (const each of all) assert.deepEqual(reconcileDefault(each, each.object), { action: 'none' })
  })

  it('include the roles that bindings refer to', () => {
    for (const { resource, object } of all) {
      if (!resource.endsWith('bindings')) continue
      const { kind, name } = object['roleRef'] as { kind: string; name: string }
      const { namespace } = object.metadata
      const there = all.some(
        (each) =>
          each.object.kind === kind &&
          each.object.metadata.name === name &&
          each.object.metadata.namespace === namespace,
      )
      assert.equal(there, true, name)
    }
  })

  const dns = find('clusterroles', 'system:kube-dns')
  it('get back missing rules, and keep added ones', () => {
    const extra = rule(['x'], ['y'], ['get'])
    const outcome = reconcileDefault(dns, changed(dns, { rules: [extra] }))
    assert.equal(outcome.action, 'update')
    assert.deepEqual('object' in outcome ? outcome.object['rules'] : undefined, [
      extra,
      ...(dns.object['rules'] as object[]),
    ])
    const wider = changed(dns, { rules: [rule([''], ['*'], ['*'])] })
    assert.deepEqual(reconcileDefault(dns, wider), { action: 'none' })
  })

  it('get back missing labels and annotations, but keep other values of them', () => {
    const metadata = {
      name: 'system:kube-dns',
      labels: { mine: '1' },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'yes' },
    }
    const outcome = reconcileDefault(dns, changed(dns, { metadata }))
    assert.deepEqual('object' in outcome ? outcome.object.metadata : undefined, {
      ...metadata,
      labels: { mine: '1', 'kubernetes.io/bootstrapping': 'rbac-defaults' },
    })
  })

  it('stay as they are where the annotation demands it', () => {
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' }
    const left = changed(dns, { rules: [], metadata: { name: 'system:kube-dns', annotations } })
    assert.deepEqual(reconcileDefault(dns, left), { action: 'none' })
  })

  it('default roles that aggregate rules keep the aggregated ones, and get back their selectors', () => {
    const admin = find('clusterroles', 'admin')
    const gathered = changed(admin, { rules: [rule([''], ['pods'], ['get'])] })
    assert.deepEqual(reconcileDefault(admin, gathered), { action: 'none' })
    const own = { matchLabels: { a: 'b' } }
    const outcome = reconcileDefault(admin, changed(admin, { aggregationRule: { clusterRoleSelectors: [own] } }))
    const wanted = (admin.object['aggregationRule'] as { clusterRoleSelectors: object[] }).clusterRoleSelectors
    assert.deepEqual('object' in outcome ? outcome.object['aggregationRule'] : undefined, {
      clusterRoleSelectors: [own, ...wanted],
    })
  })

  it('get back missing subjects; a binding to another role is created again', () => {
    const discovery = find('clusterrolebindings', 'system:discovery')
    const jane = { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'jane' }
    const outcome = reconcileDefault(discovery, changed(discovery, { subjects: [jane] }))
    assert.deepEqual('object' in outcome ? outcome.object['subjects'] : undefined, [
      jane,
      ...(discovery.object['subjects'] as object[]),
    ])
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' }
    assert.deepEqual(reconcileDefault(discovery, changed(discovery, { roleRef })), {
      action: 'replace',
      object: discovery.object,
    })
  })
})
