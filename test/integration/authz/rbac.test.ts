import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findEtcd } from '../../../hack/programs.ts'
import type { Apiserver } from '../../../lib/controlplane/index.ts'
import { type ServerProcess, scratchFolder, startServer } from '../../support/apiserver.ts'
import { startComposed } from '../../support/composed.ts'
import { startEtcd } from '../../support/etcd.ts'
import { eventually, eventuallyEquals } from '../../support/eventually.ts'
import { createKubectl, findKubectl, type Kubectl } from '../../support/kubectl.ts'
import { assertRecorded } from '../../support/recorded.ts'
import { as, binding, group, role } from './support.ts'

const facts = join(import.meta.dirname, '../../../../shared/facts/rbac_defaults.json')
const program = 'cmd/apiserver/main.ts'
const getPods = { apiGroups: [''], resources: ['pods'], verbs: ['get'] }

describe('rbac: a server', function () {
  this.timeout(120_000)
  let folder: ReturnType<typeof scratchFolder>
  let server: Apiserver
  let kubectl: Kubectl
  const post = async (path: string, body: object, user = '') => await as(server, user, path, { method: 'POST', body })
  before(async () => {
    folder = scratchFolder('rbac')
    server = await startComposed(folder.path, ['--authorization-mode=RBAC'])
    kubectl = createKubectl(server, folder.path)
    await post('/api/v1/namespaces', { metadata: { name: 'ns' } })
  })
  after(async () => {
    await server.stop()
    folder.remove()
  })

  it('has the roles and bindings of every cluster @recorded', async () => {
    interface Item {
      metadata: { name: string; namespace?: string }
    }
    const isThere = existsSync(facts)
    const known = JSON.parse(isThere ? readFileSync(facts, 'utf8') : '{"roles":{},"roleBindings":{}}') as Record<
      string,
      Item[]
    > & {
      roles: Record<string, Item[]>
      roleBindings: Record<string, Item[]>
    }
    const expected: Record<string, Item[]> = {
      clusterroles: [...(known['clusterRoles'] ?? []), ...(known['controllerRoles'] ?? [])],
      clusterrolebindings: [...(known['clusterRoleBindings'] ?? []), ...(known['controllerRoleBindings'] ?? [])],
      roles: Object.values(known.roles).flat(),
      rolebindings: Object.values(known.roleBindings).flat(),
    }
    const entries: [string, unknown][] = []
    const keyOf = ({ metadata }: Item): string => `${metadata.namespace ?? ''}/${metadata.name}`
    for (const [resource, items] of Object.entries(expected)) {
      const { json } = await as(server, '', `${group}/${resource}`)
      const bare = (json['items'] as Item[]).map(({ metadata: { name, namespace, ...metadata }, ...rest }) => {
        const { labels, annotations } = metadata as Record<string, unknown>
        return { ...rest, metadata: { name, ...(namespace ? { namespace } : {}), labels, annotations } }
      })
      const byName = (list: Item[]): Item[] => list.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))
      if (isThere) assert.deepEqual(withoutNulls(byName(bare)), withoutNulls(byName(items)), resource)
      for (const item of byName(bare)) entries.push([`${resource} ${keyOf(item)}`, withoutNulls(item)])
    }
    assertRecorded('rbac', entries)
  })

  it('refuses with the stock texts, and allows what a binding grants at once', async () => {
    const path = '/api/v1/namespaces/ns/pods/p'
    const refused = await as(server, 'alice', path)
    assert.equal(refused.status, 403)
    assert.equal(
      refused.json.message,
      'pods "p" is forbidden: User "alice" cannot get resource "pods" in API group "" in the namespace "ns"',
    )
    await post(`${group}/namespaces/ns/rolebindings`, binding('b', 'Role', 'pods', 'alice'))
    const pending = await as(server, 'alice', path)
    assert.match(
      pending.json.message ?? '',
      /in the namespace "ns": RBAC: role\.rbac\.authorization\.k8s\.io "pods" not found$/,
    )
    await post(`${group}/namespaces/ns/roles`, role('pods', getPods))
    assert.equal((await as(server, 'alice', path)).status, 404)
    assert.equal((await as(server, 'alice', '/api/v1/namespaces/other/pods/p')).status, 403)
    await as(server, '', `${group}/namespaces/ns/rolebindings/b`, { method: 'DELETE' })
    assert.equal((await as(server, 'alice', path)).status, 403)
  })

  it('lets every authenticated user discover, and anonymous users see the version only', async () => {
    assert.equal((await as(server, 'anybody', '/api')).status, 200)
    assert.equal((await as(server, 'anybody', '/apis/apps/v1')).status, 200)
    const metrics = await as(server, 'anybody', '/metrics')
    assert.equal(metrics.json.message, 'forbidden: User "anybody" cannot get path "/metrics"')
    const stranger = { groups: ['system:unauthenticated'] }
    assert.equal((await as(server, 'system:anonymous', '/version', stranger)).status, 200)
    assert.equal((await as(server, 'system:anonymous', '/api', stranger)).status, 403)
  })

  it('lets users with patch change an object by apply, but create one only with create', async () => {
    const maps = { apiGroups: [''], resources: ['configmaps'] }
    await post(`${group}/namespaces/ns/roles`, role('patcher', { ...maps, verbs: ['patch', 'get'] }))
    await post(`${group}/namespaces/ns/roles`, role('maker', { ...maps, verbs: ['create'], resourceNames: ['m'] }))
    await post(`${group}/namespaces/ns/rolebindings`, binding('patcher', 'Role', 'patcher', 'petra'))
    const path = '/api/v1/namespaces/ns/configmaps/m?fieldManager=m'
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: 'b' } }
    const apply = async () =>
      await as(server, 'petra', path, { method: 'PATCH', body, type: 'application/apply-patch+yaml' })
    const refused = await apply()
    assert.equal(refused.status, 403)
    assert.equal(
      refused.json.message,
      'configmaps "m" is forbidden: User "petra" cannot create resource "configmaps" in API group "" in the namespace "ns"',
    )
    await post(`${group}/namespaces/ns/rolebindings`, binding('maker', 'Role', 'maker', 'petra'))
    assert.equal((await apply()).status, 201)
    await as(server, '', `${group}/namespaces/ns/rolebindings/maker`, { method: 'DELETE' })
    assert.equal((await apply()).status, 200)
  })

  describe('keeps from granting more than one has', () => {
    const roles = `${group}/namespaces/ns/roles`
    const bindings = `${group}/namespaces/ns/rolebindings`
    before(async () => {
      const rules = {
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['*'],
        verbs: ['create', 'update', 'patch', 'get'],
      }
      await post(`${group}/clusterroles`, role('manager', rules))
      await post(
        `${group}/clusterrolebindings`,
        binding('manager', 'ClusterRole', 'manager', 'mallory', 'binder', 'escalator'),
      )
      const special = (verb: string, names: object) => ({
        apiGroups: ['rbac.authorization.k8s.io'],
        resources: ['roles', 'clusterroles'],
        verbs: [verb],
        ...names,
      })
      await post(roles, role('bind-pods', special('bind', { resourceNames: ['pods-reader', 'view'] })))
      await post(bindings, binding('binder', 'Role', 'bind-pods', 'binder'))
      await post(roles, role('escalate', special('escalate', {})))
      await post(bindings, binding('escalator', 'Role', 'escalate', 'escalator'))
      await post(roles, role('pods-reader', getPods))
    })

    const groups = '(groups=["system:authenticated"])'
    it('a role with rules that its author lacks is refused', async () => {
      const { status, json } = await post(roles, role('esc', getPods, { ...getPods, verbs: ['list'] }), 'mallory')
      assert.equal(status, 403)
      assert.deepEqual(json, {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: `roles.rbac.authorization.k8s.io "esc" is forbidden: user "mallory" ${groups} is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`,
        reason: 'Forbidden',
        details: { name: 'esc', group: 'rbac.authorization.k8s.io', kind: 'roles' },
        code: 403,
      })
      assert.equal((await post(roles, role('esc', getPods), 'escalator')).status, 201)
      assert.equal((await post(`${group}/clusterroles`, role('esc', getPods), 'escalator')).status, 403)
    })

    it('a changed role with rules that its author lacks is refused, but not for owners and finalizers', async () => {
      const patch = async (body: object) =>
        await as(server, 'mallory', `${roles}/pods-reader`, {
          method: 'PATCH',
          body,
          type: 'application/merge-patch+json',
        })
      assert.equal((await patch({ metadata: { finalizers: ['example.com/x'] } })).status, 200)
      assert.equal((await patch({ metadata: { finalizers: null } })).status, 200)
      const { status, json } = await patch({
        rules: [getPods, { ...getPods, resources: ['secrets'], resourceNames: ['s'] }],
      })
      assert.equal(status, 403)
      assert.match(
        json.message ?? '',
        /not currently held:\n\{APIGroups:\[""\], Resources:\["pods"\], Verbs:\["get"\]\}\n\{APIGroups:\[""\], Resources:\["secrets"\], ResourceNames:\["s"\], Verbs:\["get"\]\}$/,
      )
      assert.equal((await patch({ metadata: { labels: { a: 'b' } } })).status, 403)
    })

    it('a role that aggregates rules that its author lacks is refused', async () => {
      const body = { ...role('gather'), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }
      const { status, json } = await post(`${group}/clusterroles`, body, 'mallory')
      assert.equal(status, 403)
      assert.equal(
        json.message,
        'clusterroles.rbac.authorization.k8s.io "gather" is forbidden: must have cluster-admin privileges to use the aggregationRule',
      )
    })

    it('a binding of a role that its author lacks is refused', async () => {
      const { status, json } = await post(bindings, binding('esc', 'Role', 'pods-reader', 'mallory'), 'mallory')
      assert.equal(status, 403)
      assert.equal(
        json.message,
        `rolebindings.rbac.authorization.k8s.io "esc" is forbidden: user "mallory" ${groups} is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}`,
      )
      const none = await post(bindings, binding('esc', 'ClusterRole', 'none', 'mallory'), 'mallory')
      assert.equal(none.status, 404)
      assert.equal(none.json.message, 'clusterroles.rbac.authorization.k8s.io "none" not found')
      assert.equal((await post(bindings, binding('esc', 'Role', 'pods-reader', 'x'), 'binder')).status, 201)
      assert.equal((await post(bindings, binding('esc2', 'ClusterRole', 'view', 'x'), 'binder')).status, 201)
      assert.equal((await post(bindings, binding('esc3', 'ClusterRole', 'cluster-admin', 'x'), 'binder')).status, 403)
      assert.equal(
        (await post(`${group}/clusterrolebindings`, binding('esc', 'ClusterRole', 'view', 'x'), 'binder')).status,
        201,
        'a role without rules grants nothing',
      )
      assert.equal((await post(bindings, binding('wrong', 'Nothing', 'view', 'x'), 'mallory')).status, 422)
    })

    it('a permission can be granted as soon as its author has it, and only so long', async () => {
      await post(bindings, binding('mallory-pods', 'Role', 'pods-reader', 'mallory'))
      assert.equal((await post(roles, role('held', getPods), 'mallory')).status, 201)
      await as(server, '', `${bindings}/mallory-pods`, { method: 'DELETE' })
      let tries = 0
      await eventuallyEquals(
        async () => (await post(roles, role(`held-${++tries}`, getPods), 'mallory')).status,
        403,
        'that he may grant it no more',
      )
    })

    it('although other problems are in the way of knowing', async () => {
      await post(bindings, binding('broken', 'Role', 'gone', 'mallory'))
      const { json } = await post(roles, role('x', getPods), 'mallory')
      assert.match(json.message ?? '', /; resolution errors: \[role\.rbac\.authorization\.k8s\.io "gone" not found\]$/)
    })
  })

  describe('answers reviews', () => {
    const reviews = '/apis/authorization.k8s.io/v1'
    before(async () => {
      await post(`${group}/namespaces/ns/roles`, role('reviewed', getPods))
      await post(`${group}/namespaces/ns/rolebindings`, binding('reviewed', 'Role', 'reviewed', 'rita'))
    })

    const pods = { namespace: 'ns', verb: 'get', resource: 'pods' }
    const cases: [string, object, object][] = [
      [
        'subjectaccessreviews',
        { user: 'rita', resourceAttributes: pods },
        { allowed: true, reason: 'RBAC: allowed by RoleBinding "reviewed/ns" of Role "reviewed" to User "rita"' },
      ],
      ['subjectaccessreviews', { user: 'rita', resourceAttributes: { ...pods, namespace: 'x' } }, { allowed: false }],
      [
        'subjectaccessreviews',
        { groups: ['system:masters'], resourceAttributes: { verb: 'get', resource: 'x' } },
        { allowed: true },
      ],
      [
        'subjectaccessreviews',
        { user: 'rita', nonResourceAttributes: { verb: 'get', path: '/metrics' } },
        { allowed: false },
      ],
      [
        'subjectaccessreviews',
        { user: 'rita', resourceAttributes: { ...pods, fieldSelector: { rawSelector: 'a' } } },
        {
          allowed: true,
          reason: 'RBAC: allowed by RoleBinding "reviewed/ns" of Role "reviewed" to User "rita"',
          evaluationError: 'spec.resourceAttributes.fieldSelector ignored due to parse error',
        },
      ],
      ['namespaces/ns/localsubjectaccessreviews', { user: 'joe', resourceAttributes: pods }, { allowed: false }],
    ]
    for (const [resource, spec, status] of cases)
      it(`${resource} ${JSON.stringify(spec)}`, async () => {
        const answer = await post(`${reviews}/${resource}`, { spec })
        assert.equal(answer.status, 201)
        assert.deepEqual(answer.json.status, status)
      })

    const refused: [string, object, string][] = [
      [
        'subjectaccessreviews',
        { spec: { user: 'x' } },
        'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
      [
        'selfsubjectaccessreviews',
        { spec: {} },
        'spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
      ],
      [
        'subjectaccessreviews',
        { spec: { resourceAttributes: pods } },
        'spec.user: Invalid value: "": at least one of user or group must be specified',
      ],
      [
        'namespaces/ns/localsubjectaccessreviews',
        { spec: { user: 'x', resourceAttributes: { ...pods, namespace: 'b' } } },
        'spec.resourceAttributes.namespace: Invalid value: "b": must match metadata.namespace',
      ],
    ]
    for (const [resource, body, message] of refused)
      it(`${resource} refuses: ${message}`, async () => {
        const answer = await post(`${reviews}/${resource}`, body)
        assert.equal(answer.status, 422)
        assert.equal(answer.json.message, `.authorization.k8s.io "" is invalid: ${message}`)
      })

    it('a review about oneself is answered for everybody', async () => {
      const spec = { resourceAttributes: pods }
      const own = await post(`${reviews}/selfsubjectaccessreviews`, { spec }, 'rita')
      assert.deepEqual((own.json.status as { allowed: boolean }).allowed, true)
      const other = await post(`${reviews}/subjectaccessreviews`, { spec: { ...spec, user: 'x' } }, 'rita')
      assert.equal(other.status, 403)
      const rules = await post(`${reviews}/selfsubjectrulesreviews`, { spec: { namespace: 'ns' } }, 'rita')
      const { resourceRules, incomplete } = rules.json.status as { resourceRules: object[]; incomplete: boolean }
      assert.deepEqual(resourceRules.at(-1), getPods)
      assert.equal(incomplete, false)
      const { metadata, spec: noSpec } = rules.json as { metadata?: object; spec?: object }
      assert.deepEqual([metadata, noSpec], [{}, {}], 'the answer is a review of its own')
      const none = await post(`${reviews}/selfsubjectrulesreviews`, { spec: {} }, 'rita')
      assert.deepEqual([none.status, none.json.message], [400, 'no namespace on request'])
    })

    it('a review of kubectl is answered', async function () {
      if (findKubectl() === undefined) this.skip()
      const can = async (...args: string[]): Promise<string> =>
        (await kubectl(['auth', 'can-i', ...args])).stdout.trim()
      assert.equal(await can('get', 'pods', '-n', 'ns', '--as', 'rita'), 'yes')
      assert.equal(await can('get', 'pods', '--as', 'rita'), 'no')
      assert.equal(await can('get', '/metrics', '--as', 'rita'), 'no')
      assert.equal(await can('*', '*', '--all-namespaces'), 'yes')
      const list = await can('--list', '-n', 'ns', '--as', 'rita')
      assert.match(list, /^pods +\[\] +\[\] +\[get\]$/m)
      assert.match(list, /^selfsubjectaccessreviews\.authorization\.k8s\.io +\[\] +\[\] +\[create\]$/m)
      assert.match(list, /\[\/api\/\*\] +\[\] +\[get\]/)
      const reconciled = await kubectl(['auth', 'reconcile', '-f', '-'], {
        input: JSON.stringify({
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRole',
          ...role('by-kubectl', getPods),
        }),
      })
      assert.equal(reconciled.code, 0, reconciled.stderr)
    })
  })
})

