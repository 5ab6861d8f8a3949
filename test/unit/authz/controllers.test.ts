import assert from 'node:assert/strict'
import type { ClusterRole, ClusterRoleBinding, PolicyRule } from '../../../api/gen/rbac.authorization.k8s.io/v1.ts'
import { createRbac, defaultObjects } from '../../../lib/authz/index.ts'
import { silentLogger } from '../../../lib/base/index.ts'
import { controllers } from '../../../lib/controllers/index.ts'

const account = 'system:serviceaccount:kube-system:'
const groups = ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated']

describe('rbac: the identities of controllers', () => {
  const { authorizer, listeners } = createRbac({ log: silentLogger })
  const objects = defaultObjects(() => true)
  for (const { resource, object } of objects) listeners[resource].set(object)
  const of = (resource: string): unknown[] =>
    objects.filter((each) => each.resource === resource).map(({ object }) => object)
  const roles = new Map(
    (of('clusterroles') as ClusterRole[]).map((role) => [role.metadata.name ?? '', role.rules ?? []]),
  )
  const bindings = of('clusterrolebindings') as ClusterRoleBinding[]
  const every = [...roles.values()].flat()

  /** What somebody holds, read off the bindings one by one. */
  const held = (name: string): PolicyRule[] =>
    bindings
      .filter(({ subjects = [] }) =>
        subjects.some((subject) =>
          subject.kind === 'Group'
            ? groups.includes(subject.name)
            : subject.kind === 'ServiceAccount' && subject.namespace === 'kube-system' && subject.name === name,
        ),
      )
      .flatMap(({ roleRef }) => roles.get(roleRef.name) ?? [])

  const matches = (list: readonly string[] | undefined, one: string): boolean =>
    list?.some((each) => each === '*' || each === one) ?? false
  const isHeld = (rules: readonly PolicyRule[], verb: string, group: string, resource: string): boolean =>
    rules.some(
      (rule) =>
        !rule.resourceNames?.length &&
        matches(rule.verbs, verb) &&
        matches(rule.apiGroups, group) &&
        (matches(rule.resources, resource) || matches(rule.resources, resource.replace(/^[^/]+\//, '*/'))),
    )

  /** Every verb on every resource that any default role speaks of. */
  const questions = new Set(
    every.flatMap(({ verbs = [], apiGroups = [], resources = [] }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => [...verbs, 'get', 'delete'].map((verb) => `${verb} ${group} ${resource}`)),
      ),
    ),
  )

  const accounts = [...roles.keys()]
    .filter((name) => name.startsWith('system:controller:'))
    .map((name) => name.slice('system:controller:'.length))

  it('are complete', () => {
    assert(accounts.length >= 30, String(accounts.length))
    assert(questions.size > 500, String(questions.size))
  })

  it('every controller with its own account has its own permissions', () => {
    const named = objects
      .filter(({ resource }) => resource.endsWith('bindings'))
      .flatMap(({ object }) => (object as ClusterRoleBinding).subjects ?? [])
      .filter(({ kind, namespace }) => kind === 'ServiceAccount' && namespace === 'kube-system')
    const granted = new Set(named.map(({ name: each }) => each))
    const alone = controllers.filter(({ asShared, account: each }) => asShared !== true && !granted.has(each))
    assert.deepEqual(
      alone.map(({ name: each }) => each),
      [],
    )
  })

  for (const name of accounts)
    it(`${name} may do what its role grants, and nothing else`, () => {
      const user = { name: account + name, uid: '', groups, extra: {} }
      const rules = held(name)
      assert(rules.length > (roles.get('system:basic-user')?.length ?? 0))
      for (const question of questions) {
        const [verb = '', group = '', resource = ''] = question.split(' ')
        const [plural = '', subresource = ''] = resource.split('/')
        const of = { user, verb, isResource: true, path: '', group, version: 'v1', resource: plural, subresource }
        const answer = authorizer.authorize(
          { ...of, namespace: 'ns', name: 'n' },
          { signal: new AbortController().signal },
        )
        assert(!(answer instanceof Promise))
        assert.equal(answer.decision === 'allow', isHeld(rules, verb, group, resource), question)
      }
    })
})