describe('rbac: two replicas', function () {
  // Three starts and an etcd: 6 s on an idle machine, 72 s seen beside two busy loops.
  this.timeout(220_000)
  const patient = { readyTimeoutMs: 100_000 }
  it('start concurrently without undoing each other, and each knows a new binding of the other at once', async function () {
    if ((await findEtcd()) === undefined) this.skip()
    const folder = scratchFolder('rbac2')
    const etcd = await startEtcd()
    const flags = [`--etcd-servers=${etcd.url}`, '--authorization-mode=RBAC']
    const servers = await Promise.all([1, 2].map(async () => await startServer(program, flags, folder.path, patient)))
    try {
      const [first, second] = servers as [ServerProcess, ServerProcess]
      const { json } = await as(first, '', `${group}/clusterroles`)
      for (const { metadata } of json['items'] as { metadata: { resourceVersion: string; generation?: number } }[])
        assert.notEqual(metadata.resourceVersion, '')
      await as(first, '', `${group}/clusterroles`, { method: 'POST', body: role('reader', getPods) })
      await as(first, '', `${group}/clusterrolebindings`, {
        method: 'POST',
        body: binding('b', 'ClusterRole', 'reader', 'rob'),
      })
      let status = 403
      await eventually(async () => {
        ;({ status } = await as(second, 'rob', '/api/v1/namespaces/x/pods/p'))
        return status !== 403
      }, 'the binding at the other replica')
      assert.equal(status, 404)
      // Somebody takes something away and says that it stays away; something else is put right by the next start.
      const patch = async (name: string, body: object) =>
        await as(first, '', `${group}/clusterroles/${name}`, {
          method: 'PATCH',
          body,
          type: 'application/merge-patch+json',
        })
      await patch('system:heapster', {
        rules: [],
        metadata: { annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
      })
      await patch('system:kube-dns', { rules: [getPods] })
      await second.stop()
      const third = await startServer(program, flags, folder.path, patient)
      servers[1] = third
      const rulesOf = async (name: string) => (await as(third, '', `${group}/clusterroles/${name}`)).json['rules']
      assert.deepEqual((await rulesOf('system:heapster')) ?? [], [])
      assert.deepEqual(await rulesOf('system:kube-dns'), [
        getPods,
        { apiGroups: [''], resources: ['endpoints', 'services'], verbs: ['list', 'watch'] },
      ])
    } finally {
      await Promise.all(servers.map(async (server) => await server.stop()))
      await etcd.stop()
      folder.remove()
    }
  })
})

/** Absent and null are the same here. */
function withoutNulls(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, each: unknown) => (each === null ? undefined : each)))
}
